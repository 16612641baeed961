// Machines that are kept on purpose.
#include "tests/sim/feature_test.h"

namespace millwright::sim {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr const char* kPreserve = "node.machine.sapcloud.io/preserve";
constexpr const char* kApplied = "node.machine.sapcloud.io/last-applied-node-preserve-value";
constexpr const char* kScaleDown = "cluster-autoscaler.kubernetes.io/scale-down-disabled";
constexpr const char* kByUs = "cluster-autoscaler.kubernetes.io/scale-down-disabled-by-mcm";
constexpr const char* kTaint = "node.machine.sapcloud.io/preserved";

class PreserveTest : public FeatureTest {
 protected:
  using FeatureTest::FeatureTest;

  // One machine, named like its node.
  void BeginOne(std::string_view spec = "", std::string_view machine = "") {
    Begin(1, "", spec, machine);
    ASSERT_TRUE(UntilRunning(1)) << Dump();
    name_ = NameOf(Machines().at(0));
  }

  json::value Machine() { return cluster_.Get(At("machines", name_)); }
  json::value TheNode() { return cluster_.Get(Node(name_)); }
  std::string Expiry() { return TextAt(Machine(), "/status/currentStatus/preserveExpiryTime"); }
  json::value Said() { return ConditionOf(TheNode(), "/status/conditions", "Preserved"); }
  std::string SaidStatus() { return TextAt(Said(), "/status"); }
  std::string SaidMessage() { return TextAt(Said(), "/message"); }
  void Pass(Duration time) { cluster_.world().Advance(time); }

  // Its instance stops, and after its time it is given up.
  void Fail() {
    ASSERT_TRUE(cluster_.cloud().Halt(TextAt(Machine(), "/spec/providerID")));
    ASSERT_TRUE(cluster_.Until([&] { return PhaseOf(Machine()) == "Failed"; }, 15min)) << Dump();
    Pass(1s);
  }
  void Recover() {
    ASSERT_TRUE(cluster_.cloud().Resume(TextAt(Machine(), "/spec/providerID")));
    ASSERT_TRUE(cluster_.Until([&] { return PhaseOf(Machine()) == "Running"; }, 5min)) << Dump();
    Pass(1s);
  }
  // A pod that nobody may evict.
  void AddStuckPod() {
    cluster_.Apply(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: stuck, labels: {app: stuck}, finalizers: "
        "[somebody.example/holds-it]}\nspec: {nodeName: " +
        name_ + ", containers: [{name: c, image: i}]}\n");
  }

  std::string name_;
};

TEST_F(PreserveTest, Gardener_13_083_NobodyWishedItAndNothingIsWritten) {
  BeginOne();
  Patch(Node(name_), R"({"spec":{"taints":[{"key":"node.machine.sapcloud.io/preserved",
                         "effect":"NoSchedule"}]}})");
  Pass(5min);
  EXPECT_TRUE(IsTainted(TheNode(), kTaint));
  EXPECT_EQ(Expiry(), "");
  EXPECT_TRUE(Said().is_null());
}

TEST_F(PreserveTest, Gardener_13_084_ANodeThatIsToBeKeptNow) {
  BeginOne();
  Annotate(Node(name_), kPreserve, "now");
  Pass(1s);
  EXPECT_NE(Expiry(), "");
  EXPECT_EQ(SaidStatus(), "True") << Dump();
  EXPECT_EQ(TextAt(Said(), "/reason"), "Preserved by user.");
  EXPECT_EQ(AnnotationOf(TheNode(), kScaleDown), "true");
  EXPECT_EQ(AnnotationOf(TheNode(), kByUs), "true");
  EXPECT_FALSE(IsTainted(TheNode(), kTaint));
  EXPECT_EQ(AnnotationOf(Machine(), kApplied), "now");
  cluster_.ForgetWrites();
  Pass(1h);
  EXPECT_TRUE(cluster_.writes().empty()) << cluster_.writes().front();
}

TEST_F(PreserveTest, Gardener_13_085_WhenFailedWaitsForTheFailureAndThenDrains) {
  BeginOne();
  Annotate(Node(name_), kPreserve, "when-failed");
  Pass(1min);
  EXPECT_EQ(Expiry(), "");
  Fail();
  EXPECT_NE(Expiry(), "") << Dump();
  EXPECT_EQ(SaidStatus(), "True");
  EXPECT_TRUE(SaidMessage().starts_with("Preserved node drained successfully.")) << SaidMessage();
  EXPECT_TRUE(IsTainted(TheNode(), kTaint));
  Pass(30min);
  EXPECT_EQ(Machines().size(), 1u) << Dump();
  EXPECT_EQ(PhaseOf(Machine()), "Failed");

  // It is well again: not kept any longer, but it will be when it fails again.
  Recover();
  EXPECT_EQ(Expiry(), "") << Dump();
  EXPECT_FALSE(IsTainted(TheNode(), kTaint));
  EXPECT_EQ(SaidStatus(), "False");
  EXPECT_EQ(AnnotationOf(TheNode(), kPreserve), "when-failed");
  Fail();
  EXPECT_NE(Expiry(), "") << Dump();
}

