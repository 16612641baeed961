#include "cli/tree_view.h"

#include <gtest/gtest.h>
#include <boost/json/serialize.hpp>

namespace millwright::cli {
namespace {

using namespace std::chrono_literals;

const WallTime kNow = WallTime(1000h);
const TreeRules kRules{
    .deployment_kind = "MachineDeployment", .set_kind = "MachineSet", .machine_kind = "Machine"};

template <class Record>
Record Named(std::string name) {
  Record record;
  record.meta.key = {"default", name};
  record.meta.uid = Uid("uid-" + name);
  return record;
}

dialects::DeploymentRecord Deployment(std::string name, int wished, core::DeploymentCounts seen) {
  auto deployment = Named<dialects::DeploymentRecord>(name);
  deployment.core.replicas = wished;
  deployment.seen = seen;
  deployment.created = kNow - 12min;
  return deployment;
}

dialects::SetRecord Set(std::string name, std::string owner, int wished, int ready) {
  auto set = Named<dialects::SetRecord>(name);
  set.owner = dialects::Owner{"MachineDeployment", owner, Uid("uid-" + owner)};
  set.core.replicas = wished;
  set.core.seen = {.replicas = wished, .ready = ready};
  set.core.revision = 1;
  set.core.created = kNow - 12min;
  return set;
}

dialects::MachineRecord Machine(std::string name, std::string owner, core::Phase phase) {
  auto machine = Named<dialects::MachineRecord>(name);
  machine.owner = dialects::Owner{"MachineSet", owner, Uid("uid-" + owner)};
  machine.core.phase = phase;
  machine.core.available = phase == core::Phase::kRunning;
  machine.core.created = kNow - 30s;
  machine.instance = "vm-" + name;
  return machine;
}

Seen Fleet() {
  Seen seen;
  seen.deployments = {Deployment("workers", 2, {.replicas = 2, .updated = 2, .ready = 1})};
  seen.sets = {Set("workers-1", "workers", 2, 1)};
  auto a = Machine("a", "workers-1", core::Phase::kRunning);
  a.node = "a";
  auto b = Machine("b", "workers-1", core::Phase::kCreateFailing);
  b.instance = {};
  b.operation = {.operation = dialects::Operation::kCreate,
                 .state = dialects::OperationState::kFailed,
                 .description = "code = [ResourceExhausted] message = [no room]",
                 .error_code = "ResourceExhausted",
                 .at = {}};
  seen.machines = {a, b};
  auto node = Named<dialects::NodeRecord>("a");
  node.conditions = {{.type = "Ready", .status = "True"}};
  node.created = kNow - 20s;
  seen.nodes = {node};
  return seen;
}

TEST(TreeView, ShowsWhoOwnsWhomDownToTheNodes) {
  const auto forest = BuildForest(Fleet(), kRules);
  EXPECT_EQ(RenderTree(forest, {}, kNow),
            "NAME                       READY  STATUS        AGE  MESSAGE\n"
            "MachineDeployment/workers  1/2    NotReady      12m  2 of 2 updated, 0 available\n"
            "`- MachineSet/workers-1    1/2    Current       12m  revision 1\n"
            "   |- Machine/a            yes    Running       30s  instance vm-a\n"
            "   |  `- Node/a            yes    Ready         20s\n"
            "   `- Machine/b            no     CannotCreate  30s  ResourceExhausted: no room\n");
}

TEST(TreeView, WideHasInstancesAndBoxesAreForTerminals) {
  TreeRules rules = kRules;
  rules.instances = true;
  const auto item = BuildTree(Fleet(), rules, "machines/a");
  ASSERT_TRUE(item);
  EXPECT_EQ(RenderTree({&*item, 1}, {.box_lines = true, .wide = true}, kNow),
            "NAME              READY  STATUS   AGE  DETAIL  MESSAGE\n"
            "Machine/a         yes    Running  30s\n"
            "└─ Instance/vm-a\n"
            "   └─ Node/a      yes    Ready    20s\n");
}

TEST(TreeView, AMachineIsFoundByNameOrKind) {
  EXPECT_TRUE(BuildTree(Fleet(), kRules, "workers"));
  EXPECT_TRUE(BuildTree(Fleet(), kRules, "set/workers-1"));
  EXPECT_TRUE(BuildTree(Fleet(), kRules, "MachineSet/workers-1"));
  EXPECT_FALSE(BuildTree(Fleet(), kRules, "machine/workers-1"));
  EXPECT_FALSE(BuildTree(Fleet(), kRules, "other"));
}

TEST(TreeView, WhatHasNoOwnerStandsAlone) {
  Seen seen = Fleet();
  seen.deployments.clear();
  seen.sets.clear();
  const auto forest = BuildForest(seen, kRules);
  ASSERT_EQ(forest.size(), 2u);
  EXPECT_EQ(forest[0].kind, "Machine");
}

TEST(TreeView, OldSetsWithoutMachinesAreHistory) {
  Seen seen = Fleet();
  auto old = Set("workers-0", "workers", 0, 0);
  kube::TextPool pool;
  old.machine_template.rolls = pool.Share("other");
  seen.sets.push_back(old);
  EXPECT_EQ(BuildForest(seen, kRules)[0].children.size(), 1u);
  TreeRules all = kRules;
  all.instances = true;
  EXPECT_EQ(BuildForest(seen, all)[0].children.size(), 2u);
}

TEST(TreeView, JsonHasTheSame) {
  const auto item = BuildTree(Fleet(), kRules, "b");
  ASSERT_TRUE(item);
  EXPECT_EQ(boost::json::serialize(TreeJson({&*item, 1})),
            R"([{"kind":"Machine","name":"b","status":"CannotCreate","namespace":"default",)"
            R"("ready":"no","created":"1970-02-11T15:59:30Z",)"
            R"("message":"ResourceExhausted: no room"}])");
}

}  // namespace
}  // namespace millwright::cli
