#include "controllers/contract/machine/machine_controller.h"
#include "controllers/contract/testing/contract_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

Task<void> RunMachines(ContractParts parts) {
  MachineController machines(parts.surroundings, parts.caches, parts.externals, parts.remotes);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  co_await machines.Run();
}

class MachineDeleteTest : public ContractFixture {
 protected:
  MachineDeleteTest() : ContractFixture(RunMachines) { AddCluster(); }

  static constexpr const char* kM = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machines/m";
  static constexpr const char* kInfra =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/ns/devmachines/m";
  static constexpr const char* kBoot =
      "/apis/bootstrap.cluster.x-k8s.io/v1beta2/namespaces/ns/devconfigs/m";
  static constexpr const char* kThere = "/api/v1/nodes/node";

  static constexpr const char* kInDoubt =
      R"({"metadata":{"annotations":{"millwright.dev/instance-in-doubt":"true"}}})";
  static constexpr const char* kNoDoubt =
      R"({"metadata":{"annotations":{"millwright.dev/instance-in-doubt":null}}})";

  // With a control plane machine beside it; its provider has asked for an instance.
  void AddMachineInDoubt() {
    Create(kMachine, MachineBody("cp", R"(,"labels":{"cluster.x-k8s.io/control-plane":"",
                                            "cluster.x-k8s.io/control-plane-name":"x"})"));
    AddExternals();
    Patch(kInfra, kInDoubt);
    Create(kMachine, MachineBody("m"));
    Pass(1s);
  }

  std::string Stage() { return Shown(Machine(), "Deleting"); }
  void DeleteWhatABudgetHolds() {
    CreateThere("/apis/policy/v1/namespaces/default/poddisruptionbudgets",
                R"({"metadata":{"name":"b"},"spec":{"minAvailable":1,
                    "selector":{"matchLabels":{"app":"web"}}}})");
    AddRunningMachine();
    AddPod("a", R"(,"labels":{"app":"web"})");
    Delete(kM);
    Pass(2s);
  }
  bool InfraIsGoing() { return !Get(kInfra).At("metadata.deletionTimestamp").empty(); }
};

TEST_F(MachineDeleteTest, Capi_12_100_all_goes_in_order) {
  AddRunningMachine();
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(GetThere(kThere).Find("spec.unschedulable") != nullptr);  // 77
  EXPECT_TRUE(InfraIsGoing());
  EXPECT_EQ(Stage(), "True WaitingForInfrastructureDeletion: Waiting for DevMachine to be deleted");
  EXPECT_EQ(Machine().At("status.phase"), "Deleting");
  EXPECT_TRUE(Exists(kBoot));
  EXPECT_TRUE(ExistsThere(kThere));
  EXPECT_TRUE(HasEvent("SuccessfulDrainNode"));
  EXPECT_TRUE(HasEvent("NodeVolumesDetached"));
  LetGo(kInfra);
  Pass(2s);
  EXPECT_FALSE(Exists(kBoot));
  EXPECT_FALSE(ExistsThere(kThere));
  EXPECT_FALSE(Exists(kM));
}

TEST_F(MachineDeleteTest, Capi_12_076_a_node_that_is_gone_is_drained) {
  AddRunningMachine();
  AddPod("a");
  DeleteThere(kThere);
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
  EXPECT_FALSE(HasEvent("FailedDrainNode"));
  LetGo(kInfra);
  Pass(2s);
  EXPECT_FALSE(Exists(kM));
}

TEST_F(MachineDeleteTest, Capi_12_077_a_node_is_cordoned_once) {
  AddRunningMachine();
  AddPod("a", "", R"(,"terminationGracePeriodSeconds":60)");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(GetThere(kThere).Is("spec.unschedulable", true));
  workload_->requests.clear();
  DeleteThere("/api/v1/namespaces/default/pods/a");
  Pass(2s);
  EXPECT_TRUE(GetThere(kThere).Is("spec.unschedulable", true));
  EXPECT_EQ(workload_->Count("PATCH /api/v1/nodes/node"), 0);
}

