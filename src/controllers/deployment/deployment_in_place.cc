// Machines that are changed and not replaced: old nodes are offered and chosen, and machines whose
// update succeeded change sets. Whoever drains and watches one node is the machine's controller.
#include <algorithm>

#include "controllers/deployment/deployment_controller.h"
#include "controllers/shared/ownership.h"

namespace millwright::controllers {

using dialects::MachineRecord;
using dialects::NodeRecord;
using dialects::SetRecord;
using dialects::UpdateMark;

namespace {

// Reports of sets lag: a machine that changed sets may be in both, and one more would be chosen for
// it.
void Recount(core::MachineSet& set, const std::vector<core::Machine>& machines) {
  const auto available = std::ranges::count_if(machines, [&](const core::Machine& machine) {
    return machine.set == set.name && machine.available && !machine.IsDeleting();
  });
  set.seen.available = std::min(set.seen.available, static_cast<int>(available));
}

}  // namespace

bool DeploymentController::UpdatesInPlace(const Pass& pass) const {
  const core::Strategy strategy = pass.deployment.core.strategy;
  return strategy == core::Strategy::kInPlaceAuto || strategy == core::Strategy::kInPlaceManual;
}

// Without nodes to look at nobody could say what became of an update, and to replace machines is
// not what was asked for. As long as there is nothing to update all is well.
bool DeploymentController::CanUpdateInPlace(const Pass& pass) {
  if (caches_.nodes) return true;
  const bool something_old = std::ranges::any_of(
      pass.scene.old, [](const core::MachineSet& set) { return set.replicas > 0; });
  if (!something_old) return true;
  const kube::Meta& meta = pass.deployment.meta;
  if (std::exchange(complained_[meta.uid], meta.generation) != meta.generation) {
    Tell(pass.deployment, kube::EventSeverity::kWarning, "InPlaceUpdateImpossible",
         "machines cannot be updated in place without a cluster that they join");
  }
  return false;
}

// Whether a machine or a node lacks something that we wrote: one that was chosen and does not show
// it would be chosen in addition to another.
bool DeploymentController::IsBehindInPlace(const Pass& pass) {
  if (!caches_.nodes) return false;
  for (const SetRecord& set : pass.sets) {
    for (const MachineRecord* machine : caches_.machines_by_owner.Find(set.meta.uid.str())) {
      if (caches_.machines.guard().IsBehind(machine->meta.key)) return true;
      if (caches_.nodes->guard().IsBehind({.namespace_ = {}, .name = machine->node})) return true;
    }
  }
  return false;
}

std::vector<core::Machine> DeploymentController::ObserveAll(const Pass& pass) const {
  std::vector<core::Machine> machines;
  for (const SetRecord& set : pass.sets) {
    std::vector<const MachineRecord*> members;
    for (const MachineRecord* machine : caches_.machines_by_owner.Find(set.meta.uid.str())) {
      members.push_back(machine);
    }
    // An order that does not depend on how they came.
    std::ranges::sort(
        members, {}, [](const MachineRecord* m) -> const std::string& { return m->meta.key.name; });
    for (const MachineRecord* record : members) {
      core::Machine machine = caches_.Observe(*record);
      machine.set = set.core.name;
      dialects::NodeFacts facts;
      if (const NodeRecord* node = caches_.FindNode(record->node)) {
        facts = surroundings_.dialect.ReadNodeFacts(*node);
      }
      machine.in_place.candidate = facts.candidate;
      machine.in_place.selected = facts.selected;
      // The machine's word is of its last update, which may have been an earlier one.
      machine.in_place.succeeded = machine.in_place.succeeded && facts.update_result > 0;
      machines.push_back(std::move(machine));
    }
  }
  return machines;
}

void DeploymentController::PlanInPlace(Pass& pass) const {
  FollowDeployment(pass);
  core::stepwise::InPlaceScene scene{.base = pass.scene, .machines = ObserveAll(pass)};
  if (scene.base.current) Recount(*scene.base.current, scene.machines);
  for (core::MachineSet& old : scene.base.old) Recount(old, scene.machines);
  pass.in_place = core::stepwise::PlanInPlace(scene);
  const core::stepwise::InPlaceStep& step = *pass.in_place;
  if (step.create_current) PlanNewSet(pass, *step.create_current);
  if (step.thaw_current) pass.wishes[pass.scene.current->name].creation_disabled = false;
  if (step.freeze_old) {
    for (const core::MachineSet& old : pass.scene.old) {
      if (!old.deleting) pass.wishes[old.name].creation_disabled = true;
    }
  }
  // Sizes follow when the machines are seen in their new set, as after a crash (Settle). A set that
  // sees its new size first would remove the machine that it still seems to have, and the other
  // make one.
  if (step.transfer.empty()) {
    for (const core::Resize& resize : step.resize) SizeWithNotes(pass, resize);
  }
  pass.moved = pass.moved || !step.transfer.empty() || !step.select.empty();
}

Task<Result<void>> DeploymentController::Transfer(const Pass& pass) {
  const dialects::Kinds& kinds = surroundings_.dialect.kinds();
  for (const core::stepwise::Transfer& transfer : pass.in_place->transfer) {
    const MachineRecord* machine =
        caches_.machines.store().Find({pass.deployment.meta.key.namespace_, transfer.machine});
    if (machine == nullptr) continue;
    const SetRecord& from = *pass.Find(transfer.from);
    const SetRecord& to = *pass.Find(pass.scene.current->name);
    const std::string node = machine->node;
    CO_CHECK(co_await HandOver(surroundings_.control, caches_.machines.guard(),
                               {kinds.set, to.meta, kinds.machine, machine->meta}, from.meta.uid,
                               surroundings_.dialect.Transferred(*machine, from, to)));
    CO_CHECK(co_await MarkNode(node, UpdateMark::kAccept));
  }
  co_return Ok();
}

Task<Result<void>> DeploymentController::MarkUpdates(const Pass& pass) {
  const core::stepwise::InPlaceStep& step = *pass.in_place;
  for (const std::string& name : step.settle)
    CO_CHECK(co_await Settle({pass.deployment.meta.key.namespace_, name}));
  std::vector<std::pair<std::string, UpdateMark>> marks;
  for (const SetRecord& set : pass.sets) {
    const bool current = pass.has_current() && set.core.name == pass.scene.current->name;
    for (const MachineRecord* machine : caches_.machines_by_owner.Find(set.meta.uid.str())) {
      const NodeRecord* node = caches_.FindNode(machine->node);
      if (node == nullptr) continue;
      const dialects::NodeFacts facts = surroundings_.dialect.ReadNodeFacts(*node);
      const bool offer = step.offer_old && !current;
      if (offer && !facts.candidate) marks.emplace_back(machine->node, UpdateMark::kOffer);
      // The template is its own again: nobody needs to update it.
      const bool withdraw = current && facts.candidate && !facts.selected;
      if (withdraw) marks.emplace_back(machine->node, UpdateMark::kWithdraw);
      const bool select =
          std::ranges::find(step.select, machine->meta.key.name) != step.select.end();
      if (select) marks.emplace_back(machine->node, UpdateMark::kSelect);
    }
  }
  for (auto& [node, mark] : marks) CO_CHECK(co_await MarkNode(std::move(node), mark));
  co_return Ok();
}

Task<Result<void>> DeploymentController::MarkNode(std::string name, UpdateMark mark) {
  const NodeRecord* node = caches_.FindNode(name);
  if (node == nullptr) co_return Ok();
  NodeChange change = surroundings_.dialect.UpdateMarked(*node, mark);
  if (change.none()) co_return Ok();
  NodeWriter writer(*surroundings_.target, caches_.nodes->guard());
  const auto written = co_await writer.Write(node->meta, std::move(change));
  if (!written && written.error().kind() == ErrorKind::kNotFound) co_return Ok();
  co_return written;
}

// The node first: the machine's own mark is what remembers that there is something to do.
Task<Result<void>> DeploymentController::Settle(kube::ObjectKey key) {
  const MachineRecord* machine = caches_.machines.store().Find(key);
  if (machine == nullptr) co_return Ok();
  const kube::Meta meta = machine->meta;
  auto patch = surroundings_.dialect.TransferSettled(*machine);
  CO_CHECK(co_await MarkNode(machine->node, UpdateMark::kSettle));
  CO_CHECK(co_await machines_.Patch(meta, std::move(patch)));
  co_return Ok();
}

}  // namespace millwright::controllers
