// Second lines of defence: overshoot, orphans, nodes without machines, API servers that are away.
#include <fmt/format.h>

#include <algorithm>

#include "tests/sim/feature_test.h"

namespace millwright::sim {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using providers::CallKind;

constexpr const char* kUnfreeze = "safety.machine.sapcloud.io/unfreeze";
constexpr const char* kNotManaged = "node.machine.sapcloud.io/not-managed-by-mcm";

class SafetyTest : public FeatureTest {
 protected:
  using FeatureTest::FeatureTest;

  bool IsFrozen(const json::value& object, const char* list) {
    return LabelOf(object, "freeze") == "True" && !ConditionOf(object, list, "Frozen").is_null();
  }
  bool IsThawed(const json::value& object, const char* list) {
    return LabelOf(object, "freeze").empty() && AnnotationOf(object, kUnfreeze).empty() &&
           ConditionOf(object, list, "Frozen").is_null();
  }
  bool AllThawed() {
    return IsThawed(Web(), "/status/conditions") &&
           IsThawed(Sets().at(0), "/status/machineSetCondition");
  }
  bool WebIsFrozen() { return IsFrozen(Web(), "/status/conditions"); }
  bool SetIsFrozen() { return IsFrozen(Sets().at(0), "/status/machineSetCondition"); }

  // Somebody makes machines of the set behind its back.
  void MakeMachines(int count) {
    const json::value set = Sets().at(0);
    const json::value owner(json::object{{"apiVersion", "machine.sapcloud.io/v1alpha1"},
                                         {"kind", "MachineSet"},
                                         {"name", NameOf(set)},
                                         {"uid", set.at("metadata").at("uid")},
                                         {"controller", true}});
    for (int i = 0; i < count; ++i) {
      json::object machine = set.at("spec").at("template").as_object();
      json::object& metadata = machine["metadata"].as_object();
      metadata["name"] = "extra-" + std::to_string(i);
      metadata["finalizers"] = json::array{"somebody.example/holds-it"};
      metadata["ownerReferences"] = json::array{owner};
      machine["apiVersion"] = "machine.sapcloud.io/v1alpha1";
      machine["kind"] = "Machine";
      ASSERT_EQ(cluster_.Ask("POST", At("machines"), json::serialize(machine)).status, 201);
    }
  }

  std::string Plant(const std::string& machine, const std::string& uid = "") {
    return cluster_.cloud().Plant({.cluster = "sim",
                                   .class_name = "small",
                                   .machine = machine,
                                   .namespace_ = "default",
                                   .machine_uid = Uid(uid)});
  }
  // A node of an instance that is not in our cloud.
  void Join(const std::string& name, const std::string& id) {
    cluster_.Apply(
        fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\n"
                    "spec: {{providerID: \"{}\"}}\n",
                    name, id));
  }
  bool IsThere(const std::string& node) {
    return cluster_.store().Get("/core/nodes/" + node) != nullptr;
  }
  bool Lives(const std::string& id) {
    const providers::Vm* vm = cluster_.cloud().Find(id);
    return vm != nullptr && vm->Lives();
  }
};

TEST_F(SafetyTest, Gardener_13_136_FarTooManyMachinesFreezeASetAndItsDeploymentOnce) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1));
  Scale(6);
  ASSERT_TRUE(cluster_.Until([&] { return Machines().size() == 6u; }));
  cluster_.ForgetWrites();
  Scale(2);
  ASSERT_TRUE(cluster_.Until([&] { return SetIsFrozen() && WebIsFrozen(); }, 1min)) << Dump();
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  ASSERT_TRUE(cluster_.Until([&] { return AllThawed(); }, 1min)) << Dump();
  cluster_.world().Advance(1min);
  EXPECT_EQ(Events("FrozeMachineSet"), 1);
  EXPECT_EQ(Events("UnfrozeMachineSet"), 1);
}

TEST_F(SafetyTest, Gardener_13_110_AFrozenSetMakesNoMachinesAndRemovesThem) {
  Begin(2);
  ASSERT_TRUE(UntilRunning(2));
  MakeMachines(4);
  ASSERT_TRUE(cluster_.Until([&] { return SetIsFrozen() && WebIsFrozen(); }, 1min)) << Dump();
  // The surplus goes, but somebody holds it, so there are too many still.
  Scale(3);
  cluster_.world().Advance(2min);
  EXPECT_TRUE(SetIsFrozen()) << Dump();
  EXPECT_EQ(CountIn("Running"), 2) << Dump();
  for (const json::value& machine : Machines()) {
    if (!NameOf(machine).starts_with("extra-")) continue;
    Patch(At("machines", NameOf(machine)), R"({"metadata":{"finalizers":null}})");
  }
  EXPECT_TRUE(UntilRunning(3)) << Dump();
  EXPECT_FALSE(SetIsFrozen());
}

