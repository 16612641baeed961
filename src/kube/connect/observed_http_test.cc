#include "kube/connect/observed_http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::kube {
namespace {

using testing::ElementsAre;

TEST(ObservedHttpTest, TellsOfAnswersStreamsAndSilence) {
  VirtualWorld world;
  VirtualProcess process(world);
  VirtualClock clock(process);
  net::ScriptedHttp script(process.executor());
  std::vector<std::string> seen;
  ObservedHttp http(script, clock, [&](const RequestReport& report) {
    seen.push_back(report.method + " " + std::to_string(report.status));
  });
  script.Answer("PATCH", 409, "{}");
  EXPECT_EQ((*RunTask(process, http.Send({.method = "PATCH", .target = "/x"})))->status, 409);
  script.Answer("GET", Error(ErrorKind::kUnavailable, "nobody"));
  EXPECT_FALSE(*RunTask(process, http.Send({.target = "/x"})));
  const auto stream = script.Stream("GET");
  EXPECT_TRUE(*RunTask(process, http.Open({.target = "/x"})));
  EXPECT_THAT(seen, ElementsAre("PATCH 409", "GET 0", "GET 200"));
}

}  // namespace
}  // namespace millwright::kube
