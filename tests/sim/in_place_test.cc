// Machines that are changed and not replaced.
#include <algorithm>
#include <map>
#include <set>

#include "tests/sim/feature_test.h"

namespace millwright::sim {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr const char* kCandidate = "node.machine.sapcloud.io/candidate-for-update";
constexpr const char* kSelected = "node.machine.sapcloud.io/selected-for-update";
constexpr const char* kResult = "node.machine.sapcloud.io/update-result";
constexpr const char* kFailure = "node.machine.sapcloud.io/update-failed-reason";
constexpr const char* kAvoid = "deployment.machine.sapcloud.io/prefer-no-schedule";
constexpr const char* kHold = "node.gardener.cloud/critical-components-not-ready";

constexpr std::string_view kAuto =
    "{type: InPlaceUpdate, inPlaceUpdate: {maxSurge: 0, maxUnavailable: 1, orchestrationType: "
    "Auto}}";
constexpr std::string_view kSurge =
    "{type: InPlaceUpdate, inPlaceUpdate: {maxSurge: 1, maxUnavailable: 0, orchestrationType: "
    "Auto}}";
constexpr std::string_view kManual =
    "{type: InPlaceUpdate, inPlaceUpdate: {maxSurge: 0, maxUnavailable: 1, orchestrationType: "
    "Manual}}";

class InPlaceTest : public FeatureTest {
 protected:
  using FeatureTest::FeatureTest;

  void ChangeTemplate(std::string_view version = "2") {
    Patch(At("machinedeployments", "web"), R"({"spec":{"template":{"metadata":{"labels":{"v":")" +
                                               std::string(version) + R"("}}}}})");
  }

  std::vector<json::value> Nodes() { return cluster_.List("/api/v1/nodes"); }
  static std::string StageOf(const json::value& node) {
    return TextAt(ConditionOf(node, "/status/conditions", "InPlaceUpdate"), "/reason");
  }
  std::vector<json::value> NodesAt(std::string_view stage) {
    std::vector<json::value> nodes;
    for (json::value& node : Nodes()) {
      if (StageOf(node) == stage) nodes.push_back(std::move(node));
    }
    return nodes;
  }
  int Labelled(const char* label) {
    int count = 0;
    for (const json::value& node : Nodes()) count += LabelOf(node, label).empty() ? 0 : 1;
    return count;
  }
  std::set<std::string> Names() {
    std::set<std::string> names;
    for (const json::value& machine : Machines()) names.insert(NameOf(machine));
    return names;
  }
  int Updated() { return std::stoi("0" + TextAt(Web(), "/status/updatedReplicas")); }

  // Whoever updates nodes: each that is ready for it, at once. Never more than `most` are unusable.
  void UpdateNodes(int most = 1) {
    int busy = 0;
    for (const json::value& node : Nodes()) {
      busy += TextAt(node, "/spec/unschedulable") == "true" ? 1 : 0;
    }
    EXPECT_LE(busy, most) << Dump();
    for (const json::value& node : NodesAt("ReadyForUpdate")) {
      if (LabelOf(node, kResult).empty()) Label(Node(NameOf(node)), kResult, "successful");
    }
  }

  // All of the new template, and nothing left of the update.
  bool IsOver(int replicas) {
    if (Updated() != replicas || Labelled(kCandidate) + Labelled(kSelected) + Labelled(kResult) > 0)
      return false;
    for (const json::value& machine : Machines()) {
      if (PhaseOf(machine) != "Running" || !LabelOf(machine, kResult).empty()) return false;
    }
    for (const json::value& node : Nodes()) {
      if (IsTainted(node, kAvoid) || TextAt(node, "/spec/unschedulable") == "true") return false;
    }
    return Machines().size() == static_cast<std::size_t>(replicas);
  }
};

TEST_F(InPlaceTest, Gardener_13_130_MachinesAreUpdatedOneByOneAndChangeSets) {
  Begin(3, kAuto);
  ASSERT_TRUE(UntilRunning(3)) << Dump();
  const std::set<std::string> before = Names();
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until([&] { return NodesAt("ReadyForUpdate").size() == 1u; }, 5min))
      << Dump();
  cluster_.world().Advance(5min);
  // One is under update, so no other is chosen.
  EXPECT_EQ(Labelled(kSelected), 1) << Dump();
  EXPECT_EQ(Labelled(kCandidate), 3);
  EXPECT_EQ(CountIn("InPlaceUpdating"), 1);
  int frozen = 0;
  for (const json::value& set : Sets()) {
    frozen += LabelOf(set, "node.machine.sapcloud.io/scale-up-disabled").empty() ? 0 : 1;
  }
  EXPECT_EQ(frozen, 1);
  ASSERT_TRUE(cluster_.Until(
      [&] {
        UpdateNodes();
        return IsOver(3);
      },
      30min))
      << Dump();
  EXPECT_EQ(Names(), before) << "nothing was replaced";
  EXPECT_EQ(cluster_.cloud().live(), 3u);
  for (const json::value& node : Nodes()) EXPECT_TRUE(IsTainted(node, kHold));
  // The old set is empty, the new one has all, and all have its labels.
  for (const json::value& machine : Machines()) EXPECT_EQ(LabelOf(machine, "v"), "2");
  cluster_.world().Advance(1min);
  cluster_.ForgetWrites();
  cluster_.world().Advance(30min);
  EXPECT_TRUE(cluster_.writes().empty()) << cluster_.writes().front() << Dump();

  // And again.
  ChangeTemplate("3");
  ASSERT_TRUE(cluster_.Until(
      [&] {
        UpdateNodes();
        return IsOver(3) && LabelOf(Machines().at(0), "v") == "3";
      },
      30min))
      << Dump();
  EXPECT_EQ(Names(), before);
}

