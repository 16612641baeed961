#include "controllers/contract/deployment/deployment_controller.h"

#include "controllers/contract/set/set_controller.h"
#include "controllers/contract/testing/owner_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

Task<void> RunBoth(ContractParts parts) {
  SetController sets(parts.surroundings, parts.caches, parts.externals);
  DeploymentController deployments(parts.surroundings, parts.caches, parts.externals);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  TaskGroup tasks(parts.surroundings.executor);
  tasks.Spawn([&] { return sets.Run(); });
  co_await deployments.Run();
  tasks.Cancel();
  co_await tasks.Join();
}

class DeploymentControllerTest : public OwnerFixture {
 protected:
  DeploymentControllerTest() : OwnerFixture(RunBoth) {}

  void Begin(int replicas, const std::string& spec = "", const std::string& name = "d") {
    AddCluster();
    AddTemplates("t");
    AddTemplates("t2");
    Create(kDeployment, fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"clusterName":"c",
        "replicas":{},"selector":{{"matchLabels":{{"app":"d"}}}},
        "template":{{"metadata":{{"labels":{{"app":"d"}}}},"spec":{}}}{}}}}})",
                                    name, replicas, TemplateSpec("t"), spec));
    Pass(6s);
    Settle();
  }

  // Machines become available, those that go are gone, until nothing moves any more.
  void Settle() {
    for (int i = 0; i < 12; ++i) {
      FinishDeletions();
      for (const std::string& name : Names(kMachine)) {
        if (Shown(Machine(name), "Available").empty()) MakeAvailable(name);
      }
      Pass(2s);
    }
  }

  Reply Deployment() { return Get(std::string(kDeployment) + "/d"); }
  void Change(const std::string& patch) {
    Patch(std::string(kDeployment) + "/d", patch);
    Pass(4s);
  }
  void UseTemplate(const std::string& name) {
    Change(fmt::format(
        R"({{"spec":{{"template":{{"spec":{{"infrastructureRef":{{"name":"{}"}}}}}}}}}})", name));
  }
  struct Seen {
    std::string name;
    std::string revision;
    std::int64_t replicas;
    std::string uses;
  };
  std::vector<Seen> Sets() {
    std::vector<Seen> sets;
    for (const boost::json::value& set : List(kSet)) {
      sets.push_back(
          {std::string(kube::GetString(set, "metadata.name")),
           std::string(set.at("metadata")
                           .at("annotations")
                           .at("machinedeployment.clusters.x-k8s.io/revision")
                           .as_string()),
           kube::Find(set, "spec.replicas")->as_int64(),
           std::string(kube::GetString(set, "spec.template.spec.infrastructureRef.name"))});
    }
    return sets;
  }
  const Seen* Using(const std::vector<Seen>& sets, const std::string& name) {
    for (const Seen& set : sets) {
      if (set.uses == name) return &set;
    }
    return nullptr;
  }
};

TEST_F(DeploymentControllerTest, Capi_12_125_revisions_of_templates) {
  Begin(2);
  auto sets = Sets();
  ASSERT_EQ(sets.size(), 1U) << Deployment().body;
  EXPECT_EQ(sets[0].revision, "1");
  EXPECT_EQ(sets[0].replicas, 2);
  EXPECT_EQ(Names(kMachine).size(), 2U);
  EXPECT_EQ(
      Deployment().Find("metadata.annotations")->at("machinedeployment.clusters.x-k8s.io/revision"),
      "1");
  EXPECT_EQ(Deployment().At("status.phase"), "Running");
  EXPECT_EQ(Deployment().Find("status.availableReplicas")->as_int64(), 2);

  UseTemplate("t2");
  sets = Sets();
  ASSERT_EQ(sets.size(), 2U);
  ASSERT_NE(Using(sets, "t2"), nullptr);
  EXPECT_EQ(Using(sets, "t2")->revision, "2");
  EXPECT_EQ(Using(sets, "t2")->replicas, 1);
  EXPECT_EQ(Using(sets, "t")->replicas, 2);

  // Back before the rollout is over: the first set is current again, with a new number.
  UseTemplate("t");
  EXPECT_EQ(Using(Sets(), "t")->revision, "3");
  Settle();
  sets = Sets();
  ASSERT_EQ(sets.size(), 1U) << "the empty one is gone";
  EXPECT_EQ(sets[0].uses, "t");
}

