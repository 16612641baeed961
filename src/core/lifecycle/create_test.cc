#include "core/lifecycle/create.h"

#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;

const CloudAnswer kAbsent{.code = CloudCode::kNotFound};
const CloudAnswer kThere{.code = CloudCode::kOk, .instance = "id-1", .node = "node-1"};

CloudAnswer Failed(CloudCode code) { return {.code = code}; }

class CreateTest : public ::testing::Test {
 protected:
  CreatePlan Plan() const { return PlanCreate(machine_, kNow); }

  CreateView machine_{.name = "m", .created = kNow - 1min, .time_limit = 20min};
};

TEST_F(CreateTest, AsksBeforeItMakes) {
  EXPECT_EQ(Plan(), CreatePlan{.step = CreateStep::kFind});
  machine_.found = kAbsent;
  EXPECT_EQ(Plan(), CreatePlan{.step = CreateStep::kMake});
}

TEST_F(CreateTest, Gardener_13_028_RecordsWhatWasMadeAndPreparesIt) {
  machine_.found = kAbsent;
  machine_.made = kThere;
  EXPECT_EQ(Plan(),
            (CreatePlan{.step = CreateStep::kRecord, .instance = "id-1", .node = "node-1"}));
  machine_.recorded = true;
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kInitialize}));
  machine_.initialized = CloudAnswer{.code = CloudCode::kOk};
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kShow, .phase = Phase::kJoining}));
}

TEST_F(CreateTest, NothingToPrepareIsPrepared) {
  machine_.found = kAbsent;
  machine_.made = kThere;
  machine_.recorded = true;
  machine_.initialized = Failed(CloudCode::kUnimplemented);
  EXPECT_EQ(Plan().step, CreateStep::kShow);
}

TEST_F(CreateTest, Gardener_13_029_ShowsThatItsNodeIsAwaited) {
  machine_.found = kThere;
  machine_.instance = "id-1";
  machine_.node = "node-1";
  machine_.metadata_complete = true;
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kShow, .phase = Phase::kJoining}));
}

TEST_F(CreateTest, Gardener_13_030_RestsWhenAllIsShown) {
  machine_.found = kThere;
  machine_.instance = "id-1";
  machine_.node = "node-1";
  machine_.metadata_complete = true;
  machine_.phase = Phase::kJoining;
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kRest, .retry = Retry::kLong}));
}

struct FailureCase {
  const char* name;
  std::optional<CloudCode> code;
  Duration age;
  CreatePlan want;
};

CreatePlan Refused(Phase phase, CloudCode code, Retry retry, bool keep) {
  return {.step = CreateStep::kGiveUpForNow,
          .retry = retry,
          .phase = phase,
          .code = code,
          .keep_cloud_state = keep};
}

const FailureCase kFailures[] = {
    {"Gardener_13_031_Internal", CloudCode::kInternal, 1min,
     Refused(Phase::kCreateFailing, CloudCode::kInternal, Retry::kMedium, false)},
    {"Gardener_13_032_NoRoom", CloudCode::kResourceExhausted, 1min,
     Refused(Phase::kCreateFailing, CloudCode::kResourceExhausted, Retry::kExhausted, true)},
    {"Gardener_13_033_TooOld", CloudCode::kInternal, 21min,
     Refused(Phase::kFailed, CloudCode::kInternal, Retry::kMedium, false)},
    {"Passing", CloudCode::kUnavailable, 1min,
     Refused(Phase::kCreateFailing, CloudCode::kUnavailable, Retry::kShort, true)},
    {"Unreadable", std::nullopt, 1min,
     Refused(Phase::kCreateFailing, CloudCode::kUnknown, Retry::kMedium, false)},
};

class FailureTest : public ::testing::TestWithParam<FailureCase> {};

TEST_P(FailureTest, OfMakingIsShownAndTriedAgain) {
  CreateView machine{.name = "m", .created = kNow - GetParam().age, .time_limit = 20min};
  machine.found = kAbsent;
  machine.made = CloudAnswer{.code = GetParam().code};
  EXPECT_EQ(PlanCreate(machine, kNow), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, FailureTest, ::testing::ValuesIn(kFailures),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_F(CreateTest, AskingMayFailLikeMaking) {
  machine_.found = Failed(CloudCode::kPermissionDenied);
  EXPECT_EQ(Plan(),
            Refused(Phase::kCreateFailing, CloudCode::kPermissionDenied, Retry::kMedium, false));
  machine_.found = CloudAnswer{.code = std::nullopt};
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kGiveUpForNow, .retry = Retry::kMedium}));
}