TEST_F(PreserveTest, Gardener_13_086_FalseOnTheNodeStopsIt) {
  BeginOne();
  Annotate(Node(name_), kPreserve, "now");
  Pass(1s);
  ASSERT_NE(Expiry(), "");
  Annotate(Node(name_), kPreserve, "false");
  Pass(1s);
  EXPECT_EQ(Expiry(), "") << Dump();
  EXPECT_EQ(SaidStatus(), "False");
  EXPECT_EQ(TextAt(Said(), "/reason"), "Preservation stopped.");
  EXPECT_EQ(AnnotationOf(TheNode(), kScaleDown), "");
  EXPECT_EQ(AnnotationOf(TheNode(), kByUs), "");
}

TEST_F(PreserveTest, Gardener_13_087_AFailedMachineWithinTheQuotaIsKeptByUs) {
  BeginOne("  autoPreserveFailedMachineMax: 1");
  Fail();
  EXPECT_EQ(AnnotationOf(Machine(), kPreserve), "auto-preserved") << Dump();
  EXPECT_NE(Expiry(), "");
  EXPECT_EQ(TextAt(Said(), "/reason"), "Preserved by MCM.") << Dump();
  EXPECT_TRUE(IsTainted(TheNode(), kTaint));
  Recover();
  EXPECT_EQ(Expiry(), "") << Dump();
  EXPECT_EQ(AnnotationOf(Machine(), kPreserve), "");
  EXPECT_FALSE(IsTainted(TheNode(), kTaint));
}

TEST_F(PreserveTest, Gardener_13_088_AfterItsTimeItIsNotKeptAndTheWishIsForgotten) {
  BeginOne("", "machinePreserveTimeout: 1h");
  Annotate(Node(name_), kPreserve, "now");
  Pass(59min);
  EXPECT_NE(Expiry(), "");
  Pass(2min);
  EXPECT_EQ(Expiry(), "") << Dump();
  EXPECT_EQ(AnnotationOf(TheNode(), kPreserve), "");
  EXPECT_EQ(AnnotationOf(Machine(), kApplied), "");
  EXPECT_EQ(AnnotationOf(TheNode(), kScaleDown), "");
}

TEST_F(PreserveTest, Gardener_13_089_WhatCannotBeReadIsNoWish) {
  BeginOne();
  Annotate(Node(name_), kPreserve, "please");
  Pass(1min);
  EXPECT_EQ(Expiry(), "");
  Annotate(Node(name_), kPreserve, "");
  Annotate(At("machines", name_), kPreserve, "please");
  Pass(1min);
  EXPECT_EQ(Expiry(), "");
  EXPECT_EQ(AnnotationOf(Machine(), kPreserve), "please");
}

TEST_F(PreserveTest, Gardener_13_090_WithoutANodeOnlyTheTimeIsNoted) {
  cluster_.cloud().options().boot = 1h;
  Begin(1);
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Pending") == 1; }, 5min)) << Dump();
  name_ = NameOf(Machines().at(0));
  Annotate(At("machines", name_), kPreserve, "now");
  Pass(1min);
  EXPECT_NE(Expiry(), "") << Dump();
  EXPECT_EQ(AnnotationOf(Machine(), kPreserve), "now");
}

TEST_F(PreserveTest, Gardener_13_091_TheNodesWordCountsBeforeTheMachines) {
  BeginOne();
  Annotate(At("machines", name_), kPreserve, "when-failed");
  Annotate(Node(name_), kPreserve, "now");
  Pass(1s);
  EXPECT_NE(Expiry(), "");
  EXPECT_EQ(AnnotationOf(Machine(), kPreserve), "") << Dump();
  EXPECT_EQ(AnnotationOf(Machine(), kApplied), "now");
}

TEST_F(PreserveTest, Gardener_13_092_TheWishIsTakenBackFromTheNode) {
  BeginOne();
  Annotate(Node(name_), kPreserve, "now");
  Pass(1s);
  ASSERT_NE(Expiry(), "");
  Annotate(Node(name_), kPreserve, "");
  Pass(1s);
  EXPECT_EQ(Expiry(), "") << Dump();
  EXPECT_EQ(AnnotationOf(Machine(), kApplied), "");
}

TEST_F(PreserveTest, Gardener_13_093_AKeptMachineThatFailsLaterIsEmptiedThen) {
  BeginOne();
  Annotate(Node(name_), kPreserve, "now");
  Pass(1s);
  ASSERT_EQ(SaidStatus(), "True");
  Fail();
  EXPECT_TRUE(SaidMessage().starts_with("Preserved node drained successfully.")) << Dump();
  EXPECT_TRUE(IsTainted(TheNode(), kTaint));
  // "Now" goes on after it recovered, but pods may come again.
  Recover();
  EXPECT_NE(Expiry(), "");
  EXPECT_FALSE(IsTainted(TheNode(), kTaint)) << Dump();
}

