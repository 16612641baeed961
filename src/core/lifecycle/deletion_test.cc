#include "core/lifecycle/deletion.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using Action = DeletionAction;
using Stage = DeletionStage;

DeletionView At(std::optional<Stage> stage) {
  return {.has_finalizer = true,
          .stage = stage,
          .has_node_name = true,
          .node_exists = true,
          .deleting_since = kNow - 10min,
          .drain_limit = 2h};
}

DeletionView With(DeletionView view, void (*change)(DeletionView&)) {
  change(view);
  return view;
}

DeletionPlan To(Stage stage) { return {.action = Action::kAdvance, .stage = stage}; }

struct Case {
  const char* name;
  DeletionView machine;
  DeletionPlan want;
};

const Case kCases[] = {
    {"Gardener_13_050_WithoutOurFinalizerItIsNotOurs",
     With(At({}), [](DeletionView& m) { m.has_finalizer = false; }),
     {.action = Action::kNothing, .retry = Retry::kLong}},
    {"Gardener_13_044_NotWhileItIsBeingMade",
     With(At({}), [](DeletionView& m) { m.creation_under_way = true; }),
     {.action = Action::kWait, .retry = Retry::kMedium}},
    {"Gardener_13_051_Begins",
     With(At({}), [](DeletionView& m) { m.phase = Phase::kRunning; }),
     {.action = Action::kBegin, .stage = Stage::kFindNode}},
    {"Gardener_13_063_BeginsAgainIfTheStageCannotBeRead",
     At({}),
     {.action = Action::kBegin, .stage = Stage::kFindNode}},
    {"Gardener_13_052_KnowsItsNode", At(Stage::kFindNode), To(Stage::kDrain)},
    {"LooksForItsNode",
     With(At(Stage::kFindNode), [](DeletionView& m) { m.has_node_name = false; }),
     {.action = Action::kLookForNode}},
    {"Gardener_13_064_WithoutATargetNothingIsDrained",
     With(At(Stage::kFindNode), [](DeletionView& m) { m.expects_node = false; }),
     To(Stage::kRemoveInstance)},
    {"Gardener_13_053_Drains", At(Stage::kDrain), {.action = Action::kDrain}},
    {"Gardener_13_054_NothingToDrain",
     With(At(Stage::kDrain), [](DeletionView& m) { m.has_node_name = false; }),
     To(Stage::kRemoveInstance)},
    {"Gardener_13_055_ByForceIfTheNodeIsAway",
     With(At(Stage::kDrain), [](DeletionView& m) { m.node_not_ready_since = kNow - 6min; }),
     {.action = Action::kDrain, .force = Force::kNodeLost}},
    {"Gardener_13_055_ByForceIfItsDiskIsReadOnly",
     With(At(Stage::kDrain), [](DeletionView& m) { m.disk_read_only_since = kNow - 6min; }),
     {.action = Action::kDrain, .force = Force::kNodeLost}},
    {"Gardener_13_056_NotForAMoment",
     With(At(Stage::kDrain), [](DeletionView& m) { m.disk_read_only_since = kNow - 4min; }),
     {.action = Action::kDrain}},
    {"Gardener_13_057_ByForceIfTheUserSaysSo",
     With(At(Stage::kDrain), [](DeletionView& m) { m.forced_by_user = true; }),
     {.action = Action::kDrain, .force = Force::kUser}},
    {"Gardener_13_059_ByForceIfItTookTooLong",
     With(At(Stage::kDrain), [](DeletionView& m) { m.deleting_since = kNow - 3h; }),
     {.action = Action::kDrain, .force = Force::kTimeOver}},
    {"Gardener_13_066_ReleasesVolumes",
     With(At(Stage::kReleaseVolumes),
          [](DeletionView& m) { m.attached_volumes = m.live_attachments = 2; }),
     {.action = Action::kReleaseVolumes, .retry = Retry::kShort}},
    {"Gardener_13_066_NoneLeft", At(Stage::kReleaseVolumes), To(Stage::kRemoveInstance)},
    {"Gardener_13_066_NoneAlive",
     With(At(Stage::kReleaseVolumes), [](DeletionView& m) { m.attached_volumes = 2; }),
     To(Stage::kRemoveInstance)},
    {"Gardener_13_060_RemovesTheInstance",
     At(Stage::kRemoveInstance),
     {.action = Action::kRemoveInstance}},
    {"B_06_WithoutAClassAMachineWithoutInstanceGoes",
     With(At(Stage::kRemoveInstance),
          [](DeletionView& m) { m.class_exists = m.has_instance = false; }),
     To(Stage::kRemoveNode)},
    {"B_06_AndOneWithAnInstanceSaysWhatIsMissing",
     With(At(Stage::kRemoveInstance), [](DeletionView& m) { m.class_exists = false; }),
     {.action = Action::kReportMissingClass, .retry = Retry::kLong}},
    {"Gardener_13_061_RemovesTheNode", At(Stage::kRemoveNode), {.action = Action::kRemoveNode}},
    {"Gardener_13_061_NoNodeKnown",
     With(At(Stage::kRemoveNode), [](DeletionView& m) { m.has_node_name = false; }),
     To(Stage::kLetGo)},
    {"Gardener_13_061_NoNodeThere",
     With(At(Stage::kRemoveNode), [](DeletionView& m) { m.node_exists = false; }),
     To(Stage::kLetGo)},
    {"Gardener_13_062_LetsGo", At(Stage::kLetGo), {.action = Action::kRemoveFinalizer}},
};

