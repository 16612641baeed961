#include "apiserver/discovery/health.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

net::HttpResponse Ask(std::string_view path, bool storage_works = true) {
  const std::vector<HealthCheck> checks = {
      {.name = "storage",
       .check = [=]() -> Result<void> {
         if (storage_works) return Ok();
         return Fail(ErrorKind::kUnavailable, "the disk is full");
       }},
      {.name = "hooks/started", .check = [] { return Ok(); }, .only_ready = true},
  };
  return AnswerHealth(checks, net::ParseTarget(path).value());
}

TEST(HealthTest, SaysOkAndNoMoreUnlessAsked) {
  EXPECT_EQ(Ask("/livez").status, 200);
  EXPECT_EQ(Ask("/livez").body, "ok");
  EXPECT_EQ(Ask("/livez").headers.Find("Content-Type"), "text/plain; charset=utf-8");
  EXPECT_EQ(Ask("/livez?verbose").body, "[+]ping ok\n[+]storage ok\nlivez check passed\n");
  EXPECT_EQ(Ask("/readyz?verbose=1").body,
            "[+]ping ok\n[+]storage ok\n[+]hooks/started ok\nreadyz check passed\n");
}

TEST(HealthTest, AFailureIsShownWithItsReasonWithheld) {
  const auto answer = Ask("/readyz", false);
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body,
            "[+]ping ok\n[-]storage failed: reason withheld\n[+]hooks/started ok\n"
            "readyz check failed\n");
  EXPECT_EQ(Ask("/readyz?exclude=storage", false).status, 200);
}

TEST(HealthTest, ExcludesChecksByName) {
  EXPECT_EQ(Ask("/livez?verbose&exclude=storage&exclude=x").body,
            "[+]ping ok\n[+]storage excluded: ok\n"
            "warn: some health checks cannot be excluded: no matches for \"x\"\n"
            "livez check passed\n");
}

TEST(HealthTest, AnswersForOneCheck) {
  EXPECT_EQ(Ask("/readyz/ping").body, "ok");
  EXPECT_EQ(Ask("/readyz/hooks/started").body, "ok");
  EXPECT_EQ(Ask("/livez/hooks/started").status, 404);
  EXPECT_EQ(Ask("/healthz/nope").status, 404);
  EXPECT_EQ(Ask("/healthz/storage", false).status, 500);
  EXPECT_EQ(Ask("/healthz/storage", false).body, "internal server error: the disk is full\n");
}

}  // namespace
}  // namespace millwright::apiserver
