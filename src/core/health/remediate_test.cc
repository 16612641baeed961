#include "core/health/remediate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNow;

RemediationCandidate Bad(std::string name, Duration age = 1h) {
  return {.name = std::move(name), .created = kNow - age, .unhealthy = true, .asked_for = true};
}

RemediationScene EightBad() {
  RemediationScene scene{.max_in_flight = 3};
  for (int i = 1; i <= 8; ++i) scene.machines.push_back(Bad("m" + std::to_string(i), 1h * i));
  return scene;
}

TEST(Remediation, Capi_12_117_ReplacesWhatTheCheckAskedFor) {
  EXPECT_EQ(PlanRemediation({.machines = {Bad("m1"), {.name = "m2", .healthy = true}}}),
            (RemediationPlan{.replace = {"m1"}}));
}

TEST(Remediation, Capi_12_117_ForgetsWhatBecameHealthy) {
  RemediationCandidate again = Bad("m1");
  again.unhealthy = false;
  again.healthy = true;
  EXPECT_EQ(PlanRemediation({.machines = {again}}), (RemediationPlan{.recovered = {"m1"}}));
}

TEST(Remediation, NothingThatNobodyAskedFor) {
  RemediationCandidate alone = Bad("m1");
  alone.asked_for = false;
  EXPECT_EQ(PlanRemediation({.machines = {alone}}), RemediationPlan{});
}

TEST(Remediation, Capi_12_118_NotInAnOldRevision) {
  EXPECT_EQ(PlanRemediation({.machines = {Bad("m1")}, .is_current = false}),
            (RemediationPlan{.refused = {"m1"}}));
}

TEST(Remediation, Capi_12_119_SoManyAtOnceTheNewestFirst) {
  RemediationScene scene = EightBad();
  const RemediationPlan plan = PlanRemediation(scene);
  EXPECT_THAT(plan.replace, ElementsAre("m1", "m2", "m3"));
  EXPECT_EQ(plan.deferred.size(), 5u);
  EXPECT_EQ(plan.deferred[0], (Deferral{"m4", DeferReason::kLimit}));

  for (int i = 0; i < 3; ++i) scene.machines[i].deleting = scene.machines[i].being_replaced = true;
  const RemediationPlan next = PlanRemediation(scene);
  EXPECT_THAT(next.replace, IsEmpty());
  EXPECT_EQ(next.deferred.size(), 5u);
}

TEST(Remediation, Capi_12_119_NoneIfNoMachineCouldBeMade) {
  RemediationScene scene = EightBad();
  scene.preflight = {"the control plane is upgrading"};
  const RemediationPlan plan = PlanRemediation(scene);
  EXPECT_THAT(plan.replace, IsEmpty());
  EXPECT_EQ(plan.deferred[0], (Deferral{"m1", DeferReason::kPreflight}));
  EXPECT_EQ(plan.deferred[3], (Deferral{"m4", DeferReason::kLimit}));
}

TEST(Remediation, Capi_12_120_ThoseAPersonAskedForGoFirst) {
  RemediationScene scene = EightBad();
  scene.machines[7].first = true;
  EXPECT_THAT(PlanRemediation(scene).replace, ElementsAre("m8", "m1", "m2"));
}

}  // namespace
}  // namespace millwright::core
