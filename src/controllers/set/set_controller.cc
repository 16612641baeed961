#include "controllers/set/set_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/shared/ownership.h"
#include "controllers/shared/pace.h"
#include "controllers/shared/still_wished.h"
#include "controllers/shared/unreadable.h"
#include "core/preserve/automatic.h"
#include "core/replicas/counts.h"
#include "core/replicas/names.h"

namespace millwright::controllers {

using dialects::MachineRecord;
using dialects::SetRecord;
using kube::ObjectKey;
using kube::Requeue;

namespace {

// What somebody else undid is said again after that.
constexpr Duration kBetweenQuarrels = std::chrono::seconds(5);

OwnerView ViewOf(const SetRecord& set) {
  return {.uid = set.meta.uid, .deleting = set.core.deleting};
}

bool CarriesAll(const kube::Labels& wanted, const kube::TextMap& labels) {
  return std::ranges::all_of(
      wanted, [&](const auto& entry) { return labels.Get(entry.first) == entry.second; });
}

// Whether the selector asks for nothing but labels of the template: who carries those is selected.
bool TemplateDecides(const SetRecord& set) {
  const kube::Labels& labels = set.machine_template.labels;
  return set.selector.Matches(labels) &&
         std::ranges::all_of(set.selector.requirements(), [&](const kube::LabelRequirement& asked) {
           return labels.contains(asked.key);
         });
}

// Machines of a set that is going are its own whatever their labels say.
bool Selects(const SetRecord& set, const MachineRecord& machine) {
  return set.core.deleting || Matches(set.selector, machine.labels);
}

bool Names(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// What names of this set have been used for machines that go now, so that they are not used again.
std::uint32_t FloorAbove(const SetRecord& set, std::span<const std::string> names) {
  const core::NameSequence sequence(set.meta.uid);
  std::uint32_t floor = set.name_floor;
  for (const std::string& name : names) {
    if (name.size() <= set.meta.key.name.size()) continue;
    const auto serial =
        sequence.SerialOf(std::string_view(name).substr(set.meta.key.name.size() + 1));
    if (serial) floor = std::max(floor, *serial + 1);
  }
  return floor;
}

}  // namespace

SetController::SetController(Surroundings& s, Caches& caches)
    : surroundings_(s),
      caches_(caches),
      log_(s.log.For("controllers.set")),
      sets_(s.control, s.dialect.kinds().set.resource, caches.sets.guard()),
      machines_(s.control, s.dialect.kinds().machine.resource, caches.machines.guard()),
      controller_(s.executor, s.clock, log_, {.name = "machineset", .workers = s.settings.workers},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  caches_.sets.OnChange([this](const SetRecord* before, const SetRecord* after) {
    if (after == nullptr) {
      created_.erase(before->meta.uid);
      complained_.erase(before->meta.uid);
    }
    controller_.queue().Add((after != nullptr ? after : before)->meta.key);
  });
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    if (before != nullptr) WakeOwnersOf(*before);
    if (after != nullptr) WakeOwnersOf(*after);
    if (after == nullptr || after->meta.deleting_since) {
      removed_.erase((after != nullptr ? after : before)->meta.uid);
    }
  });
  caches_.machines.OnBroken([this](const kube::Unreadable& machine) {
    controller_.queue().Add({machine.meta.key.namespace_, machine.owner_name});
  });
}

void SetController::WakeOwnersOf(const MachineRecord& machine) {
  if (machine.owner) {
    controller_.queue().Add({machine.meta.key.namespace_, machine.owner->name});
    return;
  }
  for (const SetRecord& set : caches_.sets.store().objects()) {
    if (!set.selector.IsEverything() && Matches(set.selector, machine.labels)) {
      controller_.queue().Add(set.meta.key);
    }
  }
}