TEST_F(DeploymentControllerTest, ARolloutReplacesAllMachines) {
  Begin(3);
  const std::vector<std::string> before = Names(kMachine);
  UseTemplate("t2");
  Settle();
  const auto sets = Sets();
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_EQ(sets[0].uses, "t2");
  EXPECT_EQ(sets[0].revision, "2");
  EXPECT_EQ(Names(kMachine).size(), 3U);
  for (const std::string& name : Names(kMachine)) {
    EXPECT_EQ(std::ranges::find(before, name), before.end());
  }
  EXPECT_TRUE(HasEvent("SuccessfulScale"));
  management_->requests.clear();
  Pass(10min);
  EXPECT_EQ(management_->Count("PATCH"), 0);
}

TEST_F(DeploymentControllerTest, Capi_12_126_what_is_handed_down_makes_no_rollout) {
  Begin(1);
  const std::string machine = Names(kMachine).at(0);
  Change(
      R"({"spec":{"template":{"metadata":{"labels":{"new":"l"}},"spec":{"minReadySeconds":5}}}})");
  Pass(5s);
  EXPECT_EQ(Sets().size(), 1U);
  EXPECT_EQ(Names(kMachine), std::vector<std::string>{machine});
  EXPECT_EQ(Machine(machine).Find("spec.minReadySeconds")->as_int64(), 5);
  EXPECT_EQ(Machine(machine).Find("metadata.labels")->at("new"), "l");
}

TEST_F(DeploymentControllerTest, Capi_12_129_a_rollout_begins_when_its_time_has_come) {
  Begin(1);
  const std::string due = FormatTime(clock_.Now() + 1h);
  Change(fmt::format(R"({{"spec":{{"rollout":{{"after":"{}"}}}}}})", due));
  Pass(30min);
  EXPECT_EQ(Sets().size(), 1U);
  Pass(31min);
  EXPECT_EQ(Sets().size(), 2U) << "nobody had to wake us";
  Settle();
  EXPECT_EQ(Sets().size(), 1U);
}

TEST_F(DeploymentControllerTest, Capi_12_133_a_broken_revision_stops_the_rollout) {
  Begin(3);
  UseTemplate("t2");
  for (int i = 0; i < 5; ++i) {
    FinishDeletions();
    Pass(10s);
  }
  EXPECT_EQ(Using(Sets(), "t")->replicas, 3);
  EXPECT_EQ(Using(Sets(), "t2")->replicas, 1);
}

TEST_F(DeploymentControllerTest, Capi_12_144_on_delete_waits_for_people) {
  Begin(2, R"(,"rollout":{"strategy":{"type":"OnDelete"}})");
  UseTemplate("t2");
  Settle();
  EXPECT_EQ(Using(Sets(), "t")->replicas, 2);
  EXPECT_EQ(Using(Sets(), "t2")->replicas, 0);
  const std::string old = Using(Sets(), "t")->name;
  const auto disabled = [&] {
    return Get(fmt::format("{}/{}", kSet, old))
        .Find("metadata.annotations")
        ->at("cluster.x-k8s.io/disable-machine-create");
  };
  EXPECT_EQ(disabled(), "true");
  Delete(fmt::format("{}/{}", kMachine, Names(kMachine).at(0)));
  Settle();
  EXPECT_EQ(Using(Sets(), "t")->replicas, 1);
  EXPECT_EQ(Using(Sets(), "t2")->replicas, 1);
  Change(R"({"spec":{"rollout":{"strategy":{"type":"RollingUpdate"}}}})");
  Settle();
  EXPECT_EQ(Sets().size(), 1U);
}

