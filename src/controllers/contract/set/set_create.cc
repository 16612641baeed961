#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include <algorithm>

#include "controllers/contract/set/set_controller.h"
#include "controllers/contract/set/set_names.h"
#include "controllers/contract/shared/resources.h"
#include "controllers/shared/still_wished.h"
#include "dialects/capi/clone.h"
#include "dialects/capi/machine_body.h"
#include "dialects/capi/naming.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
using capi::MachineRecord;

namespace {

// A clone so young may be of a machine whose creation is still on its way, by us or by another who
// believes that he leads.
constexpr Duration kOrphanAge = std::chrono::minutes(1);

// So many requests, or machines on their way, at once: enough to keep a server busy, and few enough
// that the first ones are not kept waiting by the last.
constexpr std::size_t kAtOnce = 128;

const std::string& NameOf(const MachineRecord* machine) { return machine->meta.key.name; }

kube::PatchOptions As(std::string_view manager) {
  return {
      .write = {.field_manager = std::string(manager), .subresource = {}, .field_validation = {}},
      .force = true};
}

std::uint32_t FloorFor(const capi::SetRecord& set, const std::vector<core::Machine>& machines,
                       const core::ReplicaPlan& plan) {
  std::set<std::string_view> going;
  for (const core::Machine& machine : machines) {
    if (machine.deleting_since) going.insert(machine.name);
  }
  for (const core::Removal& removal : plan.remove) going.insert(removal.name);
  return FloorAbove(set, going, machines.size());
}

}  // namespace

// Names of machines that go are not used again.
Task<Result<void>> SetController::RaiseFloor(Pass& pass, std::uint32_t floor) {
  if (floor == capi::NameFloorOf(pass.set)) co_return Ok();
  const std::string key(capi::annotations::kState);
  const std::string note = capi::NameFloorNote(floor);
  CO_TRY(pass.set.meta.resource_version,
         co_await sets_.Patch(pass.set.meta, {{"metadata", {{"annotations", {{key, note}}}}}}));
  pass.set.annotations.insert_or_assign(key, note);
  co_return Ok();
}

Task<void> SetController::Scale(Pass& pass) {
  if (!pass.set.spec.replicas) {
    pass.Note(Fail(ErrorKind::kInvalid, "spec.replicas is not set"));
    co_return;
  }
  const Members members = FindMembers(pass.set);
  std::vector<core::Machine> machines;
  for (const MachineRecord* member : members) {
    machines.push_back(ViewOf(*member));
    if (removed_.contains(member->meta.uid) && !machines.back().deleting_since) {
      machines.back().deleting_since = surroundings_.clock.Now();
    }
  }
  const core::ReplicaPlan plan = core::PlanReplicas(
      ViewOf(pass.set), machines, ReplicaPolicyOf(pass.set), surroundings_.clock.Now());
  std::vector<kube::Meta> going;
  for (const core::Removal& removal : plan.remove) {
    const auto machine = std::ranges::lower_bound(members, removal.name, {}, NameOf);
    // One that we wrote to and do not see so yet may be another set's by now; its change wakes us.
    if (caches_.machines.guard().IsBehind((*machine)->meta.key)) continue;
    going.push_back((*machine)->meta);
  }
  const std::uint32_t floor = FloorFor(pass.set, machines, plan);
  Result<std::vector<std::string>> names = FreshNames(pass.set, floor, plan.create);

  // From here on the records are not looked at: they may have changed.
  if (Result<void> raised = co_await RaiseFloor(pass, floor); !raised) {
    pass.Note(std::move(raised));
    co_return;
  }
  if (plan.create > 0) {
    auto preflight = Preflight(pass);
    if (!preflight) {
      pass.Note(Failure(preflight.error()));
      co_return;
    }
    pass.facts.preflight = *std::move(preflight);
    if (!pass.facts.preflight.empty()) co_return;  // what fails changes, and that wakes us
    if (auto wished = co_await StillWished(surroundings_.management, kSets, pass.set.meta);
        !wished) {
      pass.Note(std::move(wished));
      co_return;
    }
    Result<void> created = names ? co_await Create(pass, *names) : Failure(names.error());
    if (!created) pass.facts.creation_problem = created.error().message();
    pass.Note(std::move(created));
  }
  pass.Note(co_await RemoveMachines(pass, std::move(going)));
  if (!plan.move.empty()) co_await Move(pass, plan.move);
}

