#include "cli/controller_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<ControllerFlags> Read(std::vector<std::string> words) { return ReadControllerFlags(words); }

Result<ControllerPlan> Plan(std::vector<std::string> words) {
  TRY(const ControllerFlags flags, Read(std::move(words)));
  return flags.dialect->controller.plan(flags.loops, flags.of_dialect, "host-1");
}

TEST(ControllerFlagsTest, OneProcessDoesAllUnlessToldOtherwise) {
  const ControllerFlags all = *Read({});
  EXPECT_TRUE(all.loops.sets && all.loops.machines);
  EXPECT_EQ(all.dialect->name, "gardener");
  const ControllerFlags sets = *Read({"--only=sets"});
  EXPECT_TRUE(sets.loops.sets && !sets.loops.machines);
  const ControllerFlags machines = *Read({"--only", "machines"});
  EXPECT_TRUE(!machines.loops.sets && machines.loops.machines);
}

TEST(ControllerFlagsTest, OtherWordsAreTheDialects) {
  const ControllerFlags flags =
      *Read({"--namespace", "x", "--provider=simulated", "--safety-up=2", "--data_dir=/d"});
  EXPECT_THAT(flags.of_dialect, ElementsAre("--namespace", "x", "--safety-up=2"));
  EXPECT_EQ(flags.providers.fallback, "simulated");
  EXPECT_EQ(flags.data_dir, "/d");
}

TEST(ControllerFlagsTest, MistakesAreNamed) {
  EXPECT_THAT(Read({"--only=nodes"}).error().message(), HasSubstr("--only: 'nodes'"));
  EXPECT_THAT(Read({"--provider=azure"}).error().message(), HasSubstr("local, simulated"));
  EXPECT_THAT(Read({"--dialect=klingon"}).error().message(), HasSubstr("no dialect 'klingon'"));
}

TEST(ControllerFlagsTest, HelpListsTheFlagsOfThatPart) {
  EXPECT_THAT(ControllerHelp(*Read({"--only=sets"})),
              AllOf(HasSubstr("--safety-up"), Not(HasSubstr("--machine-drain-timeout")),
                    HasSubstr("(default 10258)"), HasSubstr("--provider")));
  EXPECT_THAT(ControllerHelp(*Read({})), HasSubstr("--machine-drain-timeout"));
}

TEST(ControllerPlanTest, WhoDoesAllTakesBothLeases) {
  const ControllerPlan plan = *Plan({"--namespace=shoot"});
  ASSERT_EQ(plan.leases.size(), 2u);
  EXPECT_EQ(plan.leases[0].lease, (kube::ObjectKey{"shoot", "machine-controller-manager"}));
  EXPECT_EQ(plan.leases[1].lease, (kube::ObjectKey{"shoot", "machine-controller"}));
  EXPECT_EQ(plan.leases[0].identity, "host-1");
  EXPECT_EQ(plan.leases[0].timing.lease_duration, 15s);
  EXPECT_EQ(plan.settings.namespace_, "shoot");
}

TEST(ControllerPlanTest, APartTakesItsOwnLeaseAndPort) {
  const ControllerPlan sets = *Plan({"--only=sets"});
  ASSERT_EQ(sets.leases.size(), 1u);
  EXPECT_EQ(sets.leases[0].lease.name, "machine-controller-manager");
  EXPECT_EQ(sets.status_server.port, 10258);
  EXPECT_EQ(sets.settings.workers, 10u);
  const ControllerPlan machines = *Plan({"--only=machines"});
  EXPECT_EQ(machines.leases.at(0).lease.name, "machine-controller");
  EXPECT_EQ(machines.status_server.port, 10259);
  EXPECT_EQ(machines.settings.workers, 50u);
}

TEST(ControllerPlanTest, FlagsReachTheSettings) {
  const ControllerPlan plan =
      *Plan({"--machine-creation-timeout=3m", "--machine-safety-orphan-vms-period=0s",
             "--safety-up=7", "--leader-elect=false", "--cloud-provider=aws",
             "--autoscaler-scaledown-annotation-during-rollout=false",
             "--resource-exhausted-retry=1m", "--kube-api-qps=9"});
  EXPECT_EQ(plan.settings.creation, 3min);
  EXPECT_EQ(plan.settings.orphan_sweep, std::nullopt);
  EXPECT_EQ(plan.settings.overshoot.above, 7);
  EXPECT_FALSE(plan.settings.hold_scale_down_during_rollout);
  EXPECT_EQ(plan.settings.retry.exhausted, 1min);
  EXPECT_EQ(plan.limit->per_second, 9);
  EXPECT_TRUE(plan.leases.empty());
  EXPECT_THAT(plan.ignored_flags, ElementsAre("cloud-provider"));
}

}  // namespace
}  // namespace millwright::cli
