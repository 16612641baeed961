// The end of a machine: hooks, drain, volumes, its providers' objects, its node.
#include <algorithm>

#include "controllers/contract/drain/drain_rules.h"
#include "controllers/contract/machine/machine_controller.h"
#include "controllers/contract/shared/old_view.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

using core::ContractStage;
using core::NodeAccess;
using core::ObjectState;
using kube::EventSeverity;

namespace {

constexpr Duration kNodeDeletionTime = std::chrono::seconds(10);
constexpr Duration kNodeDeletionPause = std::chrono::seconds(2);

std::vector<std::string> HooksOf(const capi::MachineRecord& machine, std::string_view prefix) {
  std::vector<std::string> hooks;
  for (const auto& [key, value] : machine.annotations) {
    if (key.starts_with(prefix)) hooks.push_back(key);
  }
  return hooks;
}

std::string Names(const std::vector<std::string>& hooks) {
  std::string names;
  for (const std::string& hook : hooks) names += (names.empty() ? "" : ",") + hook;
  return names;
}

bool HasAnnotation(const capi::MachineRecord& machine, std::string_view key) {
  return machine.annotations.find(key) != machine.annotations.end();
}

Duration Seconds(const std::optional<int>& seconds) {
  return std::chrono::seconds(seconds.value_or(0));
}

void Show(Pass& pass, std::string_view reason, std::string message) {
  pass.facts.deletion = {.reason = std::string(reason), .message = std::move(message)};
}

// A connection that is missing wakes us when it comes; until then only time can change anything.
void NoteFailure(Pass& pass, const Error& error) {
  pass.facts.succeeded = false;
  if (pass.remote != nullptr) pass.Failed(error);
}

void StartAt(std::optional<WallTime>& time, WallTime now) {
  if (!time) time = std::chrono::floor<std::chrono::seconds>(now);
}

bool IsThere(const ExternalLook& look) {
  return look.state == ObjectState::kFound || look.state == ObjectState::kUnreadable;
}

// Nobody can tell which node is this machine's until its provider has heard of its instance; with
// its cluster that does not matter.
bool IsInDoubt(const Pass& pass) {
  const auto& object = pass.infrastructure.object;
  return object && !object->deleting() && object->provider_id.empty() &&
         object->annotations.contains(capi::annotations::kInstanceInDoubt) &&
         pass.machine.status.node.empty() && !pass.cluster.deleting();
}

core::NodeAccessView::ControlPlane SeenAs(ObjectState state) {
  using Seen = core::NodeAccessView::ControlPlane;
  switch (state) {
    case ObjectState::kNone: return Seen::kNone;
    case ObjectState::kFound: return Seen::kFound;
    case ObjectState::kMissing: return Seen::kMissing;
    case ObjectState::kUnreadable: return Seen::kUnreadable;
  }
  return Seen::kUnreadable;
}

}  // namespace

// A machine whose node was never noted may have one all the same, or get one while its instance
// goes; who that would be is noted as long as somebody can tell.
NodeAccess MachineController::AskForNode(Pass& pass) {
  capi::MachineRecord& machine = pass.machine;
  std::string& id = machine.spec.provider_id;
  if (id.empty() && pass.infrastructure.object) id = pass.infrastructure.object->provider_id;
  if (machine.status.node.empty() && pass.remote != nullptr && !id.empty()) {
    const auto& nodes = pass.remote->NodesWithId(id);
    if (nodes.size() == 1) machine.status.node = nodes.front()->meta.key.name;
  }
  core::NodeAccessView view{.cluster_deleting = pass.cluster.deleting(),
                            .has_node = !machine.status.node.empty(),
                            .control_plane = SeenAs(pass.control_plane.state)};
  if (pass.control_plane.object) {
    view.control_plane_deleting = pass.control_plane.object->deleting();
    view.control_plane_external = pass.control_plane.object->externally_managed;
  }
  const std::string cluster = ClusterKey(pass.cluster.meta.key);
  for (const auto* other : caches_.control_planes_by_cluster.Find(cluster)) {
    if (!other->deleting()) ++view.live_control_plane_machines;
  }
  return core::MayTouchNode(view);
}

