#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "controllers/contract/set/set_controller.h"
#include "controllers/contract/shared/belonging.h"
#include "controllers/contract/shared/resources.h"
#include "dialects/capi/clone.h"
#include "dialects/capi/machine_body.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
using capi::MachineRecord;

namespace {

// So many writes are under way at once.
constexpr std::size_t kAtOnce = 32;

}  // namespace

// Brings what a set hands down to its machines and their clones. One machine whose objects are
// broken is told of and does not hold up the others.
Task<void> SetController::Synchronize(Pass& pass) {
  std::vector<SyncWrite> writes;
  for (const MachineRecord* machine : FindMembers(pass.set)) {
    if (caches_.machines.guard().IsBehind(machine->meta.key)) continue;
    if (removed_.contains(machine->meta.uid)) continue;
    PlanSync(pass, *machine, writes);
  }
  for (std::size_t begin = 0; begin < writes.size(); begin += kAtOnce) {
    Result<void> failed;
    TaskGroup group(surroundings_.executor);
    for (std::size_t i = begin; i < std::min(begin + kAtOnce, writes.size()); ++i) {
      group.Spawn([this, &set = pass.set, &write = writes[i], &failed] {
        return Write(set, write, failed);
      });
    }
    co_await group.Join();
    pass.Note(std::move(failed));
  }
  if (!writes.empty()) pass.wrote = true;
}

void SetController::PlanSync(Pass& pass, const MachineRecord& machine,
                             std::vector<SyncWrite>& writes) {
  const kube::ObjectKey& key = machine.meta.key;
  if (machine.deleting()) {
    if (auto patch = capi::DeletingMachinePatch(pass.set, machine)) {
      writes.push_back({.machine = key,
                        .resource = kMachines,
                        .key = key,
                        .body = json::serialize(*patch),
                        .manager = {},
                        .kind = {}});
    }
    return;
  }
  // Its own update in place decides what it is to be.
  if (machine.annotations.contains(capi::annotations::kUpdateInProgress)) return;

  // Computing what is wanted for thousands of machines at each change of one of them would be most
  // of our work, so what was found in order is not looked at again until it changes.
  const capi::ExternalRecord* infrastructure =
      externals_.Peek(machine.spec.infrastructure, key.namespace_);
  const capi::ExternalRecord* bootstrap = externals_.Peek(machine.spec.bootstrap, key.namespace_);
  const auto version = [](const capi::ExternalRecord* object) {
    return object != nullptr ? object->meta.resource_version.str() : std::string();
  };
  const std::size_t state = std::hash<std::string>()(fmt::format(
      "{}/{}/{}/{}/{}", pass.set.meta.generation, Label(pass.set, capi::labels::kDeployment),
      machine.meta.resource_version.str(), version(infrastructure), version(bootstrap)));
  const auto known = in_sync_.find(machine.meta.uid);
  if (known != in_sync_.end() && known->second == state) return;

  const std::size_t before = writes.size();
  const json::object body = capi::MachineBody(pass.set, machine);
  if (capi::NeedsApply(body, machine)) {
    writes.push_back({.machine = key,
                      .resource = kMachines,
                      .key = key,
                      .body = json::serialize(body),
                      .manager = capi::managers::kSet,
                      .kind = {}});
  }
  PlanCloneSync(pass, machine, machine.spec.infrastructure, writes);
  PlanCloneSync(pass, machine, machine.spec.bootstrap, writes);
  const bool all_known =
      infrastructure != nullptr && (bootstrap != nullptr || !machine.spec.bootstrap.defined());
  if (writes.size() == before && all_known) in_sync_.insert_or_assign(machine.meta.uid, state);
}

void SetController::PlanCloneSync(Pass& pass, const MachineRecord& machine,
                                  const capi::Reference& reference,
                                  std::vector<SyncWrite>& writes) {
  const ExternalLook look = externals_.Find(reference, machine.meta.key.namespace_);
  switch (look.state) {
    case core::ObjectState::kNone: return;
    case core::ObjectState::kMissing:
      // The machine itself shows that; upstream would stop the whole set.
      log_.Debug("clone is missing",
                 {{"machine", machine.meta.key.ToString()}, {"kind", reference.kind}});
      return;
    case core::ObjectState::kUnreadable:
      if (!look.soon) pass.Note(Fail(ErrorKind::kUnavailable, look.why));
      return;
    case core::ObjectState::kFound: break;
  }
  kube::WriteGuard* guard = externals_.GuardOf(KindOf(reference));
  if (guard != nullptr && guard->IsBehind(look.object->meta.key)) return;
  if (look.object->deleting()) return;
  // Whoever made it ended before, or a provider was faster each time. Until then labels that leave
  // the template would stay on the clone.
  if (capi::NeedsHandOver(*look.object)) {
    writes.push_back({.machine = machine.meta.key,
                      .resource = look.served->resource,
                      .key = look.object->meta.key,
                      .body = {},
                      .manager = {},
                      .kind = KindOf(reference),
                      .hand_over = true});
    return;
  }
  const json::object body =
      capi::CloneMetadataBody(reference, look.served->contract.version, *look.object, pass.set);
  if (!capi::NeedsApply(body, *look.object)) return;
  writes.push_back({.machine = machine.meta.key,
                    .resource = look.served->resource,
                    .key = look.object->meta.key,
                    .body = json::serialize(body),
                    .manager = capi::managers::kSetMetadata,
                    .kind = KindOf(reference)});
}

Task<void> SetController::Write(const capi::SetRecord& set, SyncWrite write, Result<void>& failed) {
  if (write.hand_over) {
    Result<void> handed = co_await HandOverLater(set, {*write.kind, write.resource, write.key});
    if (!handed) failed = std::move(handed);
    co_return;
  }
  auto& client = surroundings_.management;
  const kube::PatchOptions options{.write = {.field_manager = std::string(write.manager),
                                             .subresource = {},
                                             .field_validation = {}},
                                   .force = !write.manager.empty()};
  auto written = write.manager.empty()
                     ? co_await client.Patch(write.resource, write.key, kube::PatchKind::kMerge,
                                             write.body, options)
                     : co_await client.Apply(write.resource, write.key, write.body, options);
  if (!written) {
    // It went meanwhile: its end wakes us.
    if (written.error().kind() != ErrorKind::kNotFound) failed = Failure(written.error());
    co_return;
  }
  const auto meta = written->ReadMeta();
  if (!meta) co_return;
  kube::WriteGuard* guard =
      write.kind ? externals_.GuardOf(*write.kind) : &caches_.machines.guard();
  if (guard != nullptr) guard->Expect(write.key, meta->resource_version);
}

}  // namespace millwright::controllers::contract