Task<Result<Requeue>> SetController::Reconcile(ObjectKey key) {
  const SetRecord* found = caches_.sets.store().Find(key);
  if (found == nullptr) co_return Requeue::WhenChanged();
  SetRecord set = *found;  // ours: the cache may change at each wait
  if (IsBehind(set)) co_return Requeue::After(kube::WriteGuard::kLookAgain);
  const std::string& finalizer = surroundings_.dialect.names().finalizer;

  if (!set.problem.empty() && !set.core.deleting) {
    const auto said = complained_.find(set.meta.uid);
    if (said != complained_.end() && said->second == set.meta.generation) {
      co_return Requeue::WhenChanged();
    }
    CO_CHECK(co_await Report(set, FindMembers(set), Fail(ErrorKind::kInvalid, set.problem)));
    complained_.insert_or_assign(set.meta.uid, set.meta.generation);
    Tell(set, kube::EventSeverity::kWarning, "InvalidSpec", set.problem);
    co_return Requeue::WhenChanged();
  }
  if (!set.core.deleting && With(set.finalizers, finalizer)) {
    CO_CHECK(co_await sets_.AddFinalizer(set.meta, set.finalizers, finalizer));
    co_return Requeue::WhenChanged();
  }
  Members members = FindMembers(set);
  CO_TRY(const bool claimed, co_await Claim(set, members));
  const kube::Unreadable* unreadable = caches_.machines.store().FindBroken(set.meta.uid);
  if (unreadable != nullptr && !set.core.deleting) co_return co_await Hold(set, *unreadable);
  if (claimed) members = FindMembers(set);
  if (set.core.deleting) co_return co_await Finish(set, members);

  // A pass that wrote to machines ends: what it knows of them is old now, and their change wakes
  // us.
  CO_TRY(const bool handed_down, co_await HandDown(set, members));
  if (handed_down) co_return Requeue::WhenChanged();
  CO_TRY(const bool kept, co_await KeepFailed(set, members));
  if (kept) co_return Requeue::WhenChanged();
  const core::ReplicaPlan plan = core::PlanReplicas(
      set.core, members.machines, surroundings_.dialect.replicas(), surroundings_.clock.Now());
  const Result<void> carried = co_await Carry(set, plan);
  CO_CHECK(co_await Report(set, members, carried));
  CO_CHECK(carried);
  // There may be more to do than one pass does.
  if (plan.create > 0 || !plan.remove.empty()) co_return Requeue::WhenChanged();
  co_return Requeue::WhenChanged().Resting(RestAfter(members.machines.size(), kCloudPace));
}

// A machine that cannot be read is there all the same: whoever counts the others alone would make
// one in its place.
Task<Result<Requeue>> SetController::Hold(const SetRecord& set, kube::Unreadable machine) {
  const Result<void> held = Failure(CannotBeRead("machine", machine));
  Tell(set, kube::EventSeverity::kWarning, "UnreadableMachine", held.error().message());
  CO_CHECK(co_await Report(set, FindMembers(set), held));
  co_return Failure(held.error());
}

// Whether the cache lacks something that we did.
bool SetController::IsBehind(const SetRecord& set) {
  if (caches_.sets.guard().IsBehind(set.meta.key)) return true;
  const auto waiting = created_.find(set.meta.uid);
  if (waiting == created_.end()) return false;
  // Only as far as the first that is missing: each machine's arrival asks this again.
  std::vector<ObjectKey>& unseen = waiting->second;
  while (!unseen.empty() && !caches_.machines.guard().IsBehind(unseen.back())) unseen.pop_back();
  if (!unseen.empty()) return true;
  created_.erase(waiting);
  return false;
}

