#include "dialects/capi/status/machine_status.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/health/availability.h"
#include "core/lifecycle/derived_phase.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/deletion_delay.h"
#include "dialects/capi/status/machine_legacy.h"
#include "dialects/capi/status/node_conditions.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/summary.h"
#include "dialects/capi/status/up_to_date.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

Shown Unreadable() {
  return {.status = Truth::kUnknown,
          .reason = std::string(reasons::kInternalError),
          .message = std::string(kSeeLogs)};
}

Shown Gone(std::string message) {
  return {.status = Truth::kFalse,
          .reason = std::string(reasons::kObjectDeleted),
          .message = std::move(message)};
}

Shown NeverThere(std::string_view kind) {
  return {.status = Truth::kFalse,
          .reason = std::string(reasons::kObjectDoesNotExist),
          .message = fmt::format("{} does not exist", kind)};
}

Shown ShowBootstrap(const MachineRecord& machine, const MachineFacts& facts) {
  const std::string& kind = machine.spec.bootstrap.kind;
  const bool created = machine.status.data_secret_created.value_or(false);
  switch (facts.bootstrap.state) {
    case core::ObjectState::kNone:
      return {.status = Truth::kTrue, .reason = std::string(reasons::kDataSecretProvided)};
    case core::ObjectState::kFound:
      return Mirror(
          facts.bootstrap,
          {.ready = created,
           .message = fmt::format("{} status.initialization.dataSecretCreated is false", kind)});
    case core::ObjectState::kUnreadable: return Unreadable();
    case core::ObjectState::kMissing: break;
  }
  if (machine.deleting() && created) return Gone(fmt::format("{} has been deleted", kind));
  return NeverThere(kind);
}

Shown ShowInfrastructure(const MachineRecord& machine, const MachineFacts& facts) {
  const std::string& kind = machine.spec.infrastructure.kind;
  const bool provisioned = machine.status.infrastructure_provisioned.value_or(false);
  switch (facts.infrastructure.state) {
    case core::ObjectState::kFound:
      return Mirror(
          facts.infrastructure,
          {.ready = provisioned,
           .message = fmt::format("{} status.initialization.provisioned is false", kind)});
    case core::ObjectState::kUnreadable: return Unreadable();
    case core::ObjectState::kNone:
    case core::ObjectState::kMissing: break;
  }
  if (!provisioned) return NeverThere(kind);
  return Gone(fmt::format("{} has been deleted{}", kind,
                          machine.deleting() ? "" : " while the Machine still exists"));
}

Shown ShowDeleting(const MachineRecord& machine, const MachineFacts& facts) {
  if (!machine.deleting()) {
    return {.status = Truth::kFalse, .reason = std::string(reasons::kNotDeleting)};
  }
  if (!facts.deletion) {
    return {.status = Truth::kTrue,
            .reason = std::string(reasons::kDeleting),
            .message = "Deletion started"};
  }
  return {
      .status = Truth::kTrue, .reason = facts.deletion->reason, .message = facts.deletion->message};
}

Shown ShowUpdating(const MachineRecord& machine, const MachineFacts& facts) {
  if (!machine.annotations.contains(annotations::kUpdateInProgress)) {
    return {.status = Truth::kFalse, .reason = std::string(reasons::kNotUpdating)};
  }
  return {.status = Truth::kTrue,
          .reason = std::string(facts.update_failed ? reasons::kInPlaceUpdateFailed
                                                    : reasons::kInPlaceUpdating),
          .message =
              facts.update_message.empty() ? "In-place update in progress" : facts.update_message};
}

struct NamedPhase {
  core::Phase phase;
  std::string_view name;
};
constexpr NamedPhase kPhases[] = {
    {core::Phase::kNew, "Pending"},         {core::Phase::kProvisioning, "Provisioning"},
    {core::Phase::kJoining, "Provisioned"}, {core::Phase::kRunning, "Running"},
    {core::Phase::kUpdating, "Updating"},   {core::Phase::kDeleting, "Deleting"},
};

// A phase that is never written any more stays as it is, until another applies.
std::string ShowPhase(const MachineRecord& machine, bool updating) {
  const auto before =
      std::ranges::find(kPhases, std::string_view(machine.status.phase), &NamedPhase::name);
  const bool known = before != std::ranges::end(kPhases);
  const core::DerivedPhaseView view{
      .before = known ? before->phase : core::Phase::kNew,
      .bootstrap_ready = machine.status.data_secret_created.value_or(false),
      .infrastructure_ready = machine.status.infrastructure_provisioned.value_or(false),
      .has_instance = !machine.spec.provider_id.empty(),
      .has_node = !machine.status.node.empty(),
      .updating = updating,
      .deleting = machine.deleting()};
  const core::Phase phase = core::DerivePhase(view);
  if (phase == core::Phase::kNew && !known && !machine.status.phase.empty()) {
    return machine.status.phase;
  }
  return std::string(std::ranges::find(kPhases, phase, &NamedPhase::phase)->name);
}

