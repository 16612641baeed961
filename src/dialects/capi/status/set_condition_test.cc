#include "dialects/capi/status/set_condition.h"

#include <gtest/gtest.h>

#include "dialects/capi/names.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/testing.h"

namespace millwright::dialects::capi {
namespace {

using namespace status_testing;

TEST(SetCondition, TheTimeChangesOnlyWithTheStatus) {
  Conditions conditions;
  Set(conditions, "Ready", {Truth::kFalse, "A"}, 1, kNow + 300ms);
  EXPECT_EQ(conditions[0].since, kNow);
  Set(conditions, "Ready", {Truth::kFalse, "B", "why"}, 2, kNow + 1min);
  EXPECT_EQ(conditions[0], (Condition{.type = "Ready",
                                      .status = Truth::kFalse,
                                      .reason = "B",
                                      .message = "why",
                                      .since = kNow,
                                      .observed_generation = 2}));
  Set(conditions, "Ready", {Truth::kTrue, "C", "", kNow + 30s}, 2, kNow + 1min);
  EXPECT_EQ(conditions[0].since, kNow + 30s);
}

TEST(SetCondition, TheListHasOneOrder) {
  Conditions conditions;
  for (const char* type : {"Deleting", "Paused", "zGate", "aGate", "ScalingUp", "Updating",
                           "InfrastructureReady", "Ready", "Available"}) {
    Set(conditions, type, {Truth::kTrue, "R"}, 1, kNow);
  }
  std::vector<std::string> order;
  for (const Condition& condition : conditions) order.push_back(condition.type);
  EXPECT_EQ(order,
            (std::vector<std::string>{"Available", "Ready", "InfrastructureReady", "Updating",
                                      "ScalingUp", "aGate", "zGate", "Paused", "Deleting"}));
}

struct PauseCase {
  bool cluster;
  bool object;
  Truth status;
  std::string message;
};

TEST(Paused, Capi_12_170_cluster_and_object_paused_or_not) {
  const std::vector<PauseCase> cases = {
      {false, false, Truth::kFalse, ""},
      {true, false, Truth::kTrue, "Cluster spec.paused is set to true"},
      {false, true, Truth::kTrue, "Machine has the cluster.x-k8s.io/paused annotation"},
      {true, true, Truth::kTrue,
       "Cluster spec.paused is set to true, Machine has the cluster.x-k8s.io/paused annotation"},
  };
  for (const PauseCase& c : cases) {
    MachineRecord machine;
    if (c.object) machine.annotations.emplace(annotations::kPaused, "");
    const Shown shown = PausedShown(c.cluster, machine, "Machine");
    EXPECT_EQ(shown.status, c.status);
    EXPECT_EQ(shown.message, c.message);
    EXPECT_EQ(shown.reason, c.status == Truth::kTrue ? "Paused" : "NotPaused");

    Conditions conditions;
    PausePlan plan = PlanPause(c.cluster, machine, "Machine", conditions);
    EXPECT_TRUE(plan.write);
    EXPECT_EQ(plan.paused, c.status == Truth::kTrue);
    Set(conditions, "Paused", shown, 1, kNow);
    EXPECT_FALSE(PlanPause(c.cluster, machine, "Machine", conditions).write) << c.message;
    EXPECT_EQ(PlanPause(!c.cluster, machine, "Machine", conditions).write,
              PausedShown(!c.cluster, machine, "Machine") != shown);
  }
}

}  // namespace
}  // namespace millwright::dialects::capi