TEST_F(InPlaceTest, Gardener_13_112_ASuccessWakesTheDeploymentAndOtherNewsOfANodeDoesNot) {
  Begin(2, kAuto);
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until([&] { return NodesAt("ReadyForUpdate").size() == 1u; }, 5min))
      << Dump();
  cluster_.world().Advance(1min);
  const std::string node = NameOf(NodesAt("ReadyForUpdate").at(0));
  const auto deployments_and_sets = [&] {
    return std::ranges::count_if(cluster_.writes(), [](const std::string& write) {
      return write.contains("machinedeployments") || write.contains("machinesets");
    });
  };
  cluster_.ForgetWrites();
  cluster_.Ask("PATCH", Node(node) + "/status",
               R"({"status": {"conditions": [{"type": "PIDPressure", "status": "False"}]}})",
               "application/strategic-merge-patch+json");
  cluster_.world().Advance(1min);
  EXPECT_EQ(deployments_and_sets(), 0) << Dump();
  Label(Node(node), kResult, "successful");
  ASSERT_TRUE(cluster_.Until([&] { return Updated() == 1; }, 10s)) << Dump();
}

TEST_F(InPlaceTest, Gardener_13_126_WithSurgeANewMachineComesFirst) {
  Begin(2, kSurge);
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until(
      [&] {
        UpdateNodes();
        return IsOver(2);
      },
      30min))
      << Dump();
}

TEST_F(InPlaceTest, APersonChoosesWhichAreUpdated) {
  Begin(2, kManual);
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  const std::set<std::string> before = Names();
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until([&] { return NodesAt("CandidateForUpdate").size() == 2u; }, 5min))
      << Dump();
  cluster_.world().Advance(10min);
  EXPECT_EQ(Labelled(kSelected), 0);
  for (const std::string& name : before) {
    Label(Node(name), kSelected, "true");
    ASSERT_TRUE(cluster_.Until(
        [&] {
          UpdateNodes();
          return LabelOf(cluster_.Get(At("machines", name)), "v") == "2" &&
                 LabelOf(cluster_.Get(Node(name)), kSelected).empty();
        },
        10min))
        << Dump();
  }
  ASSERT_TRUE(cluster_.Until([&] { return IsOver(2); }, 5min)) << Dump();
  EXPECT_EQ(Names(), before);
}

TEST_F(InPlaceTest, B_21_AnUpdateThatFailedHoldsTheOthersAndIsReplacedAfterItsTime) {
  Begin(2, kAuto);
  ASSERT_TRUE(UntilRunning(2)) << Dump();
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until([&] { return NodesAt("ReadyForUpdate").size() == 1u; }, 5min))
      << Dump();
  const std::string failed = NameOf(NodesAt("ReadyForUpdate").at(0));
  Annotate(Node(failed), kFailure, "the disk is full");
  Label(Node(failed), kResult, "failed");
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("InPlaceUpdateFailed") == 1; }, 1min)) << Dump();
  EXPECT_NE(TextAt(cluster_.Get(At("machines", failed)), "/status/lastOperation/description")
                .find("the disk is full"),
            std::string::npos);
  cluster_.world().Advance(5min);
  EXPECT_EQ(StageOf(cluster_.Get(Node(failed))), "UpdateFailed");
  EXPECT_EQ(Labelled(kSelected), 1);
  ASSERT_TRUE(cluster_.Until(
      [&] {
        UpdateNodes(2);
        return IsOver(2);
      },
      1h))
      << Dump();
  EXPECT_FALSE(Names().contains(failed));
}

TEST_F(InPlaceTest, AnUpdateThatTakesTooLongFailed) {
  Begin(1, kAuto, "", "inPlaceUpdateTimeout: 5m");
  ASSERT_TRUE(UntilRunning(1)) << Dump();
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("InPlaceUpdating") == 1; }, 5min)) << Dump();
  cluster_.world().Advance(6min);
  EXPECT_EQ(CountIn("InPlaceUpdateFailed"), 1) << Dump();
  // Late is better than never.
  UpdateNodes();
  ASSERT_TRUE(cluster_.Until([&] { return IsOver(1); }, 5min)) << Dump();
}