TEST_F(PreserveTest, Gardener_13_094_ADrainThatFailsIsSaidOnceAndTriedAgain) {
  BeginOne("", "drainTimeout: 10m");
  Annotate(Node(name_), kPreserve, "when-failed");
  AddStuckPod();
  Fail();
  ASSERT_TRUE(cluster_.Until([&] { return SaidStatus() == "False"; }, 30min)) << Dump();
  EXPECT_TRUE(SaidMessage().starts_with("Preserved node could not be drained.")) << SaidMessage();
  Pass(30min);
  EXPECT_NE(Expiry(), "");
  Patch("/api/v1/namespaces/default/pods/stuck", R"({"metadata":{"finalizers":null}})");
  ASSERT_TRUE(cluster_.Until([&] { return SaidStatus() == "True"; }, 30min)) << Dump();
  EXPECT_TRUE(SaidMessage().starts_with("Preserved node drained successfully.")) << SaidMessage();
}

TEST_F(PreserveTest, Gardener_13_095_WhatAUserCordonedStaysCordoned) {
  BeginOne();
  Patch(Node(name_), R"({"spec":{"unschedulable":true}})");
  Annotate(Node(name_), kPreserve, "now");
  Pass(1s);
  Annotate(Node(name_), kPreserve, "false");
  Pass(1s);
  EXPECT_EQ(TextAt(TheNode(), "/spec/unschedulable"), "true");
}

TEST_F(PreserveTest, Gardener_13_096_WhatAUserDisabledStaysDisabled) {
  BeginOne();
  Annotate(Node(name_), kScaleDown, "true");
  Annotate(Node(name_), kPreserve, "now");
  Pass(1s);
  EXPECT_EQ(AnnotationOf(TheNode(), kByUs), "");
  Annotate(Node(name_), kPreserve, "false");
  Pass(1s);
  EXPECT_EQ(AnnotationOf(TheNode(), kScaleDown), "true");
}

TEST_F(PreserveTest, B_19_KeepingAnUnwellMachineDoesNotMakeItYounger) {
  BeginOne();
  ASSERT_TRUE(cluster_.cloud().Halt(TextAt(Machine(), "/spec/providerID")));
  ASSERT_TRUE(cluster_.Until([&] { return PhaseOf(Machine()) == "Unknown"; }, 5min));
  Pass(8min);
  Annotate(At("machines", name_), kPreserve, "now");
  Pass(3min);
  EXPECT_EQ(PhaseOf(Machine()), "Failed") << Dump();
}

TEST_F(PreserveTest, ADeletedMachineGoesThoughItIsKept) {
  BeginOne();
  Annotate(Node(name_), kPreserve, "now");
  Pass(1s);
  cluster_.Ask("DELETE", At("machines", name_));
  ASSERT_TRUE(cluster_.Until(
      [&] { return cluster_.Ask("GET", At("machines", name_)).status == 404; }, 10min))
      << Dump();
}

// The same with a network that loses requests and answers, others who are faster, and crashes.
class PreserveByChance : public PreserveTest, public testing::WithParamInterface<int> {
 protected:
  PreserveByChance()
      : PreserveTest({.seed = static_cast<std::uint64_t>(GetParam()), .random_order = true}) {}

  bool IsKept() {
    return !Expiry().empty() && SaidStatus() == "True" && IsTainted(TheNode(), kTaint) &&
           AnnotationOf(TheNode(), kByUs) == "true" &&
           SaidMessage().starts_with("Preserved node drained successfully.");
  }
  bool IsLetGo() {
    return Expiry().empty() && SaidStatus() == "False" && !IsTainted(TheNode(), kTaint) &&
           AnnotationOf(TheNode(), kByUs).empty() && AnnotationOf(Machine(), kPreserve).empty();
  }
};

TEST_P(PreserveByChance, WhatFailedIsKeptAndLetGoWhenItIsWell) {
  BeginOne("  autoPreserveFailedMachineMax: 1");
  cluster_.SetFaults({.chances = {.refused = 30,
                                  .answer_lost = 30,
                                  .conflict = 30,
                                  .throttled = 10,
                                  .server_error = 10,
                                  .crash = 30,
                                  .cut_streams = 10}});
  ASSERT_TRUE(cluster_.cloud().Halt(TextAt(Machine(), "/spec/providerID")));
  ASSERT_TRUE(cluster_.Until([&] { return PhaseOf(Machine()) == "Failed" && IsKept(); }, 2h))
      << Dump();
  ASSERT_TRUE(cluster_.cloud().Resume(TextAt(Machine(), "/spec/providerID")));
  ASSERT_TRUE(cluster_.Until([&] { return PhaseOf(Machine()) == "Running" && IsLetGo(); }, 2h))
      << Dump();
  EXPECT_EQ(Machines().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PreserveByChance, testing::Range(1, 13));

}  // namespace
}  // namespace millwright::sim
