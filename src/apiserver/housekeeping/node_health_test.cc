#include "apiserver/housekeeping/node_health.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

const WallTime kNow = *ParseTime("2026-01-01T10:00:00Z");

json::value Node(std::string_view ready, std::string_view taints = "[]") {
  return json::parse(R"({"metadata":{"name":"n","creationTimestamp":"2026-01-01T09:00:00Z"},
    "spec":{"taints":)" +
                     std::string(taints) + R"(},
    "status":{"conditions":[
      {"type":"Ready","status":")" +
                     std::string(ready) + R"(",
       "lastHeartbeatTime":"2026-01-01T09:59:00Z"},
      {"type":"DiskPressure","status":"False"}]}})");
}

// "not-ready:NoSchedule ...", sorted.
std::string TaintsOf(const json::value& node) {
  std::string text;
  const json::array* taints = kube::GetArray(node, "spec.taints");
  if (taints == nullptr) return text;
  for (const json::value& taint : *taints) {
    const std::string_view key = kube::GetString(taint, "key");
    text.append(text.empty() ? "" : " ").append(key.substr(key.find('/') + 1));
    text.append(":").append(kube::GetString(taint, "effect"));
  }
  return text;
}

TEST(NodeHealthTest, WhatASilentNodeReportedIsNotKnown) {
  json::value node = Node("True");
  MarkUnknown(node, kNow);
  EXPECT_EQ(ReadyStatus(node), "Unknown");
  EXPECT_EQ(HeartbeatOf(node), "2026-01-01T09:59:00Z");  // that is no sign of life
  const json::array& conditions = *kube::GetArray(node, "status.conditions");
  ASSERT_EQ(conditions.size(), 4u);
  EXPECT_EQ(kube::GetString(conditions[0], "reason"), "NodeStatusUnknown");
  EXPECT_EQ(kube::GetString(conditions[0], "message"), "Kubelet stopped posting node status.");
  EXPECT_EQ(kube::GetString(conditions[0], "lastTransitionTime"), "2026-01-01T10:00:00Z");
  EXPECT_EQ(kube::GetString(conditions[1], "status"), "Unknown");
  EXPECT_EQ(kube::GetString(conditions[2], "reason"), "NodeStatusNeverUpdated");
  json::value again = node;
  MarkUnknown(again, kNow + std::chrono::hours(1));
  EXPECT_EQ(again, node);
}

TEST(NodeHealthTest, ANodeThatNeverSpokeKeepsItsHeartbeat) {
  json::value node = json::parse(R"({"metadata":{"creationTimestamp":"2026-01-01T09:00:00Z"}})");
  const std::string before(HeartbeatOf(node));
  EXPECT_EQ(ReadyStatus(node), "");
  MarkUnknown(node, kNow);
  EXPECT_EQ(HeartbeatOf(node), before);
  EXPECT_EQ(ReadyStatus(node), "Unknown");
}

TEST(NodeHealthTest, TaintsFollowTheConditions) {
  json::value node = Node("Unknown");
  EXPECT_TRUE(FitTaints(node, MayEvict::kYes, kNow));
  EXPECT_EQ(TaintsOf(node), "unreachable:NoExecute unreachable:NoSchedule");
  EXPECT_FALSE(FitTaints(node, MayEvict::kYes, kNow));
  EXPECT_EQ(NoExecuteTaints(node), (std::vector<Taint>{{.key = "node.kubernetes.io/unreachable",
                                                        .value = "",
                                                        .time_added = "2026-01-01T10:00:00Z"}}));
  node.at("status").at("conditions").at(0).get_object()["status"] = "False";
  EXPECT_TRUE(FitTaints(node, MayEvict::kYes, kNow));
  EXPECT_EQ(TaintsOf(node), "not-ready:NoExecute not-ready:NoSchedule");
  node.at("status").at("conditions").at(0).get_object()["status"] = "True";
  EXPECT_TRUE(FitTaints(node, MayEvict::kYes, kNow));
  EXPECT_EQ(TaintsOf(node), "");
  EXPECT_FALSE(node.at("spec").get_object().contains("taints"));
}

TEST(NodeHealthTest, NobodyIsDrivenOutWhereThatIsNotAllowed) {
  json::value node = Node("Unknown", R"([{"key":"node.kubernetes.io/unreachable",
                                         "effect":"NoExecute"}])");
  EXPECT_TRUE(FitTaints(node, MayEvict::kNo, kNow));
  EXPECT_EQ(TaintsOf(node), "unreachable:NoSchedule");
}

TEST(NodeHealthTest, TaintsOfOthersStay) {
  json::value node = Node("True", R"([{"key":"example.org/gpu","effect":"NoExecute"},
                                     {"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"},
                                     {"key":"node.kubernetes.io/disk-pressure","effect":"NoExecute"}])");
  EXPECT_TRUE(FitTaints(node, MayEvict::kYes, kNow));
  EXPECT_EQ(TaintsOf(node), "gpu:NoExecute disk-pressure:NoExecute");
}

TEST(NodeHealthTest, PressureAndCordonsKeepNewPodsAway) {
  json::value node = Node("True");
  node.at("spec").get_object()["unschedulable"] = true;
  node.at("status").at("conditions").at(1).get_object()["status"] = "True";
  EXPECT_TRUE(FitTaints(node, MayEvict::kYes, kNow));
  EXPECT_EQ(TaintsOf(node), "disk-pressure:NoSchedule unschedulable:NoSchedule");
}

TEST(NodeHealthTest, ANodeThatHasNotSpokenKeepsWhatItWasBornWith) {
  json::value node = json::parse(
      R"({"spec":{"taints":[{"key":"node.kubernetes.io/not-ready","effect":"NoSchedule"}]}})");
  EXPECT_FALSE(FitTaints(node, MayEvict::kYes, kNow));
}

}  // namespace
}  // namespace millwright::apiserver
