#include <gtest/gtest.h>

#include "dialects/gardener/render.h"
#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using testing::Is;
using testing::kNow;

SetRecord SetWith(const std::string& annotations, const std::string& status = "null") {
  return testing::Set(R"({"metadata":{"name":"pool-a","namespace":"shoot","uid":"s1",
      "generation":2,"annotations":)" +
                      annotations + R"(},
      "spec":{"replicas":2,"selector":{"matchLabels":{"name":"pool"}},
        "template":{"metadata":{"labels":{"name":"pool"},"annotations":{"a":"b"},
            "finalizers":["other"],"creationTimestamp":null},
          "spec":{"class":{"kind":"MachineClass","name":"small"},"drainTimeout":"2h",
            "nodeTemplate":{"metadata":{"labels":{"zone":"a"}}}}}},"status":)" +
                      status + "}");
}

TEST(NewMachine, IsMadeFromTheTemplate) {
  EXPECT_TRUE(Is(*NewMachine(SetWith("{}"), "pool-a-x"), R"({
    "apiVersion":"machine.sapcloud.io/v1alpha1","kind":"Machine",
    "metadata":{"name":"pool-a-x","namespace":"shoot","labels":{"name":"pool"},
      "annotations":{"a":"b"},
      "finalizers":["other","machine.sapcloud.io/machine-controller-manager"],
      "ownerReferences":[{"apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineSet",
        "name":"pool-a","uid":"s1","controller":true,"blockOwnerDeletion":true}]},
    "spec":{"class":{"kind":"MachineClass","name":"small"},"drainTimeout":"2h0m0s",
      "nodeTemplate":{"metadata":{"labels":{"zone":"a"}}}}})"));
}

TEST(NewMachine, HasTheCreationTimeoutOfItsSet) {
  const auto machine =
      *NewMachine(SetWith(R"({"node.machine.sapcloud.io/effective-creation-timeout":"5m"})"), "x");
  EXPECT_EQ(machine.at("spec").at("creationTimeout"), "5m0s");
  EXPECT_EQ(machine.at("metadata")
                .at("annotations")
                .at("node.machine.sapcloud.io/effective-creation-timeout"),
            "5m");
}

TEST(NewMachine, NeedsLabels) {
  SetRecord set = SetWith("{}");
  set.machine_template.labels.clear();
  EXPECT_FALSE(NewMachine(set, "x"));
}

MachineRecord MachineOf(const std::string& spec, const std::string& phase) {
  return testing::Machine(R"({"metadata":{"name":"m"},"spec":)" + spec +
                          R"(,"status":{"currentStatus":{"phase":")" + phase + "\"}}}");
}

TEST(HandedDown, IsWhatDiffers) {
  const SetRecord set = SetWith("{}");
  const std::string other = R"({"class":{"kind":"AWSMachineClass","name":"small"},
      "healthTimeout":"1m","drainTimeout":"120m",
      "nodeTemplate":{"metadata":{"labels":{"zone":"b","tier":"x"}}}})";
  EXPECT_TRUE(Is(HandedDown(set, MachineOf(other, "Running")), R"({"spec":{
      "class":{"kind":"MachineClass"},"healthTimeout":null,
      "nodeTemplate":{"metadata":{"labels":{"zone":"a","tier":null}}}}})"));
  EXPECT_TRUE(Is(HandedDown(set, MachineOf(other, "Failed")),
                 R"({"spec":{"class":{"kind":"MachineClass"}}})"));
}

TEST(HandedDown, IsNothingToAMachineOfTheTemplate) {
  const SetRecord set = SetWith(R"({"node.machine.sapcloud.io/effective-creation-timeout":"5m"})");
  const auto body = *NewMachine(set, "m");
  const MachineRecord machine = testing::Machine(boost::json::serialize(boost::json::value(body)));
  EXPECT_TRUE(HandedDown(set, machine).empty());
}

const core::SetCounts kCounts{.replicas = 2, .ready = 1, .available = 1, .fully_labelled = 2};