class DeletionTest : public ::testing::TestWithParam<Case> {};

TEST_P(DeletionTest, TakesTheNextStep) {
  EXPECT_EQ(PlanDeletion(GetParam().machine, kNow), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, DeletionTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(AfterDrain, Gardener_13_053_GoesOnWhenDrained) {
  EXPECT_EQ(AfterDrain(true, Force::kNone), (StageOutcome{.stage = Stage::kRemoveInstance}));
  EXPECT_EQ(AfterDrain(true, Force::kUser), (StageOutcome{.stage = Stage::kReleaseVolumes}));
}

TEST(AfterDrain, Gardener_13_058_StaysIfItFailed) {
  EXPECT_EQ(AfterDrain(false, Force::kNone),
            (StageOutcome{.stage = Stage::kDrain, .failed = true, .retry = Retry::kShort}));
}

TEST(AfterDrain, Gardener_13_057_ByForceItGoesOnEvenSo) {
  for (const Force force : {Force::kUser, Force::kTimeOver, Force::kNodeLost}) {
    EXPECT_EQ(AfterDrain(false, force), (StageOutcome{.stage = Stage::kReleaseVolumes}));
  }
}

TEST(AfterRemoval, Gardener_13_060_GoneIsGone) {
  EXPECT_EQ(AfterRemoval(CloudCode::kOk), (StageOutcome{.stage = Stage::kRemoveNode}));
  EXPECT_EQ(AfterRemoval(CloudCode::kNotFound), (StageOutcome{.stage = Stage::kRemoveNode}));
}

TEST(AfterRemoval, FailuresAreTriedAgainSoonerIfTheyMayPass) {
  EXPECT_EQ(AfterRemoval(CloudCode::kUnavailable).retry, Retry::kShort);
  EXPECT_EQ(AfterRemoval(CloudCode::kPermissionDenied).retry, Retry::kLong);
  EXPECT_EQ(AfterRemoval(std::nullopt),
            (StageOutcome{.stage = Stage::kRemoveInstance, .failed = true, .retry = Retry::kLong}));
}

TEST(AfterNodeLookup, GoesOnIfNobodyKnows) {
  for (const CloudCode code : {CloudCode::kOk, CloudCode::kNotFound, CloudCode::kUnimplemented,
                               CloudCode::kUninitialized}) {
    EXPECT_EQ(AfterNodeLookup(code), (StageOutcome{.stage = Stage::kDrain}));
  }
  EXPECT_EQ(AfterNodeLookup(CloudCode::kAborted).retry, Retry::kShort);
  EXPECT_EQ(AfterNodeLookup(CloudCode::kInternal).retry, Retry::kMedium);
  EXPECT_EQ(AfterNodeLookup(std::nullopt).retry, Retry::kLong);
}

TEST(ReasonToGo, B_05_RemembersThatItFailed) {
  EXPECT_EQ(ReasonToGo(Phase::kFailed), GoingBecause::kUnhealthy);
  EXPECT_EQ(ReasonToGo(Phase::kRunning), GoingBecause::kScaleDown);
}

// With every call succeeding, a deletion ends from wherever it is found.
RC_GTEST_PROP(Deletion, AlwaysEnds, ()) {
  DeletionView machine = At(std::nullopt);
  machine.phase = *rc::gen::element(Phase::kNew, Phase::kRunning, Phase::kFailed, Phase::kDeleting);
  machine.expects_node = *rc::gen::arbitrary<bool>();
  machine.has_node_name = machine.expects_node && *rc::gen::arbitrary<bool>();
  machine.node_exists = machine.has_node_name && *rc::gen::arbitrary<bool>();
  machine.forced_by_user = *rc::gen::arbitrary<bool>();
  machine.attached_volumes = machine.live_attachments = *rc::gen::inRange(0, 3);
  bool instance_removed = false;
  for (int steps = 0; steps < 20; ++steps) {
    const DeletionPlan plan = PlanDeletion(machine, kNow);
    if (plan.stage) machine.stage = *plan.stage;
    machine.phase = Phase::kDeleting;
    switch (plan.action) {
      case Action::kDrain: machine.stage = AfterDrain(true, plan.force).stage; break;
      case Action::kLookForNode: machine.stage = AfterNodeLookup(CloudCode::kNotFound).stage; break;
      case Action::kReleaseVolumes: machine.live_attachments = 0; break;
      case Action::kRemoveInstance:
        instance_removed = true;
        machine.stage = AfterRemoval(CloudCode::kOk).stage;
        break;
      case Action::kRemoveNode: machine.node_exists = false; break;
      case Action::kRemoveFinalizer: RC_ASSERT(instance_removed); return;
      case Action::kNothing:
      case Action::kWait:
      case Action::kBegin:
      case Action::kAdvance:
      case Action::kReportMissingClass: break;
    }
  }
  RC_FAIL("it did not end");
}

}  // namespace
}  // namespace millwright::core
