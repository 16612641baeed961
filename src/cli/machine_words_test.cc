#include "cli/machine_words.h"

#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

TEST(PlainCloudError, UnwrapsWhatCloudsSaid) {
  struct Case {
    std::string_view written, plain;
  };
  const Case cases[] = {
      {"Cloud provider message - machine codes error: code = [Internal] message = [no answer]",
       "Internal: no answer"},
      {"machine codes error: code = [Internal] message = [a [b] c]. Initiate VM deletion",
       "Internal: a [b] c"},
      {"3 pods left", "3 pods left"},
      {"3 pods left. Initiate node drain", "3 pods left"},
      {"Initiate node drain", ""},
      {"code = [Internal] message = [", "code = [Internal] message = ["},
      {"", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(PlainCloudError(c.written), c.plain);
}

TEST(StateOf, TellsTheStageOfADeletion) {
  dialects::MachineRecord machine;
  machine.core.phase = core::Phase::kRunning;
  EXPECT_EQ(StateOf(machine), "Running");
  EXPECT_EQ(MoodOf(machine), Mood::kFine);
  machine.core.deleting_since = WallTime();
  EXPECT_EQ(StateOf(machine), "Deleting");
  machine.stage = core::DeletionStage::kDrain;
  EXPECT_EQ(StateOf(machine), "Deleting: draining its node");
  EXPECT_EQ(MoodOf(machine), Mood::kBusy);
  machine.operation.state = dialects::OperationState::kFailed;
  EXPECT_EQ(MoodOf(machine), Mood::kBad);
}

TEST(StateOf, SaysOfNodesWhatKubectlSays) {
  dialects::NodeRecord node;
  EXPECT_EQ(StateOf(node).text, "Unknown");
  node.conditions = {{.type = "Ready", .status = "True"}};
  EXPECT_EQ(StateOf(node).text, "Ready");
  node.conditions = {{.type = "Ready", .status = "False"}};
  node.unschedulable = true;
  EXPECT_EQ(StateOf(node).text, "NotReady,SchedulingDisabled");
  node.conditions = {{.type = "Ready", .status = "False", .message = "it is silent"}};
  EXPECT_EQ(StateOf(node).why, "it is silent");
}

TEST(NewsOf, AnUnhealthyMachineSpeaksOfItsNode) {
  dialects::MachineRecord machine;
  machine.core.phase = core::Phase::kUnhealthy;
  machine.operation.description = "a long story";
  EXPECT_EQ(NewsOf(machine), "a long story");
  machine.conditions = {{.type = "Ready", .status = "Unknown", .reason = "NodeStatusUnknown"}};
  EXPECT_EQ(NewsOf(machine), "its node is not ready: NodeStatusUnknown");
}

}  // namespace
}  // namespace millwright::cli