TEST(SetStatus, WritesZerosToo) {
  EXPECT_TRUE(Is(SetStatus(SetWith("{}"), {.counts = kCounts}, kNow), R"({"status":{
      "replicas":2,"fullyLabeledReplicas":2,"readyReplicas":1,"availableReplicas":1,
      "preservedFailedReplicas":0,"autoPreserveFailedMachineCount":0,"observedGeneration":2,
      "lastOperation":{"lastUpdateTime":"2026-11-16T10:00:00Z"}}})"));
}

// As upstream writes it: without zeros.
constexpr const char* kShown = R"({"replicas":2,"fullyLabeledReplicas":2,"readyReplicas":1,
  "availableReplicas":1,"observedGeneration":2,
  "lastOperation":{"lastUpdateTime":"2026-11-16T09:00:00Z"}})";

TEST(SetStatus, IsNotWrittenForItsTimeAlone) {
  EXPECT_TRUE(SetStatus(SetWith("{}", kShown), {.counts = kCounts}, kNow).empty());
}

TEST(SetStatus, SaysWhyItDoesNotGetToItsSize) {
  const SetReport report{.counts = kCounts, .failure = ReplicaFailure{true, "quota"}};
  const auto patch = SetStatus(SetWith("{}", kShown), report, kNow);
  EXPECT_EQ(patch.at("status").at("machineSetCondition"), testing::Json(R"([{
      "type":"ReplicaFailure","status":"True","lastTransitionTime":"2026-11-16T10:00:00Z",
      "reason":"FailedCreate","message":"quota"}])"));
}

constexpr const char* kFailing = R"({"replicas":2,"fullyLabeledReplicas":2,"readyReplicas":1,
  "availableReplicas":1,"observedGeneration":2,"machineSetCondition":[
   {"type":"ReplicaFailure","status":"True","lastTransitionTime":"2026-11-16T09:00:00Z",
    "reason":"FailedCreate","message":"quota"}]})";

TEST(SetStatus, AFailureThatIsShownStaysUntilItIsOver) {
  const SetReport still{.counts = kCounts, .failure = ReplicaFailure{true, "quota 2"}};
  EXPECT_TRUE(SetStatus(SetWith("{}", kFailing), still, kNow).empty());
  const auto over = SetStatus(SetWith("{}", kFailing), {.counts = kCounts}, kNow);
  EXPECT_TRUE(over.at("status").at("machineSetCondition").is_null());
}

TEST(SetStatus, SaysThatItIsFrozen) {
  const SetReport report{.counts = kCounts, .freeze = true, .freeze_message = "9 of 2"};
  const auto patch = SetStatus(SetWith("{}", kShown), report, kNow);
  EXPECT_EQ(patch.at("status").at("machineSetCondition").at(0).at("reason"),
            "OverShootingReplicaCount");
}

TEST(SetStatus, Gardener_13_103_ListsFailedMachines) {
  const SetReport report{.counts = kCounts,
                         .failed = {{.name = "m",
                                     .instance = "i-1",
                                     .owner = "pool-a",
                                     .operation = {.operation = Operation::kCreate,
                                                   .state = OperationState::kFailed,
                                                   .description = "no",
                                                   .error_code = "Internal",
                                                   .at = kNow}}}};
  const auto patch = SetStatus(SetWith("{}", kShown), report, kNow);
  EXPECT_EQ(patch.at("status").at("failedMachines"), testing::Json(R"([{"name":"m",
      "providerID":"i-1","ownerRef":"pool-a","lastOperation":{"type":"Create","state":"Failed",
      "description":"no","errorCode":"Internal","lastUpdateTime":"2026-11-16T10:00:00Z"}}])"));
}

TEST(NameFloor, IsNoted) {
  const SetRecord set = SetWith(R"({"millwright.dev/state":"{\"nameFloor\":3}"})");
  EXPECT_TRUE(NameFloor(set, 3).empty());
  EXPECT_TRUE(Is(NameFloor(set, 4), R"({"metadata":{"annotations":
      {"millwright.dev/state":"{\"nameFloor\":4}"}}})"));
}

}  // namespace
}  // namespace millwright::dialects::gardener