TEST_F(SafetyTest, APersonMayUnfreezeADeploymentAndItsSets) {
  Begin(2);
  ASSERT_TRUE(UntilRunning(2));
  MakeMachines(4);
  ASSERT_TRUE(cluster_.Until([&] { return SetIsFrozen() && WebIsFrozen(); }, 1min)) << Dump();
  Annotate(At("machinedeployments", "web"), kUnfreeze, "true");
  ASSERT_TRUE(cluster_.Until([&] { return AllThawed(); }, 30s)) << Dump();
  // There are too many still, so it is held back again after a while.
  EXPECT_TRUE(cluster_.Until([&] { return SetIsFrozen() && WebIsFrozen(); }, 2min)) << Dump();
}

TEST_F(SafetyTest, ADeploymentThatIsHalfFrozenFollowsItsSets) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1));
  Label(At("machinedeployments", "web"), "freeze", "True");
  EXPECT_TRUE(cluster_.Until([&] { return !Has(Web(), "/metadata/labels/freeze"); }, 1min));
}

TEST_F(SafetyTest, Gardener_13_078_InstancesWithoutAMachineAreRemovedWhenOldEnough) {
  Begin(1);
  const std::string orphan = Plant("ghost");
  ASSERT_TRUE(UntilRunning(1));
  cluster_.world().Advance(4min);
  EXPECT_TRUE(Lives(orphan)) << "too young to be judged";
  EXPECT_TRUE(cluster_.Until([&] { return !Lives(orphan); }, 20min)) << Dump();
  EXPECT_EQ(CountIn("Running"), 1);
  EXPECT_EQ(cluster_.cloud().live(), 1u);
}

TEST_F(SafetyTest, Gardener_13_078_TheOtherInstanceOfARunningMachineIsRemovedAndItsOwnIsNot) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1));
  const std::string own = TextAt(Machines().at(0), "/spec/providerID");
  const std::string twin = cluster_.cloud().Duplicate(own).value();
  EXPECT_TRUE(cluster_.Until([&] { return !Lives(twin); }, 40min)) << Dump();
  EXPECT_TRUE(Lives(own));
  EXPECT_EQ(CountIn("Running"), 1);
}

TEST_F(SafetyTest, B_18_OfSeveralInstancesOfAMachineThatRecordedNoneTheOldestStays) {
  cluster_.cloud().faults().Add({.kind = CallKind::kCreate,
                                 .times = 1,
                                 .code = core::CloudCode::kUnknown,
                                 .point = providers::FaultPoint::kAfter,
                                 .duplicate = true});
  Begin(1);
  ASSERT_TRUE(cluster_.Until([&] { return cluster_.cloud().live() == 2u; }, 10min)) << Dump();
  EXPECT_TRUE(cluster_.Until(
      [&] { return cluster_.cloud().live() == 1u && CountIn("Running") == 1; }, 19min))
      << Dump();
}

TEST_F(SafetyTest, Gardener_13_078_AMachineWhoseCreationFailsKeepsItsInstance) {
  cluster_.cloud().faults().Add({.kind = CallKind::kCreate, .code = core::CloudCode::kInternal});
  Begin(1);
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("CrashLoopBackOff") == 1; }, 5min)) << Dump();
  const json::value machine = Machines().at(0);
  const std::string id = Plant(NameOf(machine), TextAt(machine, "/metadata/uid"));
  cluster_.world().Advance(18min);
  EXPECT_TRUE(Lives(id)) << Dump();
}

TEST_F(SafetyTest, Gardener_13_079_AtRestACloudIsListedOncePerPeriodAndNothingIsWritten) {
  Begin(2);
  ASSERT_TRUE(UntilRunning(2));
  cluster_.world().Advance(20min);
  const auto listed = cluster_.cloud().calls(CallKind::kList);
  cluster_.ForgetWrites();
  cluster_.world().Advance(1h);
  EXPECT_EQ(cluster_.cloud().calls(CallKind::kList) - listed, 4u);
  EXPECT_TRUE(cluster_.writes().empty()) << cluster_.writes().front();

  // One that is deleted is a reason to look.
  const auto before = cluster_.cloud().calls(CallKind::kList);
  cluster_.Ask("DELETE", At("machines", NameOf(Machines().at(0))));
  cluster_.world().Advance(1min);
  EXPECT_EQ(cluster_.cloud().calls(CallKind::kList) - before, 1u);
}