TEST_F(DeploymentControllerTest, Capi_12_147_sets_without_owner_are_adopted) {
  AddCluster();
  AddTemplates("t");
  AddTemplates("t2");
  Create(kSet, fmt::format(R"({{"metadata":{{"name":"s","labels":{{"app":"d",
      "cluster.x-k8s.io/cluster-name":"c"}}}},"spec":{{"clusterName":"c","replicas":0,
      "selector":{{"matchLabels":{{"app":"d","cluster.x-k8s.io/cluster-name":"c"}}}},
      "template":{{"metadata":{{"labels":{{"app":"d","cluster.x-k8s.io/cluster-name":"c"}}}},
      "spec":{}}}}}}})",
                           TemplateSpec("t")));
  Create(kDeployment, fmt::format(R"({{"metadata":{{"name":"d"}},"spec":{{"clusterName":"c",
      "replicas":1,"selector":{{"matchLabels":{{"app":"d"}}}},
      "template":{{"metadata":{{"labels":{{"app":"d"}}}},"spec":{}}}}}}})",
                                  TemplateSpec("t")));
  Pass(8s);
  EXPECT_EQ(Names(kSet), std::vector<std::string>{"s"});
  EXPECT_TRUE(HasEvent("SuccessfulAdopt"));
  EXPECT_EQ(
      Get(std::string(kSet) + "/s").Find("metadata.labels")->at("cluster.x-k8s.io/deployment-name"),
      "d");
  EXPECT_EQ(Names(kMachine).size(), 1U);
}

TEST_F(DeploymentControllerTest, Capi_12_148_paused_without_a_matching_set) {
  Begin(2);
  Change(R"({"spec":{"paused":true}})");
  UseTemplate("t2");
  EXPECT_EQ(Sets().size(), 1U);
  EXPECT_EQ(
      Deployment().Find("metadata.annotations")->at("machinedeployment.clusters.x-k8s.io/revision"),
      "1");
  Change(R"({"spec":{"replicas":3}})");
  Settle();
  EXPECT_EQ(Using(Sets(), "t")->replicas, 3) << "sizes follow";
  Change(R"({"spec":{"paused":false}})");
  Settle();
  ASSERT_EQ(Sets().size(), 1U);
  EXPECT_EQ(Sets()[0].uses, "t2");
}

TEST_F(DeploymentControllerTest, Capi_12_149_names_of_sets_are_cut) {
  const std::string name(60, 'x');
  AddCluster();
  AddTemplates("t");
  Create(kDeployment, fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"clusterName":"c",
      "replicas":0,"selector":{{"matchLabels":{{"app":"d"}}}},
      "template":{{"metadata":{{"labels":{{"app":"d"}}}},"spec":{}}}}}}})",
                                  name, TemplateSpec("t")));
  Pass(5s);
  const auto sets = List(kSet);
  ASSERT_EQ(sets.size(), 1U);
  const std::string set(kube::GetString(sets[0], "metadata.name"));
  EXPECT_EQ(set.size(), 63U);
  const std::string hash(
      sets[0].at("metadata").at("labels").at("machine-template-hash").as_string());
  EXPECT_EQ(hash.substr(hash.size() - 5), set.substr(set.size() - 5));
}

TEST_F(DeploymentControllerTest, WithoutTemplatesNothingIsMade) {
  AddCluster();
  Create(kDeployment, fmt::format(R"({{"metadata":{{"name":"d"}},"spec":{{"clusterName":"c",
      "replicas":1,"selector":{{"matchLabels":{{"app":"d"}}}},
      "template":{{"metadata":{{"labels":{{"app":"d"}}}},"spec":{}}}}}}})",
                                  TemplateSpec("t")));
  Pass(5s);
  EXPECT_TRUE(Names(kSet).empty());
  AddTemplates("t");
  Pass(3s);
  EXPECT_EQ(Names(kSet).size(), 1U) << "their coming wakes us";
}

TEST_F(DeploymentControllerTest, ADeploymentGoesAfterItsSets) {
  Begin(1);
  Delete(std::string(kDeployment) + "/d");
  Pass(4s);
  EXPECT_TRUE(Exists(std::string(kDeployment) + "/d"));
  Settle();
  EXPECT_FALSE(Exists(std::string(kDeployment) + "/d"));
  EXPECT_TRUE(Names(kSet).empty());
}

}  // namespace
}  // namespace millwright::controllers::contract
