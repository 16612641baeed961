#include "controllers/contract/set/set_controller.h"

#include "controllers/contract/testing/owner_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

Task<void> RunSets(ContractParts parts) {
  SetController sets(parts.surroundings, parts.caches, parts.externals);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  co_await sets.Run();
}

class SetControllerTest : public OwnerFixture {
 protected:
  SetControllerTest() : OwnerFixture(RunSets) {}

  void AddSet(int replicas, const std::string& metadata = "", const std::string& spec = "",
              const std::string& machine = "") {
    Create(kSet, fmt::format(R"({{"metadata":{{"name":"s"{}}},"spec":{{"clusterName":"c",
        "replicas":{},"selector":{{"matchLabels":{{"app":"s"}}}},
        "template":{{"metadata":{{"labels":{{"app":"s"}},"annotations":{{"a":"b"}}}},"spec":{}}}{}}}}})",
                             metadata, replicas, TemplateSpec("t", machine), spec));
    Pass(4s);
  }
  void Begin(int replicas, const std::string& metadata = "", const std::string& spec = "") {
    AddCluster();
    AddTemplates();
    AddSet(replicas, metadata, spec);
  }
  Reply Set() { return Get(std::string(kSet) + "/s"); }
  void Resize(int replicas) {
    Patch(std::string(kSet) + "/s", fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
    Pass(3s);
  }
  std::string Path(const std::string& name) { return fmt::format("{}/{}", kMachine, name); }
  std::vector<std::string> Going() {
    std::vector<std::string> going;
    for (const std::string& name : Names(kMachine)) {
      if (IsDeleting(Path(name))) going.push_back(name);
    }
    return going;
  }
};

TEST_F(SetControllerTest, Capi_12_104_machines_with_clones_of_the_same_name) {
  Begin(2);
  const auto machines = List(kMachine);
  ASSERT_EQ(machines.size(), 2U) << Set().body;
  const std::string name(kube::GetString(machines[0], "metadata.name"));
  const Reply machine = Get(Path(name));
  EXPECT_EQ(kube::GetString(*machine.Find("metadata.labels"), "app"), "s");
  EXPECT_EQ(machine.Find("metadata.labels")->at("cluster.x-k8s.io/set-name"), "s");
  EXPECT_EQ(machine.Find("metadata.ownerReferences")->at(0).at("kind"), "MachineSet");
  EXPECT_EQ(machine.At("spec.infrastructureRef.kind"), "DevMachine");
  EXPECT_EQ(machine.At("spec.infrastructureRef.name"), name);
  EXPECT_EQ(machine.Find("metadata.finalizers")->at(0), "machine.cluster.x-k8s.io");

  const Reply clone = Get(fmt::format("{}/{}", kDevMachine, name));
  ASSERT_EQ(clone.status, 200);
  EXPECT_EQ(clone.At("spec.size"), "big");
  EXPECT_EQ(clone.Find("metadata.annotations")->at("cluster.x-k8s.io/cloned-from-name"), "t");
  EXPECT_EQ(clone.Find("metadata.labels")->at("cluster.x-k8s.io/set-name"), "s");
  EXPECT_EQ(clone.Find("metadata.labels")->at("from"), "template");
  EXPECT_EQ(clone.Find("metadata.ownerReferences")->at(0).at("kind"), "MachineSet");
  EXPECT_TRUE(Exists(fmt::format("{}/{}", kDevConfig, name)));

  EXPECT_TRUE(HasEvent("SuccessfulCreate"));
  EXPECT_EQ(Set().Find("status.replicas")->as_int64(), 2);
  EXPECT_EQ(Set().At("status.selector"), "app=s,cluster.x-k8s.io/cluster-name=c");
  // The templates belong to the cluster now.
  EXPECT_EQ(
      Get(std::string(kMachineTemplate) + "/t").Find("metadata.ownerReferences")->at(0).at("kind"),
      "Cluster");
}

