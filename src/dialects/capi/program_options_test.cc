#include "dialects/capi/program_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::dialects::capi {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

TEST(CapiFlags, DefaultsAreUpstreams) {
  const auto options = ReadFlags(Words{});
  ASSERT_TRUE(options) << options.error().message();
  EXPECT_EQ(options->workers.machines, 100U);
  EXPECT_EQ(options->preflight.size(), 4U);
  EXPECT_EQ(options->health_port, 9440);
  EXPECT_EQ(options->metrics_port, 8443);
  EXPECT_EQ(options->webhooks.port, 9443);
  EXPECT_EQ(options->conditions_grace, std::chrono::minutes(5));
  EXPECT_FALSE(options->election);
  EXPECT_FALSE(options->limit) << "unlimited unless set";
  EXPECT_TRUE(options->gates.preflight_checks);
  EXPECT_FALSE(options->gates.taint_propagation);
}

TEST(CapiFlags, WhatIsGivenCounts) {
  const auto options = ReadFlags(
      Words{"--leader-elect", "--namespace=a", "--kube-api-qps=20",
            "--feature-gates=MachineTaintPropagation=true,MachinePool=false",
            "--machineset-preflight-checks=KubernetesVersionSkew", "--health-addr=127.0.0.1:0",
            "--sync_period", "5m", "--additional-sync-machine-labels=a.*,b"});
  ASSERT_TRUE(options) << options.error().message();
  EXPECT_TRUE(options->election);
  EXPECT_EQ(options->limit->per_second, 20);
  EXPECT_TRUE(options->gates.taint_propagation);
  EXPECT_THAT(options->preflight, ::testing::ElementsAre(core::PreflightCheck::kVersionSkew));
  EXPECT_EQ(options->health_address, "127.0.0.1");
  EXPECT_THAT(options->ignored, ::testing::ElementsAre("sync-period"));
  ASSERT_EQ(options->node_labels.size(), 2U);
  EXPECT_EQ(options->node_labels.front().text(), "a.*");
}

TEST(CapiFlags, MistakesAreNamed) {
  const std::pair<Words, std::string> cases[] = {
      {{"--remote-conditions-grace-period=1m"}, "must be 2m or more"},
      {{"--remote-conditions-grace-period=3m", "--remote-connection-grace-period=4m"},
       "must be longer than"},
      {{"--feature-gates=Nonsense=true"}, "there is no gate 'Nonsense'"},
      {{"--feature-gates=MachinePool"}, "write MachinePool=true"},
      {{"--machineset-preflight-checks=ControlPlaneStable"}, "no check 'ControlPlaneStable'"},
      {{"--additional-sync-machine-labels=("}, "additional-sync-machine-labels"},
      {{"--machine-concurrency=0"}, "must be 1 or more"},
      {{"--health-addr=nowhere"}, "write HOST:PORT"},
      {{"--leader-elect", "--leader-elect-renew-deadline=20s"}, "must be longer"},
      {{"--webhook-port=70000"}, "between 0 and 65535"},
  };
  for (const auto& [words, said] : cases) {
    const auto options = ReadFlags(words);
    ASSERT_FALSE(options) << said;
    EXPECT_THAT(options.error().message(), HasSubstr(said));
  }
}

}  // namespace
}  // namespace millwright::dialects::capi