TEST_F(MachineDeleteTest, Capi_12_077_one_that_is_cordoned_stays_so) {
  AddRunningMachine();
  PatchThere(kThere, R"({"spec":{"unschedulable":true}})");
  Pass(1s);
  workload_->requests.clear();
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing());
  EXPECT_TRUE(GetThere(kThere).Is("spec.unschedulable", true));
  EXPECT_EQ(workload_->Count("PATCH /api/v1/nodes/node"), 0);
}

TEST_F(MachineDeleteTest, Capi_12_081_pods_of_several_pages) {
  constexpr int kPods = 510;  // a page has 500
  AddRunningMachine();
  for (int i = 0; i < kPods; ++i) {
    CreateThere(kPod, fmt::format(R"({{"metadata":{{"name":"p{}"}},"spec":{{"nodeName":"node",
        "terminationGracePeriodSeconds":60,"containers":[{{"name":"c","image":"i:1"}}]}}}})",
                                  i));
  }
  Delete(kM);
  Pass(20s);
  for (int i = 0; i < kPods; ++i) {
    EXPECT_EQ(workload_->Count(fmt::format("POST /api/v1/namespaces/default/pods/p{}/eviction", i)),
              1)
        << i;
  }
  EXPECT_NE(Stage().find(fmt::format("({} more)", kPods - 3)), std::string::npos) << Stage();
}

TEST_F(MachineDeleteTest, Capi_12_079_pods_are_evicted_before_the_machine_goes) {
  AddRunningMachine();
  AddPod("a", "", R"(,"terminationGracePeriodSeconds":60)");
  Delete(kM);
  Pass(2s);
  EXPECT_FALSE(
      GetThere("/api/v1/namespaces/default/pods/a").At("metadata.deletionTimestamp").empty());
  EXPECT_TRUE(Stage().starts_with("True DrainingNode: Drain not completed yet (started at "));
  EXPECT_TRUE(Stage().ends_with(
      "* Pod default/a: deletionTimestamp set, but still not removed from the Node"))
      << Stage();
  EXPECT_FALSE(InfraIsGoing());
  DeleteThere("/api/v1/namespaces/default/pods/a");
  Pass(1s);
  EXPECT_TRUE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, Capi_12_078_084_pods_that_stay) {
  AddRunningMachine();
  AddPod("mirror", R"(,"annotations":{"kubernetes.io/config.mirror":"x"})");
  AddPod("skipped", R"(,"labels":{"cluster.x-k8s.io/drain":"skip"})");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing());
  EXPECT_EQ(workload_->Count("POST /api/v1/namespaces/default/pods"), 0);
}

TEST_F(MachineDeleteTest, Capi_12_084_pods_that_are_waited_for) {
  AddRunningMachine();
  AddPod("job", R"(,"labels":{"cluster.x-k8s.io/drain":"wait-completed"})");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(Stage().ends_with("* Pod default/job: waiting for completion")) << Stage();
  DeleteThere("/api/v1/namespaces/default/pods/job");
  Pass(1s);
  EXPECT_TRUE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, Capi_12_088_waves_by_order) {
  Create(kRule, R"({"metadata":{"name":"first"},"spec":{"drain":{"behavior":"Drain","order":-1},
      "pods":[{"selector":{"matchLabels":{"app":"first"}}}]}})");
  AddRunningMachine();
  AddPod("one", R"(,"labels":{"app":"first"})");
  AddPod("two");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(Stage().ends_with("the following Pods will be evicted: default/two")) << Stage();
  EXPECT_TRUE(
      GetThere("/api/v1/namespaces/default/pods/two").At("metadata.deletionTimestamp").empty());
  DeleteThere("/api/v1/namespaces/default/pods/one");
  Pass(1s);
  EXPECT_FALSE(
      GetThere("/api/v1/namespaces/default/pods/two").At("metadata.deletionTimestamp").empty());
}

TEST_F(MachineDeleteTest, Capi_12_089_a_budget_is_asked_again) {
  DeleteWhatABudgetHolds();
  EXPECT_NE(Stage().find("* Pod default/a: cannot evict pod as it would violate the pod's "
                         "disruption budget."),
            std::string::npos)
      << Stage();
  DeleteThere("/apis/policy/v1/namespaces/default/poddisruptionbudgets/b");
  Pass(21s);
  EXPECT_FALSE(
      GetThere("/api/v1/namespaces/default/pods/a").At("metadata.deletionTimestamp").empty());
}

