#include "cli/contract_rollout.h"

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>

#include "cli/contract_sample_for_tests.h"
#include "cli/rollout_state.h"

namespace millwright::cli {
namespace {

namespace capi = dialects::capi;

using namespace std::chrono_literals;

capi::DeploymentRecord Deployment(std::string_view spec, std::string_view status = "{}") {
  return capi::testing::Deployment(fmt::format(
      R"({{"metadata":{{"name":"workers","namespace":"default","generation":1,"resourceVersion":"7",)"
      R"("annotations":{{"machinedeployment.clusters.x-k8s.io/revision":"3"}}}},)"
      R"("spec":{},"status":{}}})",
      spec, status));
}

TEST(ContractRollout, IsSeenAsEveryDialectsAre) {
  const auto shown = AsShown(Deployment(
      R"({"replicas":3,"rollout":{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}}})",
      R"({"observedGeneration":1,"replicas":4,"upToDateReplicas":2,"readyReplicas":3,"availableReplicas":3})"));
  EXPECT_EQ(StateOf(shown).word, "RollingOut");
  EXPECT_EQ(StrategyText(shown.core), "RollingUpdate (maxSurge 1, maxUnavailable 0)");
  EXPECT_EQ(LookAtRollout(shown, "machinedeployment", 0).text,
            "Waiting for machinedeployment \"workers\" rollout to finish: 2 out of 3 new replicas "
            "have been updated...");
  EXPECT_EQ(shown.revision, 3);
}

TEST(ContractRollout, AChangeThatIsNotObservedIsWaitedFor) {
  const auto shown = AsShown(Deployment(R"({"replicas":1})"));
  EXPECT_EQ(StateOf(shown).word, "Changed");
}

TEST(ContractRollout, GoingBackTakesTheTemplateOfTheSetWithoutItsMark) {
  const auto deployment = AsShown(Deployment(
      R"({"template":{"metadata":{"labels":{"tier":"b"},"annotations":{"new":"yes"}},"spec":{"clusterName":"c","version":"v1.34.1"}}})"));
  const Revision target{
      .number = 2,
      .template_text =
          R"({"metadata":{"labels":{"tier":"a","machine-template-hash":"123"}},"spec":{"clusterName":"c","version":"v1.33.0"}})"};
  const auto patch = TemplatePatch(deployment, target);
  ASSERT_TRUE(patch);
  EXPECT_TRUE(capi::testing::Is(
      *patch,
      R"({"metadata":{"resourceVersion":"7"},"spec":{"template":{"metadata":{"annotations":null,"labels":{"tier":"a"}},"spec":{"version":"v1.33.0"}}}})"));
}

TEST(ContractRollout, RestartingIsATimeFromWhichMachinesAreOld) {
  EXPECT_EQ(boost::json::serialize(RolloutAfterPatch(WallTime())),
            R"({"spec":{"rollout":{"after":"1970-01-01T00:00:01Z"}}})");
}

TEST(ContractRollout, RevisionsComeFromSets) {
  testing::SampleCluster sample;
  capi::SetRecord old = sample.set();
  testing::Name(old, "workers-0");
  old.spec.machine_template.spec.version = "v1.30.0";
  old.annotations[std::string(capi::annotations::kRevision)] = "1";
  const auto revisions = RevisionsOf(sample.deployment(), {&sample.set(), &old});
  ASSERT_EQ(revisions.size(), 2u);
  EXPECT_EQ(revisions[0].number, 1);
  EXPECT_FALSE(revisions[0].current);
  EXPECT_TRUE(revisions[1].current);
}

}  // namespace
}  // namespace millwright::cli
