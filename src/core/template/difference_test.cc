#include "core/template/difference.h"

#include <gtest/gtest.h>

namespace millwright::core {
namespace {

// All that is not handed down rolls.
const TemplatePolicy kGardener{
    .rolls = {},
    .passes = {"metadata.labels.machine-template-hash", "spec.nodeTemplate", "spec.class.kind",
               "spec.drainTimeout", "spec.healthTimeout", "spec.creationTimeout",
               "spec.nodeConditions"},
    .others_roll = true};

// All that does not roll is handed down.
const TemplatePolicy kClusterApi{
    .rolls = {"spec.version", "spec.bootstrap", "spec.infrastructureRef", "spec.failureDomain"},
    .passes = {},
    .others_roll = false};

struct Case {
  const char* name;
  const TemplatePolicy& policy;
  std::string field;
  bool rolls;
};

const Case kCases[] = {
    {"GardenerClassName", kGardener, "spec.class.name", true},
    {"GardenerLabel", kGardener, "metadata.labels.pool", true},
    {"GardenerAnnotation", kGardener, "metadata.annotations.x", true},
    {"Gardener_13_127_NodeTemplate", kGardener, "spec.nodeTemplate.metadata.labels.a", false},
    {"GardenerClassKind", kGardener, "spec.class.kind", false},
    {"GardenerTimeout", kGardener, "spec.drainTimeout", false},
    {"GardenerHashLabel", kGardener, "metadata.labels.machine-template-hash", false},
    {"ANameThatOnlyBeginsAlike", kGardener, "spec.class.kindness", true},
    {"Capi_12_127_Version", kClusterApi, "spec.version", true},
    {"Capi_12_127_FailureDomain", kClusterApi, "spec.failureDomain", true},
    {"Capi_12_127_Infrastructure", kClusterApi, "spec.infrastructureRef.name", true},
    {"Capi_12_127_BootstrapConfig", kClusterApi, "spec.bootstrap.configRef.name", true},
    {"Capi_12_127_BootstrapSecret", kClusterApi, "spec.bootstrap.dataSecretName", true},
    {"Capi_12_126_Labels", kClusterApi, "metadata.labels.a", false},
    {"Capi_12_126_MinReady", kClusterApi, "spec.minReadySeconds", false},
    {"Capi_12_126_Taints", kClusterApi, "spec.taints", false},
};

class DifferenceTest : public testing::TestWithParam<Case> {};

TEST_P(DifferenceTest, RollsOrIsHandedDown) {
  const std::vector<std::string> changed = {GetParam().field};
  EXPECT_EQ(ClassifyDifference(changed, GetParam().policy).needs_rollout(), GetParam().rolls);
}

INSTANTIATE_TEST_SUITE_P(All, DifferenceTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Difference, KeepsBothKindsApart) {
  const std::vector<std::string> changed = {"spec.version", "spec.taints"};
  EXPECT_EQ(ClassifyDifference(changed, kClusterApi),
            (TemplateDifference{.roll = {"spec.version"}, .pass = {"spec.taints"}}));
}

TEST(Difference, TheLongerPathDecides) {
  const TemplatePolicy policy{.rolls = {"spec"}, .passes = {"spec.tags"}};
  EXPECT_EQ(ClassifyDifference({{"spec.tags.a", "spec.size"}}, policy),
            (TemplateDifference{.roll = {"spec.size"}, .pass = {"spec.tags.a"}}));
}

}  // namespace
}  // namespace millwright::core