TEST_F(MachineDeleteTest, a_budget_that_is_gone_holds_nobody_back) {
  DeleteWhatABudgetHolds();
  DeleteThere("/apis/policy/v1/namespaces/default/poddisruptionbudgets/b");
  Pass(2s);
  EXPECT_FALSE(
      GetThere("/api/v1/namespaces/default/pods/a").At("metadata.deletionTimestamp").empty())
      << "without waiting for its time";
}

TEST_F(MachineDeleteTest, Capi_12_074_no_drain_where_it_is_excluded) {
  AddRunningMachine(R"(,"annotations":{"machine.cluster.x-k8s.io/exclude-node-draining":""})");
  AddPod("a");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing());
  EXPECT_EQ(Machine().Find("status.deletion.nodeDrainStartTime"), nullptr);
}

TEST_F(MachineDeleteTest, Capi_12_074_no_drain_of_infrastructure_that_is_going) {
  AddRunningMachine();
  AddPod("a");
  Delete(kInfra);
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(
      GetThere("/api/v1/namespaces/default/pods/a").At("metadata.deletionTimestamp").empty());
  LetGo(kInfra);
  Pass(2s);
  EXPECT_FALSE(Exists(kM));
  EXPECT_FALSE(ExistsThere(kThere));
}

TEST_F(MachineDeleteTest, Capi_12_074_a_drain_ends_when_its_time_is_over) {
  AddRunningMachine("", R"(,"deletion":{"nodeDrainTimeoutSeconds":60})");
  AddPod("a", "", R"(,"terminationGracePeriodSeconds":600)");
  Delete(kM);
  Pass(50s);
  EXPECT_FALSE(InfraIsGoing());
  Pass(15s);
  EXPECT_TRUE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, Capi_12_082_daemon_sets) {
  CreateThere("/apis/apps/v1/namespaces/default/daemonsets",
              R"({"metadata":{"name":"alive"},"spec":{"selector":{"matchLabels":{"a":"b"}},
        "template":{"metadata":{"labels":{"a":"b"}},
                    "spec":{"containers":[{"name":"c","image":"i:1"}]}}}})");
  const std::string uid =
      GetThere("/apis/apps/v1/namespaces/default/daemonsets/alive").At("metadata.uid");
  AddRunningMachine();
  AddPod("kept", fmt::format(R"(,"ownerReferences":[{{"apiVersion":"apps/v1","kind":"DaemonSet",
      "name":"alive","uid":"{}","controller":true}}])",
                             uid));
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(
      GetThere("/api/v1/namespaces/default/pods/kept").At("metadata.deletionTimestamp").empty());
  EXPECT_TRUE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, Capi_12_086_a_rule_that_cannot_be_read_stops_the_drain) {
  AddRunningMachine();
  AddPod("a");
  Create(kRule, R"({"metadata":{"name":"bad"},"spec":{"drain":{"behavior":"Skip"},
      "pods":[{"selector":{"matchExpressions":[{"key":"a","operator":"Wrong"}]}}]}})");
  Delete(kM);
  Pass(2s);
  EXPECT_EQ(Stage(),
            "True DrainingNode: Error draining Node, please check controller logs for errors");
  EXPECT_TRUE(HasEvent("FailedDrainNode"));
  EXPECT_TRUE(
      GetThere("/api/v1/namespaces/default/pods/a").At("metadata.deletionTimestamp").empty());
  Delete(fmt::format("{}/bad", kRule));
  Pass(1s);
  EXPECT_FALSE(
      GetThere("/api/v1/namespaces/default/pods/a").At("metadata.deletionTimestamp").empty());
}

