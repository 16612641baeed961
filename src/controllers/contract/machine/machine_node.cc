// The node of a machine: found by its id, shown on the machine, and given what the machine wants.
#include "controllers/contract/machine/machine_controller.h"
#include "controllers/shared/node_writer.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

namespace {

capi::SeenNode Shown(const RemoteNode& node) {
  capi::SeenNode shown{.conditions = {}, .kubelet_version = node.kubelet_version};
  for (const core::Condition& condition : node.conditions.list()) {
    shown.conditions.push_back({.type = condition.type,
                                .status = capi::TruthFrom(condition.status),
                                .reason = condition.reason,
                                .message = condition.message,
                                .since = condition.since});
  }
  return shown;
}

}  // namespace

Task<void> MachineController::FollowNode(Pass& pass) {
  capi::MachineFacts& facts = pass.facts;
  const capi::ClusterStatus& cluster = pass.cluster.status;
  facts.cluster_provisioned = cluster.infrastructure_provisioned.value_or(false);
  const capi::Condition* initialized =
      capi::Find(cluster.conditions, capi::types::kControlPlaneInitialized);
  if (initialized != nullptr && initialized->status == capi::Truth::kTrue) {
    facts.control_plane_initialized = initialized->since;
  }
  const RemoteHealth health = remotes_.HealthOf(pass.cluster.meta.key);
  facts.connection = {.last_success = health.last_success, .failures_in_a_row = health.failures};
  facts.connection_grace = surroundings_.settings.conditions_grace;

  capi::MachineRecord& machine = pass.machine;
  if (pass.remote == nullptr) {
    // The connection wakes us; only that it is missing is shown.
    const bool needed = facts.control_plane_initialized || !machine.spec.provider_id.empty();
    if (needed) facts.node_step = capi::NodeStep::kNotConnected;
    if (needed) facts.succeeded = false;
    co_return;
  }
  if (machine.spec.provider_id.empty()) co_return;
  const auto& nodes = pass.remote->NodesWithId(machine.spec.provider_id);
  if (nodes.size() > 1) {
    const std::string why = "several nodes have the id " + machine.spec.provider_id;
    Tell(machine, kube::EventSeverity::kWarning, "Failed to retrieve Node by ProviderID", why);
    facts.node_step = capi::NodeStep::kFailed;
    co_return pass.Failed(Error(ErrorKind::kInvalid, why));
  }
  if (nodes.empty()) {
    if (machine.status.node.empty() || pass.deleting()) co_return;
    co_return pass.Failed(Error(ErrorKind::kNotFound,
                                "no matching Node for Machine \"" + machine.meta.key.name + "\""));
  }
  const RemoteNode node = *nodes.front();
  facts.node = Shown(node);
  if (machine.status.node.empty()) {
    machine.status.node = node.meta.key.name;
    Tell(machine, kube::EventSeverity::kNormal, "SuccessfulSetNodeRef", node.meta.key.name);
  }
  machine.status.node_info = node.info;
  co_await WriteNode(pass, node);
}

Task<void> MachineController::WriteNode(Pass& pass, RemoteNode node) {
  // The event that brings our last write wakes us.
  if (pass.remote->nodes().guard().IsBehind(node.meta.key)) co_return;
  capi::NodeSyncView view{.set = pass.set ? &*pass.set : nullptr,
                          .deployment = pass.deployment ? &*pass.deployment : nullptr};
  if (pass.infrastructure.object) view.interruptible = pass.infrastructure.object->interruptible;
  const Result<NodeChange> change = capi::SyncNode(pass.machine, node, view, node_rules_);
  if (!change) {
    pass.facts.node_step = capi::NodeStep::kFailed;
    co_return pass.Failed(change.error());
  }
  if (change->none()) co_return;
  NodeWriter writer(pass.remote->client(), pass.remote->nodes().guard());
  const Result<void> written = co_await writer.Write(node.meta, *change);
  if (!written && written.error().kind() == ErrorKind::kConflict) {
    // Nodes are written all the time by others.
    pass.facts.succeeded = false;
    co_return pass.LookAgain(surroundings_.clock.Now() + std::chrono::seconds(1));
  }
  if (!written) {
    pass.facts.node_step = capi::NodeStep::kFailed;
    co_return pass.Failed(written.error());
  }
  if (change->labels.set.contains(std::string(capi::labels::kInterruptible))) {
    Tell(pass.machine, kube::EventSeverity::kNormal, "SuccessfulSetInterruptibleNodeLabel",
         node.meta.key.name);
  }
}

}  // namespace millwright::controllers::contract
