#include "controllers/machine/machine_controller.h"

namespace millwright::controllers {

using dialects::MachineRecord;
using dialects::MachineReport;
using dialects::NodeRecord;
using kube::ObjectKey;
using kube::Requeue;

MachineController::MachineController(Surroundings& s, Caches& caches,
                                     const providers::CloudRegistry& clouds)
    : surroundings_(s),
      caches_(caches),
      log_(s.log.For("controllers.machine")),
      classes_(s, caches, clouds),
      sightings_(s.clock),
      machines_(s.control, s.dialect.kinds().machine.resource, caches.machines.guard()),
      update_condition_(s.dialect.UpdateCondition(core::UpdateStage::kCandidate, {}).type),
      controller_(s.executor, s.clock, log_, {.name = "machine", .workers = s.settings.workers},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }),
      drainer_(s, caches, [this](const ObjectKey& key) { controller_.queue().Add(key); }),
      tasks_(s.executor) {
  if (s.target != nullptr) {
    nodes_.emplace(*s.target, caches.nodes->guard());
    tokens_.emplace(*s.target, s.clock, s.random, s.settings.token_groups);
    caches_.nodes->OnChange(
        [this](const NodeRecord* before, const NodeRecord* after) { OnNode(before, after); });
  }
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    OnMachine(before, after);
  });
  caches_.classes.OnChange([this](const auto* before, const auto* after) {
    const std::string& name = (after != nullptr ? after : before)->meta.key.name;
    for (const MachineRecord* machine : caches_.machines_by_class.Find(name)) {
      controller_.queue().Add(machine->meta.key);
    }
  });
}

Task<void> MachineController::Run() {
  tasks_.Spawn([this] { return drainer_.Run(); });
  co_await controller_.Run();
  tasks_.Cancel();
  co_await tasks_.Join();
}

void MachineController::OnMachine(const MachineRecord* before, const MachineRecord* after) {
  const MachineRecord& machine = after != nullptr ? *after : *before;
  controller_.queue().Add(machine.meta.key);
  sightings_.Saw(before, after, caches_.machines.synced());
  if (after == nullptr) {
    ForgetDrain(machine.meta.uid);
    let_go_.erase(machine.meta.uid);
    reset_.erase(machine.meta.key);
  }
  const bool same_phase =
      before != nullptr && after != nullptr && before->core.phase == after->core.phase;
  if (same_phase) return;
  // There may be room now for the next of its siblings that is to be given up.
  const auto waiting = waiting_.find(DeploymentOf(machine));
  if (waiting == waiting_.end()) return;
  for (const ObjectKey& key : waiting->second) controller_.queue().Add(key);
}

void MachineController::OnNode(const NodeRecord* before, const NodeRecord* after) {
  const NodeRecord& node = after != nullptr ? *after : *before;
  const std::string& name = node.meta.key.name;
  for (const MachineRecord* machine : caches_.machines_by_node.Find(name)) {
    // What is nearly there is brought to its end before more is begun.
    const bool joins = machine->core.phase == core::Phase::kJoining;
    controller_.queue().Add(machine->meta.key,
                            joins ? kube::Priority::kUrgent : kube::Priority::kNormal);
  }
}

void MachineController::Thaw() {
  frozen_ = false;
  for (const MachineRecord& machine : caches_.machines.store().objects()) {
    if (machine.core.phase == core::Phase::kUnhealthy) reset_.insert(machine.meta.key);
    controller_.queue().Add(machine.meta.key);
  }
}

Task<Result<Requeue>> MachineController::Reconcile(ObjectKey key) {
  const MachineRecord* found = caches_.machines.store().Find(key);
  if (found == nullptr) co_return Requeue::WhenChanged();
  if (let_go_.contains(found->meta.uid)) co_return Requeue::WhenChanged();
  if (caches_.machines.guard().IsBehind(key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  // Copies: the cache may change at each wait.
  if (found->meta.deleting_since) co_return co_await Remove(*found);
  co_return co_await Live(*found);
}

Requeue MachineController::After(core::Retry retry) const {
  return Requeue::After(core::DelayFor(retry, surroundings_.settings.retry));
}

Task<Result<void>> MachineController::Show(MachineRecord& machine, MachineReport report) {
  auto notes = surroundings_.dialect.MachineNotes(machine, report);
  CO_TRY(machine.meta.resource_version, co_await machines_.Patch(machine.meta, std::move(notes)));
  auto patch = surroundings_.dialect.MachineStatus(machine, report, surroundings_.clock.Now());
  CO_TRY(machine.meta.resource_version,
         co_await machines_.Patch(machine.meta, std::move(patch), "status"));
  if (report.phase) machine.core.phase = *report.phase;
  if (report.what == MachineReport::What::kDeletion) machine.stage = report.stage;
  co_return Ok();
}

// Something that a person has to mend; said on the object, others go on.
Task<Result<Requeue>> MachineController::Complain(MachineRecord machine, std::string problem,
                                                  core::Retry retry) {
  if (machine.operation.description.view().find(problem) == std::string::npos) {
    Tell(machine, kube::EventSeverity::kWarning, "MachineBlocked", problem);
  }
  CO_CHECK(co_await Show(machine, {.what = MachineReport::What::kProblem,
                                   .message = std::move(problem),
                                   .state = dialects::OperationState::kFailed}));
  co_return After(retry);
}

providers::MachineIdentity MachineController::IdentityOf(const MachineRecord& machine) const {
  return {.uid = machine.meta.uid,
          .name = machine.meta.key.name,
          .namespace_ = machine.meta.key.namespace_,
          .instance = machine.instance};
}

std::string MachineController::DeploymentOf(const MachineRecord& machine) const {
  return std::string(machine.labels.At(surroundings_.dialect.names().deployment_label));
}

void MachineController::Tell(const MachineRecord& machine, kube::EventSeverity severity,
                             std::string reason, std::string message) {
  const kube::GroupVersionKind& kind = surroundings_.dialect.kinds().machine.kind;
  surroundings_.events.Record(
      {.about = {kind.ApiVersion(), kind.kind, machine.meta.key, machine.meta.uid},
       .severity = severity,
       .reason = std::move(reason),
       .message = std::move(message)});
}

}  // namespace millwright::controllers