TEST_F(SafetyTest, NothingIsWrittenWhileNodesReportThatNothingIsNew) {
  Begin(3);
  ASSERT_TRUE(UntilRunning(3));
  cluster_.world().Advance(5min);
  std::vector<std::string> nodes;
  for (const json::value& machine : Machines()) nodes.push_back(LabelOf(machine, "node"));
  cluster_.ForgetWrites();
  for (int round = 0; round < 60; ++round) {
    const std::string now = FormatTime(cluster_.world().Now());
    for (const std::string& node : nodes) {
      cluster_.Ask(
          "PATCH", Node(node) + "/status",
          R"({"status":{"conditions":[{"type":"Ready","lastHeartbeatTime":")" + now + R"("}]}})",
          "application/strategic-merge-patch+json");
    }
    cluster_.world().Advance(10s);
  }
  EXPECT_TRUE(cluster_.writes().empty()) << cluster_.writes().front();
  const json::value ready =
      ConditionOf(cluster_.Get(Node(nodes[0])), "/status/conditions", "Ready");
  EXPECT_GT(TextAt(ready, "/lastHeartbeatTime"), TextAt(ready, "/lastTransitionTime"));
}

TEST_F(SafetyTest, AnOrphanOfAnEarlierMachineOfTheSameNameIsNotTheNewOnes) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1));
  const std::string orphan = Plant(NameOf(Machines().at(0)), "an-earlier-one");
  EXPECT_TRUE(cluster_.Until([&] { return !Lives(orphan); }, 40min)) << Dump();
  EXPECT_EQ(cluster_.cloud().live(), 1u);
}

TEST_F(SafetyTest, TheNodeOfAnOrphanStaysUntilItIsGoneAndThenGoesThoughTheAnswerWasLost) {
  Begin(1);
  const std::string orphan = Plant("ghost");
  Join("stranger", "simulated:///zone-1/of-somebody-else");
  ASSERT_TRUE(UntilRunning(1));
  ASSERT_TRUE(IsThere("ghost"));
  cluster_.cloud().faults().Add(
      {.kind = CallKind::kRemove, .times = 1, .code = core::CloudCode::kUnavailable});
  cluster_.cloud().faults().Add({.kind = CallKind::kRemove,
                                 .times = 1,
                                 .code = core::CloudCode::kUnavailable,
                                 .point = providers::FaultPoint::kAfter});
  ASSERT_TRUE(cluster_.Until(
      [&] {
        EXPECT_TRUE(!Lives(orphan) || IsThere("ghost"));
        return !Lives(orphan);
      },
      40min))
      << Dump();
  EXPECT_TRUE(cluster_.Until([&] { return !IsThere("ghost"); }, 20min)) << Dump();
  EXPECT_TRUE(IsThere("stranger"));
  EXPECT_TRUE(IsThere(NameOf(Machines().at(0))));
}

TEST_F(SafetyTest, TheNodeOfAnOrphanGoesThoughItsRemoverDied) {
  Begin(1);
  const std::string orphan = Plant("ghost");
  ASSERT_TRUE(UntilRunning(1));
  ASSERT_TRUE(cluster_.Until([&] { return !Lives(orphan); }, 40min)) << Dump();
  cluster_.CrashControllers();
  ASSERT_TRUE(IsThere("ghost"));
  cluster_.StartControllers();
  EXPECT_TRUE(cluster_.Until([&] { return !IsThere("ghost"); }, 5min)) << Dump();
}

TEST_F(SafetyTest, Gardener_13_080_NodesWithoutAMachineAreMarkedAndUnmarked) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1));
  cluster_.Apply(R"(
apiVersion: v1
kind: Node
metadata:
  name: stranger
  finalizers: [node.machine.sapcloud.io/machine-controller, somebody.example/else]
)");
  cluster_.world().Advance(19min);
  EXPECT_EQ(AnnotationOf(cluster_.Get(Node("stranger")), kNotManaged), "");
  cluster_.world().Advance(2min);
  const json::value marked = cluster_.Get(Node("stranger"));
  EXPECT_EQ(AnnotationOf(marked, kNotManaged), "1");
  EXPECT_EQ(TextAt(marked, "/metadata/finalizers"), R"(["somebody.example/else"])");

  const std::string ours = NameOf(Machines().at(0));
  EXPECT_EQ(AnnotationOf(cluster_.Get(Node(ours)), kNotManaged), "");
  Annotate(Node(ours), kNotManaged, "1");
  cluster_.world().Advance(1s);
  EXPECT_EQ(AnnotationOf(cluster_.Get(Node(ours)), kNotManaged), "");
}