TEST_F(MachineDeleteTest, Capi_12_091_volumes_have_to_leave) {
  AddRunningMachine();
  CreateThere("/api/v1/persistentvolumes",
              R"({"metadata":{"name":"pv"},"spec":{"capacity":{"storage":"1Gi"},
        "accessModes":["ReadWriteOnce"],"csi":{"driver":"d","volumeHandle":"h"},
        "claimRef":{"kind":"PersistentVolumeClaim","namespace":"default","name":"data"}}})");
  PatchThere("/api/v1/nodes/node/status",
             R"({"status":{"volumesAttached":[{"name":"kubernetes.io/csi/d^h",
                 "devicePath":""}]}})");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(
      Stage().starts_with("True WaitingForVolumeDetach: Waiting for Node volumes to be "
                          "detached (started at "))
      << Stage();
  EXPECT_TRUE(Stage().ends_with("* PersistentVolumeClaims: default/data")) << Stage();
  PatchThere("/api/v1/nodes/node/status", R"({"status":{"volumesAttached":[]}})");
  Pass(1s);
  EXPECT_TRUE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, Capi_12_092_volumes_of_pods_that_stay_do_not_count) {
  AddRunningMachine();
  AddPod("skipped", R"(,"labels":{"cluster.x-k8s.io/drain":"skip"})",
         R"(,"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"data"}}])");
  CreateThere("/api/v1/persistentvolumes",
              R"({"metadata":{"name":"pv"},"spec":{"capacity":{"storage":"1Gi"},
        "accessModes":["ReadWriteOnce"],"csi":{"driver":"d","volumeHandle":"h"},
        "claimRef":{"kind":"PersistentVolumeClaim","namespace":"default","name":"data"}}})");
  CreateThere("/apis/storage.k8s.io/v1/volumeattachments",
              R"({"metadata":{"name":"x"},"spec":{"attacher":"d","nodeName":"node",
                  "source":{"persistentVolumeName":"pv"}}})");
  PatchThere("/apis/storage.k8s.io/v1/volumeattachments/x/status",
             R"({"status":{"attached":true}})");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
}

TEST_F(MachineDeleteTest, a_volume_that_leaves_is_noticed_at_once) {
  AddRunningMachine();
  CreateThere("/apis/storage.k8s.io/v1/volumeattachments",
              R"({"metadata":{"name":"x"},"spec":{"attacher":"d","nodeName":"node",
                  "source":{"persistentVolumeName":"pv"}}})");
  PatchThere("/apis/storage.k8s.io/v1/volumeattachments/x/status",
             R"({"status":{"attached":true}})");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(Stage().starts_with("True WaitingForVolumeDetach")) << Stage();
  DeleteThere("/apis/storage.k8s.io/v1/volumeattachments/x");
  Pass(1s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
}

TEST_F(MachineDeleteTest, Capi_12_094_volumes_of_a_pod_that_goes_count) {
  AddRunningMachine(R"(,"annotations":{"machine.cluster.x-k8s.io/exclude-node-draining":""})");
  AddPod("going", "", R"(,"terminationGracePeriodSeconds":600,
      "volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"data"}}])");
  Must(*workload_http_, "DELETE", "/api/v1/namespaces/default/pods/going", "", 200);
  CreateThere("/api/v1/persistentvolumes",
              R"({"metadata":{"name":"pv"},"spec":{"capacity":{"storage":"1Gi"},
        "accessModes":["ReadWriteOnce"],"csi":{"driver":"d","volumeHandle":"h"},
        "claimRef":{"kind":"PersistentVolumeClaim","namespace":"default","name":"data"}}})");
  PatchThere("/api/v1/nodes/node/status",
             R"({"status":{"volumesAttached":[{"name":"kubernetes.io/csi/d^h",
                 "devicePath":""}]}})");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(Stage().ends_with("* PersistentVolumeClaims: default/data")) << Stage();
  EXPECT_FALSE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, Capi_12_080_095_a_node_that_nobody_hears_from) {
  AddRunningMachine();
  PatchThere("/api/v1/nodes/node/status",
             R"({"status":{"volumesAttached":[{"name":"x","devicePath":""}],"conditions":[
                 {"type":"Ready","status":"Unknown"}]}})");
  AddPod("a");
  Delete(kM);
  Pass(2s);
  EXPECT_FALSE(InfraIsGoing());
  // Evicted with a second of grace; once that is over for a while it counts as gone.
  Pass(25s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
}

