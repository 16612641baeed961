// What people write wrongly: the object says so, nothing happens to what is there, and mended it
// works.
#include "tests/sim/feature_test.h"

namespace millwright::sim {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

class InvalidTest : public FeatureTest {
 protected:
  std::string Progress(std::string_view field) {
    const json::value condition = ConditionOf(Web(), "/status/conditions", "Progressing");
    return condition.is_null() ? std::string() : TextAt(condition, "/" + std::string(field));
  }
  bool Gone() { return cluster_.List(At("machinedeployments")).empty(); }
};

TEST_F(InvalidTest, AWrongDeploymentSaysWhatIsWrongAndWorksOnceMended) {
  Begin(2, "{}");
  ASSERT_TRUE(cluster_.Until([&] { return Progress("status") == "False"; }, 1min)) << Dump();
  EXPECT_EQ(Progress("reason"), "MachineSetCreateError");
  EXPECT_NE(Progress("message").find("spec.strategy.type is missing"), std::string::npos);
  cluster_.Pass(1min);
  EXPECT_EQ(Events("InvalidSpec"), 1);
  EXPECT_TRUE(Sets().empty());

  Patch(At("machinedeployments", "web"), R"({"spec": {"strategy": {"type": "Nonsense"}}})");
  ASSERT_TRUE(cluster_.Until([&] { return Progress("message").contains("Nonsense"); }, 1min))
      << Dump();
  Patch(At("machinedeployments", "web"), R"({"spec": {"strategy": {"type": "Recreate"}}})");
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  ASSERT_TRUE(cluster_.Until([&] { return Progress("reason") == "NewMachineSetAvailable"; }, 1min))
      << Dump();
}

TEST_F(InvalidTest, AnEditThatMakesNoSenseLeavesTheMachinesAlone) {
  Begin(2);
  ASSERT_TRUE(UntilRunning(2));
  const auto before = Machines();
  Patch(At("machinedeployments", "web"), R"({"spec": {"strategy": {"rollingUpdate": null}}})");
  ASSERT_TRUE(cluster_.Until([&] { return Progress("status") == "False"; }, 1min)) << Dump();
  cluster_.Pass(1min);
  ASSERT_EQ(Machines().size(), 2u);
  EXPECT_EQ(NameOf(Machines().at(0)), NameOf(before.at(0)));
  Patch(At("machinedeployments", "web"),
        R"({"spec": {"strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}}}})");
  ASSERT_TRUE(cluster_.Until([&] { return Progress("reason") == "NewMachineSetAvailable"; }, 1min))
      << Dump();
}

TEST_F(InvalidTest, AWrongSetSaysSo) {
  Begin(0);
  ASSERT_TRUE(cluster_.Until([&] { return Sets().size() == 1; }, 1min));
  cluster_.Apply(R"(
apiVersion: machine.sapcloud.io/v1alpha1
kind: MachineSet
metadata: {name: wrong, namespace: default}
spec:
  replicas: 1
  selector: {matchLabels: {app: other}}
  template: {metadata: {labels: {app: wrong}}, spec: {class: {kind: MachineClass, name: small}}}
)");
  ASSERT_TRUE(cluster_.Until(
      [&] {
        return !ConditionOf(cluster_.Get(At("machinesets", "wrong")), "/status/machineSetCondition",
                            "ReplicaFailure")
                    .is_null();
      },
      1min))
      << Dump();
  cluster_.Pass(1min);
  EXPECT_EQ(Events("InvalidSpec"), 1);
}

// It is there all the same, and so is its instance.
TEST_F(InvalidTest, AMachineThatCannotBeReadIsNotReplaced) {
  Begin(2);
  ASSERT_TRUE(UntilRunning(2));
  const std::string machine = At("machines", NameOf(Machines().at(0))) + "/status";
  // The API takes any year, we know those up to 2262.
  Patch(machine, R"({"status": {"currentStatus": {"lastUpdateTime": "2300-01-01T00:00:00Z"}}})");
  cluster_.Pass(10min);
  EXPECT_EQ(Machines().size(), 2u) << Dump();
  EXPECT_GE(Events("UnreadableMachine"), 1);
  EXPECT_NE(
      TextAt(ConditionOf(Sets().at(0), "/status/machineSetCondition", "ReplicaFailure"), "/message")
          .find("cannot be read"),
      std::string::npos)
      << Dump();
  Patch(machine, R"({"status": {"currentStatus": {"lastUpdateTime": "2026-01-01T00:00:00Z"}}})");
  Scale(3);
  EXPECT_TRUE(UntilRunning(3)) << Dump();
}

// Nothing was made, and nobody can be asked, so there is nothing to wait for.
TEST_F(InvalidTest, MachinesThatNoCloudCouldMakeCanBeDeleted) {
  for (const char* wrong : {R"({"providerSpec": {"nonsense": 1}})",
                            R"({"secretRef": {"name": "nobody", "namespace": "default"}})"}) {
    Begin(0);
    ASSERT_TRUE(cluster_.Until([&] { return Sets().size() == 1; }, 1min));
    Patch(At("machineclasses", "small"), wrong);
    Scale(1);
    ASSERT_TRUE(cluster_.Until(
        [&] {
          const auto machines = Machines();
          return machines.size() == 1 &&
                 TextAt(machines.at(0), "/status/lastOperation/state") == "Failed";
        },
        1min))
        << wrong << Dump();
    cluster_.Ask("DELETE", At("machinedeployments", "web"));
    EXPECT_TRUE(cluster_.Until([&] { return Gone() && Machines().empty(); }, 1min))
        << wrong << Dump();
    cluster_.CrashControllers();
    for (const std::string& left :
         {At("machineclasses", "small"), std::string("/api/v1/namespaces/default/secrets/small")}) {
      Patch(left, R"({"metadata": {"finalizers": null}})");
      cluster_.Ask("DELETE", left);
    }
  }
}

TEST_F(InvalidTest, AnInstanceIsRemovedThoughItsSecretIsGone) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1));
  Patch(At("machineclasses", "small"),
        R"({"secretRef": {"name": "nobody", "namespace": "default"}})");
  cluster_.Ask("DELETE", At("machinedeployments", "web"));
  EXPECT_TRUE(cluster_.Until([&] { return Gone() && Machines().empty(); }, 1min)) << Dump();
  EXPECT_EQ(cluster_.cloud().live(), 0u);
}

}  // namespace
}  // namespace millwright::sim
