#include <gtest/gtest.h>

#include "core/testing/policies.h"
#include "dialects/gardener/gardener.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using testing::Is;
using testing::kNow;

DeploymentRecord Pool(const std::string& status = "null", const std::string& zone = "a") {
  return testing::Deployment(R"({"metadata":{"name":"pool","namespace":"shoot","uid":"d1",
      "generation":2,"annotations":{"team":"x","deployment.kubernetes.io/revision":"1",
        "machine.sapcloud.io/last-deployment-replica-change-by-scaler-time":"2026-11-16T09:00:00Z",
        "node.machine.sapcloud.io/trigger-deletion-by-mcm":"a~2026-11-16T09:00:00Z",
        "kubectl.kubernetes.io/last-applied-configuration":"{}"}},
      "spec":{"replicas":3,"minReadySeconds":5,"strategy":{"type":"Recreate"},"rollbackTo":{},
        "selector":{"matchLabels":{"name":"pool"}},
        "template":{"metadata":{"labels":{"name":"pool"}},
          "spec":{"class":{"kind":"MachineClass","name":"small"},
            "nodeTemplate":{"metadata":{"labels":{"zone":")" +
                             zone + R"("}}}}}},
      "status":)" + status + "}");
}

// The set as the deployment makes it.
SetRecord MadeBy(const DeploymentRecord& deployment) {
  NewSet set = NameSet(deployment);
  set.replicas = 3;
  set.revision = 1;
  set.desired_note = 3;
  set.max_note = 4;
  return testing::Set(boost::json::serialize(boost::json::value(NewSetBody(deployment, set))));
}

TEST(NameSet, IsStable) {
  const NewSet set = NameSet(Pool());
  EXPECT_EQ(set.name.substr(0, 5), "pool-");
  EXPECT_EQ(set.name.size(), 10u);
  EXPECT_EQ(NameSet(Pool()).name, set.name);
  // What is handed down makes no other set; another collision does.
  EXPECT_EQ(NameSet(Pool("null", "b")).hash, set.hash);
  EXPECT_NE(NameSet(Pool(R"({"collisionCount":1})")).hash, set.hash);
}

TEST(NameSet, MapsDigits) {
  const NewSet set = NameSet(Pool());
  std::string mapped;
  for (const char digit : set.hash.substr(0, 5)) {
    mapped += std::string("456789bcdf")[static_cast<size_t>(digit - '0')];
  }
  EXPECT_EQ(set.name, "pool-" + mapped);
}

TEST(NewSetBody, Gardener_13_119_CarriesTheHashAndTheNotes) {
  const NewSet set{.name = "pool-x",
                   .hash = "42",
                   .replicas = 3,
                   .revision = 2,
                   .desired_note = 3,
                   .max_note = 4};
  EXPECT_TRUE(Is(NewSetBody(Pool(), set), R"({
    "apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineSet",
    "metadata":{"name":"pool-x","namespace":"shoot",
      "labels":{"name":"pool","machine-template-hash":"42"},
      "annotations":{"team":"x","deployment.kubernetes.io/revision":"2",
        "deployment.kubernetes.io/desired-replicas":"3",
        "deployment.kubernetes.io/max-replicas":"4",
        "machine.sapcloud.io/last-deployment-replica-change-by-scaler-time":
          "2026-11-16T09:00:00Z"},
      "finalizers":["machine.sapcloud.io/machine-controller-manager"],
      "ownerReferences":[{"apiVersion":"machine.sapcloud.io/v1alpha1","kind":"MachineDeployment",
        "name":"pool","uid":"d1","controller":true,"blockOwnerDeletion":true}]},
    "spec":{"replicas":3,"minReadySeconds":5,
      "selector":{"matchLabels":{"name":"pool","machine-template-hash":"42"}},
      "template":{"metadata":{"labels":{"name":"pool","machine-template-hash":"42"}},
        "spec":{"class":{"kind":"MachineClass","name":"small"},
          "nodeTemplate":{"metadata":{"labels":{"zone":"a"}}}}}}})"));
}

TEST(NewSetBody, IsReadBackAsTheSetOfItsTemplate) {
  const SetRecord set = MadeBy(Pool());
  EXPECT_EQ(set.problem, "");
  EXPECT_EQ(set.machine_template.rolls, Pool().machine_template.rolls);
  EXPECT_EQ(set.machine_template.passes, Pool().machine_template.passes);
  EXPECT_EQ(set.core.desired_note, 3);
}

