#include "core/drain/classify.h"

#include <gtest/gtest.h>

#include "core/drain/budget.h"
#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using Owner = Pod::Owner;
using Behaviour = PodRule::Behaviour;

const ClassifyPolicy kPlain{};
const ClassifyPolicy kRuled{
    .evicts_stray_daemon_pods = true, .honours_rules = true, .forgets_pods_of_lost_nodes = true};

struct Case {
  const char* name;
  Pod pod;
  PodVerdict plain;
  PodVerdict ruled;
};

PodVerdict Skip(std::vector<PodWarning> warnings = {}) {
  return {PodFate::kSkip, 0, std::move(warnings)};
}
PodVerdict Evict(int order = 0, std::vector<PodWarning> warnings = {}) {
  return {PodFate::kEvict, order, std::move(warnings)};
}

const Case kCases[] = {
    {"Capi_12_079_AManagedPodGoes", {}, Evict(), Evict()},
    {"Capi_12_078_MirrorPodsStay", {.is_mirror = true}, Skip(), Skip()},
    {"Capi_12_078_DaemonPodsStay",
     {.owner = Owner::kDaemonSet},
     Skip({PodWarning::kDaemonSet}),
     Skip({PodWarning::kDaemonSet})},
    {"Capi_12_082_AFinishedDaemonPodGoesWhereThatIsTheRule",
     {.owner = Owner::kDaemonSet, .is_finished = true},
     Skip({PodWarning::kDaemonSet}),
     Evict()},
    {"Capi_12_082_SoDoesOneWhoseDaemonSetIsGone",
     {.owner = Owner::kLostDaemonSet},
     Skip({PodWarning::kDaemonSet}),
     Evict(0, {PodWarning::kLostDaemonSet})},
    {"Capi_12_083_SeveralWarnings",
     {.owner = Owner::kNobody, .uses_local_data = true},
     Evict(0, {PodWarning::kLocalData, PodWarning::kUnmanaged}),
     Evict(0, {PodWarning::kLocalData, PodWarning::kUnmanaged})},
    {"Capi_12_084_ItsLabelSaysSkip", {.label = PodRule{Behaviour::kSkip, 0}}, Evict(), Skip()},
    {"Capi_12_084_ItsLabelSaysWait",
     {.label = PodRule{Behaviour::kWaitCompleted, 0}},
     Evict(),
     {PodFate::kWaitCompleted, 0, {}}},
    {"TheLabelComesBeforeTheRule",
     {.label = PodRule{Behaviour::kSkip, 0}, .rule = PodRule{Behaviour::kDrain, 5}},
     Evict(),
     Skip()},
    {"Capi_12_088_ARuleGivesAnOrder", {.rule = PodRule{Behaviour::kDrain, -1}}, Evict(), Evict(-1)},
};

class ClassifyTest : public ::testing::TestWithParam<Case> {};

TEST_P(ClassifyTest, SaysWhoGoes) {
  EXPECT_EQ(ClassifyPod(GetParam().pod, kPlain, false, kNow), GetParam().plain);
  EXPECT_EQ(ClassifyPod(GetParam().pod, kRuled, false, kNow), GetParam().ruled);
}

INSTANTIATE_TEST_SUITE_P(All, ClassifyTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Classify, Capi_12_080_PodsOfANodeNobodyReachesAreForgottenOnceTheyWereToldToGo) {
  const Pod told{.deleting_since = kNow - 2s};
  EXPECT_EQ(ClassifyPod(told, kRuled, true, kNow).fate, PodFate::kSkip);
  EXPECT_EQ(ClassifyPod(told, kRuled, false, kNow).fate, PodFate::kEvict);
  EXPECT_EQ(ClassifyPod({.deleting_since = kNow - 1900ms}, kRuled, true, kNow).fate,
            PodFate::kEvict);
  EXPECT_EQ(ClassifyPod(told, kPlain, true, kNow).fate, PodFate::kEvict);
}

TEST(Rules, Capi_12_086_TheFirstByNameThatMatches) {
  const PodRule skip{Behaviour::kSkip, 0}, late{Behaviour::kDrain, 9};
  EXPECT_EQ(FirstRule({{{"z", true, skip}, {"b", true, late}, {"a", false, skip}}}), late);
  EXPECT_EQ(FirstRule({{{"a", false, skip}}}), std::nullopt);
}

struct BudgetCase {
  const char* name;
  DisruptionBudget budget;
  bool want;
};

const BudgetCase kBudgets[] = {
    {"Gardener_13_076_OneMayGo", {1, 1, 3, 3, 1, 0}, false},
    {"Gardener_13_076_SomebodyIsGoing", {1, 1, 3, 3, 0, 1}, false},
    {"Gardener_13_076_OneIsNotHealthy", {1, 1, 3, 2, 0, 0}, false},
    {"Gardener_13_076_AllHealthyAndNobodyMayGo", {1, 1, 3, 3, 0, 0}, true},
    {"Gardener_13_076_AnOldReport", {2, 1, 3, 3, 0, 0}, false},
    {"NothingIsProtected", {1, 1, 0, 0, 0, 0}, false},
};

class BudgetTest : public ::testing::TestWithParam<BudgetCase> {};

TEST_P(BudgetTest, ForbidsForGoodOrNotNow) {
  EXPECT_EQ(ForbidsForGood(GetParam().budget), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, BudgetTest, ::testing::ValuesIn(kBudgets),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::core