Task<Result<bool>> SetController::Claim(const SetRecord& set, const Members& members) {
  std::vector<std::pair<core::Claim, kube::Meta>> claims;
  const OwnerView owner = ViewOf(set);
  const auto look = [&](const MachineRecord& machine, bool selected) {
    const core::Claim claim =
        Judge(owner, machine.owner.pointer(), selected, machine.core.IsDeleting());
    if (claim == core::Claim::kAdopt || claim == core::Claim::kRelease) {
      claims.emplace_back(claim, machine.meta);
    }
  };
  for (const MachineRecord* machine : members.strays) look(*machine, false);
  if (!set.selector.IsEverything()) {
    for (const MachineRecord* machine : caches_.machines_by_owner.Find("")) {
      look(*machine, Matches(set.selector, machine->labels));
    }
  }
  bool written = false;
  const dialects::Kinds& kinds = surroundings_.dialect.kinds();
  for (auto& [claim, machine] : claims) {
    if (caches_.machines.guard().IsBehind(machine.key)) continue;
    const Adoption adoption{kinds.set, set.meta, kinds.machine, machine};
    kube::WriteGuard& guard = caches_.machines.guard();
    written = true;
    if (claim == core::Claim::kAdopt) {
      CO_CHECK(co_await Adopt(surroundings_.control, guard, adoption));
    } else {
      CO_CHECK(co_await Release(surroundings_.control, guard, adoption));
    }
  }
  co_return written;
}

SetController::Members SetController::FindMembers(const SetRecord& set) const {
  Members members;
  const auto& owned = caches_.machines_by_owner.Find(set.meta.uid.str());
  members.records.reserve(owned.size());
  members.machines.reserve(owned.size());
  const bool template_decides = TemplateDecides(set);
  for (const MachineRecord* record : owned) {
    const bool labelled = CarriesAll(set.machine_template.labels, record->labels);
    if (!(labelled && template_decides) && !Selects(set, *record)) {
      members.strays.push_back(record);
      continue;
    }
    members.records.push_back(record);
    core::Machine& machine = members.machines.emplace_back(caches_.Observe(*record));
    machine.fully_labelled = labelled;
    if (!machine.deleting_since && removed_.contains(record->meta.uid)) {
      machine.deleting_since = surroundings_.clock.Now();
    }
  }
  return members;
}

Task<Result<bool>> SetController::HandDown(const SetRecord& set, const Members& members) {
  // Collected first: the records belong to the cache, which changes while we wait.
  Patches patches;
  for (std::size_t i = 0; i < members.records.size(); ++i) {
    const MachineRecord& machine = *members.records[i];
    if (machine.core.IsDeleting() || machine.core.phase == core::Phase::kFailed) continue;
    const bool labelled = members.machines[i].fully_labelled;
    if (labelled && machine.passes == set.machine_template.passes) continue;
    if (caches_.machines.guard().IsBehind(machine.meta.key)) continue;
    auto patch = surroundings_.dialect.HandedDown(set, machine);
    if (!patch.empty()) patches.emplace_back(machine.meta, std::move(patch));
  }
  co_return co_await WriteToMachines(std::move(patches));
}

Task<Result<bool>> SetController::KeepFailed(const SetRecord& set, const Members& members) {
  const core::AutoPreservePlan plan =
      core::PlanAutoPreservation(members.machines, set.auto_preserve_max);
  Patches patches;
  for (const MachineRecord* machine : members.records) {
    const bool keep = Names(plan.keep, machine->meta.key.name);
    if (!keep && !Names(plan.release, machine->meta.key.name)) continue;
    patches.emplace_back(machine->meta, surroundings_.dialect.AutoPreserved(*machine, keep));
  }
  co_return co_await WriteToMachines(std::move(patches));
}

Task<Result<bool>> SetController::WriteToMachines(Patches patches) {
  // Caches have no order; what is done has one that does not depend on how machines came.
  std::ranges::sort(patches, {},
                    [](const auto& entry) -> const std::string& { return entry.first.key.name; });
  for (auto& [machine, patch] : patches) {
    CO_CHECK(co_await machines_.Patch(machine, std::move(patch)));
  }
  co_return !patches.empty();
}

Task<Result<void>> SetController::Carry(SetRecord& set, const core::ReplicaPlan& plan) {
  if (plan.create > 0) co_return co_await CreateMachines(set, plan.create);
  if (!plan.remove.empty()) co_return co_await RemoveMachines(set, plan);
  co_return Ok();
}

