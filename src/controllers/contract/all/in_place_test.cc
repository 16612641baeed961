// Machines that are updated in place instead of being replaced: deployment, sets and machines with
// an extension that the test plays.
#include "controllers/contract/deployment/deployment_controller.h"
#include "controllers/contract/machine/machine_controller.h"
#include "controllers/contract/set/set_controller.h"
#include "controllers/contract/testing/owner_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

// Can change the size of instances, and the version, in ten seconds.
class FakeExtension final : public InPlacePort {
 public:
  std::size_t registered() const override { return count; }

  Task<Result<InPlaceAnswer>> CanUpdate(InPlaceObjects, InPlaceObjects desired) override {
    ++asked;
    InPlaceAnswer answer;
    if (!can) co_return answer;
    const auto spec = [](const boost::json::value& object) {
      return InPlacePatch{
          .type = "JSONMergePatch",
          .text = boost::json::serialize(boost::json::value{
              {"spec", {{"template", {{"spec", *kube::Find(object, "spec.template.spec")}}}}}})};
    };
    answer.set = spec(desired.machine);
    answer.infrastructure = spec(desired.infrastructure);
    co_return answer;
  }

  Task<Result<InPlaceUpdate>> Update(InPlaceObjects desired) override {
    const std::string name(kube::GetString(desired.machine, "metadata.name"));
    last = std::move(desired);
    if (running_.insert(name).second) {
      most_at_once = std::max(most_at_once, running_.size());
      co_return InPlaceUpdate{.look_again = 10s, .message = "rebooting"};
    }
    running_.erase(name);
    ++done;
    co_return InPlaceUpdate{};
  }

  std::size_t count = 1;
  bool can = true;
  int asked = 0;
  int done = 0;
  std::size_t most_at_once = 0;
  InPlaceObjects last;

 private:
  std::set<std::string> running_;
};

struct WithExtension {
  FakeExtension extension_;
};

Task<void> RunAll(ContractParts parts) {
  SetController sets(parts.surroundings, parts.caches, parts.externals);
  DeploymentController deployments(parts.surroundings, parts.caches, parts.externals);
  MachineController machines(parts.surroundings, parts.caches, parts.externals, parts.remotes);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  TaskGroup tasks(parts.surroundings.executor);
  tasks.Spawn([&] { return sets.Run(); });
  tasks.Spawn([&] { return deployments.Run(); });
  co_await machines.Run();
  tasks.Cancel();
  co_await tasks.Join();
}

Settings InPlace() {
  Settings settings;
  settings.in_place_updates = true;
  return settings;
}

class InPlaceTest : protected WithExtension, public OwnerFixture {
 protected:
  explicit InPlaceTest(const Settings& settings = InPlace())
      : OwnerFixture(RunAll, settings, &extension_) {}

  void Begin(const std::string& strategy) {
    AddCluster();
    AddTemplates("t");
    Create(kMachineTemplate, R"({"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2",
        "kind":"DevMachineTemplate","metadata":{"name":"t2"},"spec":{"template":{
        "metadata":{"labels":{"from":"template"}},"spec":{"size":"bigger"}}}})");
    Create(kDeployment, fmt::format(R"({{"metadata":{{"name":"d"}},"spec":{{"clusterName":"c",
        "replicas":3,"rollout":{{"strategy":{{"type":"RollingUpdate","rollingUpdate":{}}}}},
        "selector":{{"matchLabels":{{"app":"d"}}}},
        "template":{{"metadata":{{"labels":{{"app":"d"}}}},"spec":{}}}}}}})",
                                    strategy, TemplateSpec("t")));
    Run(30s);
    ASSERT_EQ(Available(), 3);
    for (const boost::json::value& machine : List(kMachine)) {
      first_.insert(std::string(kube::GetString(machine, "metadata.uid")));
    }
  }

  // The provider and the kubelets do what is theirs.
  void Run(Duration time) {
    for (Duration past{}; past < time; past += 1s) {
      for (const std::string& name : Names(kDevMachine)) {
        if (!Get(fmt::format("{}/{}", kDevMachine, name)).At("spec.providerID").empty()) continue;
        FinishBootstrap(name);
        AddNode(name, "dev:///" + name);
        FinishInfrastructure(name, "dev:///" + name);
      }
      Pass(1s);
      least_available_ = std::min(least_available_, Available());
      most_machines_ = std::max(most_machines_, Names(kMachine).size());
    }
  }

  int Available() {
    const auto* count = Get(std::string(kDeployment) + "/d").Find("status.availableReplicas");
    return count != nullptr ? static_cast<int>(count->as_int64()) : 0;
  }

  void UseNewTemplate() {
    least_available_ = 100;
    Patch(std::string(kDeployment) + "/d",
          R"({"spec":{"template":{"spec":{"infrastructureRef":{"name":"t2"}}}}})");
  }

  // How many machines of the beginning are still there.
  int Kept() {
    int kept = 0;
    for (const boost::json::value& machine : List(kMachine)) {
      if (first_.contains(std::string(kube::GetString(machine, "metadata.uid")))) ++kept;
    }
    return kept;
  }

  void ExpectAllUpdated() {
    EXPECT_EQ(Names(kSet).size(), 1U);
    EXPECT_EQ(Names(kMachine).size(), 3U);
    EXPECT_EQ(Available(), 3);
    for (const std::string& name : Names(kMachine)) {
      const Reply machine = Machine(name);
      const Reply instance = Get(fmt::format("{}/{}", kDevMachine, name));
      EXPECT_EQ(instance.At("spec.size"), "bigger") << name;
      EXPECT_EQ(instance.At("spec.providerID"), "dev:///" + name);
      for (const Reply* object : {&machine, &instance}) {
        const auto* notes = kube::GetObject(object->body, "metadata.annotations");
        for (const char* mark : {"update-in-progress", "pending-acknowledge-move"}) {
          const std::string key =
              fmt::format("in-place-updates.internal.cluster.x-k8s.io/{}", mark);
          EXPECT_TRUE(notes == nullptr || !notes->contains(key)) << name << " " << mark;
        }
      }
      EXPECT_EQ(Shown(machine, "UpToDate"), "True UpToDate");
      EXPECT_EQ(kube::GetString(machine.Find("metadata.ownerReferences")->at(0), "name"),
                Names(kSet).front());
    }
  }

  std::set<std::string> first_;
  int least_available_ = 100;
  std::size_t most_machines_ = 0;
};