// Its instance is known and its node is not, and the cluster that could tell is just being
// connected to: the node may have joined, and have pods. A cluster that does not answer is not
// waited for.
bool MachineController::MayFindNodeSoon(const Pass& pass) const {
  const auto& object = pass.infrastructure.object;
  const bool has_instance =
      !pass.machine.spec.provider_id.empty() || (object && !object->provider_id.empty());
  if (!has_instance || !pass.machine.status.node.empty() || pass.remote != nullptr) return false;
  if (pass.cluster.deleting() || (object && object->deleting())) return false;
  const RemoteHealth health = remotes_.HealthOf(pass.cluster.meta.key);
  return pass.facts.control_plane_initialized && !health.last_success &&
         health.failures < kFailuresToDisconnect;
}

core::ContractDeletionView MachineController::ObserveDeletion(const Pass& pass,
                                                              NodeAccess access) const {
  const capi::MachineRecord& machine = pass.machine;
  const capi::HandedDown& limits = machine.spec.handed_down;
  const capi::DeletionTimes& times = machine.status.deletion;
  namespace marks = capi::annotations;
  return {.node = access,
          .instance_in_doubt = IsInDoubt(pass),
          .pre_drain_hooks = HooksOf(machine, marks::kPreDrainHookPrefix),
          .pre_terminate_hooks = HooksOf(machine, marks::kPreTerminateHookPrefix),
          .terminate_hook_waited = times.pre_terminate_hook.has_value(),
          .infrastructure_exists = IsThere(pass.infrastructure),
          .infrastructure_deleting =
              pass.infrastructure.object && pass.infrastructure.object->deleting(),
          .bootstrap_exists = IsThere(pass.bootstrap),
          .bootstrap_deleting = pass.bootstrap.object && pass.bootstrap.object->deleting(),
          .drain = {.excluded = HasAnnotation(machine, marks::kNoDrain),
                    .limit = Seconds(limits.drain_timeout_seconds),
                    .started = times.drain},
          .volumes = {.excluded = HasAnnotation(machine, marks::kNoVolumeWait),
                      .limit = Seconds(limits.volume_timeout_seconds),
                      .started = times.volumes},
          .deleting_since = *pass.seen.meta.deleting_since,
          .node_removal_limit = Seconds(limits.node_deletion_timeout_seconds)};
}

Task<void> MachineController::Delete(Pass& pass) {
  Show(pass, capi::reasons::kDeleting, "Deletion started");
  if (MayFindNodeSoon(pass)) {
    Show(pass, capi::reasons::kDeleting, "Waiting for the Cluster to be asked for the Node");
    co_return pass.LookAgain(surroundings_.clock.Now() + kOldViewPause);
  }
  const NodeAccess access = AskForNode(pass);
  core::ContractDeletionView view = ObserveDeletion(pass, access);
  for (;;) {
    const core::ContractDeletionPlan plan =
        core::PlanContractDeletion(view, surroundings_.clock.Now());
    if (plan.stage > ContractStage::kVolumes) drains_.Forget(pass.seen.meta.uid);
    if (!co_await Carry(pass, view, plan.stage, plan.act)) co_return;
  }
}

