#include "controllers/shared/still_wished.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/virtual/run_task.h"
#include "net/testing/scripted_http.h"

namespace millwright::controllers {
namespace {

const kube::GroupVersionResource kSets{"example.com", "v1", "sets"};
constexpr const char* kPath = "GET /apis/example.com/v1/namespaces/ns/sets/a";

struct Case {
  const char* name;
  int status;
  std::string metadata;  // as the server has it
  bool wished;
};

const Case kCases[] = {
    {"AsItWasSeen", 200, R"("uid":"u","generation":3)", true},
    {"OfAnotherGeneration", 200, R"("uid":"u","generation":4)", false},
    {"AnotherOfThatName", 200, R"("uid":"v","generation":3)", false},
    {"OnItsWay", 200, R"("uid":"u","generation":3,"deletionTimestamp":"2026-01-01T00:00:00Z")",
     false},
    {"Gone", 404, {}, false},
};

class StillWishedTest : public testing::TestWithParam<Case> {};

TEST_P(StillWishedTest, OnlyWhatIsSoNow) {
  VirtualWorld world;
  VirtualProcess process(world);
  net::ScriptedHttp http(process.executor());
  kube::Client client(http, "test");
  const std::string body =
      GetParam().status == 200
          ? fmt::format(R"({{"metadata":{{"name":"a","namespace":"ns",{}}}}})", GetParam().metadata)
          : R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
            R"("message":"no such set","reason":"NotFound","details":{"name":"a"},"code":404})";
  http.Answer(kPath, GetParam().status, body);
  kube::Meta seen{.key = {"ns", "a"}, .uid = Uid("u"), .generation = 3};
  const auto answer = RunTask(process, StillWished(client, kSets, seen));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->has_value(), GetParam().wished);
  if (!*answer) EXPECT_EQ(answer->error().kind(), ErrorKind::kConflict);
}

INSTANTIATE_TEST_SUITE_P(All, StillWishedTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::controllers