TEST_F(SetControllerTest, NothingIsWrittenAtRest) {
  Begin(3);
  MakeAllAvailable();
  Pass(10s);
  EXPECT_EQ(Set().Find("status.availableReplicas")->as_int64(), 3);
  management_->requests.clear();
  Pass(10min);
  EXPECT_EQ(management_->Count("PATCH /apis/cluster"), 0);
  EXPECT_EQ(management_->Count("PATCH /apis/infra"), 0);
  EXPECT_EQ(management_->Count("POST"), 0);
}

TEST_F(SetControllerTest, AMachineThatCannotBeReadIsNotReplaced) {
  Begin(2);
  const std::vector<std::string> machines = Names(kMachine);
  ASSERT_EQ(machines.size(), 2U);
  const auto show_year = [&](int year) {  // the API takes any, we know those up to 2262
    Patch(Path(machines[0]) + "/status",
          fmt::format(R"({{"status":{{"lastUpdated":"{}-01-01T00:00:00Z"}}}})", year));
    Pass(10s);
  };
  show_year(2300);
  EXPECT_TRUE(HasEvent("UnreadableMachine"));
  Resize(3);
  EXPECT_EQ(Names(kMachine), machines);
  show_year(2026);
  EXPECT_EQ(Names(kMachine).size(), 3U);
  // And a set does not go before it.
  show_year(2300);
  Delete(std::string(kSet) + "/s");
  Pass(10s);
  FinishDeletions();
  EXPECT_TRUE(Exists(std::string(kSet) + "/s"));
}

TEST_F(SetControllerTest, Capi_12_105_what_was_made_goes_if_the_rest_fails) {
  management_->refuses = [](const net::HttpRequest& request) {
    return request.method == "PATCH" && request.target.contains("/machines/");
  };
  Begin(4);
  EXPECT_TRUE(Names(kMachine).empty());
  // The same objects serve the next try, or are swept: a machine of them may be another leader's.
  EXPECT_LE(Names(kDevMachine).size(), 1U);
  EXPECT_EQ(Names(kDevConfig).size(), Names(kDevMachine).size());
  management_->refuses = nullptr;
  Pass(2min);
  EXPECT_EQ(Names(kMachine).size(), 4U);
  EXPECT_EQ(Names(kDevMachine).size(), 4U);
}

TEST_F(SetControllerTest, Capi_12_106_clones_without_a_machine_are_swept) {
  AddCluster();
  AddTemplates();
  AddSet(0);
  // As if somebody had ended in the middle of making a machine.
  management_->refuses = [](const net::HttpRequest& request) {
    return request.target.contains("/machines/") || (request.method == "DELETE");
  };
  Resize(1);
  EXPECT_FALSE(Names(kDevMachine).empty());
  Create(kDevMachine, R"({"metadata":{"name":"foreign"},"spec":{}})");
  Resize(0);
  management_->refuses = nullptr;
  Pass(30s);
  Resize(0);
  Pass(20min);
  EXPECT_EQ(Names(kDevMachine), std::vector<std::string>{"foreign"});
}

TEST_F(SetControllerTest, Capi_12_107_creation_can_be_disabled) {
  Begin(2, R"(,"annotations":{"cluster.x-k8s.io/disable-machine-create":"true"})");
  EXPECT_TRUE(Names(kMachine).empty());
  Patch(std::string(kSet) + "/s",
        R"({"metadata":{"annotations":{"cluster.x-k8s.io/disable-machine-create":"false"}}})");
  Pass(3s);
  EXPECT_EQ(Names(kMachine).size(), 2U);
  Patch(std::string(kSet) + "/s",
        R"({"metadata":{"annotations":{"cluster.x-k8s.io/disable-machine-create":"true"}}})");
  Resize(1);
  EXPECT_EQ(Going().size(), 1U);
}

