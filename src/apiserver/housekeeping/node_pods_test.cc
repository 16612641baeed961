#include "apiserver/housekeeping/node_pods.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

const WallTime kNow = *ParseTime("2026-01-01T10:00:00Z");
const Taint kUnreachable{
    .key = "node.kubernetes.io/unreachable", .value = "", .time_added = "2026-01-01T09:58:00Z"};
const Taint kOther{.key = "example.org/gone", .value = "yes", .time_added = ""};

std::string Leaves(std::string_view tolerations, std::vector<Taint> taints) {
  const json::value pod =
      json::parse(R"({"spec":{"tolerations":)" + std::string(tolerations) + "}}");
  const auto time = LeaveTime(pod, taints, kNow);
  return time ? FormatTime(*time) : "stays";
}

TEST(NodePodsTest, PodsLeaveWhenTheyTolerateItNoLonger) {
  EXPECT_EQ(Leaves("[]", {}), "stays");
  EXPECT_EQ(Leaves("[]", {kUnreachable}), "2026-01-01T10:00:00Z");
  EXPECT_EQ(Leaves(R"([{"operator":"Exists"}])", {kUnreachable, kOther}), "stays");
  const auto* five = R"([{"key":"node.kubernetes.io/unreachable","operator":"Exists",
                          "effect":"NoExecute","tolerationSeconds":300}])";
  EXPECT_EQ(Leaves(five, {kUnreachable}), "2026-01-01T10:03:00Z") << "since the taint";
  EXPECT_EQ(Leaves(five, {kUnreachable, kOther}), "2026-01-01T10:00:00Z");
  EXPECT_EQ(Leaves(R"([{"key":"example.org/gone","value":"yes"}])", {kOther}), "stays");
  EXPECT_EQ(Leaves(R"([{"key":"example.org/gone","value":"no"}])", {kOther}),
            "2026-01-01T10:00:00Z");
  EXPECT_EQ(
      Leaves(R"([{"key":"example.org/gone","operator":"Exists","effect":"NoSchedule"}])", {kOther}),
      "2026-01-01T10:00:00Z");
  EXPECT_EQ(Leaves(R"([{"operator":"Exists","tolerationSeconds":-5}])", {kOther}),
            "2026-01-01T10:00:00Z");
}

TEST(NodePodsTest, OnlyPodsThatSayTheyAreReadyAreMarked) {
  json::value pod = json::parse(R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})");
  EXPECT_TRUE(MarkPodNotReady(pod, kNow));
  EXPECT_EQ(kube::GetString(pod.at("status").at("conditions").at(0), "status"), "False");
  EXPECT_FALSE(MarkPodNotReady(pod, kNow));
  json::value silent = json::parse(R"({"status":{}})");
  EXPECT_FALSE(MarkPodNotReady(silent, kNow));
}

TEST(NodePodsTest, SaysOnceWhyAPodGoes) {
  json::value pod = json::object();
  MarkDrivenOut(pod, kNow);
  MarkDrivenOut(pod, kNow);
  const json::array& conditions = *kube::GetArray(pod, "status.conditions");
  ASSERT_EQ(conditions.size(), 1u);
  EXPECT_EQ(kube::GetString(conditions[0], "reason"), "DeletionByTaintManager");
}

}  // namespace
}  // namespace millwright::apiserver
