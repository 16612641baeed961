#include "controllers/safety/orphan_controller.h"

#include <algorithm>
#include <map>

#include "controllers/shared/live_node.h"
#include "controllers/shared/node_writer.h"
#include "kube/projection/list.h"

namespace millwright::controllers {

using core::FoundInstance;
using dialects::ClassRecord;
using dialects::MachineRecord;
using kube::ObjectKey;
using kube::Requeue;
using providers::Instance;

namespace {

// Machines go in crowds; one sweep is for all of them.
constexpr Duration kBetweenSweeps = std::chrono::seconds(30);

// On the node of an instance that is to go without its machine: the class whose sweep removes it.
constexpr const char* kOrphanOf = "millwright.dev/orphan-of-class";

FoundInstance FoundOf(const Instance& instance) {
  return {.id = instance.id, .machine = instance.machine, .made = instance.made};
}

core::MachineRecord RecordOf(const MachineRecord& machine) {
  return {.name = machine.meta.key.name, .instance = machine.instance, .phase = machine.core.phase};
}

// One of the same name that came later is not the machine that it was made for.
bool IsMadeFor(const Instance& instance, const MachineRecord& machine) {
  return instance.machine_uid.empty() || instance.machine_uid == machine.meta.uid;
}

bool HasSeveralInstances(const MachineRecord& machine) {
  return machine.operation.error_code == core::ToString(core::CloudCode::kOutOfRange);
}

}  // namespace

OrphanController::OrphanController(Surroundings& s, Caches& caches,
                                   const providers::CloudRegistry& clouds)
    : surroundings_(s),
      caches_(caches),
      log_(s.log.For("controllers.orphans")),
      classes_(s, caches, clouds),
      controller_(s.executor, s.clock, log_, {.name = "orphans", .workers = 4},
                  [this](ObjectKey key) { return Sweep(std::move(key)); }) {
  if (!s.settings.orphan_sweep) return;
  caches_.classes.OnChange([this](const ClassRecord* before, const ClassRecord* after) {
    if (before == nullptr) controller_.queue().Add(after->meta.key);
    if (after == nullptr) {
      swept_.erase(before->meta.key.name);
      wanted_.erase(before->meta.key.name);
    }
  });
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    OnMachine(before, after);
  });
}

void OrphanController::OnMachine(const MachineRecord* before, const MachineRecord* after) {
  if (after == nullptr) return SweepSoon(before->class_name);
  const bool had_several = before != nullptr && HasSeveralInstances(*before);
  if (HasSeveralInstances(*after) && !had_several) SweepSoon(after->class_name);
}

void OrphanController::SweepSoon(const std::string& class_name) {
  const ObjectKey key{surroundings_.settings.namespace_, class_name};
  const SteadyTime now = surroundings_.clock.Elapsed();
  const auto last = swept_.find(class_name);
  const SteadyTime due = last == swept_.end() ? now : std::max(now, last->second + kBetweenSweeps);
  // Noted as well: a sweep that is under way now sets the time of the next when it ends.
  wanted_.try_emplace(class_name, due);
  controller_.queue().AddAfter(key, due - now);
}

Requeue OrphanController::Next(const std::string& class_name, Duration after) const {
  const auto wanted = wanted_.find(class_name);
  if (wanted == wanted_.end()) return Requeue::After(after);
  const Duration until = wanted->second - surroundings_.clock.Elapsed();
  return Requeue::After(std::clamp(until, Duration::zero(), after));
}

Task<Result<Requeue>> OrphanController::Sweep(ObjectKey key) {
  const Settings& settings = surroundings_.settings;
  if (caches_.classes.store().Find(key) == nullptr) co_return Requeue::WhenChanged();
  if (!caches_.synced()) co_return Requeue::After(kBetweenSweeps);
  swept_.insert_or_assign(key.name, surroundings_.clock.Elapsed());
  wanted_.erase(key.name);
  auto resolved = co_await classes_.Resolve(key.name);
  if (!resolved) {
    log_.Info("class cannot be swept for orphans",
              {{"class", key.name}, {"error", resolved.error().message()}});
    co_return Next(key.name, std::min(settings.retry.long_time, *settings.orphan_sweep));
  }
  Round round{.class_name = key.name, .of = *std::move(resolved)};
  if (!round.of.cloud->capabilities().list) co_return Requeue::WhenChanged();
  const auto listed = co_await round.of.cloud->List(round.of.instance_class);
  if (!listed) {
    log_.Warning("instances cannot be listed",
                 {{"class", key.name}, {"error", listed.error().message()}});
    co_return Next(key.name, std::min(settings.retry.long_time, *settings.orphan_sweep));
  }
  CO_CHECK(co_await RemoveOrphans(round, *listed));
  CO_CHECK(co_await RemoveSurplus(round, *listed));
  if (!round.again_soon) co_return Next(key.name, *settings.orphan_sweep);
  const Duration soon = std::max(settings.orphan_grace, kBetweenSweeps);
  co_return Next(key.name, std::min(soon, *settings.orphan_sweep));
}