Task<Result<json::object>> SetController::ReadTemplate(capi::Reference reference,
                                                       std::string namespace_) {
  CO_TRY(const std::optional<kube::Document> found,
         co_await externals_.Get(reference, std::move(namespace_)));
  if (!found) {
    co_return Fail(ErrorKind::kUnavailable,
                   fmt::format("{} {} does not exist", reference.kind, reference.name));
  }
  CO_TRY(json::value tree, found->Tree());
  co_return std::move(tree).as_object();
}

Task<Result<SetController::Sources>> SetController::ReadTemplates(const Pass& pass) {
  const capi::MachineSpec& wish = pass.set.spec.machine_template.spec;
  const std::string& space = pass.set.meta.key.namespace_;
  Sources sources;
  CO_TRY(sources.infrastructure, co_await ReadTemplate(wish.infrastructure, space));
  if (wish.bootstrap.defined()) {
    CO_TRY(sources.bootstrap, co_await ReadTemplate(wish.bootstrap, space));
  }
  co_return sources;
}

// Applying to one that exists would make it ours, whoever's it is.
Result<std::vector<std::string>> SetController::FreshNames(const capi::SetRecord& set,
                                                           std::uint32_t floor, int count) const {
  if (count == 0) return std::vector<std::string>();
  std::set<std::string_view> taken;
  for (const MachineRecord* machine :
       caches_.machines_by_cluster.Find(ClusterKey(ClusterOf(set)))) {
    taken.insert(machine->meta.key.name);
  }
  return NewMachineNames(set, floor, taken, count);
}

Task<Result<void>> SetController::Create(Pass& pass, const std::vector<std::string>& names) {
  CO_TRY(const Sources sources, co_await ReadTemplates(pass));
  std::size_t next = 0;
  for (const int batch : core::SlowStartBatches(static_cast<int>(names.size()))) {
    const std::size_t end = next + static_cast<std::size_t>(batch);
    while (next < end) {
      Result<void> failed;
      TaskGroup group(surroundings_.executor);
      for (std::size_t i = 0; i < kAtOnce && next < end; ++i, ++next) {
        group.Spawn([this, &pass, &sources, &name = names[next], &failed] {
          return CreateOne(pass, sources, name, failed);
        });
      }
      co_await group.Join();
      CO_CHECK(std::move(failed));
    }
  }
  co_return Ok();
}

Task<void> SetController::CreateOne(const Pass& pass, const Sources& sources, std::string name,
                                    Result<void>& failed) {
  Result<void> created = co_await CreateParts(pass, sources, name);
  if (created) {
    Tell(pass.set, kube::EventSeverity::kNormal, "SuccessfulCreate",
         fmt::format("Created Machine {}", name));
    co_return;
  }
  // What is left of it is found and removed in the next look.
  swept_.erase(pass.set.meta.uid);
  failed = std::move(created);
}

// Bootstrap, infrastructure, machine: whoever sees a machine finds what it names. If one fails,
// those before it stay: another who decided alike may have made a machine of them. If nobody has,
// they are swept.
Task<Result<void>> SetController::CreateParts(const Pass& pass, const Sources& sources,
                                              std::string name) {
  const capi::SetRecord& set = pass.set;
  const capi::MachineSpec& wish = set.spec.machine_template.spec;
  const std::string& space = set.meta.key.namespace_;
  capi::Reference bootstrap;
  if (sources.bootstrap) {
    CO_TRY(bootstrap, co_await CreateClone(pass, *sources.bootstrap, wish.bootstrap, name));
  }
  CO_TRY(const capi::Reference infrastructure,
         co_await CreateClone(pass, sources.infrastructure, wish.infrastructure, name));
  const kube::ObjectKey key{space, name};
  CO_TRY(
      const kube::Document applied,
      co_await surroundings_.management.Apply(
          kMachines, key, json::serialize(capi::MachineBody(set, name, bootstrap, infrastructure)),
          As(capi::managers::kSet)));
  const auto meta = applied.ReadMeta();
  if (meta) caches_.machines.guard().Expect(key, meta->resource_version);
  created_[set.meta.uid].push_back(key);
  co_return Ok();
}

