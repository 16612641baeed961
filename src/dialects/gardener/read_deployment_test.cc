#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/gardener/scaler_marks_text.h"
#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using namespace std::chrono_literals;
using testing::At;
using testing::Deployment;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kRest = R"("selector":{"matchLabels":{"name":"pool"}},
  "template":{"metadata":{"labels":{"name":"pool"}},
    "spec":{"class":{"kind":"MachineClass","name":"small"}}})";

DeploymentRecord WithStrategy(const std::string& strategy) {
  return Deployment(R"({"metadata":{"name":"pool"},"spec":{"replicas":4,"strategy":)" + strategy +
                    "," + kRest + "}}");
}

TEST(ReadDeployment, TakesWhatControllersNeed) {
  const DeploymentRecord deployment = Deployment(std::string(R"({
    "metadata": {"name": "pool", "namespace": "shoot", "uid": "d1", "generation": 5,
      "creationTimestamp": "2026-11-16T08:00:00Z", "labels": {"freeze": "True"},
      "annotations": {"deployment.kubernetes.io/revision": "2",
        "safety.machine.sapcloud.io/unfreeze": "",
        "node.machine.sapcloud.io/trigger-deletion-by-mcm": "a~2026-11-16T09:00:00Z"}},
    "spec": {"replicas": 4, "minReadySeconds": 500, "paused": true, "revisionHistoryLimit": 0,
      "progressDeadlineSeconds": 600, "rollbackTo": {}, "autoPreserveFailedMachineMax": 1,
      "strategy": {"type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 1}},)") +
                                                 kRest + R"(},
    "status": {"observedGeneration": 4, "replicas": 4, "updatedReplicas": 3, "readyReplicas": 2,
      "availableReplicas": 1, "preservedFailedReplicas": 1, "collisionCount": 2,
      "conditions": [{"type": "Progressing", "status": "True", "reason": "MachineSetUpdated",
        "lastUpdateTime": "2026-11-16T09:00:00Z"}]}})");
  EXPECT_EQ(deployment.problem, "");
  EXPECT_EQ(deployment.core, (core::Deployment{.name = "pool",
                                               .replicas = 4,
                                               .strategy = core::Strategy::kRollingUpdate,
                                               .max_surge = core::Amount::Percent(25),
                                               .max_unavailable = core::Amount::Of(1),
                                               .paused = true,
                                               .history_limit = 0,
                                               .progress_deadline = 600s,
                                               .rollback_to = 0}));
  EXPECT_EQ(deployment.revision, 2);
  EXPECT_TRUE(deployment.frozen && deployment.unfreeze_asked && !deployment.shows_frozen);
  EXPECT_THAT(deployment.scaler_marks,
              ElementsAre(core::ScalerMark{"a", At("2026-11-16T09:00:00Z")}));
  EXPECT_FALSE(deployment.scaler_marks_untidy);
  EXPECT_EQ(deployment.observed_generation, 4);
  EXPECT_EQ(deployment.seen,
            (core::DeploymentCounts{
                .replicas = 4, .updated = 3, .ready = 2, .available = 1, .preserved_failed = 1}));
  EXPECT_EQ(deployment.progress, (core::Progress{.status = core::Progress::Status::kTrue,
                                                 .reason = core::ProgressReason::kSetUpdated,
                                                 .updated_at = At("2026-11-16T09:00:00Z")}));
  EXPECT_EQ(deployment.collision_count, 2);
  EXPECT_EQ(deployment.min_ready_seconds, 500);
  EXPECT_EQ(deployment.auto_preserve_max, 1);
}

TEST(ReadDeployment, KnowsTheStrategies) {
  EXPECT_EQ(WithStrategy(R"({"type":"Recreate"})").core.strategy, core::Strategy::kRecreate);
  EXPECT_EQ(WithStrategy(R"({"type":"InPlaceUpdate","inPlaceUpdate":
      {"maxSurge":0,"maxUnavailable":"10%","orchestrationType":"Auto"}})")
                .core.strategy,
            core::Strategy::kInPlaceAuto);
  EXPECT_EQ(WithStrategy(R"({"type":"InPlaceUpdate","inPlaceUpdate":
      {"maxSurge":0,"maxUnavailable":1,"orchestrationType":"Manual"}})")
                .core.strategy,
            core::Strategy::kInPlaceManual);
}

struct ProblemCase {
  const char* name;
  const char* strategy;
  const char* want;
};

const ProblemCase kProblems[] = {
    {"Gardener_13_113_NoStrategy", "{}", "spec.strategy.type is missing"},
    {"Gardener_13_133_UnknownStrategy", R"({"type":"Sometimes"})", "\"Sometimes\""},
    {"Gardener_13_133_NoLimits", R"({"type":"RollingUpdate"})",
     "spec.strategy.rollingUpdate is missing"},
    {"Gardener_13_133_NoSurge", R"({"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":1}})",
     "spec.strategy.rollingUpdate.maxSurge is missing"},
    {"Gardener_13_133_NoUnavailable",
     R"({"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":null}})",
     "spec.strategy.rollingUpdate.maxUnavailable is missing"},
    {"Gardener_13_133_NoPercentSign",
     R"({"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25","maxUnavailable":1}})",
     "spec.strategy.rollingUpdate.maxSurge: \"25\""},
    {"Gardener_13_133_Orchestration",
     R"({"type":"InPlaceUpdate","inPlaceUpdate":{"maxSurge":1,"maxUnavailable":1}})",
     "spec.strategy.inPlaceUpdate.orchestrationType"},
    {"NegativeSurge",
     R"({"type":"RollingUpdate","rollingUpdate":{"maxSurge":-1,"maxUnavailable":1}})",
     "spec.strategy.rollingUpdate.maxSurge is negative"},
};

class DeploymentProblemTest : public ::testing::TestWithParam<ProblemCase> {};

TEST_P(DeploymentProblemTest, IsNamed) {
  EXPECT_THAT(WithStrategy(GetParam().strategy).problem, HasSubstr(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, DeploymentProblemTest, ::testing::ValuesIn(kProblems),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ScalerMarksText, Gardener_13_120_OldFormsGetTheTimeOfTheChange) {
  const ScalerMarks marks = ParseScalerMarks("a,b~2026-11-16T08:00:00Z", testing::kNow);
  EXPECT_THAT(marks.marks, ElementsAre(core::ScalerMark{"a", testing::kNow},
                                       core::ScalerMark{"b", At("2026-11-16T08:00:00Z")}));
  EXPECT_TRUE(marks.untidy);
}

TEST(ScalerMarksText, Gardener_13_120_WhatCannotBeReadIsDropped) {
  const ScalerMarks marks =
      ParseScalerMarks("a~b~2026-11-16T08:00:00Z,c~never,,d~2026-11-16T08:00:00Z", testing::kNow);
  EXPECT_THAT(marks.marks, ElementsAre(core::ScalerMark{"d", At("2026-11-16T08:00:00Z")}));
  EXPECT_TRUE(marks.untidy);
}

TEST(ScalerMarksText, Gardener_13_120_ATidyListStays) {
  const std::string text = "a~2026-11-16T08:00:00Z,b~2026-11-16T08:00:01Z";
  const ScalerMarks marks = ParseScalerMarks(text, testing::kNow);
  EXPECT_FALSE(marks.untidy);
  EXPECT_EQ(ScalerMarksText(marks.marks), text);
}

}  // namespace
}  // namespace millwright::dialects::gardener