TEST(ChangedSet, IsNothingIfNothingIsWished) {
  const DeploymentRecord pool = Pool();
  const SetWish same{.replicas = 3,
                     .desired_note = 3,
                     .max_note = 4,
                     .revision = 1,
                     .hand_down = true,
                     .creation_disabled = false,
                     .nodes_marked = false,
                     .frozen = false};
  EXPECT_TRUE(ChangedSet(pool, MadeBy(pool), same).empty());
  EXPECT_TRUE(ChangedSet(pool, MadeBy(pool), {}).empty());
}

TEST(ChangedSet, Gardener_13_127_HandsTheNodeTemplateDown) {
  EXPECT_TRUE(Is(ChangedSet(Pool("null", "b"), MadeBy(Pool()), {.hand_down = true}), R"({"spec":{
      "template":{"spec":{"nodeTemplate":{"metadata":{"labels":{"zone":"b"}}}}}}})"));
}

TEST(ChangedSet, Gardener_13_128_MarksAndSizes) {
  const SetWish wish{.replicas = 0,
                     .desired_note = 5,
                     .revision = 3,
                     .creation_disabled = true,
                     .nodes_marked = true,
                     .frozen = true};
  EXPECT_TRUE(Is(ChangedSet(Pool(), MadeBy(Pool()), wish), R"({"metadata":{
      "annotations":{"deployment.kubernetes.io/desired-replicas":"5",
        "deployment.kubernetes.io/revision":"3","deployment.kubernetes.io/revision-history":"1",
        "deployment.machine.sapcloud.io/prefer-no-schedule":"True"},
      "labels":{"freeze":"True","node.machine.sapcloud.io/scale-up-disabled":"true"}},
      "spec":{"replicas":0}})"));
}

TEST(ChangedSet, TakesMarksAway) {
  SetRecord set = MadeBy(Pool());
  set.labels["freeze"] = "True";
  set.labels["node.machine.sapcloud.io/scale-up-disabled"] = "true";
  set.annotations["deployment.machine.sapcloud.io/prefer-no-schedule"] = "True";
  set.annotations["safety.machine.sapcloud.io/unfreeze"] = "true";
  const SetWish wish{.creation_disabled = false, .nodes_marked = false, .frozen = false};
  EXPECT_TRUE(Is(ChangedSet(Pool(), set, wish), R"({"metadata":{
      "annotations":{"deployment.machine.sapcloud.io/prefer-no-schedule":null,
        "safety.machine.sapcloud.io/unfreeze":null},
      "labels":{"freeze":null,"node.machine.sapcloud.io/scale-up-disabled":null}}})"));
}

DeploymentReport Complete() {
  return {.counts = {.replicas = 3, .updated = 3, .ready = 3, .available = 3},
          .progress = core::Progress{core::Progress::Status::kTrue,
                                     core::ProgressReason::kNewSetAvailable, kNow},
          .progress_message = "done",
          .available = true,
          .observed_generation = 2};
}

constexpr const char* kComplete = R"({"observedGeneration":2,"replicas":3,"updatedReplicas":3,
  "readyReplicas":3,"availableReplicas":3,"conditions":[
    {"type":"Available","status":"True","reason":"MinimumReplicasAvailable",
     "message":"Deployment has minimum availability.",
     "lastUpdateTime":"2026-11-16T10:00:00Z","lastTransitionTime":"2026-11-16T10:00:00Z"},
    {"type":"Progressing","status":"True","reason":"NewMachineSetAvailable","message":"done",
     "lastUpdateTime":"2026-11-16T10:00:00Z","lastTransitionTime":"2026-11-16T10:00:00Z"}]})";

TEST(DeploymentStatus, Gardener_13_135_HasExactlyTwoConditions) {
  const auto patch = DeploymentStatus(Pool(), {}, Complete(), kNow);
  auto want = testing::Json(kComplete).as_object();
  want["unavailableReplicas"] = 0;
  want["preservedFailedReplicas"] = 0;
  EXPECT_EQ(patch.at("status"), boost::json::value(want));
}

TEST(DeploymentStatus, IsNotWrittenIfNothingChanged) {
  EXPECT_TRUE(
      DeploymentStatus(Pool(kComplete), {}, Complete(), kNow + std::chrono::hours(1)).empty());
}

TEST(DeploymentStatus, ProgressRenewsItsTimeAndKeepsThatOfItsStatus) {
  DeploymentReport report = Complete();
  report.progress = core::Progress{core::Progress::Status::kTrue, core::ProgressReason::kSetUpdated,
                                   kNow + std::chrono::minutes(5)};
  const auto patch = DeploymentStatus(Pool(kComplete), {}, report, kNow + std::chrono::minutes(5));
  const auto& progressing = patch.at("status").at("conditions").at(1);
  EXPECT_EQ(progressing.at("reason"), "MachineSetUpdated");
  EXPECT_EQ(progressing.at("lastUpdateTime"), "2026-11-16T10:05:00Z");
  EXPECT_EQ(progressing.at("lastTransitionTime"), "2026-11-16T10:00:00Z");
}