Task<Result<void>> OrphanController::RemoveOrphans(Round& round,
                                                   const std::vector<Instance>& listed) {
  const Settings& settings = surroundings_.settings;
  const WallTime now = surroundings_.clock.Now();
  std::vector<FoundInstance> found;
  std::map<std::string, const Instance*> by_id;
  std::vector<core::MachineRecord> machines;
  for (const Instance& instance : listed) {
    found.push_back(FoundOf(instance));
    by_id.emplace(instance.id, &instance);
    const MachineRecord* machine =
        caches_.machines.store().Find({settings.namespace_, instance.machine});
    const bool owned = machine != nullptr && IsMadeFor(instance, *machine);
    if (owned) machines.push_back(RecordOf(*machine));
    const auto record = owned ? std::optional(machines.back()) : std::nullopt;
    if (core::JudgeInstance(found.back(), record, settings.orphan_grace, now) ==
        core::InstanceVerdict::kTooYoung) {
      round.again_soon = true;
    }
  }
  const core::Sweep sweep =
      core::PlanSweep(found, machines, caches_.synced(),
                      {.grace = settings.orphan_grace, .most = settings.orphan_quota}, now);
  round.again_soon = round.again_soon || sweep.cut_short;
  std::set<std::string> live_ids;
  for (const Instance& instance : listed) live_ids.insert(instance.id);
  for (const FoundInstance& orphan : sweep.confirm) {
    const Instance& instance = *by_id.at(orphan.id);
    auto live = co_await ReadLive(orphan.machine);
    if (!live) {
      log_.Info("an instance stays: its machine cannot be read",
                {{"instance", orphan.id}, {"error", live.error().message()}});
      continue;
    }
    std::optional<core::MachineRecord> owner;
    if (*live && IsMadeFor(instance, **live)) owner = RecordOf(**live);
    if (!core::IsOrphan(orphan, owner)) continue;
    // A machine that is there has a node of that name itself.
    if (!*live && !co_await MarkNode(round, instance)) continue;
    if (co_await Remove(round, orphan.id, orphan.machine)) live_ids.erase(orphan.id);
  }
  co_await RemoveMarkedNodes(round, std::move(live_ids));
  co_return Ok();
}

// Several instances of one machine that could not record one of them: the cloud will not say which
// is its own, so all but the oldest go.
Task<Result<void>> OrphanController::RemoveSurplus(Round& round,
                                                   const std::vector<Instance>& listed) {
  const Settings& settings = surroundings_.settings;
  const WallTime now = surroundings_.clock.Now();
  std::map<std::string, std::vector<FoundInstance>> by_machine;
  for (const Instance& instance : listed) {
    const MachineRecord* machine =
        caches_.machines.store().Find({settings.namespace_, instance.machine});
    if (machine == nullptr || !machine->instance.empty()) continue;
    // One that goes waits for the cloud to say which node is its own.
    const bool is_stuck = HasSeveralInstances(*machine) || machine->meta.deleting_since;
    if (!is_stuck || !IsMadeFor(instance, *machine)) continue;
    by_machine[instance.machine].push_back(FoundOf(instance));
  }
  for (const auto& [name, instances] : by_machine) {
    if (instances.size() < 2) continue;
    auto live = co_await ReadLive(name);
    // One that recorded its instance meanwhile makes the others orphans, in the next sweep.
    if (!live || !*live || !(*live)->instance.empty()) continue;
    for (const std::string& id : core::SurplusInstances(instances)) {
      const auto instance = std::ranges::find(instances, id, &FoundInstance::id);
      const bool young = instance->made && now - *instance->made < settings.orphan_grace;
      if (young || round.removed >= settings.orphan_quota) {
        round.again_soon = true;
        continue;
      }
      co_await Remove(round, id, name);
    }
  }
  co_return Ok();
}