TEST_F(InPlaceTest, Capi_12_122_123_machines_move_one_by_one_and_stay) {
  Begin(R"({"maxSurge":0,"maxUnavailable":1})");
  UseNewTemplate();
  Run(120s);
  ExpectAllUpdated();
  EXPECT_EQ(Kept(), 3);
  EXPECT_EQ(extension_.done, 3);
  EXPECT_EQ(extension_.most_at_once, 1U);
  EXPECT_EQ(extension_.asked, 1) << "the answer holds for a day";
  EXPECT_GE(least_available_, 2);
  EXPECT_EQ(most_machines_, 3U);
  EXPECT_EQ(kube::GetString(extension_.last.infrastructure, "spec.size"), "bigger");
  EXPECT_TRUE(HasEvent("SuccessfulStartInPlaceUpdate"));
}

TEST_F(InPlaceTest, Capi_12_123_room_is_made_by_one_new_machine) {
  Begin(R"({"maxSurge":1,"maxUnavailable":0})");
  UseNewTemplate();
  Run(180s);
  ExpectAllUpdated();
  EXPECT_EQ(Kept(), 2);  // and the one that was made for it
  EXPECT_GE(least_available_, 3);
  EXPECT_EQ(most_machines_, 4U);
}

TEST_F(InPlaceTest, Capi_12_142_what_the_extension_cannot_do_is_replaced) {
  Begin(R"({"maxSurge":1,"maxUnavailable":0})");
  extension_.can = false;
  UseNewTemplate();
  Run(120s);
  ExpectAllUpdated();
  EXPECT_EQ(Kept(), 0);
  EXPECT_EQ(extension_.done, 0);
  EXPECT_GE(least_available_, 3);
}

TEST_F(InPlaceTest, Capi_12_142_two_extensions_are_an_error) {
  Begin(R"({"maxSurge":1,"maxUnavailable":0})");
  extension_.count = 2;
  UseNewTemplate();
  Run(60s);
  EXPECT_EQ(Kept(), 3);
  EXPECT_EQ(Names(kMachine).size(), 3U);
  EXPECT_EQ(extension_.asked, 0);
}

TEST_F(InPlaceTest, Capi_12_142_without_an_extension_machines_are_replaced) {
  extension_.count = 0;
  Begin(R"({"maxSurge":1,"maxUnavailable":0})");
  UseNewTemplate();
  Run(120s);
  ExpectAllUpdated();
  EXPECT_EQ(Kept(), 0);
}

// A machine that has no node yet cannot be updated: it stays where it is until it has one.
TEST_F(InPlaceTest, Capi_12_122_a_machine_without_a_node_is_not_moved) {
  Begin(R"({"maxSurge":0,"maxUnavailable":2})");
  const std::string stuck = Names(kMachine).front();
  DeleteThere(fmt::format("{}/{}", kNode, stuck));
  Run(1s);
  Patch(fmt::format("{}/{}/status", kMachine, stuck), R"({"status":{"nodeRef":null}})");
  Run(5s);
  UseNewTemplate();
  Run(90s);
  const Reply machine = Machine(stuck);
  const auto* notes = kube::GetObject(machine.body, "metadata.annotations");
  EXPECT_TRUE(notes == nullptr ||
              !notes->contains("in-place-updates.internal.cluster.x-k8s.io/update-in-progress"));
  EXPECT_EQ(extension_.done, 2);
  AddNode(stuck, "dev:///" + stuck);
  Run(60s);
  ExpectAllUpdated();
  EXPECT_EQ(Kept(), 3);
}

// One that is to be replaced for its health goes; it is not updated.
TEST_F(InPlaceTest, Capi_12_122_an_unhealthy_machine_goes_instead) {
  Begin(R"({"maxSurge":0,"maxUnavailable":1})");
  const std::string bad = Names(kMachine).front();
  Reply machine = Machine(bad);
  boost::json::array conditions = *kube::GetArray(machine.body, "status.conditions");
  for (const char* type : {"HealthCheckSucceeded", "OwnerRemediated"}) {
    conditions.push_back(boost::json::parse(Condition(type, "False")));
  }
  UseNewTemplate();
  Patch(fmt::format("{}/{}/status", kMachine, bad),
        boost::json::serialize(
            boost::json::value{{"status", {{"conditions", std::move(conditions)}}}}));
  Run(150s);
  ExpectAllUpdated();
  EXPECT_EQ(Kept(), 2);
  EXPECT_FALSE(Exists(fmt::format("{}/{}", kMachine, bad)));
}

class GateOffTest : public InPlaceTest {
 protected:
  GateOffTest() : InPlaceTest(Settings{}) {}
};

TEST_F(GateOffTest, behind_a_closed_gate_machines_are_replaced) {
  Begin(R"({"maxSurge":1,"maxUnavailable":0})");
  UseNewTemplate();
  Run(120s);
  ExpectAllUpdated();
  EXPECT_EQ(Kept(), 0);
  EXPECT_EQ(extension_.asked, 0);
}

}  // namespace
}  // namespace millwright::controllers::contract
