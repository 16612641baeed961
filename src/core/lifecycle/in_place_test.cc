#include "core/lifecycle/in_place.h"

#include <gtest/gtest.h>

#include <string>

namespace millwright::core {
namespace {

struct Case {
  const char* name;
  UpdateView node;
  UpdateAct want;
};

const Case kCases[] = {
    {"NobodyAskedForIt", {}, UpdateAct::kNothing},
    {"ACandidate", {.offered = true}, UpdateAct::kShowCandidate},
    {"WaitsToBeSelected", {.stage = UpdateStage::kCandidate, .offered = true}, UpdateAct::kNothing},
    {"Selected",
     {.stage = UpdateStage::kCandidate, .offered = true, .selected = true},
     UpdateAct::kShowSelected},
    {"IsDrained",
     {.stage = UpdateStage::kSelected, .offered = true, .selected = true},
     UpdateAct::kDrain},
    {"AndIsReady",
     {.stage = UpdateStage::kDrained, .offered = true, .selected = true},
     UpdateAct::kShowReady},
    {"WaitsForTheUpdate",
     {.stage = UpdateStage::kReady, .offered = true, .selected = true},
     UpdateAct::kNothing},
    {"Succeeded",
     {.stage = UpdateStage::kReady, .result = UpdateResult::kSucceeded},
     UpdateAct::kShowSucceeded},
    {"Failed",
     {.stage = UpdateStage::kReady, .result = UpdateResult::kFailed},
     UpdateAct::kShowFailed},
    {"FailedOnce",
     {.stage = UpdateStage::kFailed, .result = UpdateResult::kFailed},
     UpdateAct::kNothing},
    {"SucceededAfterAll",
     {.stage = UpdateStage::kFailed, .result = UpdateResult::kSucceeded},
     UpdateAct::kShowSucceeded},
    {"NotAgainWhileItSaysThatItSucceeded",
     {.stage = UpdateStage::kSucceeded, .offered = true, .result = UpdateResult::kSucceeded},
     UpdateAct::kNothing},
    {"AgainForTheNextOne",
     {.stage = UpdateStage::kSucceeded, .offered = true},
     UpdateAct::kShowCandidate},
};

class UpdateTest : public testing::TestWithParam<Case> {};

TEST_P(UpdateTest, TakesTheNextStep) { EXPECT_EQ(PlanUpdate(GetParam().node), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(All, UpdateTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::core
