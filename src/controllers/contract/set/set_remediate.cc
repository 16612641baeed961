#include <fmt/format.h>

#include <algorithm>

#include "controllers/contract/set/set_controller.h"
#include "controllers/contract/shared/resources.h"
#include "dialects/capi/status/patch.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

using capi::LegacyShown;
using capi::MachineRecord;
using capi::Shown;
using capi::Truth;
namespace reasons = capi::reasons;
namespace types = capi::types;

namespace {

struct Mark {
  kube::Meta machine;
  boost::json::object patch;
};

// How a machine shows what its set does about it.
class Marks {
 public:
  explicit Marks(WallTime now) : now_(now) {}

  void Show(const MachineRecord& machine, std::string_view reason, std::string message,
            const LegacyShown& old) {
    capi::MachineStatus next = machine.status;
    capi::Set(next.conditions, types::kOwnerRemediated,
              {.status = Truth::kFalse,
               .reason = std::string(reason),
               .message = std::move(message),
               .since = {}},
              machine.meta.generation, now_);
    capi::Set(next.legacy_conditions, types::kOwnerRemediated, old, now_);
    Add(machine, next);
  }

  void Recovered(const MachineRecord& machine) {
    capi::MachineStatus next = machine.status;
    capi::Remove(next.conditions, types::kOwnerRemediated);
    capi::Remove(next.legacy_conditions, types::kOwnerRemediated);
    Add(machine, next);
  }

  std::vector<Mark> Take() { return std::move(marks_); }

 private:
  void Add(const MachineRecord& machine, const capi::MachineStatus& next) {
    boost::json::object patch = capi::StatusPatch(machine.status, next);
    if (!patch.empty()) marks_.push_back({machine.meta, std::move(patch)});
  }

  WallTime now_;
  std::vector<Mark> marks_;
};

LegacyShown Waits(std::string message) {
  return {.status = Truth::kFalse,
          .reason = std::string(reasons::kWaitingForRemediation),
          .severity = "Info",
          .message = std::move(message)};
}

std::string Bullets(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("{}* {}", text.empty() ? "" : "\n", line);
  return text;
}

}  // namespace

Result<std::vector<std::string>> SetController::Preflight(const Pass& pass) {
  const ExternalLook control_plane =
      externals_.Find(pass.cluster.control_plane, pass.set.meta.key.namespace_);
  return CheckPreflight({.settings = &surroundings_.settings,
                         .set = &pass.set,
                         .cluster = &pass.cluster,
                         .control_plane = &control_plane,
                         .bootstrap_template = &pass.bootstrap_template});
}

Task<void> SetController::Remediate(Pass& pass) {
  const Members members = FindMembers(pass.set);
  // Only those that somebody asked for matter, and mostly there are none.
  const bool asked = std::ranges::any_of(members, [](const MachineRecord* machine) {
    return capi::Find(machine->status.conditions, types::kOwnerRemediated) != nullptr;
  });
  if (!asked) co_return;
  core::RemediationScene scene;
  bool any = false;
  std::map<std::string, const MachineRecord*> by_name;
  for (const MachineRecord* machine : members) {
    core::RemediationCandidate candidate = CandidateOf(*machine);
    candidate.deleting |= removed_.contains(machine->meta.uid);
    any |= candidate.unhealthy && candidate.asked_for && !candidate.deleting;
    scene.machines.push_back(std::move(candidate));
    by_name.emplace(machine->meta.key.name, machine);
  }
  const capi::DeploymentRecord* deployment = pass.deployment ? &*pass.deployment : nullptr;
  scene.is_current = IsCurrent(pass.set, deployment);
  scene.max_in_flight = MaxInFlight(deployment);
  if (any && scene.is_current) {
    Result<std::vector<std::string>> preflight = Preflight(pass);
    if (!preflight) {
      pass.Note(Failure(preflight.error()));
      co_return;
    }
    scene.preflight = *std::move(preflight);
  }
  const core::RemediationPlan plan = core::PlanRemediation(scene);

  Marks marks(surroundings_.clock.Now());
  for (const std::string& name : plan.recovered) marks.Recovered(*by_name.at(name));
  for (const std::string& name : plan.refused) {
    const std::string why =
        "Machine won't be remediated because it is pending removal due to rollout";
    marks.Show(*by_name.at(name), reasons::kCannotBeRemediated, why, Waits(why));
  }
  for (const core::Deferral& deferral : plan.deferred) {
    const std::string why =
        deferral.reason == core::DeferReason::kPreflight
            ? Bullets(scene.preflight)
            : "Waiting because there are already too many remediations in progress "
              "(spec.strategy.remediation.maxInFlight is " +
                  (deployment != nullptr && deployment->spec.max_in_flight
                       ? deployment->spec.max_in_flight->ToString()
                       : std::string("not set")) +
                  ")";
    marks.Show(*by_name.at(deferral.name), reasons::kRemediationDeferred, why, Waits(why));
  }
  std::vector<std::string> going = plan.replace;
  for (const std::string& name : going) {
    marks.Show(*by_name.at(name), reasons::kMachineDeleting, "Machine is deleting",
               {.status = Truth::kTrue, .reason = {}, .severity = {}, .message = {}});
  }
  std::vector<kube::Meta> metas;
  for (const std::string& name : going) metas.push_back(by_name.at(name)->meta);

  // From here on the records are not looked at: they may have changed.
  std::unordered_set<Uid> unmarked;
  for (Mark& mark : marks.Take()) {
    if (caches_.machines.guard().IsBehind(mark.machine.key)) {
      unmarked.insert(mark.machine.uid);
      continue;
    }
    pass.wrote = true;
    auto written = co_await machines_.Patch(mark.machine, std::move(mark.patch), "status");
    if (written) continue;
    unmarked.insert(mark.machine.uid);
    pass.Note(Failure(written.error()));
  }
  // A machine goes only after it says why.
  std::erase_if(metas, [&](const kube::Meta& meta) { return unmarked.contains(meta.uid); });
  for (const kube::Meta& meta : metas) {
    pass.wrote = true;
    auto removed = co_await machines_.Delete(meta);
    if (removed) removed_.insert(meta.uid);
    pass.Note(std::move(removed));
  }
}

}  // namespace millwright::controllers::contract