TEST_F(MachineDeleteTest, hooks_hold_it) {
  const std::string drain = "pre-drain.delete.hook.machine.cluster.x-k8s.io/a";
  const std::string end = "pre-terminate.delete.hook.machine.cluster.x-k8s.io/b";
  AddRunningMachine(fmt::format(R"(,"annotations":{{"{}":"x","{}":"x"}})", drain, end));
  AddPod("a");
  Delete(kM);
  Pass(2s);
  EXPECT_EQ(
      Stage(),
      "True WaitingForPreDrainHook: Waiting for pre-drain hooks to succeed (hooks: " + drain + ")");
  EXPECT_NE(Machine().Find("status.deletion.waitForPreDrainHookStartTime"), nullptr);
  Patch(kM, fmt::format(R"({{"metadata":{{"annotations":{{"{}":null}}}}}})", drain));
  Pass(2s);
  DeleteThere("/api/v1/namespaces/default/pods/a");
  Pass(2s);
  EXPECT_EQ(Stage(),
            "True WaitingForPreTerminateHook: Waiting for pre-terminate hooks to succeed "
            "(hooks: " +
                end + ")");
  EXPECT_FALSE(InfraIsGoing());
  Patch(kM, fmt::format(R"({{"metadata":{{"annotations":{{"{}":null}}}}}})", end));
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, Capi_12_097_without_a_control_plane_machine_the_node_is_left) {
  AddRunningMachine();
  AddPod("a");
  Patch(fmt::format("{}/cp", kMachine),
        R"({"metadata":{"labels":{"cluster.x-k8s.io/control-plane":null}}})");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing());
  LetGo(kInfra);
  Pass(2s);
  EXPECT_FALSE(Exists(kM));
  EXPECT_TRUE(ExistsThere(kThere));
}

TEST_F(MachineDeleteTest, Capi_12_098_a_cluster_that_goes_takes_its_nodes) {
  AddRunningMachine();
  AddPod("a");
  Patch(fmt::format("{}/c", kCluster), R"({"metadata":{"finalizers":["x/y"]}})");
  Delete(fmt::format("{}/c", kCluster));
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, Capi_12_096_a_node_that_was_never_noted) {
  Create(kMachine, MachineBody("cp", R"(,"labels":{"cluster.x-k8s.io/control-plane":"",
                                        "cluster.x-k8s.io/control-plane-name":"x"})"));
  AddExternals();
  Create(kMachine, MachineBody("m"));
  Patch(fmt::format("{}/m", kDevMachine), R"({"spec":{"providerID":"dev:///m"}})");
  AddNode();
  Pass(1s);
  EXPECT_EQ(Machine().Find("status.nodeRef"), nullptr);
  Delete(kM);
  Pass(2s);
  EXPECT_EQ(Machine().At("status.nodeRef.name"), "node");
  LetGo(kInfra);
  Pass(2s);
  EXPECT_FALSE(ExistsThere(kThere));
}

TEST_F(MachineDeleteTest, an_instance_that_was_never_heard_of_is_found_and_drained) {
  AddMachineInDoubt();
  AddNode();
  AddPod("a", "", R"(,"terminationGracePeriodSeconds":60)");
  Delete(kM);
  Pass(10s);
  EXPECT_EQ(Stage(),
            "True Deleting: Waiting for DevMachine to find out whether it has an instance");
  EXPECT_FALSE(InfraIsGoing());
  Patch(kInfra, R"({"metadata":{"annotations":{"millwright.dev/instance-in-doubt":null}},
                    "spec":{"providerID":"dev:///m"}})");
  Pass(2s);
  EXPECT_TRUE(Stage().starts_with("True DrainingNode")) << Stage();
  EXPECT_FALSE(InfraIsGoing());
  DeleteThere("/api/v1/namespaces/default/pods/a");
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
  LetGo(kInfra);
  Pass(2s);
  EXPECT_FALSE(ExistsThere(kThere));
  EXPECT_FALSE(Exists(kM));
}

TEST_F(MachineDeleteTest, a_doubt_ends_with_nothing_found) {
  AddMachineInDoubt();
  Delete(kM);
  Pass(2s);
  EXPECT_FALSE(InfraIsGoing());
  Patch(kInfra, kNoDoubt);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
}

TEST_F(MachineDeleteTest, a_doubt_about_what_goes_holds_nobody) {
  AddMachineInDoubt();
  Delete(kInfra);
  Delete(kM);
  Pass(2s);
  EXPECT_EQ(Stage(), "True WaitingForInfrastructureDeletion: Waiting for DevMachine to be deleted");
  LetGo(kInfra);
  Pass(2s);
  EXPECT_FALSE(Exists(kM));
}

