// Freezing, keeping and updating in place, as Gardener writes them.
#include <gtest/gtest.h>

#include "dialects/gardener/gardener.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/testing.h"
#include "dialects/gardener/update_stages.h"

namespace millwright::dialects::gardener {
namespace {

using core::PreserveWish;
using core::UpdateStage;
using testing::At;
using testing::Deployment;
using testing::Is;
using testing::kNow;
using testing::Machine;
using testing::Set;

const GardenerDialect kDialect;

constexpr std::string_view kFrozenSet = R"({"metadata":{"name":"s","labels":{"freeze":"True"},
    "annotations":{"safety.machine.sapcloud.io/unfreeze":""}},
    "status":{"machineSetCondition":[{"type":"ReplicaFailure","status":"True"},
                                     {"type":"Frozen","status":"True"}]}})";

TEST(Frozen, ASetIsHeldBackByALabelAndSaysSo) {
  const SetRecord set = Set(R"({"metadata":{"name":"s"}})");
  EXPECT_TRUE(Is(kDialect.SetFrozen(set, true), R"({"metadata":{"labels":{"freeze":"True"}}})"));
  EXPECT_TRUE(Is(kDialect.SetFrozenStatus(set, true, "too many", kNow),
                 R"({"status":{"machineSetCondition":[{"type":"Frozen","status":"True",
                     "lastTransitionTime":"2026-11-16T10:00:00Z",
                     "reason":"OverShootingReplicaCount","message":"too many"}]}})"));
  EXPECT_TRUE(kDialect.SetFrozen(set, false).empty());
  EXPECT_TRUE(kDialect.SetFrozenStatus(set, false, "", kNow).empty());
}

TEST(Frozen, LettingASetGoTakesOurMarksAndThePersonsWishAndNothingElse) {
  const SetRecord set = Set(kFrozenSet);
  EXPECT_TRUE(Is(kDialect.SetFrozen(set, false),
                 R"({"metadata":{"labels":{"freeze":null},
                     "annotations":{"safety.machine.sapcloud.io/unfreeze":null}}})"));
  EXPECT_TRUE(
      Is(kDialect.SetFrozenStatus(set, false, "", kNow),
         R"({"status":{"machineSetCondition":[{"type":"ReplicaFailure","status":"True"}]}})"));
  EXPECT_TRUE(kDialect.SetFrozen(set, true).empty());
  EXPECT_TRUE(kDialect.SetFrozenStatus(set, true, "again", kNow).empty());
  EXPECT_TRUE(kDialect.UnfreezeAsked(set).empty());
}

TEST(Frozen, ADeploymentSaysWhyItIs) {
  const DeploymentRecord deployment = Deployment(R"({"metadata":{"name":"d"}})");
  const auto reason = [&](bool follows) {
    const boost::json::value patch(
        kDialect.DeploymentFrozenStatus(deployment, true, follows, kNow));
    return patch.at_pointer("/status/conditions/0/reason").as_string();
  };
  EXPECT_EQ(reason(false), "OverShootingReplicaCount");
  EXPECT_EQ(reason(true), "MachineDeploymentStateSync");
}

TEST(Kept, TheTimeIsNotedAndTheHealthTimerIsLeftAlone) {
  const MachineRecord machine = Machine(R"({"metadata":{"name":"m"}})");
  EXPECT_TRUE(Is(kDialect.KeptUntil(machine, kNow),
                 R"({"status":{"currentStatus":{"preserveExpiryTime":"2026-11-16T10:00:00Z"}}})"));
  EXPECT_TRUE(kDialect.KeptUntil(machine, std::nullopt).empty());
}