TEST_F(InPlaceTest, ThePodsLeaveBeforeTheUpdate) {
  Begin(1, kAuto);
  ASSERT_TRUE(UntilRunning(1)) << Dump();
  cluster_.Apply(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, finalizers: [a.example/b]}\n"
      "spec: {nodeName: " +
      NameOf(Machines().at(0)) +
      ", terminationGracePeriodSeconds: 0, containers: [{name: c, image: i}]}\n");
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until([&] { return NodesAt("SelectedForUpdate").size() == 1u; }, 5min))
      << Dump();
  cluster_.world().Advance(10s);
  EXPECT_EQ(TextAt(Nodes().at(0), "/spec/unschedulable"), "true");
  EXPECT_EQ(StageOf(Nodes().at(0)), "SelectedForUpdate");
  EXPECT_TRUE(
      Has(cluster_.Get("/api/v1/namespaces/default/pods/p"), "/metadata/deletionTimestamp"));
  EXPECT_EQ(CountIn("Running"), 1);
  Patch("/api/v1/namespaces/default/pods/p", R"({"metadata":{"finalizers":null}})");
  EXPECT_TRUE(cluster_.Until([&] { return NodesAt("ReadyForUpdate").size() == 1u; }, 1min))
      << Dump();
}

TEST_F(InPlaceTest, B_9_TheOldTemplateAgainAndNothingIsLeftOfTheUpdate) {
  Begin(3, kManual);
  ASSERT_TRUE(UntilRunning(3)) << Dump();
  const std::set<std::string> before = Names();
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until([&] { return NodesAt("CandidateForUpdate").size() == 3u; }, 5min));
  Patch(At("machinedeployments", "web"),
        R"({"spec":{"template":{"metadata":{"labels":{"v":null}}}}})");
  ASSERT_TRUE(cluster_.Until([&] { return IsOver(3); }, 5min)) << Dump();
  EXPECT_EQ(Names(), before);
  Scale(4);
  EXPECT_TRUE(UntilRunning(4)) << Dump();
}

TEST_F(InPlaceTest, AControllerThatCrashesAtAnyTimeLosesNothing) {
  Begin(3, kAuto);
  ASSERT_TRUE(UntilRunning(3)) << Dump();
  const std::set<std::string> before = Names();
  ChangeTemplate();
  // At every few writes it dies, and begins anew.
  std::size_t next = 3;
  ASSERT_TRUE(cluster_.Until(
      [&] {
        if (cluster_.writes().size() >= next) {
          next = cluster_.writes().size() + 3;
          cluster_.CrashControllers();
          cluster_.StartControllers();
        }
        UpdateNodes();
        return IsOver(3);
      },
      1h))
      << Dump();
  EXPECT_EQ(Names(), before);
}

TEST_F(InPlaceTest, B_10_ASizeThatChangesMeanwhileIsReached) {
  Begin(3, kAuto);
  ASSERT_TRUE(UntilRunning(3)) << Dump();
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until([&] { return NodesAt("ReadyForUpdate").size() == 1u; }, 5min));
  Scale(5);
  const auto over = [&](int replicas, int most) {
    return cluster_.Until(
        [&] {
          UpdateNodes(most);
          return IsOver(replicas);
        },
        1h);
  };
  ASSERT_TRUE(over(5, 1)) << Dump();
  ChangeTemplate("3");
  ASSERT_TRUE(cluster_.Until([&] { return NodesAt("ReadyForUpdate").size() == 1u; }, 5min));
  Scale(2);
  ASSERT_TRUE(over(2, 1 + 3)) << Dump();
}

// The same with a network that loses requests and answers, others who are faster, and crashes.
class InPlaceByChance : public InPlaceTest, public testing::WithParamInterface<int> {
 protected:
  InPlaceByChance()
      : InPlaceTest({.seed = static_cast<std::uint64_t>(GetParam()), .random_order = true}) {}
};

TEST_P(InPlaceByChance, NothingIsLostOrReplaced) {
  Begin(4, kAuto);
  ASSERT_TRUE(UntilRunning(4)) << Dump();
  const std::set<std::string> before = Names();
  cluster_.SetFaults({.chances = {.refused = 20,
                                  .answer_lost = 20,
                                  .conflict = 20,
                                  .throttled = 10,
                                  .server_error = 10,
                                  .crash = 20,
                                  .cut_streams = 10}});
  ChangeTemplate();
  ASSERT_TRUE(cluster_.Until(
      [&] {
        UpdateNodes();
        return IsOver(4);
      },
      4h))
      << Dump();
  EXPECT_EQ(Names(), before) << Dump();
  EXPECT_EQ(cluster_.cloud().live(), 4u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, InPlaceByChance, testing::Range(1, 25));

}  // namespace
}  // namespace millwright::sim