// False: it is enough for this time.
Task<bool> MachineController::Carry(Pass& pass, core::ContractDeletionView& view,
                                    ContractStage stage, bool act) {
  namespace reasons = capi::reasons;
  const WallTime now = surroundings_.clock.Now();
  capi::DeletionTimes& times = pass.machine.status.deletion;
  switch (stage) {
    case ContractStage::kUnclear:
      Show(pass, reasons::kInternalError, std::string(capi::kSeeLogs));
      pass.Failed(Error(ErrorKind::kUnavailable,
                        "the control plane object cannot be read: " + pass.control_plane.why));
      co_return false;
    case ContractStage::kInstanceInDoubt:
      Show(pass, reasons::kDeleting,
           "Waiting for " + pass.seen.spec.infrastructure.kind +
               " to find out whether it has an instance");
      co_return false;
    case ContractStage::kPreDrainHooks:
      StartAt(times.pre_drain_hook, now);
      Show(pass, reasons::kWaitingForPreDrainHook,
           "Waiting for pre-drain hooks to succeed (hooks: " + Names(view.pre_drain_hooks) + ")");
      co_return false;
    case ContractStage::kDrain: co_return view.drained = co_await DrainNode(pass);
    case ContractStage::kVolumes: co_return view.volumes_detached = co_await AwaitVolumes(pass);
    case ContractStage::kPreTerminateHooks:
      StartAt(times.pre_terminate_hook, now);
      Show(pass, reasons::kWaitingForPreTerminateHook,
           "Waiting for pre-terminate hooks to succeed (hooks: " + Names(view.pre_terminate_hooks) +
               ")");
      co_return false;
    case ContractStage::kInfrastructure:
      Show(pass, reasons::kWaitingForInfrastructureDeletion,
           "Waiting for " + pass.seen.spec.infrastructure.kind + " to be deleted");
      // The write of the id brings us back.
      if (pass.machine.spec.provider_id != pass.seen.spec.provider_id) co_return false;
      co_await DeleteExternal(pass, pass.seen.spec.infrastructure, pass.infrastructure, act);
      co_return false;
    case ContractStage::kBootstrap:
      Show(pass, reasons::kWaitingForBootstrapDeletion,
           "Waiting for " + pass.seen.spec.bootstrap.kind + " to be deleted");
      co_await DeleteExternal(pass, pass.seen.spec.bootstrap, pass.bootstrap, act);
      co_return false;
    case ContractStage::kNode:
      // Tried, failed, and time is left: the next pass tries again.
      if (view.node_removal_failed) co_return false;
      view.node_removed = co_await DeleteNode(pass);
      view.node_removal_failed = !view.node_removed;
      co_return true;
    case ContractStage::kDone:
      Show(pass, reasons::kDeletionCompleted, "Deletion completed");
      pass.finished = true;
      co_return false;
  }
  co_return false;
}

Result<DrainOrder> MachineController::OrderFor(const Pass& pass, WallTime started) const {
  if (pass.remote == nullptr) {
    return Fail(ErrorKind::kUnavailable, "the cluster of the node is not connected");
  }
  const auto& found = caches_.drain_rules_by_namespace.Find(pass.seen.meta.key.namespace_);
  const std::vector<const capi::DrainRuleRecord*> all(found.begin(), found.end());
  TRY(auto rules, RulesFor(all, pass.seen.labels, pass.cluster.labels));
  return DrainOrder{.machine = pass.seen.meta.key,
                    .uid = pass.seen.meta.uid,
                    .remote = pass.remote,
                    .node = pass.machine.status.node,
                    .rules = std::move(rules),
                    .started = started};
}

Task<bool> MachineController::DrainNode(Pass& pass) {
  std::optional<WallTime>& started = pass.machine.status.deletion.drain;
  const WallTime now = surroundings_.clock.Now();
  const bool announced = started.has_value();
  StartAt(started, now);
  const Duration limit = Seconds(pass.seen.spec.handed_down.drain_timeout_seconds);
  if (limit > Duration::zero()) pass.LookAgain(*started + limit);
  Result<DrainOrder> order = OrderFor(pass, *started);
  if (order) order->announced = announced;
  Result<DrainLook> look = order ? co_await drains_.LookAtPods(*std::move(order))
                                 : Result<DrainLook>(Failure(order.error()));
  if (!look) {
    Show(pass, capi::reasons::kDrainingNode,
         "Error draining Node, please check controller logs for errors");
    Tell(pass.seen, EventSeverity::kWarning, "FailedDrainNode",
         "error draining Machine's node \"" + pass.machine.status.node + "\"");
    NoteFailure(pass, look.error());
    co_return false;
  }
  if (look->done) {
    Tell(pass.seen, EventSeverity::kNormal, "SuccessfulDrainNode",
         "success draining Machine's node \"" + pass.machine.status.node + "\"");
    co_return true;
  }
  // Seen by all before the first pod goes; that write brings us back.
  Show(pass, capi::reasons::kDrainingNode,
       look->unannounced ? DrainMessage({}, {}, *started) : look->message);
  if (look->look_again) pass.LookAgain(now + *look->look_again);
  co_return false;
}

