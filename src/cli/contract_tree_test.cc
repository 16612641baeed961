#include "cli/contract_tree.h"

#include <gtest/gtest.h>

#include "cli/contract_sample_for_tests.h"

namespace millwright::cli {
namespace {

namespace capi = dialects::capi;

using testing::kNow;
using testing::Say;
using testing::Truth;
using namespace std::chrono_literals;

class ContractTreeTest : public ::testing::Test {
 protected:
  std::string Draw(bool everything = false) {
    return RenderTree(ContractForest(sample_.seen, everything), {}, kNow);
  }

  testing::SampleCluster sample_;
};

TEST_F(ContractTreeTest, ShowsWhatIsOwnedByWhomDownToTheNode) {
  EXPECT_EQ(Draw(),
            "NAME                          READY  STATUS       AGE  MESSAGE\n"
            "Cluster/demo                  yes    Provisioned  10m\n"
            "`- MachineDeployment/workers  1/1    Ready        10m\n"
            "   `- MachineSet/workers-a    1/1    Current      10m  revision 2\n"
            "      `- Machine/w-1          yes    Running      10m  instance test:///w-1\n"
            "         `- Node/node-1       yes    Ready\n");
}

TEST_F(ContractTreeTest, ProvidersObjectsThatAreWellAreShownToThoseWhoWantEverything) {
  const std::string drawn = Draw(true);
  EXPECT_NE(drawn.find("TestBootstrap/w-1"), drawn.npos) << drawn;
  EXPECT_NE(drawn.find("TestMachine/w-1"), drawn.npos) << drawn;
}

TEST_F(ContractTreeTest, AProviderThatIsNotDoneIsShownWithItsWords) {
  sample_.machine().status.phase = "Provisioning";
  sample_.machine().status.node.clear();
  Say(sample_.machine().status.conditions, "Ready", Truth::kFalse, "NotReady",
      "* InfrastructureReady: no capacity");
  sample_.infrastructure().provisioned = false;
  sample_.infrastructure().ready_condition = capi::Condition{
      .type = "Ready", .status = Truth::kFalse, .reason = "NoRoom", .message = "no capacity"};
  const auto item = ContractTree(sample_.seen, "w-1", false);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->state, "Provisioning");
  EXPECT_EQ(item->message, "InfrastructureReady: no capacity");
  ASSERT_EQ(item->children.size(), 1u);
  EXPECT_EQ(item->children[0].kind, "TestMachine");
  EXPECT_EQ(item->children[0].state, "NotProvisioned");
  EXPECT_EQ(item->children[0].message, "no capacity");
}

TEST_F(ContractTreeTest, ADeletionSaysWhereItStands) {
  sample_.machine().meta.deleting_since = kNow - 3min;
  Say(sample_.machine().status.conditions, "Deleting", Truth::kTrue, "DrainingNode",
      "Drain not completed yet (started at T):\n* Pod a: cannot evict pod");
  const auto item = ContractTree(sample_.seen, "machine/w-1", false);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->state, "Deleting: draining its node");
  EXPECT_EQ(item->message, "Drain not completed yet (started at T): Pod a: cannot evict pod");
}

TEST_F(ContractTreeTest, WhatIsMissingOrMayNotBeReadIsNotTheSame) {
  sample_.seen.externals.clear();
  sample_.seen.unread["testbootstraps.test"] = "you may not read it";
  const auto item = ContractTree(sample_.seen, "w-1", false);
  ASSERT_EQ(item->children.size(), 3u);
  EXPECT_EQ(item->children[0].state, "Unknown");
  EXPECT_EQ(item->children[0].message, "cannot be looked at: you may not read it");
  EXPECT_EQ(item->children[1].state, "Missing");
}

TEST_F(ContractTreeTest, WhatNamesNoClusterOfOursStandsAtTheTop) {
  sample_.seen.clusters.clear();
  const auto items = ContractForest(sample_.seen, false);
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0].kind, "MachineDeployment");
}

TEST_F(ContractTreeTest, AControlPlaneHasItsMachinesBelowIt) {
  ServedExternal planes{.group = "test",
                        .kind = "TestPlane",
                        .resource = {"test", "v1", "testplanes"},
                        .contract = {.is_v1beta2 = true, .version = "v1"}};
  capi::ExternalRecord plane;
  testing::Name(plane, "plane");
  plane.control_plane_initialized = true;
  sample_.seen.Add(planes, plane);
  sample_.cluster().control_plane = {.kind = "TestPlane", .name = "plane", .group = "test"};
  capi::MachineRecord machine;
  testing::Name(machine, "c-1");
  machine.spec.cluster = "demo";
  machine.owners = {testing::OwnedBy("TestPlane", "plane")};
  sample_.seen.machines.push_back(machine);
  const auto items = ContractForest(sample_.seen, false);
  ASSERT_EQ(items.size(), 1u);
  ASSERT_EQ(items[0].children.size(), 2u);
  EXPECT_EQ(items[0].children[0].kind, "TestPlane");
  ASSERT_EQ(items[0].children[0].children.size(), 1u);
  EXPECT_EQ(items[0].children[0].children[0].name, "c-1");
}

TEST_F(ContractTreeTest, OldSetsWithoutMachinesAreHistory) {
  capi::SetRecord old = sample_.set();
  testing::Name(old, "workers-0");
  old.spec.replicas = old.status.replicas = 0;
  old.spec.machine_template.spec.version = "v1.30.0";
  old.annotations[std::string(capi::annotations::kRevision)] = "1";
  sample_.seen.sets.push_back(old);
  EXPECT_EQ(ContractTree(sample_.seen, "workers", false)->children.size(), 1u);
  EXPECT_EQ(ContractTree(sample_.seen, "workers", true)->children.size(), 2u);
}

}  // namespace
}  // namespace millwright::cli
