#include "tests/faults/script.h"

#include <gtest/gtest.h>

namespace millwright::faults {
namespace {

struct Case {
  const char* name;
  FaultRule rule;
  std::vector<RequestFacts> requests;
  std::string want;  // x: hit, .: let through
};

const RequestFacts kGet{"GET", "/api/v1/nodes"};
const RequestFacts kPut{"PUT", "/api/v1/nodes/a"};
const RequestFacts kPost{"POST", "/api/v1/pods"};

class FaultScriptTest : public testing::TestWithParam<Case> {};

TEST_P(FaultScriptTest, HitsWhatItSays) {
  FaultScript script;
  script.Add(GetParam().rule);
  std::string hits;
  for (const RequestFacts& request : GetParam().requests) hits += script.Next(request) ? 'x' : '.';
  EXPECT_EQ(hits, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, FaultScriptTest,
    testing::Values(
        Case{"OnceByDefault", {}, {kGet, kGet}, "x."},
        Case{"TheKthWrite",
             {.method = "write", .skip = 1},
             {kGet, kPut, kGet, kPost, kPut},
             "...x."},
        Case{"ForEver", {.times = -1}, {kGet, kPut, kPost}, "xxx"},
        Case{"ByMethod", {.method = "PUT", .times = -1}, {kGet, kPut, kPost}, ".x."},
        Case{"ByTarget", {.target_contains = "pods", .times = -1}, {kGet, kPut, kPost}, "..x"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::faults