TEST_F(SetControllerTest, Capi_12_108_orphans_are_adopted_and_others_ignored) {
  AddCluster();
  AddTemplates();
  const std::string labels = R"(,"labels":{"app":"s","cluster.x-k8s.io/cluster-name":"c"})";
  Create(kMachine, MachineBody("orphan", labels));
  Create(kMachine, MachineBody("stranger", R"(,"labels":{"app":"x"})"));
  Create(kMachine, MachineBody("taken", labels + R"(,"ownerReferences":[{"apiVersion":"v1",
      "kind":"X","name":"x","uid":"u","controller":true}])"));
  AddSet(1);
  EXPECT_EQ(Names(kMachine), (std::vector<std::string>{"orphan", "stranger", "taken"}));
  EXPECT_EQ(Machine("orphan").Find("metadata.ownerReferences")->at(0).at("name"), "s");
  EXPECT_EQ(Machine("stranger").Find("metadata.ownerReferences"), nullptr);
  EXPECT_TRUE(HasEvent("SuccessfulAdopt"));
  EXPECT_EQ(Set().Find("status.replicas")->as_int64(), 1);
}

TEST_F(SetControllerTest, Capi_12_109_121_a_control_plane_in_the_middle_of_something) {
  AddCluster("c", R"({"controlPlaneRef":{"kind":"DevControlPlane","name":"cp",
      "apiGroup":"controlplane.cluster.x-k8s.io"}})");
  AddTemplates();
  Create(kDevControlPlane,
         R"({"metadata":{"name":"cp","labels":{"cluster.x-k8s.io/cluster-name":"c"}},
      "spec":{"version":"v1.34.1"},"status":{}})");
  AddSet(1, "", "", R"(,"version":"v1.34.1")");
  EXPECT_TRUE(Names(kMachine).empty());
  EXPECT_NE(
      Shown(Set(), "ScalingUp").find("Scaling up from 0 to 1 replicas is blocked because:\n* "),
      std::string::npos)
      << Shown(Set(), "ScalingUp");
  Patch(std::string(kDevControlPlane) + "/cp/status", R"({"status":{"version":"v1.34.1"}})");
  Pass(3s);
  EXPECT_EQ(Names(kMachine).size(), 1U);
}

TEST_F(SetControllerTest, Capi_12_110_what_is_handed_down_reaches_machines_and_clones) {
  Begin(1);
  const std::string name = Names(kMachine).at(0);
  Patch(Path(name), R"({"metadata":{"labels":{"mine":"kept"}}})");
  Patch(std::string(kSet) + "/s", R"({"spec":{"template":{"metadata":{"labels":{"new":"l"},
      "annotations":{"a":null,"n":"m"}},"spec":{"minReadySeconds":7,"version":"v1.99.0",
      "deletion":{"nodeDrainTimeoutSeconds":9}}}}})");
  Pass(5s);
  ASSERT_EQ(Names(kMachine), std::vector<std::string>{name});
  const Reply machine = Machine(name);
  EXPECT_EQ(machine.Find("metadata.labels")->at("new"), "l");
  EXPECT_EQ(machine.Find("metadata.labels")->at("mine"), "kept");
  EXPECT_FALSE(machine.Find("metadata.annotations")->as_object().contains("a"));
  EXPECT_EQ(machine.Find("metadata.annotations")->at("n"), "m");
  EXPECT_EQ(machine.Find("spec.minReadySeconds")->as_int64(), 7);
  EXPECT_EQ(machine.Find("spec.deletion.nodeDrainTimeoutSeconds")->as_int64(), 9);
  EXPECT_EQ(machine.At("spec.version"), "");
  const Reply clone = Get(fmt::format("{}/{}", kDevMachine, name));
  EXPECT_EQ(clone.Find("metadata.labels")->at("new"), "l");
  EXPECT_EQ(clone.Find("metadata.annotations")->at("n"), "m");
  EXPECT_FALSE(clone.Find("metadata.annotations")->as_object().contains("a"));
  Pass(10s);  // until a machine that says nothing about its template is old enough to count
  management_->requests.clear();
  Pass(5min);
  EXPECT_EQ(management_->Count("PATCH /apis/cluster"), 0);
}