TEST(DeploymentStatus, SaysThatTooFewAreAvailable) {
  DeploymentReport report = Complete();
  report.available = false;
  report.counts.available = 1;
  report.unavailable = 2;
  const auto patch = DeploymentStatus(Pool(kComplete), {}, report, kNow + std::chrono::hours(1));
  const auto& available = patch.at("status").at("conditions").at(0);
  EXPECT_EQ(available.at("reason"), "MinimumReplicasUnavailable");
  EXPECT_EQ(available.at("lastTransitionTime"), "2026-11-16T11:00:00Z");
  EXPECT_EQ(patch.at("status").at("unavailableReplicas"), 2);
}

TEST(DeploymentStatus, CopiesTheFailureOfItsSets) {
  SetRecord failing = testing::Set(R"({"metadata":{"name":"old"},"status":{"machineSetCondition":[
      {"type":"ReplicaFailure","status":"True","reason":"FailedCreate","message":"quota"}]}})");
  const SetRecord* const sets[] = {&failing};
  const auto patch = DeploymentStatus(Pool(kComplete), sets, Complete(), kNow);
  EXPECT_EQ(patch.at("status").at("conditions").at(2).at("reason"), "FailedCreate");
}

TEST(DeploymentStatus, SaysThatItIsFrozen) {
  DeploymentReport report = Complete();
  report.freeze = true;
  report.freeze_by_sync = true;
  const auto patch = DeploymentStatus(Pool(kComplete), {}, report, kNow);
  EXPECT_EQ(patch.at("status").at("conditions").at(2).at("reason"), "MachineDeploymentStateSync");
}

TEST(DeploymentRevision, IsAnAnnotation) {
  EXPECT_TRUE(DeploymentRevision(Pool(), 1).empty());
  EXPECT_TRUE(Is(DeploymentRevision(Pool(), 2),
                 R"({"metadata":{"annotations":{"deployment.kubernetes.io/revision":"2"}}})"));
}

TEST(PrunedMarks, Gardener_13_120_AreWrittenIfTheyChanged) {
  const core::ScalerMark a{"a", testing::At("2026-11-16T09:00:00Z")};
  EXPECT_TRUE(PrunedMarks(Pool(), {{a}}).empty());
  EXPECT_TRUE(Is(PrunedMarks(Pool(), {}), R"({"metadata":{"annotations":
      {"node.machine.sapcloud.io/trigger-deletion-by-mcm":null}}})"));
}

TEST(RolledBack, Gardener_13_117_HasTheOldTemplate) {
  DeploymentRecord pool = Pool();
  SetRecord old = MadeBy(pool);
  SharedParts parts;
  old.machine_template = *parts.Template(R"({"metadata":{"labels":{"name":"pool",
      "machine-template-hash":"1"}},"spec":{"class":{"kind":"MachineClass","name":"tiny"}}})");
  old.annotations["since"] = "then";
  old.annotations.erase("team");
  EXPECT_TRUE(Is(RolledBack(pool, &old), R"({
      "metadata":{"annotations":{"since":"then","team":null}},
      "spec":{"rollbackTo":null,"template":{"spec":{"class":{"name":"tiny"},
        "nodeTemplate":null}}}})"));
  EXPECT_TRUE(Is(RolledBack(pool, nullptr), R"({"spec":{"rollbackTo":null}})"));
}

TEST(DeploymentFrozen, IsALabel) {
  DeploymentRecord pool = Pool();
  EXPECT_TRUE(Is(DeploymentFrozen(pool, true), R"({"metadata":{"labels":{"freeze":"True"}}})"));
  EXPECT_TRUE(DeploymentFrozen(pool, false).empty());
  pool.labels["freeze"] = "True";
  pool.unfreeze_asked = true;
  EXPECT_TRUE(Is(DeploymentFrozen(pool, false), R"({"metadata":{"labels":{"freeze":null},
      "annotations":{"safety.machine.sapcloud.io/unfreeze":null}}})"));
}

TEST(GardenerDialect, HasThePoliciesThatCoreIsTestedWith) {
  const GardenerDialect dialect;
  const core::ReplicaPolicy want = core::testing::GardenerReplicas();
  EXPECT_EQ(dialect.replicas().counts_deleting, want.counts_deleting);
  EXPECT_EQ(dialect.replicas().replaces_failed, want.replaces_failed);
  EXPECT_EQ(dialect.replicas().burst, want.burst);
  EXPECT_EQ(dialect.replicas().victims, want.victims);
}

}  // namespace
}  // namespace millwright::dialects::gardener