TEST_F(MachineDeleteTest, a_doubt_in_a_cluster_that_goes_holds_nobody) {
  AddMachineInDoubt();
  Patch(fmt::format("{}/c", kCluster), R"({"metadata":{"finalizers":["x/y"]}})");
  Delete(fmt::format("{}/c", kCluster));
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
}

// Whoever decides by an old view, from before an instance was asked for, deletes nothing.
TEST_F(MachineDeleteTest, what_changed_since_it_was_seen_is_not_deleted) {
  AddMachineInDoubt();
  Patch(kInfra, kNoDoubt);
  Pass(1s);
  int refused = 0;
  management_->answers = [&](const net::HttpRequest& request) -> std::optional<int> {
    if (request.method != "DELETE" || !request.target.contains("/devmachines/")) return {};
    EXPECT_TRUE(request.body.contains("resourceVersion")) << request.body;
    return ++refused == 1 ? std::optional(409) : std::nullopt;
  };
  Delete(kM);
  Pass(10s);
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(Stage(), "True WaitingForInfrastructureDeletion: Waiting for DevMachine to be deleted");
  EXPECT_TRUE(InfraIsGoing());
}

TEST_F(MachineDeleteTest, a_node_that_joins_while_its_instance_goes) {
  AddMachineInDoubt();
  Patch(kInfra, R"({"metadata":{"annotations":{"millwright.dev/instance-in-doubt":null}},
                    "spec":{"providerID":"dev:///m"}})");
  Delete(kM);
  Pass(2s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
  EXPECT_EQ(Machine().At("spec.providerID"), "dev:///m");
  AddNode();
  LetGo(kInfra);
  Pass(2s);
  EXPECT_FALSE(ExistsThere(kThere));
  EXPECT_FALSE(Exists(kM));
}

TEST_F(MachineDeleteTest, Capi_12_014_017_objects_that_are_gone_are_no_obstacle) {
  Create(kMachine, MachineBody("m"));
  Pass(1s);
  Delete(kM);
  Pass(2s);
  EXPECT_FALSE(Exists(kM));
}

TEST_F(MachineDeleteTest, Capi_12_099_a_node_that_cannot_be_deleted) {
  AddRunningMachine("", R"(,"deletion":{"nodeDeletionTimeoutSeconds":120})");
  workload_->refuses = [](const net::HttpRequest& request) { return request.method == "DELETE"; };
  Delete(kM);
  Pass(2s);
  LetGo(kInfra);
  Pass(60s);
  EXPECT_TRUE(Exists(kM));
  EXPECT_TRUE(HasEvent("FailedDeleteNode"));
  EXPECT_TRUE(Stage().starts_with("True DeletingNode: Error deleting Node")) << Stage();
  Pass(180s);
  EXPECT_FALSE(Exists(kM));
  EXPECT_TRUE(ExistsThere(kThere));
}

TEST_F(MachineDeleteTest, an_unreachable_cluster_holds_a_drain_until_its_time_is_over) {
  AddRunningMachine("", R"(,"deletion":{"nodeDrainTimeoutSeconds":300,
      "nodeVolumeDetachTimeoutSeconds":60,"nodeDeletionTimeoutSeconds":10})");
  workload_->down = true;
  Pass(120s);
  EXPECT_EQ(remotes_->Find({"ns", "c"}), nullptr);
  Delete(kM);
  Pass(60s);
  EXPECT_EQ(Stage(),
            "True DrainingNode: Error draining Node, please check controller logs for errors");
  EXPECT_FALSE(InfraIsGoing());
  Pass(600s);
  EXPECT_TRUE(InfraIsGoing()) << Stage();
  LetGo(kInfra);
  Pass(60s);
  EXPECT_FALSE(Exists(kM));
}

TEST_F(MachineDeleteTest, a_paused_machine_stays) {
  AddRunningMachine();
  Patch(kM, R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  Delete(kM);
  Pass(2s);
  EXPECT_FALSE(InfraIsGoing());
  EXPECT_TRUE(Exists(kM));
}

}  // namespace
}  // namespace millwright::controllers::contract