Task<Result<void>> SetController::CreateMachines(const SetRecord& set, int count) {
  const auto is_taken = [this, &set, key = set.meta.key](const std::string& name) mutable {
    key.name = name;
    const MachineRecord* machine = caches_.machines.store().Find(key);
    return machine != nullptr && machine->owner && machine->owner->uid == set.meta.uid &&
           Selects(set, *machine);
  };
  core::FreshNames fresh =
      core::NextNames(set.meta.uid, set.meta.key.name + "-", is_taken, set.name_floor, count);
  // After the names: they go with what was decided upon, and another who decided alike may be at
  // it.
  CO_CHECK(co_await StillWished(surroundings_.control, surroundings_.dialect.kinds().set.resource,
                                set.meta));
  std::size_t next = 0;
  for (const int batch : core::SlowStartBatches(count)) {
    Result<void> failed;
    TaskGroup group(surroundings_.executor);
    for (int i = 0; i < batch; ++i, ++next) {
      group.Spawn([this, &set, &failed, &name = fresh.names[next]] {
        return CreateMachine(set, name, failed);
      });
    }
    co_await group.Join();
    CO_CHECK(failed);
  }
  co_return Ok();
}

Task<void> SetController::CreateMachine(const SetRecord& set, const std::string& name,
                                        Result<void>& failed) {
  const ObjectKey key{set.meta.key.namespace_, name};
  auto body = surroundings_.dialect.NewMachine(set, name);
  Result<void> created = body ? co_await machines_.Create(key, *std::move(body))
                              : Result<void>(Failure(std::move(body).error()));
  if (created) {
    created_[set.meta.uid].push_back(key);
    Tell(set, kube::EventSeverity::kNormal, "SuccessfulCreate", "Created Machine: " + name);
    co_return;
  }
  // Somebody who decided alike was faster, or our own answer was lost: the cache will show it.
  if (created.error().kind() == ErrorKind::kAlreadyExists) {
    failed = Fail(ErrorKind::kUnavailable, "machine " + name + " exists and is not seen yet");
    co_return;
  }
  Tell(set, kube::EventSeverity::kWarning, "FailedCreate",
       "Error creating: " + created.error().message());
  failed = std::move(created);
}

Task<void> SetController::RemoveMachine(const SetRecord& set, const kube::Meta& machine,
                                        Result<void>& failed) {
  auto removed = co_await machines_.Delete(machine);
  if (!removed) {
    Tell(set, kube::EventSeverity::kWarning, "FailedDelete",
         "Error deleting: " + removed.error().message());
    failed = std::move(removed);
    co_return;
  }
  removed_.insert(machine.uid);
  Tell(set, kube::EventSeverity::kNormal, "SuccessfulDelete",
       "Deleted Machine: " + machine.key.name);
}

Task<Result<void>> SetController::RemoveMachines(SetRecord& set, const core::ReplicaPlan& plan) {
  std::vector<kube::Meta> going;
  std::vector<std::string> names;
  for (const core::Removal& removal : plan.remove) {
    const MachineRecord* record =
        caches_.machines.store().Find({set.meta.key.namespace_, removal.name});
    if (record == nullptr || record->core.IsDeleting()) continue;
    // One that we wrote to and do not see so yet may be another set's by now; its change wakes us.
    if (caches_.machines.guard().IsBehind(record->meta.key)) continue;
    going.push_back(record->meta);
    names.push_back(removal.name);
  }
  const std::uint32_t floor = FloorAbove(set, names);
  if (floor != set.name_floor) {
    CO_TRY(set.meta.resource_version,
           co_await sets_.Patch(set.meta, surroundings_.dialect.NameFloor(set, floor)));
    set.name_floor = floor;
  }
  // What cannot be removed does not keep the others.
  Result<void> result;
  TaskGroup group(surroundings_.executor);
  for (const kube::Meta& machine : going) {
    group.Spawn([this, &set, &machine, &result] { return RemoveMachine(set, machine, result); });
  }
  co_await group.Join();
  co_return result;
}