// What a pass has found out, put into one status.
class Report {
 public:
  Report(const MachineRecord& machine, const MachineFacts& facts, WallTime now)
      : machine_(machine), facts_(facts), now_(now), status_(machine.status) {}

  MachineReport Make() {
    Put(types::kBootstrapReady, ShowBootstrap(machine_, facts_));
    Put(types::kInfrastructureReady, ShowInfrastructure(machine_, facts_));
    PutNode();
    Put(types::kDeleting, ShowDeleting(machine_, facts_));
    Put(types::kUpdating, ShowUpdating(machine_, facts_));
    PutUpToDate();
    Put(types::kReady, ShowReady(machine_, status_.conditions, now_));
    PutAvailable();
    Put(types::kPaused, PausedShown(false, machine_, kMachineKind));
    PutPhase();
    SetLegacy(machine_, facts_, status_, now_);
    if (facts_.succeeded) status_.observed_generation = machine_.meta.generation;
    NoteDeletionTimes();
    return {.status = std::move(status_), .look_again = look_again_};
  }

 private:
  void Put(std::string_view type, const Shown& shown) {
    Set(status_.conditions, type, shown, machine_.meta.generation, now_);
  }

  void LookAgain(std::optional<WallTime> at) {
    if (at && *at > now_) look_again_ = look_again_ ? std::min(*look_again_, *at) : *at;
  }

  void PutNode() {
    const NodeShown shown = ShowNode(machine_, facts_, now_);
    if (shown.ready) Put(types::kNodeReady, *shown.ready);
    if (shown.healthy) Put(types::kNodeHealthy, *shown.healthy);
    LookAgain(shown.look_again);
  }

  void PutUpToDate() {
    if (facts_.set == nullptr || facts_.deployment == nullptr) return;
    const Condition* updating = Find(status_.conditions, types::kUpdating);
    UpToDateFacts facts{
        .machine_version = machine_.spec.version,
        .kubelet_version = facts_.node ? facts_.node->kubelet_version : std::string()};
    if (updating->status == Truth::kTrue) facts.updating = updating->message;
    Put(types::kUpToDate, ShowUpToDate(*facts_.set, *facts_.deployment, facts, now_));
    LookAgain(facts_.deployment->spec.rollout_after);
  }

  void PutAvailable() {
    const Condition* ready = Find(status_.conditions, types::kReady);
    if (ready->status != Truth::kTrue) {
      Put(types::kAvailable, {.status = Truth::kFalse, .reason = std::string(reasons::kNotReady)});
      return;
    }
    const auto min_ready =
        std::chrono::seconds(machine_.spec.handed_down.min_ready_seconds.value_or(0));
    const core::Availability decided = core::DecideAvailability(ready->since, min_ready, now_);
    if (decided.available) {
      Put(types::kAvailable, {.status = Truth::kTrue, .reason = std::string(reasons::kAvailable)});
    } else {
      Put(types::kAvailable,
          {.status = Truth::kFalse, .reason = std::string(reasons::kWaitingForMinReady)});
    }
    LookAgain(decided.look_again);
  }

  void PutPhase() {
    std::string phase = ShowPhase(machine_, Is(status_.conditions, types::kUpdating, Truth::kTrue));
    if (phase == machine_.status.phase) return;
    status_.phase = std::move(phase);
    status_.last_updated = std::chrono::floor<std::chrono::seconds>(now_);
  }

  // Ready's words change when a deletion, and in it a drain, has lasted for long.
  void NoteDeletionTimes() {
    if (!machine_.deleting()) return;
    constexpr auto kJustAfter = std::chrono::seconds(1);
    LookAgain(*machine_.meta.deleting_since + kLongDeletion + kJustAfter);
    if (facts_.deletion && facts_.deletion->reason == reasons::kDrainingNode &&
        status_.deletion.drain) {
      LookAgain(*status_.deletion.drain + kLongDrain + kJustAfter);
    }
  }

  const MachineRecord& machine_;
  const MachineFacts& facts_;
  WallTime now_;
  MachineStatus status_;
  std::optional<WallTime> look_again_;
};

}  // namespace

MachineReport NextMachineStatus(const MachineRecord& machine, const MachineFacts& facts,
                                WallTime now) {
  return Report(machine, facts, now).Make();
}

}  // namespace millwright::dialects::capi
