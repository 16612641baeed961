#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "dialects/capi/status/aggregate.h"
#include "dialects/capi/status/deployment_status.h"
#include "dialects/capi/status/health_status.h"
#include "dialects/capi/status/patch.h"
#include "dialects/capi/status/set_status.h"
#include "dialects/capi/status/testing.h"

namespace millwright::dialects::capi {
namespace {

using namespace status_testing;

MachineRecord MachineNamed(std::string name, Truth ready, std::string message = {}) {
  Running running;
  running.machine.meta.key.name = std::move(name);
  running.Settle();
  for (Condition& condition : running.machine.status.conditions) {
    if (condition.type != "Ready" && condition.type != "Available") continue;
    condition.status = ready;
    condition.message = message;
  }
  return running.machine;
}

std::vector<const MachineRecord*> List(const std::vector<MachineRecord>& machines) {
  std::vector<const MachineRecord*> list;
  for (const MachineRecord& machine : machines) list.push_back(&machine);
  return list;
}

TEST(Aggregate, MessagesAreGroupedSortedAndCut) {
  std::vector<AggregateInput> inputs;
  const auto add = [&](std::string name, Weight weight, std::string message) {
    inputs.push_back({.name = std::move(name), .weight = weight, .message = std::move(message)});
  };
  for (const char* name : {"e", "d", "c", "b", "a"}) add(name, Weight::kIssue, "x");
  add("g", Weight::kIssue, "y");
  add("h", Weight::kIssue, "");
  add("i", Weight::kIssue, "z");
  add("j", Weight::kIssue, "w");
  add("k", Weight::kUnknown, "u");
  add("l", Weight::kInfo, "fine");
  const Summary summary = Aggregate(inputs, "Machine");
  EXPECT_EQ(summary.status, Truth::kFalse);
  EXPECT_EQ(summary.message,
            "* Machines a, b, c, ... (2 more): x\n* Machine g: y\n"
            "* Machine h: No additional info provided\nAnd 2 Machines with other issues\n"
            "And 1 Machine with status unknown");
  inputs.erase(inputs.begin(), inputs.end() - 1);
  EXPECT_EQ(Aggregate(inputs, "Machine").message, "* Machine l: fine");
}

TEST(SetStatus, CountsAndConditions) {
  const std::vector<MachineRecord> machines = {MachineNamed("a", Truth::kTrue),
                                               MachineNamed("b", Truth::kFalse, "* X: y")};
  SetRecord set;
  set.meta.generation = 2;
  set.spec.replicas = 3;
  const SetReport report = NextSetStatus(
      set, {.machines = List(machines), .preflight = {"the control plane is upgrading"}}, kNow);
  const Conditions& shown = report.status.conditions;
  EXPECT_EQ(report.status.replicas, 2);
  EXPECT_EQ(report.status.ready, 1);
  EXPECT_EQ(report.status.available, 1);
  EXPECT_EQ(report.status.up_to_date, 0);
  EXPECT_EQ(report.status.legacy_ready, 2) << "of nodes";
  EXPECT_EQ(report.status.versions, (std::vector<VersionCount>{{"v1.34.1", 2}}));
  EXPECT_EQ(Get(shown, "ScalingUp").message,
            "Scaling up from 2 to 3 replicas is blocked because:\n"
            "* the control plane is upgrading");
  EXPECT_EQ(Get(shown, "ScalingDown").reason, "NotScalingDown");
  EXPECT_EQ(Get(shown, "MachinesReady").message, "* Machine b:\n  * X: y");
  EXPECT_EQ(Get(shown, "MachinesUpToDate").reason, "UpToDateUnknown");
  EXPECT_EQ(Get(shown, "Deleting").reason, "NotDeleting");
  EXPECT_EQ(Find(report.status.legacy_conditions, "MachinesCreated")->reason,
            "PreflightCheckFailed");

  set.status = report.status;
  EXPECT_EQ(
      NextSetStatus(
          set, {.machines = List(machines), .preflight = {"the control plane is upgrading"}}, kNow)
          .status,
      report.status);
}

TEST(SetStatus, ASetThatGoes) {
  std::vector<MachineRecord> machines = {MachineNamed("a", Truth::kTrue)};
  machines[0].meta.deleting_since = kNow - 20min;
  SetRecord set;
  set.meta.deleting_since = kNow - 20min;
  set.spec.replicas = 1;
  SetReport report = NextSetStatus(set, {.machines = List(machines)}, kNow);
  EXPECT_EQ(Get(report.status.conditions, "Deleting").message,
            "Deleting 1 Machine\n* Machine a is in deletion since more than 15m");
  EXPECT_EQ(Get(report.status.conditions, "ScalingDown").message,
            "Scaling down from 1 to 0 replicas\n* Machine a is in deletion since more than 15m");
  report = NextSetStatus(set, {}, kNow);
  EXPECT_EQ(Get(report.status.conditions, "Deleting").message, "Deletion completed");
  EXPECT_EQ(Get(report.status.conditions, "MachinesReady").reason, "NoReplicas");
}

TEST(SetStatus, RemediationIsShown) {
  std::vector<MachineRecord> machines = {MachineNamed("a", Truth::kTrue)};
  machines[0].status.conditions.push_back(Reported("HealthCheckSucceeded", Truth::kFalse));
  EXPECT_EQ(ShowRemediating(List(machines), "MachineSet").message,
            "Machine a is not healthy (not to be remediated by MachineSet)");
  machines[0].status.conditions.push_back(
      Reported("OwnerRemediated", Truth::kFalse, "Machine is deleting", "MachineDeleting"));
  EXPECT_EQ(ShowRemediating(List(machines), "MachineSet").reason, "Remediating");
  EXPECT_EQ(ShowRemediating(List(machines), "MachineSet").message,
            "* Machine a: Machine is deleting");
}

TEST(SetStatus, VersionsAreSorted) {
  std::vector<MachineRecord> machines(4);
  machines[0].spec.version = "v1.34.1";
  machines[1].spec.version = "v1.9.0";
  machines[2].spec.version = "v1.34.1";
  EXPECT_EQ(CountVersions(List(machines)),
            (std::vector<VersionCount>{{"v1.9.0", 1}, {"v1.34.1", 2}}));
}

DeploymentRecord DeploymentOf(int replicas, int unavailable) {
  DeploymentRecord deployment;
  deployment.spec.replicas = replicas;
  deployment.spec.strategy = "RollingUpdate";
  deployment.spec.max_surge = core::Amount::Of(1);
  deployment.spec.max_unavailable = core::Amount::Of(unavailable);
  return deployment;
}

TEST(DeploymentStatus, Capi_12_145_available) {
  SetRecord set;
  set.spec.replicas = 3;
  set.status.replicas = 3;
  set.status.available = 2;
  DeploymentRecord deployment = DeploymentOf(3, 1);
  const auto available = [&] {
    return Get(NextDeploymentStatus(deployment, {.sets = {&set}}, kNow).status.conditions,
               "Available");
  };
  EXPECT_EQ(available().status, Truth::kTrue);
  deployment = DeploymentOf(3, 0);
  EXPECT_EQ(available().status, Truth::kFalse);
  EXPECT_EQ(available().message,
            "2 available replicas, at least 3 required (spec.strategy.rollout.maxUnavailable is "
            "0, spec.replicas is 3)");
  deployment.meta.deleting_since = kNow;
  EXPECT_EQ(available().message, "Deletion in progress");
  set.status.available.reset();
  EXPECT_EQ(available().reason, "WaitingForAvailableReplicasSet");
  deployment.spec.replicas.reset();
  EXPECT_EQ(available().reason, "WaitingForReplicasSet");
}

TEST(DeploymentStatus, Capi_12_146_rolling_out_tells_versions_first) {
  std::vector<MachineRecord> machines = {MachineNamed("a", Truth::kTrue),
                                         MachineNamed("b", Truth::kTrue),
                                         MachineNamed("c", Truth::kTrue)};
  machines[0].status.conditions.push_back(Reported(
      "UpToDate", Truth::kFalse, "* Failure domain a, b required\n* Version v1, v2 required"));
  machines[1].status.conditions.push_back(
      Reported("UpToDate", Truth::kFalse, "* Version v1, v2 required"));
  machines[2].status.conditions.push_back(Reported("UpToDate", Truth::kUnknown, "* whatever"));
  DeploymentReport report =
      NextDeploymentStatus(DeploymentOf(3, 0), {.machines = List(machines)}, kNow);
  EXPECT_EQ(Get(report.status.conditions, "RollingOut").message,
            "Rolling out 2 not up-to-date replicas\n* Version v1, v2 required\n"
            "* Failure domain a, b required");
  machines.erase(machines.begin(), machines.begin() + 2);
  report = NextDeploymentStatus(DeploymentOf(3, 0), {.machines = List(machines)}, kNow);
  EXPECT_EQ(Get(report.status.conditions, "RollingOut").reason, "NotRollingOut");
}

TEST(DeploymentStatus, PhaseAndSums) {
  SetRecord old;
  SetRecord current;
  old.spec.replicas = 1;
  old.status.replicas = 1;
  current.status.replicas = 2;
  current.status.legacy_available = 2;
  current.spec.replicas = 2;
  const auto status = [&](int replicas) {
    return NextDeploymentStatus(DeploymentOf(replicas, 0),
                                {.sets = {&old, &current}, .current = &current}, kNow)
        .status;
  };
  EXPECT_EQ(status(3).phase, "Running");
  EXPECT_EQ(status(2).phase, "ScalingDown");
  EXPECT_EQ(status(4).phase, "ScalingUp");
  EXPECT_EQ(status(3).replicas, 3);
  EXPECT_EQ(status(3).ready, std::nullopt);
  EXPECT_EQ(status(3).legacy_updated, 2);
  EXPECT_EQ(status(3).legacy_unavailable, 1);
}

TEST(HealthStatus, WordsOfFindings) {
  using Kind = core::Finding::Kind;
  core::Verdict verdict{.health = core::Verdict::Health::kUnhealthy,
                        .findings = {{Kind::kMachineCondition, "Foo", "False", "Bar", 5min},
                                     {Kind::kNodeCondition, "Ready", "Unknown", "Lost", 90s}},
                        .check_again = {}};
  EXPECT_EQ(ShowUnhealthy(verdict, "n").reason, "UnhealthyMachine");
  EXPECT_EQ(ShowUnhealthy(verdict, "n").message,
            "Health check failed:\n  * Condition Foo on Machine is reporting status False with "
            "reason Bar for more than 5m0s\n  * Condition Ready on Node is reporting status "
            "Unknown with reason Lost for more than 1m30s");
  verdict.findings = {{.kind = Kind::kNodeGone}};
  EXPECT_EQ(ShowUnhealthy(verdict, "n").message,
            "Health check failed:\n  * Node n has been deleted");
  EXPECT_EQ(ShowUnhealthyOld(verdict).message, "");
  verdict.findings = {{.kind = Kind::kNeverStarted, .timeout = 10min}};
  EXPECT_EQ(ShowUnhealthy(verdict, "n").message,
            "Health check failed:\n  * Node failed to report startup in 10m0s");
  verdict.findings = {{.kind = Kind::kAskedFor}};
  EXPECT_EQ(ShowUnhealthy(verdict, "n").message,
            "Health check failed: marked for remediation via cluster.x-k8s.io/remediate-machine "
            "annotation");
}

TEST(HealthStatus, AskingForRemediationIsDoneOnce) {
  MachineStatus status;
  EXPECT_TRUE(AskForRemediation(status, 1, kNow));
  EXPECT_EQ(Get(status.conditions, "OwnerRemediated").reason, "WaitingForRemediation");
  EXPECT_FALSE(AskForRemediation(status, 1, kNow));
}

TEST(HealthStatus, TheGateIsShown) {
  HealthCheckRecord check;
  check.at_most = core::Amount::Percent(40);
  const HealthCheckFacts facts{.targets = {"b", "a", "c", "d", "e"},
                               .healthy = 2,
                               .gate = {.allowed = false, .unhealthy = 3}};
  const HealthCheckStatus next = NextHealthCheckStatus(check, facts, kNow);
  EXPECT_EQ(next.targets.front(), "a");
  EXPECT_EQ(next.expected, 5);
  EXPECT_EQ(next.remediations_allowed, 0);
  EXPECT_EQ(Get(next.conditions, "RemediationAllowed").reason, "TooManyUnhealthy");
}

TEST(StatusPatch, OnlyWhatDiffersAndListsWhole) {
  MachineStatus before;
  before.phase = "Pending";
  before.failure_domain = "a";
  MachineStatus after = before;
  EXPECT_TRUE(StatusPatch(before, after).empty());
  after.phase = "Running";
  after.failure_domain.clear();
  after.infrastructure_provisioned = true;
  Set(after.conditions, "Ready", {Truth::kTrue, "Ready"}, 4, kNow);
  Set(after.legacy_conditions, "Ready", {.status = Truth::kTrue}, kNow);
  EXPECT_EQ(boost::json::value(StatusPatch(before, after)),
            boost::json::parse(R"({"status":{"conditions":[{"type":"Ready","status":"True",
      "observedGeneration":4,"lastTransitionTime":"2026-11-16T10:00:00Z","reason":"Ready",
      "message":""}],"initialization":{"infrastructureProvisioned":true},"failureDomain":null,
      "phase":"Running","deprecated":{"v1beta1":{"conditions":[{"type":"Ready","status":"True",
      "lastTransitionTime":"2026-11-16T10:00:00Z"}]}}}})"))
      << boost::json::serialize(StatusPatch(before, after));
}

}  // namespace
}  // namespace millwright::dialects::capi