TEST_F(CreateTest, Gardener_13_034_ANodeNameThatIsTakenDiscardsTheInstance) {
  machine_.found = kAbsent;
  machine_.made = kThere;
  machine_.node_name_taken = true;
  const CreatePlan plan = Plan();
  EXPECT_EQ(plan.step, CreateStep::kDiscard);
  EXPECT_EQ(plan.phase, Phase::kFailed);
  EXPECT_EQ(plan.instance, "id-1");
  EXPECT_EQ(plan.retry, Retry::kShort);
}

TEST_F(CreateTest, Gardener_13_034_ButNotIfItIsTheMachinesOwnName) {
  machine_.found = kAbsent;
  machine_.made = CloudAnswer{.code = CloudCode::kOk, .instance = "id-1", .node = "m"};
  machine_.node_name_taken = true;
  EXPECT_EQ(Plan().step, CreateStep::kRecord);
}

TEST_F(CreateTest, Gardener_13_035_FoundAfterAllItIsAwaited) {
  machine_.phase = Phase::kCreateFailing;
  machine_.found = kThere;
  machine_.instance = "id-1";
  machine_.node = "node-1";
  machine_.metadata_complete = true;
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kShow, .phase = Phase::kJoining}));
}

TEST_F(CreateTest, Gardener_13_036_AnUnpreparedInstanceIsRecordedAndPrepared) {
  machine_.found =
      CloudAnswer{.code = CloudCode::kUninitialized, .instance = "id-1", .node = "node-1"};
  EXPECT_EQ(Plan().step, CreateStep::kRecord);
  machine_.recorded = true;
  EXPECT_EQ(Plan().step, CreateStep::kInitialize);
  machine_.initialized = Failed(CloudCode::kUninitialized);
  EXPECT_EQ(Plan(), Refused(Phase::kCreateFailing, CloudCode::kUninitialized, Retry::kShort, true));
}

TEST_F(CreateTest, APreparationThatCannotBeReadChangesNothing) {
  machine_.found = kAbsent;
  machine_.made = kThere;
  machine_.recorded = true;
  machine_.initialized = CloudAnswer{.code = std::nullopt};
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kGiveUpForNow, .retry = Retry::kLong}));
}

TEST_F(CreateTest, Gardener_13_037_WhatCouldNotBeRecordedIsAdoptedNotMadeAgain) {
  // A later pass: nothing is recorded, and the cloud has it.
  machine_.found = kThere;
  EXPECT_EQ(Plan(),
            (CreatePlan{.step = CreateStep::kRecord, .instance = "id-1", .node = "node-1"}));
}

TEST_F(CreateTest, ARecordedInstanceThatTheCloudCannotFindIsNotMadeAgain) {
  machine_.found = kAbsent;
  machine_.instance = "id-1";
  machine_.node = "node-1";
  machine_.metadata_complete = true;
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kShow, .phase = Phase::kJoining}));
}

TEST_F(CreateTest, Gardener_13_038_WithoutATargetNoNodeNameIsNeeded) {
  machine_.expects_node = false;
  machine_.found = kAbsent;
  machine_.made = CloudAnswer{.code = CloudCode::kOk, .instance = "id-1"};
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kRecord, .instance = "id-1"}));
}

TEST_F(CreateTest, Gardener_13_039_WithoutATargetItIsAvailableAtOnce) {
  machine_.expects_node = false;
  machine_.found = CloudAnswer{.code = CloudCode::kOk, .instance = "id-1"};
  machine_.instance = "id-1";
  machine_.metadata_complete = true;
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kShow, .phase = Phase::kAvailable}));
  machine_.phase = Phase::kAvailable;
  EXPECT_EQ(Plan().step, CreateStep::kRest);
}

TEST_F(CreateTest, AnAnswerWithoutIdOrNodeNameIsABug) {
  machine_.found = kAbsent;
  machine_.made = CloudAnswer{.code = CloudCode::kOk, .instance = "id-1"};
  EXPECT_EQ(Plan(), (CreatePlan{.step = CreateStep::kGiveUpForNow,
                                .retry = Retry::kMedium,
                                .code = CloudCode::kInternal}));
}

}  // namespace
}  // namespace millwright::core