Task<Result<capi::Reference>> SetController::CreateClone(const Pass& pass,
                                                         const json::object& source,
                                                         capi::Reference from, std::string name) {
  const capi::SetRecord& set = pass.set;
  const capi::Reference reference = capi::CloneReference(from, name);
  CO_TRY(const ServedKind served, externals_.Lookup(KindOf(reference)));
  const kube::ObjectKey key{set.meta.key.namespace_, name};
  CO_TRY(const json::object body,
         capi::Clone(source, {.key = key,
                              .cluster = set.spec.cluster,
                              .labels = capi::LabelsForMachine(set),
                              .annotations = capi::AnnotationsForMachine(set),
                              .owner = capi::FirstOwner(capi::kSetKind, set)}));
  auto& client = surroundings_.management;
  CO_TRY(
      const kube::Document applied,
      co_await client.Apply(served.resource, key, json::serialize(body), As(capi::managers::kSet)));
  CO_TRY(const kube::Meta meta, applied.ReadMeta());
  if (kube::WriteGuard* guard = externals_.GuardOf(KindOf(reference))) {
    guard->Expect(key, meta.resource_version);
  }
  // A clone whose metadata could not be handed over is one all the same; a later look does it.
  (void)co_await HandOver(set, {KindOf(reference), served.resource, key}, applied);
  co_return reference;
}

Task<Result<void>> SetController::RemoveMachines(Pass& pass, std::vector<kube::Meta> machines) {
  Result<void> result;
  for (std::size_t begin = 0; begin < machines.size(); begin += kAtOnce) {
    TaskGroup group(surroundings_.executor);
    for (std::size_t i = begin; i < std::min(begin + kAtOnce, machines.size()); ++i) {
      group.Spawn([this, &pass, &machine = machines[i], &result] {
        return RemoveOne(pass, machine, result);
      });
    }
    co_await group.Join();
  }
  co_return result;
}

Task<void> SetController::RemoveOne(Pass& pass, kube::Meta machine, Result<void>& failed) {
  Result<void> removed = co_await machines_.Delete(machine);
  if (!removed) {
    if (failed) failed = std::move(removed);
    co_return;
  }
  removed_.insert(machine.uid);
  pass.wrote = true;
  Tell(pass.set, kube::EventSeverity::kNormal, "SuccessfulDelete",
       fmt::format("Deleted Machine {}", machine.key.name));
}

// Clones whose machine was never made: we, or whoever was before us, ended in between.
Task<void> SetController::SweepClones(Pass& pass) {
  if (swept_.contains(pass.set.meta.uid)) co_return;
  const capi::MachineSpec& wish = pass.set.spec.machine_template.spec;
  bool complete = true;
  for (const capi::Reference* from : {&wish.infrastructure, &wish.bootstrap}) {
    if (!from->defined()) continue;
    co_await SweepKind(pass, {from->group, capi::ClonedKind(from->kind)}, complete);
  }
  if (complete) {
    swept_.insert(pass.set.meta.uid);
  } else {
    pass.look_again = surroundings_.clock.Now() + kOrphanAge;
  }
}

Task<void> SetController::SweepKind(Pass& pass, ExternalKind kind, bool& complete) {
  const ExternalCache* clones = externals_.CacheOf(kind);
  if (clones == nullptr) {
    complete = false;
    co_return;
  }
  const capi::SetRecord& set = pass.set;
  std::vector<kube::Meta> orphans;
  clones->ForEach([&](const capi::ExternalRecord& clone) {
    if (clone.meta.key.namespace_ != set.meta.key.namespace_ || clone.deleting()) return;
    const kube::OwnerReference* owner = OwnerOfKind(clone, capi::kSetKind);
    if (owner == nullptr || owner->uid != set.meta.uid) return;
    const capi::Reference itself{
        .kind = kind.kind, .name = clone.meta.key.name, .group = kind.group};
    const std::string used = ReferenceKey(set.meta.key.namespace_, itself);
    if (!caches_.machines_by_reference.Find(used).empty()) return;
    if (clone.created + kOrphanAge > surroundings_.clock.Now()) {
      complete = false;
    } else {
      orphans.push_back(clone.meta);
    }
  });
  for (const kube::Meta& orphan : orphans) {
    // A cache may be behind: the machine is asked for once more, of the server.
    const auto machine = co_await surroundings_.management.Find(kMachines, orphan.key);
    if (!machine || *machine) {
      complete = complete && machine.has_value();
      continue;
    }
    pass.Note(co_await externals_.Delete(
        {.kind = kind.kind, .name = orphan.key.name, .group = kind.group}, orphan.key.namespace_,
        orphan.uid));
  }
}

}  // namespace millwright::controllers::contract