Task<bool> MachineController::AwaitVolumes(Pass& pass) {
  std::optional<WallTime>& started = pass.machine.status.deletion.volumes;
  const WallTime now = surroundings_.clock.Now();
  StartAt(started, now);
  const Duration limit = Seconds(pass.seen.spec.handed_down.volume_timeout_seconds);
  if (limit > Duration::zero()) pass.LookAgain(*started + limit);
  Result<DrainOrder> order = OrderFor(pass, *started);
  Result<DrainLook> look = order ? co_await drains_.LookAtVolumes(*std::move(order))
                                 : Result<DrainLook>(Failure(order.error()));
  if (!look) {
    Show(pass, capi::reasons::kWaitingForVolumeDetach,
         "Error waiting for volumes to be detached from Node, please check controller logs for "
         "errors");
    Tell(pass.seen, EventSeverity::kWarning, "FailedWaitForVolumeDetach",
         "error waiting for node volumes detaching, Machine's node \"" + pass.machine.status.node +
             "\"");
    NoteFailure(pass, look.error());
    co_return false;
  }
  if (look->done) {
    Tell(pass.seen, EventSeverity::kNormal, "NodeVolumesDetached",
         "success waiting for node volumes detaching Machine's node \"" + pass.machine.status.node +
             "\"");
    co_return true;
  }
  Show(pass, capi::reasons::kWaitingForVolumeDetach, look->message);
  if (look->look_again) pass.LookAgain(now + *look->look_again);
  co_return false;
}

Task<void> MachineController::DeleteExternal(Pass& pass, capi::Reference reference,
                                             const ExternalLook& look, bool act) {
  if (!act) co_return;
  std::optional<Uid> seen;
  if (look.object) seen = look.object->meta.uid;
  // Where nothing was made as far as we saw, an instance may have been asked for since.
  const bool is_infrastructure = reference == pass.seen.spec.infrastructure;
  std::optional<kube::ResourceVersion> version;
  if (is_infrastructure && look.object && look.object->provider_id.empty()) {
    version = look.object->meta.resource_version;
  }
  const Result<void> deleted = co_await externals_.Delete(reference, pass.seen.meta.key.namespace_,
                                                          std::move(seen), version);
  if (deleted) co_return;
  if (version && deleted.error().kind() == ErrorKind::kConflict) {
    co_return pass.LookAgain(surroundings_.clock.Now() + kOldViewPause);
  }
  Show(pass, capi::reasons::kInternalError,
       "Failed to delete " + reference.kind + ", please check controller logs for errors");
  pass.Failed(deleted.error());
}

// True: it is gone.
Task<bool> MachineController::DeleteNode(Pass& pass) {
  const std::string& node = pass.machine.status.node;
  Clock& clock = surroundings_.clock;
  const SteadyTime until = clock.Elapsed() + kNodeDeletionTime;
  Result<void> deleted = Fail(ErrorKind::kUnavailable, "the cluster of the node is not connected");
  while (pass.remote != nullptr) {
    deleted = co_await pass.remote->client().Delete(kNodes, {{}, node});
    if (deleted) co_return true;
    if (clock.Elapsed() + kNodeDeletionPause > until) break;
    if (co_await SleepFor(clock, kNodeDeletionPause) == Wake::kCancelled) break;
  }
  Tell(pass.seen, EventSeverity::kWarning, "FailedDeleteNode",
       "error deleting Machine's node \"" + node + "\"");
  Show(pass, capi::reasons::kDeletingNode,
       "Error deleting Node, please check controller logs for errors");
  const Duration limit = Seconds(pass.seen.spec.handed_down.node_deletion_timeout_seconds);
  if (limit > Duration::zero()) pass.LookAgain(*pass.seen.meta.deleting_since + limit);
  NoteFailure(pass, deleted.error());
  co_return false;
}

}  // namespace millwright::controllers::contract