TEST_F(SetControllerTest, Capi_12_111_a_machine_that_goes_follows_in_time_outs_only) {
  Begin(1);
  const std::string name = Names(kMachine).at(0);
  Delete(Path(name));
  Patch(std::string(kSet) + "/s", R"({"spec":{"template":{"metadata":{"labels":{"new":"l"}},
      "spec":{"deletion":{"nodeDrainTimeoutSeconds":9}}}}})");
  Pass(5s);
  EXPECT_EQ(Machine(name).Find("spec.deletion.nodeDrainTimeoutSeconds")->as_int64(), 9);
  EXPECT_FALSE(Machine(name).Find("metadata.labels")->as_object().contains("new"));
}

TEST_F(SetControllerTest, Capi_12_113_one_that_goes_already_counts) {
  Begin(3);
  const std::string first = Names(kMachine).at(0);
  Delete(Path(first));
  Pass(2s);
  EXPECT_EQ(Names(kMachine).size(), 3U) << "it fills its place until it is gone";
  Resize(2);
  EXPECT_EQ(Going(), std::vector<std::string>{first});
  Resize(1);
  EXPECT_EQ(Going().size(), 2U);
  FinishDeletions();
  EXPECT_EQ(Names(kMachine).size(), 1U);
}

TEST_F(SetControllerTest, Capi_12_114_one_failure_does_not_stop_other_deletions) {
  Begin(3);
  const std::string stuck = Names(kMachine).at(0);
  management_->refuses = [&](const net::HttpRequest& request) {
    return request.method == "DELETE" && request.target.ends_with(stuck);
  };
  Resize(0);
  EXPECT_EQ(Going().size(), 2U);
  management_->refuses = nullptr;
  Pass(1min);
  EXPECT_EQ(Going().size(), 3U);
}

TEST_F(SetControllerTest, Capi_12_117_an_unhealthy_machine_is_replaced_when_it_is_gone) {
  Begin(2);
  const std::string sick = Names(kMachine).at(0);
  ShowMachine(sick, {Condition("HealthCheckSucceeded", "False", "UnhealthyNode"),
                     Condition("OwnerRemediated", "False", "WaitingForRemediation")});
  Pass(3s);
  EXPECT_EQ(Going(), std::vector<std::string>{sick});
  EXPECT_EQ(Shown(Machine(sick), "OwnerRemediated"), "False MachineDeleting: Machine is deleting");
  EXPECT_EQ(Names(kMachine).size(), 2U);
  EXPECT_EQ(Shown(Set(), "Remediating").substr(0, 16), "True Remediating");
  FinishDeletions();
  EXPECT_EQ(Names(kMachine).size(), 2U);
  EXPECT_FALSE(Exists(Path(sick)));
}

TEST_F(SetControllerTest, Capi_12_117_one_that_recovers_is_left_alone) {
  Begin(1);
  const std::string name = Names(kMachine).at(0);
  ShowMachine(name, {Condition("HealthCheckSucceeded", "True"),
                     Condition("OwnerRemediated", "False", "WaitingForRemediation")});
  Pass(3s);
  EXPECT_EQ(Shown(Machine(name), "OwnerRemediated"), "");
  EXPECT_FALSE(IsDeleting(Path(name)));
}

TEST_F(SetControllerTest, Capi_12_124_a_set_goes_after_its_machines) {
  Begin(2);
  Delete(std::string(kSet) + "/s");
  Pass(3s);
  EXPECT_EQ(Going().size(), 2U);
  EXPECT_TRUE(Exists(std::string(kSet) + "/s"));
  EXPECT_EQ(Shown(Set(), "Deleting"), "True Deleting: Deleting 2 Machines");
  FinishDeletions();
  EXPECT_FALSE(Exists(std::string(kSet) + "/s"));
}

