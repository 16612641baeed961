#include "kube/runtime/status_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual/world.h"

namespace millwright::kube {
namespace {

using testing::HasSubstr;

class StatusPagesTest : public testing::Test {
 protected:
  net::HttpResponse Ask(StatusPages& pages, const std::string& method, const std::string& target) {
    net::ServerRequest request;
    request.http.method = method;
    request.http.target = target;
    return RunTask(process_, pages.Handle(std::move(request))).value().http;
  }
  net::HttpResponse Get(const std::string& target) { return Ask(pages_, "GET", target); }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  Metrics metrics_;
  StatusPages pages_{clock_, metrics_, false};
};

TEST_F(StatusPagesTest, HealthAndReadinessAreDifferentQuestions) {
  std::string wrong = "not synced";
  pages_.AddHealthCheck("loop", [] { return std::string(); });
  pages_.AddReadyCheck("caches", [&] { return wrong; });
  EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_EQ(Get("/livez").body, "ok\n");
  EXPECT_EQ(Get("/readyz").status, 500);
  EXPECT_THAT(Get("/readyz").body, HasSubstr("not synced"));
  wrong.clear();
  EXPECT_EQ(Get("/readyz").body, "ok\n");
  EXPECT_THAT(Get("/readyz?verbose").body, HasSubstr("[+]caches ok"));
}

TEST_F(StatusPagesTest, MetricsAreBroughtUpToDateBeforeTheyAreShown) {
  auto gauge = metrics_.Gauge({.name = "things", .help = "How many things there are."});
  int scrapes = 0;
  pages_.BeforeScrape([&] { gauge.With({}).Set(++scrapes); });
  EXPECT_THAT(Get("/metrics").body, HasSubstr("things 1"));
  const net::HttpResponse page = Get("/metrics");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.headers.Find("Content-Type"), kMetricsContentType);
  EXPECT_THAT(page.body, HasSubstr("things 2"));
}

TEST_F(StatusPagesTest, OnlyReadingIsAllowed) {
  EXPECT_EQ(Ask(pages_, "HEAD", "/healthz").status, 200);
  for (const char* method : {"POST", "PUT", "DELETE"}) {
    EXPECT_EQ(Ask(pages_, method, "/healthz").status, 405) << method;
  }
}

TEST_F(StatusPagesTest, WhatIsNotHereSaysWhatIs) {
  EXPECT_EQ(Get("/").status, 404);
  EXPECT_THAT(Get("/healthz/x").body, HasSubstr("/readyz"));
}

TEST_F(StatusPagesTest, ProfilesAreThereOnlyIfAskedFor) {
  EXPECT_EQ(Get("/debug/pprof/").status, 404);
  EXPECT_EQ(Get("/debug/pprof/profile?seconds=1").status, 404);
  StatusPages profiling(clock_, metrics_, true);
  EXPECT_EQ(Ask(profiling, "GET", "/debug/pprof/").status, 200);
  EXPECT_EQ(Ask(profiling, "POST", "/debug/pprof/profile?seconds=1").status, 405);
}

}  // namespace
}  // namespace millwright::kube
