#include "dialects/capi/status/machine_status.h"

#include <gtest/gtest.h>

#include "dialects/capi/status/testing.h"

namespace millwright::dialects::capi {
namespace {

using namespace status_testing;
using core::ObjectState;

Condition Shows(const Running& running, std::string_view type) {
  return Get(running.Report().status.conditions, type);
}

TEST(MachineStatus, AMachineThatRunsIsReadyAndAvailable) {
  Running running;
  running.Settle();
  EXPECT_EQ(running.machine.status.phase, "Running");
  EXPECT_EQ(running.machine.status.last_updated, kNow);
  EXPECT_EQ(running.machine.status.observed_generation, 3);
  EXPECT_EQ(Shows(running, "Ready").status, Truth::kTrue);
  EXPECT_EQ(Shows(running, "Available").reason, "Available");
  EXPECT_EQ(Shows(running, "NodeReady").since, kNow - 1h);
  EXPECT_EQ(Find(running.machine.status.legacy_conditions, "Ready")->status, Truth::kTrue);
  // Nothing is different the second time.
  EXPECT_EQ(running.Report().status, running.machine.status);
}

TEST(MachineStatus, Capi_12_053_no_config_means_that_data_is_provided) {
  Running running;
  running.machine.spec.bootstrap = {};
  running.facts.bootstrap = {};
  EXPECT_EQ(Shows(running, "BootstrapConfigReady").reason, "DataSecretProvided");
  EXPECT_EQ(Shows(running, "BootstrapConfigReady").status, Truth::kTrue);
}

TEST(MachineStatus, Capi_12_054_a_providers_ready_condition_is_mirrored) {
  Running running;
  running.facts.infrastructure.ready =
      Reported("Ready", Truth::kFalse, "no disk", "OutOfDisks", kNow - 7min);
  const Condition shown = Shows(running, "InfrastructureReady");
  EXPECT_EQ(shown.reason, "OutOfDisks");
  EXPECT_EQ(shown.message, "no disk");
  EXPECT_EQ(shown.since, kNow - 7min);
  EXPECT_EQ(shown.observed_generation, 3);

  running.facts.infrastructure.ready = Reported("Ready", Truth::kTrue);
  EXPECT_EQ(Shows(running, "InfrastructureReady").reason, "Ready");
  running.facts.infrastructure.ready = Reported("Ready", Truth::kFalse);
  EXPECT_EQ(Shows(running, "InfrastructureReady").reason, "NoReasonReported");
}

TEST(MachineStatus, WithoutAReadyConditionTheMachinesOwnFlagIsShown) {
  Running running;
  EXPECT_EQ(Shows(running, "InfrastructureReady").reason, "Ready");
  running.machine.status.infrastructure_provisioned.reset();
  running.machine.status.data_secret_created.reset();
  EXPECT_EQ(Shows(running, "InfrastructureReady").message,
            "TestMachine status.initialization.provisioned is false");
  EXPECT_EQ(Shows(running, "BootstrapConfigReady").message,
            "TestConfig status.initialization.dataSecretCreated is false");
}

TEST(MachineStatus, Capi_12_055_conditions_that_cannot_be_read) {
  Running running;
  running.facts.infrastructure.conditions_problem = "conditions is not a list";
  EXPECT_EQ(Shows(running, "InfrastructureReady").status, Truth::kUnknown);
  EXPECT_EQ(Shows(running, "InfrastructureReady").reason, "InvalidConditionReported");
  EXPECT_EQ(Shows(running, "InfrastructureReady").message, "conditions is not a list");
}

TEST(MachineStatus, Capi_12_056_infrastructure_that_is_missing) {
  Running running;
  running.facts.infrastructure.state = ObjectState::kMissing;
  EXPECT_EQ(Shows(running, "InfrastructureReady").reason, "ObjectDeleted");
  EXPECT_EQ(Shows(running, "InfrastructureReady").message,
            "TestMachine has been deleted while the Machine still exists");
  running.machine.status.infrastructure_provisioned.reset();
  EXPECT_EQ(Shows(running, "InfrastructureReady").reason, "ObjectDoesNotExist");
  EXPECT_EQ(Shows(running, "InfrastructureReady").message, "TestMachine does not exist");
  running.Delete(1min);
  running.machine.status.infrastructure_provisioned = true;
  EXPECT_EQ(Shows(running, "InfrastructureReady").message, "TestMachine has been deleted");
  running.facts.infrastructure.state = ObjectState::kUnreadable;
  EXPECT_EQ(Shows(running, "InfrastructureReady").reason, "InternalError");
}

TEST(MachineStatus, Capi_12_057_one_message_of_all_node_conditions_is_one_line) {
  Running running;
  for (Condition& condition : running.facts.node->conditions) {
    condition.status = Truth::kUnknown;
    condition.message = "Kubelet stopped posting node status.";
  }
  EXPECT_EQ(Shows(running, "NodeHealthy").status, Truth::kUnknown);
  EXPECT_EQ(Shows(running, "NodeHealthy").reason, "NodeHealthyUnknown");
  EXPECT_EQ(Shows(running, "NodeHealthy").message,
            "* Node.AllConditions: Kubelet stopped posting node status.");
  EXPECT_EQ(Shows(running, "NodeReady").reason, "NodeReadyUnknown");
  const MachineStatus next = running.Report().status;
  EXPECT_EQ(Find(next.legacy_conditions, "NodeHealthy")->status, Truth::kUnknown);
}

TEST(MachineStatus, Capi_12_058_different_messages_have_a_line_each) {
  Running running;
  running.facts.node->conditions = {
      Reported("Ready", Truth::kFalse, "a"), Reported("MemoryPressure", Truth::kTrue, "b"),
      Reported("DiskPressure", Truth::kTrue, "c"), Reported("PIDPressure", Truth::kTrue)};
  EXPECT_EQ(Shows(running, "NodeHealthy").status, Truth::kFalse);
  EXPECT_EQ(Shows(running, "NodeHealthy").message,
            "* Node.Ready: a\n* Node.MemoryPressure: b\n* Node.DiskPressure: c\n"
            "* Node.PIDPressure: Condition is True");
  EXPECT_EQ(Shows(running, "NodeReady").reason, "NodeNotReady");
  EXPECT_EQ(Shows(running, "NodeReady").message, "* Node.Ready: a");
}

TEST(MachineStatus, Capi_12_059_a_condition_that_is_missing_is_unknown) {
  Running running;
  running.facts.node->conditions.pop_back();
  EXPECT_EQ(Shows(running, "NodeHealthy").status, Truth::kUnknown);
  EXPECT_EQ(Shows(running, "NodeHealthy").message,
            "* Node.PIDPressure: Condition not yet reported");
}

TEST(MachineStatus, Capi_12_060_what_was_shown_stays_until_a_probe_succeeded) {
  Running running;
  running.Settle();
  running.facts.connection = {.last_success = {}, .failures_in_a_row = 4};
  running.facts.node_step = NodeStep::kNotConnected;
  running.facts.node.reset();
  EXPECT_EQ(Shows(running, "NodeReady").reason, "NodeReady");
  running.facts.connection.failures_in_a_row = 5;
  EXPECT_EQ(Shows(running, "NodeReady").reason, "ConnectionDown");
  EXPECT_EQ(Shows(running, "NodeReady").message, "");
}

TEST(MachineStatus, Capi_12_061_never_connected_and_never_shown) {
  Running running;
  running.facts.connection = {};
  EXPECT_EQ(Shows(running, "NodeReady").reason, "ConnectionDown");
  EXPECT_EQ(Shows(running, "NodeHealthy").message, "Remote connection not established yet");
}

TEST(MachineStatus, Capi_12_062_a_lost_connection_shows_after_the_grace_period) {
  Running running;
  running.Settle();
  running.facts.node_step = NodeStep::kNotConnected;
  running.facts.node.reset();
  running.facts.connection.last_success = kNow - 3min;
  EXPECT_EQ(Shows(running, "NodeReady").reason, "NodeReady");
  EXPECT_EQ(running.Report().look_again, kNow + 2min + 1s);
  running.facts.connection.last_success = kNow - 6min;
  EXPECT_EQ(Shows(running, "NodeReady").reason, "ConnectionDown");
  EXPECT_EQ(Shows(running, "NodeReady").message, "Last successful probe at 2026-11-16T09:54:00Z");
}

TEST(MachineStatus, Capi_12_063_another_failure_is_an_internal_error) {
  Running running;
  running.Settle();
  running.facts.node_step = NodeStep::kFailed;
  running.facts.succeeded = false;
  running.machine.meta.generation = 4;
  EXPECT_EQ(Shows(running, "NodeHealthy").reason, "InternalError");
  EXPECT_EQ(Shows(running, "NodeHealthy").message, "Please check controller logs for errors");
  EXPECT_EQ(running.Report().status.observed_generation, 3);
}

TEST(MachineStatus, NodesThatAreNotThereYet) {
  Running running;
  running.facts.node.reset();
  EXPECT_EQ(Shows(running, "NodeReady").message,
            "Node node-m has been deleted while the Machine still exists");
  running.machine.status.node.clear();
  EXPECT_EQ(Shows(running, "NodeReady").message,
            "Waiting for a Node with spec.providerID test://m to exist");
  running.machine.spec.provider_id.clear();
  EXPECT_EQ(Shows(running, "NodeReady").message,
            "Waiting for TestMachine to report spec.providerID");
  running.facts.control_plane_initialized.reset();
  EXPECT_EQ(Shows(running, "NodeReady").message,
            "Waiting for Cluster control plane to be initialized");
  running.facts.cluster_provisioned = false;
  EXPECT_EQ(Shows(running, "NodeReady").message,
            "Waiting for Cluster status.initialization.infrastructureProvisioned to be true");
}

TEST(MachineStatus, Capi_12_064_a_health_check_counts_only_if_there_is_one) {
  Running running;
  EXPECT_EQ(Shows(running, "Ready").status, Truth::kTrue);
  running.machine.status.conditions.push_back(
      Reported("HealthCheckSucceeded", Truth::kFalse, "sick", "UnhealthyNode"));
  EXPECT_EQ(Shows(running, "Ready").status, Truth::kFalse);
  EXPECT_EQ(Shows(running, "Ready").message, "* HealthCheckSucceeded: sick");
}

TEST(MachineStatus, Capi_12_065_a_deletion_hides_what_is_expected_to_be_gone) {
  Running running;
  running.Delete(1min);
  running.facts.bootstrap.state = ObjectState::kMissing;
  running.facts.infrastructure.state = ObjectState::kMissing;
  running.facts.node.reset();
  running.facts.deletion = {.reason = "DeletingNode", .message = "no"};
  EXPECT_EQ(Shows(running, "Ready").message,
            "* Deleting: Machine deletion in progress, stage: DeletingNode");
  EXPECT_EQ(Shows(running, "BootstrapConfigReady").reason, "ObjectDeleted");
  EXPECT_EQ(Shows(running, "NodeReady").message, "Node node-m has been deleted");
  EXPECT_EQ(running.Report().status.phase, "Deleting");
}

TEST(MachineStatus, Capi_12_066_a_long_drain_says_why) {
  Running running;
  running.Delete(16min);
  running.machine.status.deletion.drain = kNow - 6min;
  running.facts.deletion = {
      .reason = "DrainingNode",
      .message =
          "Drain not completed yet (started at T):\n* Pod a: cannot evict pod as it would "
          "violate the pod's disruption budget. x"};
  EXPECT_EQ(Shows(running, "Ready").message,
            "* Deleting: Machine deletion in progress since more than 15m, stage: DrainingNode, "
            "delay likely due to PodDisruptionBudgets");
  running.machine.status.deletion.drain = kNow - 4min;
  EXPECT_EQ(Shows(running, "Ready").message,
            "* Deleting: Machine deletion in progress since more than 15m, stage: DrainingNode");
  EXPECT_EQ(running.Report().look_again, kNow + 1min + 1s);
  running.Delete(10min);
  EXPECT_EQ(Shows(running, "Ready").message,
            "* Deleting: Machine deletion in progress, stage: DrainingNode");
}

TEST(MachineStatus, Capi_12_067_readiness_gates_of_both_polarities) {
  Running running;
  auto& gates = running.machine.spec.handed_down.readiness_gates;
  gates = {{.type = "Burning", .negative = true}, {.type = "Blessed"}};
  EXPECT_EQ(Shows(running, "Ready").message,
            "* Burning: Condition not yet reported\n* Blessed: Condition not yet reported");
  EXPECT_EQ(Shows(running, "Ready").reason, "ReadyUnknown");
  running.machine.status.conditions = {Reported("Burning", Truth::kTrue, "hot"),
                                       Reported("Blessed", Truth::kTrue)};
  EXPECT_EQ(Shows(running, "Ready").message, "* Burning: hot");
  running.machine.status.conditions = {Reported("Burning", Truth::kFalse),
                                       Reported("Blessed", Truth::kFalse, "", "NoPriest")};
  EXPECT_EQ(Shows(running, "Ready").message, "* Blessed: NoPriest");
  EXPECT_EQ(Shows(running, "Ready").status, Truth::kFalse);
}

TEST(MachineStatus, Capi_12_068_components_of_a_control_plane_share_a_line) {
  Running running;
  auto& gates = running.machine.spec.handed_down.readiness_gates;
  auto& shown = running.machine.status.conditions;
  for (const char* type : {"APIServerPodHealthy", "ControllerManagerPodHealthy",
                           "SchedulerPodHealthy", "EtcdPodHealthy", "EtcdMemberHealthy"}) {
    gates.push_back({.type = type});
    shown.push_back(Reported(type, Truth::kFalse, "down"));
  }
  EXPECT_EQ(Shows(running, "Ready").message,
            "* Control plane components: down\n* EtcdMemberHealthy: down");
  shown[2].message = "slow";
  EXPECT_EQ(Shows(running, "Ready").message,
            "* APIServerPodHealthy: down\n* ControllerManagerPodHealthy: down\n"
            "* SchedulerPodHealthy: slow\n* EtcdPodHealthy: down\n* EtcdMemberHealthy: down");
  for (std::size_t i = 1; i < shown.size(); ++i) shown[i].status = Truth::kTrue;
  EXPECT_EQ(Shows(running, "Ready").message, "* APIServerPodHealthy: down");
}

TEST(MachineStatus, MessagesOfSeveralLinesAreIndented) {
  Running running;
  running.facts.node->conditions[0] = Reported("Ready", Truth::kFalse, "a");
  running.facts.node->conditions[1] = Reported("MemoryPressure", Truth::kTrue, "b");
  EXPECT_EQ(Shows(running, "Ready").message,
            "* NodeHealthy:\n  * Node.Ready: a\n  * Node.MemoryPressure: b");
}

TEST(MachineStatus, Capi_12_069_available_after_the_minimum_time) {
  Running running;
  running.Settle();
  running.machine.spec.handed_down.min_ready_seconds = 10;
  for (Condition& condition : running.machine.status.conditions) {
    if (condition.type == "Ready") condition.since = kNow - 5s;
  }
  const MachineReport report = running.Report();
  EXPECT_EQ(Get(report.status.conditions, "Available").reason, "WaitingForMinReadySeconds");
  EXPECT_EQ(Get(report.status.conditions, "Available").status, Truth::kFalse);
  EXPECT_EQ(report.look_again, kNow + 5s);
}

struct OfDeployment : Running {
  SetRecord set;
  DeploymentRecord deployment;
  OfDeployment() {
    set.created = kNow - 2h;
    set.spec.machine_template.spec = {
        .cluster = "c",
        .bootstrap = {.kind = "TestConfigTemplate", .name = "b", .group = "g"},
        .data_secret = {},
        .infrastructure = {.kind = "TestMachineTemplate", .name = "i", .group = "g"},
        .version = "v1.34.1"};
    deployment.spec.machine_template = set.spec.machine_template;
    facts.set = &set;
    facts.deployment = &deployment;
  }
};

TEST(MachineStatus, Capi_12_070_up_to_date_only_for_machines_of_deployments) {
  OfDeployment owned;
  EXPECT_EQ(Shows(owned, "UpToDate").status, Truth::kTrue);
  owned.facts.deployment = nullptr;
  EXPECT_EQ(Shows(owned, "UpToDate").type, "(none)");
  EXPECT_EQ(Shows(Running(), "UpToDate").type, "(none)");
}

TEST(MachineStatus, UpToDateNamesEachDifference) {
  OfDeployment owned;
  MachineSpec& wish = owned.deployment.spec.machine_template.spec;
  wish.version = "v1.35.0";
  wish.bootstrap.name = "b2";
  wish.infrastructure.name = "i2";
  wish.failure_domain = "z";
  wish.data_secret = "s";
  EXPECT_EQ(Shows(owned, "UpToDate").reason, "NotUpToDate");
  EXPECT_EQ(Shows(owned, "UpToDate").message,
            "* Version v1.34.1, v1.35.0 required\n* TestConfig is not up-to-date\n"
            "* spec.bootstrap.dataSecretName nil, s required\n* TestMachine is not up-to-date\n"
            "* Failure domain , z required");
}

TEST(MachineStatus, Capi_12_071_a_rollout_that_is_due) {
  OfDeployment owned;
  owned.deployment.spec.rollout_after = kNow - 1h;
  EXPECT_EQ(Shows(owned, "UpToDate").message, "* MachineDeployment spec.rolloutAfter expired");
  owned.set.created = kNow - 1h;
  EXPECT_EQ(Shows(owned, "UpToDate").status, Truth::kTrue);
  owned.deployment.spec.rollout_after = kNow + 1h;
  EXPECT_EQ(owned.Report().look_again, kNow + 1h);
}

TEST(MachineStatus, Capi_12_072_a_node_of_another_version) {
  OfDeployment owned;
  owned.facts.node->kubelet_version = "v1.33.0";
  EXPECT_EQ(Shows(owned, "UpToDate").reason, "Updating");
  EXPECT_EQ(Shows(owned, "UpToDate").message,
            "* Node.status.nodeInfo.kubeletVersion v1.33.0, v1.34.1 required");
  owned.machine.spec.version.clear();
  EXPECT_EQ(Shows(owned, "UpToDate").status, Truth::kTrue) << "no version wished: any will do";
}

TEST(MachineStatus, Capi_12_073_phases) {
  MachineRecord machine;
  const MachineFacts facts;
  const auto phase = [&] { return NextMachineStatus(machine, facts, kNow).status.phase; };
  EXPECT_EQ(phase(), "Pending");
  machine.status.data_secret_created = true;
  EXPECT_EQ(phase(), "Provisioning");
  machine.spec.provider_id = "test://m";
  machine.status.infrastructure_provisioned = true;
  EXPECT_EQ(phase(), "Provisioned");
  machine.status.node = "n";
  EXPECT_EQ(phase(), "Running");
  machine.annotations.emplace(annotations::kUpdateInProgress, "");
  EXPECT_EQ(phase(), "Updating");
  machine.meta.deleting_since = kNow;
  EXPECT_EQ(phase(), "Deleting");
}

TEST(MachineStatus, AnUpdateInPlaceIsShown) {
  OfDeployment owned;
  owned.machine.annotations.emplace(annotations::kUpdateInProgress, "");
  EXPECT_EQ(Shows(owned, "Updating").reason, "InPlaceUpdating");
  EXPECT_EQ(Shows(owned, "UpToDate").message, "* In-place update in progress");
  EXPECT_EQ(Shows(owned, "Ready").message, "* Updating: In-place update in progress");
  owned.facts.update_failed = true;
  owned.facts.update_message = "broken";
  EXPECT_EQ(Shows(owned, "Updating").reason, "InPlaceUpdateFailed");
}

TEST(MachineStatus, WhatOldClientsRead) {
  Running running;
  running.machine.spec.provider_id.clear();
  running.machine.status.infrastructure_provisioned.reset();
  running.machine.status.node.clear();
  running.facts.node.reset();
  running.Settle();
  const LegacyConditions& old = running.machine.status.legacy_conditions;
  EXPECT_EQ(old.front().type, "Ready");
  EXPECT_EQ(old.front().message, "1 of 2 completed");
  EXPECT_EQ(old.front().reason, "WaitingForInfrastructure");
  EXPECT_EQ(Find(old, "NodeHealthy")->reason, "WaitingForNodeRef");

  running.Delete(1s);
  running.facts.deletion = {.reason = "WaitingForPreDrainHook", .message = "w"};
  running.Settle();
  EXPECT_EQ(Find(old, "PreDrainDeleteHookSucceeded")->reason, "WaitingExternalHook");
  running.facts.deletion = {.reason = "DrainingNode", .message = "d"};
  running.Settle();
  EXPECT_EQ(Find(old, "PreDrainDeleteHookSucceeded")->status, Truth::kTrue);
  EXPECT_EQ(Find(old, "DrainingSucceeded")->severity, "Info");
}

}  // namespace
}  // namespace millwright::dialects::capi