TEST(Kept, Gardener_13_097_TheNodesWishIsNotedOnlyIfItChangedOrTheMachineHasItsOwn) {
  const MachineRecord noted = Machine(R"({"metadata":{"name":"m","annotations":{
      "node.machine.sapcloud.io/last-applied-node-preserve-value":"now"}}})");
  EXPECT_TRUE(kDialect.NodeWishNoted(noted, PreserveWish::kNow).empty());
  EXPECT_TRUE(Is(kDialect.NodeWishNoted(noted, PreserveWish::kNone),
                 R"({"metadata":{"annotations":{
                     "node.machine.sapcloud.io/last-applied-node-preserve-value":null}}})"));
  const MachineRecord own = Machine(R"({"metadata":{"name":"m","annotations":{
      "node.machine.sapcloud.io/preserve":"when-failed"}}})");
  EXPECT_TRUE(Is(kDialect.NodeWishNoted(own, PreserveWish::kNow),
                 R"({"metadata":{"annotations":{"node.machine.sapcloud.io/preserve":null,
                     "node.machine.sapcloud.io/last-applied-node-preserve-value":"now"}}})"));
}

TEST(Kept, TheConditionSaysByWhomAndWhetherItWasDrainedAndIsReadBack) {
  struct Case {
    KeptReport report;
    const char* status;
    const char* reason;
    bool drained;
    bool undrained;
  };
  const Case cases[] = {
      {{.until = kNow}, "True", "Preserved by user.", false, false},
      {{.automatic = true, .drained = true, .until = kNow},
       "True",
       "Preserved by MCM.",
       true,
       false},
      {{.drained = false, .until = kNow}, "False", "Preserved by user.", false, true},
      {{.stopped = true}, "False", "Preservation stopped.", false, false},
  };
  for (const Case& test : cases) {
    NodeRecord node;
    const core::Condition said = kDialect.KeptCondition(test.report);
    node.conditions = {said};
    EXPECT_EQ(said.status, test.status);
    EXPECT_EQ(said.reason, test.reason);
    const NodeFacts facts = kDialect.ReadNodeFacts(node);
    EXPECT_EQ(facts.said_kept, std::string_view(test.status) == "True");
    EXPECT_EQ(facts.said_drained, test.drained);
    EXPECT_EQ(facts.said_undrained, test.undrained);
  }
}

TEST(Updates, StagesAreReadAsTheyAreWritten) {
  for (const UpdateStage stage :
       {UpdateStage::kCandidate, UpdateStage::kSelected, UpdateStage::kDrained, UpdateStage::kReady,
        UpdateStage::kSucceeded, UpdateStage::kFailed}) {
    NodeRecord node;
    node.conditions = {kDialect.UpdateCondition(stage, "")};
    EXPECT_EQ(kDialect.ReadNodeFacts(node).update_stage, stage);
  }
  EXPECT_EQ(ParseUpdateStage("Whatever"), UpdateStage::kNone);
}

TEST(Updates, ASettledNodeIsAsNewAndIsNotSettledTwice) {
  NodeRecord node;
  node.labels = {{std::string(labels::kCandidate), "true"},
                 {std::string(labels::kSelected), "true"},
                 {std::string(labels::kUpdateResult), "successful"}};
  node.unschedulable = true;
  const NodeChange change = kDialect.UpdateMarked(node, UpdateMark::kSettle);
  EXPECT_EQ(change.labels.remove.size(), 3u);
  EXPECT_EQ(change.unschedulable, false);
  ASSERT_TRUE(change.taints);
  EXPECT_EQ(change.taints->wanted.at(0).key, taints::kNotReady);
  EXPECT_TRUE(kDialect.UpdateMarked(NodeRecord(), UpdateMark::kSettle).none());
}

TEST(Updates, AMachineThatChangesSetsTakesTheLabelsOfTheNewOne) {
  const auto set = [](const char* hash, const char* more) {
    return Set(std::string(R"({"metadata":{"name":"s"},"spec":{"template":{"metadata":{"labels":
        {"app":"a","machine-template-hash":")") +
               hash + "\"" + more + "}}}}}");
  };
  const MachineRecord machine = Machine(R"({"metadata":{"name":"m","labels":
      {"app":"a","machine-template-hash":"1","old":"x","node":"n"}}})");
  EXPECT_TRUE(Is(kDialect.Transferred(machine, set("1", R"(,"old":"x")"), set("2", "")),
                 R"({"metadata":{"labels":{"machine-template-hash":"2","old":null,
                     "node.machine.sapcloud.io/update-result":"successful"}}})"));
}

}  // namespace
}  // namespace millwright::dialects::gardener
