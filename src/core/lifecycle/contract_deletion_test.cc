#include "core/lifecycle/contract_deletion.h"

#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using ControlPlane = NodeAccessView::ControlPlane;
using Stage = ContractStage;

struct AccessCase {
  const char* name;
  NodeAccessView view;
  NodeAccess want;
};

const AccessCase kAccesses[] = {
    {"Capi_12_096_ANodeInALiveCluster",
     {.has_node = true, .live_control_plane_machines = 1},
     NodeAccess::kAllowed},
    {"Capi_12_096_NoNode", {.live_control_plane_machines = 1}, NodeAccess::kDenied},
    {"Capi_12_097_NoControlPlaneLeft", {.has_node = true}, NodeAccess::kDenied},
    {"Capi_12_098_TheClusterGoes",
     {.cluster_deleting = true, .has_node = true, .live_control_plane_machines = 1},
     NodeAccess::kDenied},
    {"Capi_12_098_TheControlPlaneGoes",
     {.has_node = true,
      .control_plane = ControlPlane::kFound,
      .control_plane_deleting = true,
      .control_plane_external = true,
      .live_control_plane_machines = 1},
     NodeAccess::kDenied},
    {"Capi_12_098_AnExternalOneHasNoMachines",
     {.has_node = true, .control_plane = ControlPlane::kFound, .control_plane_external = true},
     NodeAccess::kAllowed},
    {"AMissingOneDoesNotDecide",
     {.has_node = true, .control_plane = ControlPlane::kMissing, .live_control_plane_machines = 1},
     NodeAccess::kAllowed},
    {"AnUnreadableOneIsTriedAgain",
     {.has_node = true,
      .control_plane = ControlPlane::kUnreadable,
      .live_control_plane_machines = 1},
     NodeAccess::kUnclear},
};

class AccessTest : public ::testing::TestWithParam<AccessCase> {};

TEST_P(AccessTest, IsAllowedOrNot) { EXPECT_EQ(MayTouchNode(GetParam().view), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(All, AccessTest, ::testing::ValuesIn(kAccesses),
                         [](const auto& test) { return std::string(test.param.name); });

using View = ContractDeletionView;

struct AllowedCase {
  const char* name;
  void (*change)(View&, TimedStage&);
  bool want;
};

const AllowedCase kAllowed[] = {
    {"Plainly", [](View&, TimedStage&) {}, true},
    {"NotIfExcluded", [](View&, TimedStage& stage) { stage.excluded = true; }, false},
    {"NotWithoutInfrastructure",
     [](View& view, TimedStage&) { view.infrastructure_exists = false; }, false},
    {"NotWhileItGoes", [](View& view, TimedStage&) { view.infrastructure_deleting = true; }, false},
    {"NotOnceAHookToTerminateWaited",
     [](View& view, TimedStage&) { view.terminate_hook_waited = true; }, false},
    {"NotAfterItsTime",
     [](View&, TimedStage& stage) {
       stage.limit = 60s;
       stage.started = kNow - 60s;
     },
     false},
    {"WithinItsTime",
     [](View&, TimedStage& stage) {
       stage.limit = 60s;
       stage.started = kNow - 59s;
     },
     true},
    {"NoLimitNeverEnds", [](View&, TimedStage& stage) { stage.started = kNow - 1000h; }, true},
};

class AllowedTest : public ::testing::TestWithParam<AllowedCase> {};

TEST_P(AllowedTest, Capi_12_074_Drain) {
  View view;
  GetParam().change(view, view.drain);
  EXPECT_EQ(IsDrainAllowed(view, kNow), GetParam().want);
}

TEST_P(AllowedTest, Capi_12_075_WaitingForVolumes) {
  View view;
  GetParam().change(view, view.volumes);
  EXPECT_EQ(IsVolumeWaitAllowed(view, kNow), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, AllowedTest, ::testing::ValuesIn(kAllowed),
                         [](const auto& test) { return std::string(test.param.name); });

View Full() {
  return {.node = NodeAccess::kAllowed,
          .pre_drain_hooks = {"a"},
          .pre_terminate_hooks = {"b"},
          .bootstrap_exists = true,
          .deleting_since = kNow - 1min};
}

ContractDeletionPlan Plan(const View& view) { return PlanContractDeletion(view, kNow); }

TEST(ContractDeletion, GoesThroughItsStagesInOrder) {
  View view = Full();
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kPreDrainHooks, false}));
  view.pre_drain_hooks.clear();
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kDrain, true}));
  view.drained = true;
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kVolumes, true}));
  view.volumes_detached = true;
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kPreTerminateHooks, false}));
  view.pre_terminate_hooks.clear();
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kInfrastructure, true}));
  view.infrastructure_deleting = true;
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kInfrastructure, false}));
  view.infrastructure_exists = false;
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kBootstrap, true}));
  view.bootstrap_exists = false;
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kNode, true}));
  view.node_removed = true;
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kDone, true}));
}

TEST(ContractDeletion, WithoutTheNodeOnlyHooksToTerminateHold) {
  View view = Full();
  view.node = NodeAccess::kDenied;
  EXPECT_EQ(Plan(view).stage, Stage::kPreTerminateHooks);
  view.pre_terminate_hooks.clear();
  view.infrastructure_exists = view.bootstrap_exists = false;
  EXPECT_EQ(Plan(view).stage, Stage::kDone);
}

// What was asked for may run by now, with pods on it.
TEST(ContractDeletion, NothingIsTakenAwayWhileItIsNotKnownWhatThereIs) {
  View view = Full();
  view.node = NodeAccess::kDenied;
  view.instance_in_doubt = true;
  EXPECT_EQ(Plan(view), (ContractDeletionPlan{Stage::kInstanceInDoubt, false}));
  view.instance_in_doubt = false;
  EXPECT_EQ(Plan(view).stage, Stage::kPreTerminateHooks);
}

TEST(ContractDeletion, Capi_12_099_ANodeThatCannotBeRemovedIsGivenUpInTime) {
  View view{
      .node = NodeAccess::kAllowed, .infrastructure_exists = false, .deleting_since = kNow - 10s};
  view.drained = view.volumes_detached = view.node_removal_failed = true;
  EXPECT_EQ(Plan(view).stage, Stage::kNode);
  view.node_removal_limit = 11s;
  EXPECT_EQ(Plan(view).stage, Stage::kNode);
  view.node_removal_limit = 10s;
  EXPECT_EQ(Plan(view).stage, Stage::kDone);
}

TEST(ContractDeletion, Capi_12_100_WithEverythingGoneItIsDone) {
  EXPECT_EQ(Plan({.infrastructure_exists = false}).stage, Stage::kDone);
}

TEST(ContractDeletion, ADrainThatTookTooLongIsPassedOver) {
  View view = Full();
  view.pre_drain_hooks.clear();
  view.drain = {.limit = 60s, .started = kNow - 61s};
  EXPECT_EQ(Plan(view).stage, Stage::kVolumes);
}

}  // namespace
}  // namespace millwright::core
