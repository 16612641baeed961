#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/gardener/gardener.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kLastApplied = "node.machine.sapcloud.io/last-applied-anno-labels-taints";
constexpr const char* kLastCapacity = "node.machine.sapcloud.io/last-applied-virtual-capacity";

MachineRecord MachineWith(const std::string& node_template) {
  return testing::Machine(R"({"metadata":{"name":"m"},"spec":{"nodeTemplate":)" + node_template +
                          "}}");
}

NodeRecord NodeWith(kube::Labels labels, kube::Labels annotations,
                    std::vector<core::Taint> taints = {}) {
  NodeRecord node;
  labels["node.gardener.cloud/machine-name"] = "m";
  node.labels = kube::TextMap(labels);
  node.annotations = kube::TextMap(annotations);
  node.taints = std::move(taints);
  node.finalizers = std::vector{std::string(finalizers::kNode)};
  return node;
}

TEST(SyncedNode, Gardener_13_045_BringsWhatTheMachineWants) {
  const MachineRecord machine = MachineWith(
      R"({"metadata":{"labels":{"a":"1"}},"spec":{"taints":[{"key":"k","value":"v","effect":"NoSchedule"}]}})");
  const NodeChange change = SyncedNode(machine, nullptr, NodeWith({}, {}));
  EXPECT_THAT(change.labels.set, ElementsAre(Pair("a", "1")));
  EXPECT_THAT(change.annotations.set,
              ElementsAre(Pair(kLastApplied, std::string(machine.node_template.view()))));
  EXPECT_THAT(change.taints->wanted, ElementsAre(core::Taint{"k", "v", "NoSchedule"}));
}

TEST(SyncedNode, Gardener_13_045_TakesAwayWhatItPutThere) {
  const NodeChange change = SyncedNode(
      MachineWith(R"({"metadata":{"labels":{"a":"1"}}})"), nullptr,
      NodeWith({{"a", "1"}, {"b", "2"}, {"theirs", "3"}},
               {{kLastApplied, R"({"metadata":{"labels":{"a":"1","b":"2"}},"spec":{}})"}}));
  EXPECT_THAT(change.labels.remove, ElementsAre("b"));
  EXPECT_THAT(change.labels.set, IsEmpty());
}

TEST(SyncedNode, Gardener_13_046_RestoresWhatWasEdited) {
  const NodeChange change =
      SyncedNode(MachineWith(R"({"metadata":{"labels":{"a":"1"}}})"), nullptr,
                 NodeWith({{"a", "2"}, {"theirs", "3"}},
                          {{kLastApplied, R"({"metadata":{"labels":{"a":"1"}}})"}}));
  EXPECT_THAT(change.labels.set, ElementsAre(Pair("a", "1")));
  EXPECT_TRUE(change.annotations.none());
}

TEST(SyncedNode, WhoeverDeletesTheNodeMeansItsMachine) {
  NodeRecord node = NodeWith({}, {});
  node.finalizers = std::vector<std::string>{"example.org/theirs"};
  EXPECT_THAT(*SyncedNode(MachineWith("null"), nullptr, node).finalizers,
              ElementsAre("example.org/theirs", std::string(finalizers::kNode)));
}

TEST(SyncedNode, Gardener_13_048_NothingIfAllIsThere) {
  // Written by upstream, with a null and in another order.
  const NodeRecord node = NodeWith(
      {{"a", "1"}},
      {{kLastApplied, R"({"spec":{},"metadata":{"labels":{"a":"1"},"creationTimestamp":null}})"}});
  EXPECT_TRUE(
      SyncedNode(MachineWith(R"({"metadata":{"labels":{"a":"1"}}})"), nullptr, node).none());
  EXPECT_TRUE(SyncedNode(MachineWith("null"), nullptr, NodeWith({}, {})).none());
}

TEST(SyncedNode, NamesItsMachine) {
  NodeRecord node = NodeWith({}, {});
  node.labels = {};
  EXPECT_THAT(SyncedNode(MachineWith("{}"), nullptr, node).labels.set,
              ElementsAre(Pair("node.gardener.cloud/machine-name", "m")));
}

TEST(SyncedNode, Gardener_13_049_VirtualCapacityFollowsTheClass) {
  const ClassRecord of = testing::Class(R"({"providerSpec":{},"nodeTemplate":{"capacity":
      {"cpu":1,"gpu":0,"memory":1},"instanceType":"a","region":"b","zone":"c",
      "virtualCapacity":{"x.io/new":"2","x.io/same":"1000m"}}})");
  const NodeChange change =
      SyncedNode(MachineWith("{}"), &of,
                 NodeWith({}, {{kLastCapacity, R"({"x.io/same":"1","x.io/old":"5"})"}}));
  EXPECT_THAT(change.capacity.set, ElementsAre(Pair("x.io/new", "2")));
  EXPECT_THAT(change.capacity.remove, ElementsAre("x.io/old"));
  EXPECT_THAT(change.annotations.set,
              ElementsAre(Pair(kLastCapacity, R"({"x.io/new":"2","x.io/same":"1000m"})")));
}

TEST(GoingCondition, TellsWhy) {
  EXPECT_EQ(GoingCondition(core::GoingBecause::kUnhealthy).reason, "Unhealthy");
  EXPECT_EQ(GoingCondition(core::GoingBecause::kScaleDown).reason, "ScaleDown");
}

TEST(ReadNodeFacts, ReadsMarks) {
  const GardenerDialect dialect;
  const NodeFacts facts =
      dialect.ReadNodeFacts(NodeWith({{"node.machine.sapcloud.io/candidate-for-update", "true"},
                                      {"node.machine.sapcloud.io/update-result", "failed"}},
                                     {{"node.machine.sapcloud.io/preserve", ""},
                                      {"node.machine.sapcloud.io/update-failed-reason", "disk"},
                                      {"node.machine.sapcloud.io/not-managed-by-mcm", "1"}}));
  EXPECT_TRUE(facts.candidate && !facts.selected && facts.not_managed);
  EXPECT_EQ(facts.update_result, -1);
  EXPECT_EQ(facts.update_failure, "disk");
  EXPECT_EQ(facts.wish, core::WrittenWish{});
}

}  // namespace
}  // namespace millwright::dialects::gardener