Task<bool> OrphanController::Remove(Round& round, std::string id, std::string machine) {
  ++round.removed;
  // By its id alone: whatever else has the machine's name is not meant.
  const auto removed = co_await round.of.cloud->Remove(
      round.of.instance_class, {.uid = {},
                                .name = machine,
                                .namespace_ = surroundings_.settings.namespace_,
                                .instance = id});
  if (removed) {
    log_.Info("removed an instance without a machine",
              {{"instance", id}, {"machine", machine}, {"class", round.class_name}});
    co_return true;
  }
  round.again_soon = true;
  log_.Warning("instance without a machine cannot be removed",
               {{"instance", id}, {"error", removed.error().message()}});
  co_return false;
}

// Whoever made an instance for a machine that was gone already (its view was old) let it join, and
// nobody else knows of that node. It stays for as long as the instance may live, as its pods run
// there; and once the instance is gone nothing leads to it, should we crash or not hear of it. So
// the node is marked before.
Task<bool> OrphanController::MarkNode(Round& round, const Instance& instance) {
  if (!caches_.nodes) co_return true;
  const auto node = co_await FindNode(instance);
  if (node && (!*node || (*node)->annotations.contains(kOrphanOf))) co_return true;
  // The mark may not be seen yet when this sweep ends.
  round.again_soon = true;
  Result<void> marked;
  if (node) {
    NodeChange change;
    change.annotations.set = {{kOrphanOf, round.class_name}};
    NodeWriter writer(*surroundings_.target, caches_.nodes->guard());
    marked = co_await writer.Write((*node)->meta, std::move(change));
  } else {
    marked = Failure(node.error());
  }
  if (marked || marked.error().kind() == ErrorKind::kNotFound) co_return true;
  log_.Info("an instance stays: its node cannot be marked",
            {{"instance", instance.id}, {"error", marked.error().message()}});
  co_return false;
}

// Not in the cache alone: whoever has an old view of machines may have one of nodes.
Task<Result<std::optional<dialects::NodeRecord>>> OrphanController::FindNode(
    const Instance& instance) {
  const auto nodes = caches_.nodes->store().objects();
  const auto seen = std::ranges::find(nodes, Text(instance.id), &dialects::NodeRecord::provider_id);
  std::string name = instance.node;
  if (seen != nodes.end()) name = (*seen).meta.key.name;
  if (name.empty()) co_return std::nullopt;
  CO_TRY(auto node, co_await ReadLiveNode(*surroundings_.target, std::move(name)));
  if (node && node->provider_id != instance.id) node.reset();
  co_return node;
}

Task<void> OrphanController::RemoveMarkedNodes(Round& round, std::set<std::string> live) {
  if (!caches_.nodes) co_return;
  std::vector<kube::Meta> gone;
  for (const dialects::NodeRecord& node : caches_.nodes->store().objects()) {
    if (node.annotations.Get(kOrphanOf) != round.class_name) continue;
    const bool in_use = !caches_.machines_by_node.Find(node.meta.key.name).empty();
    if (!in_use && !live.contains(node.provider_id)) gone.push_back(node.meta);
  }
  for (const kube::Meta& node : gone) {
    const auto removed = co_await RemoveNode(node);
    if (removed) continue;
    round.again_soon = true;
    log_.Warning("node of an instance without a machine cannot be removed",
                 {{"node", node.key.name}, {"error", removed.error().message()}});
  }
}

Task<Result<void>> OrphanController::RemoveNode(kube::Meta node) {
  NodeWriter writer(*surroundings_.target, caches_.nodes->guard());
  CO_CHECK(co_await writer.Delete(node));
  co_return co_await writer.LetGo(node, surroundings_.dialect.names().node_finalizer);
}

Task<Result<std::optional<MachineRecord>>> OrphanController::ReadLive(std::string machine) {
  const kube::GroupVersionResource& resource = surroundings_.dialect.kinds().machine.resource;
  CO_TRY(const auto found, co_await surroundings_.control.Find(
                               resource, {surroundings_.settings.namespace_, machine}));
  if (!found) co_return std::nullopt;
  std::optional<MachineRecord> record;
  // An object that cannot be read is there all the same, so its error is ours.
  CO_CHECK(kube::ForEachListItem(R"({"items":[)" + found->text() + "]}",
                                 [&](kube::JsonObject object) -> Result<void> {
                                   TRY(record, surroundings_.dialect.ReadMachine(object));
                                   return {};
                                 }));
  co_return record;
}

}  // namespace millwright::controllers
