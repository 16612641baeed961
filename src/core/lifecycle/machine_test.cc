#include "core/lifecycle/machine.h"

#include <gtest/gtest.h>

#include "core/lifecycle/cloud_code.h"
#include "core/lifecycle/derived_phase.h"
#include "core/lifecycle/protection.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;

LiveView Protected(LiveView view = {}) {
  view.has_finalizer = true;
  return view;
}

struct Case {
  const char* name;
  LiveView machine;
  LivePlan want;
};

const Case kCases[] = {
    {"TheFinalizerComesFirst", {}, {LiveStep::kAddFinalizer, Retry::kNow}},
    {"DeletionIsLeftToOthers",
     Protected({.deleting = true}),
     {LiveStep::kLeaveToDeletion, Retry::kNow}},
    {"NoFinalizerForOneThatGoes", {.deleting = true}, {LiveStep::kLeaveToDeletion, Retry::kNow}},
    {"Gardener_13_044_NotWhileItIsBeingMade",
     Protected({.deleting = true, .creation_under_way = true}),
     {LiveStep::kCheckNode, Retry::kLong}},
    {"FrozenWaits", Protected({.frozen = true}), {LiveStep::kWait, Retry::kLong}},
    {"InvalidWaitsForAPerson", Protected({.valid = false}), {LiveStep::kWait, Retry::kLong}},
    {"Gardener_13_042_SoDoesAMissingClass",
     Protected({.class_state = ClassState::kMissing}),
     {LiveStep::kWait, Retry::kLong}},
    {"Gardener_13_042_AnUnprotectedClassIsProtectedFirst",
     Protected({.class_state = ClassState::kUnprotected}),
     {LiveStep::kProtectClass, Retry::kShort}},
    {"Gardener_13_043_AnIncompleteClassIsTriedAgainSoon",
     Protected({.class_state = ClassState::kInvalid}),
     {LiveStep::kWait, Retry::kShort}},
    {"OtherwiseItsNodeIsChecked", Protected(), {LiveStep::kCheckNode, Retry::kLong}},
};

class LiveTest : public testing::TestWithParam<Case> {};

TEST_P(LiveTest, TakesTheFirstStepThatApplies) {
  EXPECT_EQ(PlanLiveMachine(GetParam().machine), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, LiveTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Live, ANodeIsCheckedOnlyOnceItMayExist) {
  EXPECT_FALSE(HasNodeToCheck({.phase = Phase::kNew, .has_node_name = true}));
  EXPECT_FALSE(HasNodeToCheck({.phase = Phase::kJoining}));
  EXPECT_TRUE(HasNodeToCheck({.phase = Phase::kJoining, .has_node_name = true}));
}

TEST(Live, Gardener_13_030_NothingIsMadeOnceItIsThere) {
  EXPECT_TRUE(NeedsInstance({.phase = Phase::kNew}));
  EXPECT_TRUE(NeedsInstance({.phase = Phase::kCreateFailing, .has_instance = true}));
  EXPECT_TRUE(NeedsInstance({.phase = Phase::kFailed}));
  EXPECT_FALSE(NeedsInstance({.phase = Phase::kJoining, .has_instance = true}));
}

struct PhaseCase {
  const char* name;
  DerivedPhaseView machine;
  Phase want;
};

const PhaseCase kPhases[] = {
    {"Capi_12_073_New", {}, Phase::kNew},
    {"Capi_12_073_BootstrapDone", {.bootstrap_ready = true}, Phase::kProvisioning},
    {"Capi_12_073_InstanceWithoutNode",
     {.before = Phase::kProvisioning,
      .bootstrap_ready = true,
      .infrastructure_ready = true,
      .has_instance = true},
     Phase::kJoining},
    {"Capi_12_073_NodeAndInfrastructure",
     {.infrastructure_ready = true, .has_instance = true, .has_node = true},
     Phase::kRunning},
    {"Capi_12_073_Updating",
     {.infrastructure_ready = true, .has_instance = true, .has_node = true, .updating = true},
     Phase::kUpdating},
    {"Capi_12_073_GoingIsTheLastWord",
     {.has_node = true, .updating = true, .deleting = true},
     Phase::kDeleting},
    {"ItStaysIfNothingApplies",
     {.before = Phase::kProvisioning, .infrastructure_ready = true},
     Phase::kProvisioning},
    {"WithoutBootstrapItSkipsProvisioning",
     {.infrastructure_ready = true, .has_instance = true},
     Phase::kJoining},
};

class PhaseTest : public testing::TestWithParam<PhaseCase> {};

TEST_P(PhaseTest, IsDerived) { EXPECT_EQ(DerivePhase(GetParam().machine), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(All, PhaseTest, testing::ValuesIn(kPhases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Protection, Gardener_13_081_FollowsWhetherItIsUsed) {
  EXPECT_EQ(DecideProtection(true, false, false), Protection::kAdd);
  EXPECT_EQ(DecideProtection(false, false, false), Protection::kNothing);
  EXPECT_EQ(DecideProtection(true, true, true), Protection::kRefuse);
  EXPECT_EQ(DecideProtection(false, true, true), Protection::kRemove);
  EXPECT_EQ(DecideProtection(false, true, false), Protection::kNothing);
}

TEST(Protection, Gardener_13_082_SecretsAlike) {
  EXPECT_EQ(DecideProtection(true, false, true), Protection::kNothing);
  EXPECT_EQ(DecideProtection(false, false, true), Protection::kRemove);
}

TEST(CloudCodes, HaveNamesThatCanBeReadBack) {
  for (int code = 0; code <= 17; ++code) {
    EXPECT_EQ(ParseCloudCode(ToString(static_cast<CloudCode>(code))), static_cast<CloudCode>(code));
  }
  EXPECT_EQ(ParseCloudCode("Nonsense"), std::nullopt);
}

TEST(Retry, Gardener_13_032_NoRoomHasItsOwnPeriod) {
  EXPECT_EQ(DelayFor(Retry::kExhausted, {}), 10min);
  EXPECT_EQ(DelayFor(Retry::kExhausted, {.exhausted = 9min}), 9min);
  EXPECT_EQ(DelayFor(Retry::kShort, {}), 5s);
  EXPECT_EQ(DelayFor(Retry::kMedium, {}), 3min);
  EXPECT_EQ(DelayFor(Retry::kConflict, {}), 200ms);
}

}  // namespace
}  // namespace millwright::core
