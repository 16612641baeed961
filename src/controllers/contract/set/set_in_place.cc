// Machines that change sets to be updated in place, instead of being replaced.
#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include <algorithm>

#include "controllers/contract/set/set_controller.h"
#include "controllers/contract/shared/belonging.h"
#include "controllers/contract/shared/resources.h"
#include "core/replicas/hand_over.h"
#include "dialects/capi/body_parts.h"
#include "dialects/capi/clone.h"
#include "dialects/capi/machine_body.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
namespace annotations = capi::annotations;
using capi::MachineRecord;

namespace {

constexpr std::string_view kUpdateHook = "UpdateMachine";

std::vector<std::string> PendingHooks(const MachineRecord& machine) {
  return SplitList(Annotation(machine, annotations::kPendingHooks));
}

}  // namespace

Task<void> SetController::Move(Pass& pass, const std::vector<std::string>& names) {
  const capi::SetRecord& set = pass.set;
  const std::string to(Annotation(set, annotations::kMovesTo));
  const capi::SetRecord* target = caches_.sets.store().Find({set.meta.key.namespace_, to});
  core::HandOverTarget agreed;
  std::string hash;
  std::vector<kube::OwnerReference> owner;
  if (target != nullptr) {
    hash = Label(*target, capi::labels::kTemplateHash);
    agreed = {.exists = true,
              .receives_from = SplitList(Annotation(*target, annotations::kReceivesFrom)),
              .has_revision_label = !hash.empty()};
    owner.push_back(capi::ControllerReference(capi::kSetKind, *target));
  }
  if (Result<void> may = core::CheckHandOver(set.meta.key.name, to, agreed); !may) {
    pass.Note(std::move(may));
    co_return;
  }
  std::vector<std::pair<kube::Meta, json::object>> moves;
  for (const MachineRecord* machine : FindMembers(set)) {
    if (std::ranges::find(names, machine->meta.key.name) == names.end()) continue;
    if (caches_.machines.guard().IsBehind(machine->meta.key)) continue;
    std::vector<kube::OwnerReference> owners = machine->owners;
    std::erase_if(owners, [](const kube::OwnerReference& o) { return o.IsController(); });
    owners.push_back(owner.front());
    moves.emplace_back(
        machine->meta,
        json::object{{"metadata",
                      {{"ownerReferences", OwnersJson(owners)},
                       {"labels", {{std::string(capi::labels::kTemplateHash), hash}}},
                       {"annotations",
                        {{std::string(annotations::kUpdateInProgress), ""},
                         {std::string(annotations::kPendingAcknowledge), ""}}}}}});
  }
  for (auto& [machine, patch] : moves) {
    pass.wrote = true;
    auto moved = co_await machines_.Patch(machine, std::move(patch));
    if (!moved) pass.Note(Failure(moved.error()));
  }
}

Task<void> SetController::Receive(Pass& pass) {
  const core::MachineSet view = ViewOf(pass.set);
  const std::vector<std::string> acknowledged =
      SplitList(Annotation(pass.set, annotations::kAcknowledged));
  std::vector<std::pair<MachineRecord, bool>> starting;
  for (const MachineRecord* machine : FindMembers(pass.set)) {
    if (!machine->annotations.contains(annotations::kUpdateInProgress)) continue;
    const std::vector<std::string> hooks = PendingHooks(*machine);
    if (std::ranges::find(hooks, kUpdateHook) != hooks.end()) continue;  // it has begun
    if (caches_.machines.guard().IsBehind(machine->meta.key)) continue;
    const bool counted =
        std::ranges::find(acknowledged, machine->meta.key.name) != acknowledged.end();
    switch (core::PlanReceive(ViewOf(*machine), view.receives, counted)) {
      case core::ReceiveStep::kNothing:
      case core::ReceiveStep::kWaitToBeCounted: break;
      case core::ReceiveStep::kForgetAndUpdate: starting.emplace_back(*machine, true); break;
      case core::ReceiveStep::kUpdate: starting.emplace_back(*machine, false); break;
    }
  }
  for (auto& [machine, forget] : starting) {
    pass.wrote = true;
    pass.Note(co_await StartUpdate(pass, std::move(machine), forget));
  }
}

// Its objects first, the machine, and at last the hook: who ends in between begins again.
Task<Result<void>> SetController::StartUpdate(Pass& pass, MachineRecord machine, bool forget) {
  auto& client = surroundings_.management;
  if (forget) {
    CO_TRY(machine.meta.resource_version,
           co_await machines_.Patch(
               machine.meta,
               {{"metadata",
                 {{"annotations", {{std::string(annotations::kPendingAcknowledge), nullptr}}}}}}));
  }
  CO_TRY(const Sources sources, co_await ReadTemplates(pass));
  const capi::MachineSpec& wish = pass.set.spec.machine_template.spec;
  struct Part {
    const json::object* source;
    capi::Reference from;
    capi::Reference clone;
  };
  std::vector<Part> parts{
      {&sources.infrastructure, wish.infrastructure, machine.spec.infrastructure}};
  if (sources.bootstrap && machine.spec.bootstrap.defined()) {
    parts.push_back({&*sources.bootstrap, wish.bootstrap, machine.spec.bootstrap});
  }
  for (const Part& part : parts) {
    const ExternalLook look = externals_.Find(part.clone, machine.meta.key.namespace_);
    if (!look.object) {
      co_return Fail(ErrorKind::kUnavailable, fmt::format("{} of {} cannot be read",
                                                          part.clone.kind, machine.meta.key.name));
    }
    kube::Labels marks = capi::AnnotationsForMachine(pass.set);
    marks.emplace(std::string(annotations::kUpdateInProgress), "");
    CO_TRY(json::object body, capi::Clone(*part.source, {.key = look.object->meta.key,
                                                         .cluster = pass.set.spec.cluster,
                                                         .labels = capi::LabelsForMachine(pass.set),
                                                         .annotations = std::move(marks),
                                                         .owner = {}}));
    CO_CHECK(co_await client.Apply(look.served->resource, look.object->meta.key,
                                   json::serialize(body),
                                   {.write = {.field_manager = std::string(capi::managers::kSet),
                                              .subresource = {},
                                              .field_validation = {}},
                                    .force = true}));
  }
  CO_TRY(const kube::Document applied,
         co_await client.Apply(kMachines, machine.meta.key,
                               json::serialize(capi::UpdatedMachineBody(pass.set, machine)),
                               {.write = {.field_manager = std::string(capi::managers::kSet),
                                          .subresource = {},
                                          .field_validation = {}},
                                .force = true}));
  CO_TRY(const kube::Meta now, applied.ReadMeta());
  std::vector<std::string> hooks = PendingHooks(machine);
  hooks.emplace_back(kUpdateHook);
  CO_CHECK(co_await machines_.Patch(
      now, {{"metadata",
             {{"annotations",
               {{std::string(annotations::kPendingHooks), JoinList(std::move(hooks))}}}}}}));
  surroundings_.events.Record(
      {.about = {std::string(capi::kApiVersion), std::string(capi::kMachineKind), machine.meta.key,
                 machine.meta.uid},
       .severity = kube::EventSeverity::kNormal,
       .reason = "SuccessfulStartInPlaceUpdate",
       .message = fmt::format("Machine starting in-place update"),
       .action = {}});
  co_return Ok();
}

}  // namespace millwright::controllers::contract