TEST_F(SafetyTest, Gardener_13_077_WhenTheApiWasAwayUnwellMachinesGetTheirTimeAnew) {
  Begin(1);
  ASSERT_TRUE(UntilRunning(1));
  const json::value machine = Machines().at(0);
  ASSERT_TRUE(cluster_.cloud().Halt(TextAt(machine, "/spec/providerID")));
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Unknown") == 1; }, 5min)) << Dump();
  cluster_.world().Advance(1min);

  cluster_.SetFaults({.chances = {.refused = 1000}});
  cluster_.world().Advance(30min);
  EXPECT_EQ(CountIn("Unknown"), 1);
  cluster_.EndFaults();
  // It would be given up by now; instead it has its ten minutes again.
  cluster_.world().Advance(9min);
  EXPECT_EQ(NameOf(Machines().at(0)), NameOf(machine)) << Dump();
  EXPECT_EQ(CountIn("Unknown"), 1) << Dump();
  EXPECT_TRUE(cluster_.Until([&] { return NameOf(Machines().at(0)) != NameOf(machine); }, 5min))
      << Dump();
}

// A cloud that shows what was, a network that fails, processes that die: what somebody owns stays.
class OrphansByChance : public SafetyTest, public testing::WithParamInterface<int> {
 protected:
  static Cluster::Options OptionsOf(int seed) {
    Cluster::Options options{.seed = static_cast<std::uint64_t>(seed), .random_order = true};
    options.cloud.list_lag = 90s;
    options.cloud.boot = 20s;
    options.settings.orphan_sweep = 1min;
    options.settings.orphan_grace = 3min;
    options.faults.chances = {.refused = 20,
                              .answer_lost = 20,
                              .conflict = 10,
                              .crash = 10,
                              .cloud_fails = 30,
                              .cloud_answer_lost = 30};
    return options;
  }
  OrphansByChance() : SafetyTest(OptionsOf(GetParam())) {}

  // Each machine that runs has the instance that it recorded.
  bool AllHaveTheirs() {
    for (const json::value& machine : Machines()) {
      if (PhaseOf(machine) == "Running" && !Lives(TextAt(machine, "/spec/providerID")))
        return false;
    }
    return true;
  }
};

TEST_P(OrphansByChance, AreRemovedAndNothingElseIs) {
  Begin(3);
  for (int i = 0; i < 3; ++i) Plant("ghost-" + std::to_string(i));
  for (const int size : {5, 2, 4}) {
    Scale(size);
    ASSERT_TRUE(cluster_.Until(
        [&] {
          EXPECT_TRUE(AllHaveTheirs()) << Dump();
          return HasFailure() || (CountIn("Running") == size &&
                                  Machines().size() == static_cast<std::size_t>(size));
        },
        2h))
        << Dump();
  }
  cluster_.EndFaults();
  ASSERT_TRUE(cluster_.Until([&] { return cluster_.cloud().live() == 4u; }, 30min)) << Dump();
  EXPECT_TRUE(AllHaveTheirs());
  EXPECT_EQ(CountIn("Running"), 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, OrphansByChance, testing::Range(1, 9));

// Seed 746 of the first edition: each replacement looked too old as well.
TEST_F(SafetyTest, AWrongCalendarReplacesNothing) {
  Begin(2);
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  cluster_.SkewControllers(24h);
  Scale(4);
  EXPECT_TRUE(UntilRunning(4)) << Dump();
  cluster_.Pass(10min);
  cluster_.SkewControllers({});
  cluster_.Pass(10min);
  EXPECT_EQ(CountIn("Running"), 4) << Dump();
  const auto& history = cluster_.cloud().history();
  EXPECT_EQ(
      std::ranges::count(history, providers::EventKind::kCreated, &providers::CloudEvent::kind), 4);
}

class GoingTest : public SafetyTest {
 protected:
  GoingTest() : SafetyTest({.cloud = Slow()}) {}

  // Machines take longer to boot than to be asked for their removal, and longer still to go.
  static providers::EngineOptions Slow() {
    providers::EngineOptions options{.boot = 30s};
    options.times[providers::IndexOf(CallKind::kRemove)] = {.effect = 2min};
    return options;
  }
};

// Seed 999 of the first edition: pods came to a node whose machine's removal was under way.
TEST_F(GoingTest, ANodeThatJoinsWhileItsMachineGoesTakesNoPods) {
  Begin(1);
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Pending") == 1; }, 1min)) << Dump();
  const std::string machine = NameOf(Machines().at(0));
  cluster_.Ask("DELETE", At("machinedeployments", "web"));
  ASSERT_TRUE(cluster_.Until(
      [&] { return !cluster_.store().List({.scope = "/core/nodes/"})->records.empty(); }, 1min))
      << Dump();
  cluster_.Pass(1s);
  const json::value node = cluster_.Get(Node(machine));
  EXPECT_EQ(TextAt(node, "/spec/unschedulable"), "true") << Dump();
  EXPECT_TRUE(cluster_.Until([&] { return Machines().empty(); }, 5min)) << Dump();
  EXPECT_TRUE(cluster_.List("/api/v1/nodes").empty());
}

}  // namespace
}  // namespace millwright::sim
