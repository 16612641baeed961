#include "agent/pods.h"

#include <gtest/gtest.h>

namespace millwright::agent {
namespace {

PodView Decode(std::string text) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(text);
  auto document = parser.iterate(padded);
  kube::JsonObject object;
  EXPECT_FALSE(document.get_object().get(object));
  return DecodePod(object).value();
}

struct PlanCase {
  const char* name;
  const char* pod;
  PodStep want;
};

class PlanPodTest : public testing::TestWithParam<PlanCase> {};

TEST_P(PlanPodTest, Does) { EXPECT_EQ(PlanPod(Decode(GetParam().pod)), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    All, PlanPodTest,
    testing::Values(
        PlanCase{"ANewOneRuns", R"({"metadata":{"name":"p"}})", PodStep::kSayRunning},
        PlanCase{"APendingOneRuns", R"({"status":{"phase":"Pending"}})", PodStep::kSayRunning},
        PlanCase{
            "ARunningOneIsFine",
            R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}})",
            PodStep::kNothing},
        PlanCase{
            "OneThatSomebodyCalledUnreadyIsReady",
            R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False"}]}})",
            PodStep::kSayRunning},
        PlanCase{"OneThatIsOverStaysSo", R"({"status":{"phase":"Failed"}})", PodStep::kNothing},
        PlanCase{"ADeletedOneGoes",
                 R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z",
                     "deletionGracePeriodSeconds":30},"status":{"phase":"Running"}})",
                 PodStep::kFinishDeletion},
        PlanCase{"AFinalizerIsNotOurs",
                 R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z",
                     "deletionGracePeriodSeconds":0},"status":{"phase":"Running"}})",
                 PodStep::kNothing}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(DecodePodTest, KnowsItsContainers) {
  const PodView pod = Decode(
      R"({"metadata":{"name":"p","namespace":"d","uid":"u"},
          "spec":{"nodeName":"n","containers":[{"name":"c","image":"i","ports":[]}]}})");
  EXPECT_EQ(pod.meta.key, (kube::ObjectKey{"d", "p"}));
  EXPECT_EQ(pod.containers, (std::vector<PodContainer>{{.name = "c", .image = "i"}}));
}

}  // namespace
}  // namespace millwright::agent