TEST_F(SetControllerTest, APausedSetIsLeftAlone) {
  Begin(1, R"(,"annotations":{"cluster.x-k8s.io/paused":""})");
  EXPECT_TRUE(Names(kMachine).empty());
  EXPECT_EQ(Shown(Set(), "Paused"),
            "True Paused: MachineSet has the cluster.x-k8s.io/paused annotation");
  Patch(std::string(kSet) + "/s",
        R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":null}}})");
  Pass(3s);
  EXPECT_EQ(Names(kMachine).size(), 1U);
}

TEST_F(SetControllerTest, AMissingCloneHoldsUpNobodyElse) {
  Begin(2);
  const std::string broken = Names(kMachine).at(0);
  LetGo(fmt::format("{}/{}", kDevMachine, broken));
  Delete(fmt::format("{}/{}", kDevMachine, broken));
  Resize(3);
  EXPECT_EQ(Names(kMachine).size(), 3U);
}

class HandOverTest : public SetControllerTest {
 protected:
  static bool IsHandOver(const net::HttpRequest& request) {
    return request.method == "PATCH" && request.target.contains("/devmachines/") &&
           request.body.contains("managedFields");
  }
  // The managers that say labels of the instance are theirs.
  std::vector<std::string> OwnersOfLabels() {
    std::vector<std::string> owners;
    const Reply instance = Get(fmt::format("{}/{}", kDevMachine, Names(kDevMachine).front()));
    for (const auto& entry : *kube::GetArray(instance.body, "metadata.managedFields")) {
      const auto* labels = kube::GetObject(entry, "fieldsV1.f:metadata.f:labels");
      if (labels != nullptr && labels->contains("f:gone")) {
        owners.emplace_back(kube::GetString(entry, "manager"));
      }
    }
    return owners;
  }
  // What is taken out of the set's template goes from the instance.
  void ExpectLabelsFollow() {
    EXPECT_EQ(OwnersOfLabels(), std::vector<std::string>{"capi-machineset-metadata"});
    Patch(std::string(kSet) + "/s",
          R"({"spec":{"template":{"metadata":{"labels":{"gone":null}}}}})");
    Pass(3s);
    const Reply instance = Get(fmt::format("{}/{}", kDevMachine, Names(kDevMachine).front()));
    EXPECT_FALSE(kube::GetObject(instance.body, "metadata.labels")->contains("gone"));
  }
  void BeginWithLabel() {
    AddCluster();
    AddTemplates();
    Create(kSet, fmt::format(R"({{"metadata":{{"name":"s"}},"spec":{{"clusterName":"c",
        "replicas":1,"selector":{{"matchLabels":{{"app":"s"}}}},
        "template":{{"metadata":{{"labels":{{"app":"s","gone":"x"}}}},"spec":{}}}}}}})",
                             TemplateSpec("t")));
    Pass(4s);
  }
};

TEST_F(HandOverTest, a_provider_that_writes_first_changes_nothing) {
  int met = 0;
  management_->answers = [&](const net::HttpRequest& request) -> std::optional<int> {
    if (!IsHandOver(request) || ++met > 2) return std::nullopt;
    return 409;
  };
  BeginWithLabel();
  EXPECT_EQ(met, 3);
  ExpectLabelsFollow();
}

TEST_F(HandOverTest, what_could_not_be_handed_over_is_later) {
  management_->refuses = IsHandOver;
  BeginWithLabel();
  ASSERT_EQ(Names(kMachine).size(), 1U);
  EXPECT_EQ(OwnersOfLabels(), std::vector<std::string>{"capi-machineset"});
  management_->refuses = nullptr;
  Pass(10min);
  ExpectLabelsFollow();
}

}  // namespace
}  // namespace millwright::controllers::contract