Task<Result<void>> SetController::Report(const SetRecord& set, const Members& members,
                                         const Result<void>& carried) {
  dialects::SetReport report{.counts = core::CountMachines(members.machines)};
  if (!carried) {
    report.failure = {
        .creating = report.counts.replicas < set.core.replicas || !set.problem.empty(),
        .message = carried.error().message()};
  }
  for (const MachineRecord* machine : caches_.machines_by_owner.Find(set.meta.uid.str())) {
    if (machine->operation.state != dialects::OperationState::kFailed) continue;
    if (!Selects(set, *machine)) continue;
    const bool kept =
        machine->core.phase == core::Phase::kFailed && machine->core.preservation.until;
    if (kept) continue;
    report.failed.push_back({.name = machine->meta.key.name,
                             .instance = machine->instance,
                             .owner = set.meta.key.name,
                             .operation = machine->operation});
  }
  // Caches have no order, and what is the same must look the same to a second leader.
  std::ranges::sort(report.failed, {}, &dialects::FailedMachine::name);
  auto patch = surroundings_.dialect.SetStatus(set, report, surroundings_.clock.Now());
  if (patch.empty()) co_return Ok();
  // Two leaders with caches of different age would else correct each other as fast as the API
  // server answers: what somebody else undid is said again after a while.
  const SteadyTime time = surroundings_.clock.Elapsed();
  std::erase_if(said_,
                [&](const auto& said) { return time >= said.second.when + kBetweenQuarrels; });
  Said saying{.counts = report.counts,
              .failure = report.failure ? report.failure->message : std::string(),
              .generation = set.meta.generation,
              .failed = report.failed,
              .when = time};
  const auto said = said_.find(set.meta.uid);
  if (said != said_.end() && said->second.counts == saying.counts &&
      said->second.failure == saying.failure && said->second.generation == saying.generation &&
      said->second.failed == saying.failed) {
    controller_.queue().AddAfter(set.meta.key, said->second.when + kBetweenQuarrels - time);
    co_return Ok();
  }
  CO_CHECK(co_await sets_.Patch(set.meta, std::move(patch), "status"));
  said_.insert_or_assign(set.meta.uid, std::move(saying));
  co_return Ok();
}

Task<Result<Requeue>> SetController::Finish(SetRecord set, const Members& members) {
  if (members.records.empty()) {
    const kube::Unreadable* unreadable = caches_.machines.store().FindBroken(set.meta.uid);
    if (unreadable != nullptr) co_return Failure(CannotBeRead("machine", *unreadable));
    CO_CHECK(co_await sets_.RemoveFinalizer(set.meta, set.finalizers,
                                            surroundings_.dialect.names().finalizer));
    co_return Requeue::WhenChanged();
  }
  core::ReplicaPlan all;
  for (const core::Machine& machine : members.machines) {
    if (!machine.IsDeleting()) all.remove.push_back({machine.name, core::RemovalReason::kSetGoes});
  }
  std::ranges::sort(all.remove, {}, &core::Removal::name);
  const Result<void> carried = co_await RemoveMachines(set, all);
  CO_CHECK(co_await Report(set, members, carried));
  CO_CHECK(carried);
  co_return Requeue::WhenChanged();
}

void SetController::Tell(const SetRecord& set, kube::EventSeverity severity, std::string reason,
                         std::string message) {
  const kube::GroupVersionKind& kind = surroundings_.dialect.kinds().set.kind;
  surroundings_.events.Record({.about = {kind.ApiVersion(), kind.kind, set.meta.key, set.meta.uid},
                               .severity = severity,
                               .reason = std::move(reason),
                               .message = std::move(message)});
}

}  // namespace millwright::controllers
