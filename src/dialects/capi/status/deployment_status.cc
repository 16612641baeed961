#include "dialects/capi/status/deployment_status.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/rollout/limits.h"
#include "core/rollout/roles.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/aggregate.h"
#include "dialects/capi/status/deletion_delay.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/scaling.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

Shown NotKnown() {
  return {.status = Truth::kUnknown,
          .reason = std::string(reasons::kInternalError),
          .message = std::string(kSeeLogs)};
}

// None if no set says.
std::optional<int> Sum(const std::vector<const SetRecord*>& sets,
                       std::optional<int> SetStatus::* counter) {
  std::optional<int> sum;
  for (const SetRecord* set : sets) {
    if (const std::optional<int>& count = set->status.*counter) sum = sum.value_or(0) + *count;
  }
  return sum;
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Shown ShowRollingOut(MachineList machines) {
  int outdated = 0;
  std::set<std::string> versions;
  std::set<std::string> others;
  for (const MachineRecord* machine : machines) {
    const Condition* up_to_date = Find(machine->status.conditions, types::kUpToDate);
    if (up_to_date == nullptr || up_to_date->status != Truth::kFalse) continue;
    ++outdated;
    for (std::string& line : Lines(up_to_date->message)) {
      (line.starts_with("* Version") ? versions : others).insert(std::move(line));
    }
  }
  if (outdated == 0) return {.status = Truth::kFalse, .reason = "NotRollingOut"};
  std::string message = fmt::format("Rolling out {} not up-to-date replicas", outdated);
  for (const auto* lines : {&versions, &others}) {
    for (const std::string& line : *lines) message += "\n" + line;
  }
  return {.status = Truth::kTrue,
          .reason = std::string(types::kRollingOut),
          .message = std::move(message)};
}

class Report {
 public:
  Report(const DeploymentRecord& deployment, const DeploymentFacts& facts, WallTime now)
      : deployment_(deployment), facts_(facts), now_(now), status_(deployment.status) {}

  DeploymentReport Make() {
    if (facts_.known) PutCounts();
    PutPhase();
    Put(types::kAvailable, ShowAvailable());
    PutMachines();
    PutScaling();
    Put(types::kDeleting, ShowDeleting());
    Put(types::kPaused, PausedShown(false, deployment_, kDeploymentKind));
    if (facts_.known) PutLegacy();
    status_.selector = deployment_.spec.selector.ToString();
    if (facts_.succeeded) status_.observed_generation = deployment_.meta.generation;
    LookAgain(NextStale(facts_.machines, now_));
    return {.status = std::move(status_), .look_again = look_again_};
  }

 private:
  void Put(std::string_view type, const Shown& shown) {
    Set(status_.conditions, type, shown, deployment_.meta.generation, now_);
  }
  void PutLegacy(std::string_view type, const LegacyShown& shown) {
    Set(status_.legacy_conditions, type, shown, now_);
  }
  void LookAgain(std::optional<WallTime> at) {
    if (at && *at > now_) look_again_ = look_again_ ? std::min(*look_again_, *at) : *at;
  }

  void PutCounts() {
    status_.replicas = Sum(facts_.sets, &SetStatus::replicas);
    status_.ready = Sum(facts_.sets, &SetStatus::ready);
    status_.available = Sum(facts_.sets, &SetStatus::available);
    // Machines of other sets may say that they are up to date until they have heard of the new
    // template, and whoever waits for a rollout would take that for its end.
    status_.up_to_date = facts_.current != nullptr ? facts_.current->status.up_to_date : 0;
    status_.versions = CountVersions(facts_.machines);
  }

  void PutPhase() {
    const std::optional<int>& wished = deployment_.spec.replicas;
    if (!facts_.known || !wished) {
      status_.phase = "Unknown";
      return;
    }
    const int replicas = status_.replicas.value_or(0);
    status_.phase = "Running";
    if (replicas > *wished || deployment_.deleting()) {
      status_.phase = "ScalingDown";
    } else if (replicas < *wished) {
      status_.phase = "ScalingUp";
    }
  }

  Shown ShowAvailable() const {
    if (!facts_.known) return NotKnown();
    const DeploymentSpec& spec = deployment_.spec;
    if (!spec.replicas) {
      return {.status = Truth::kUnknown,
              .reason = std::string(reasons::kWaitingForReplicasSet),
              .message = "Waiting for spec.replicas set"};
    }
    if (!status_.available) {
      return {.status = Truth::kUnknown,
              .reason = "WaitingForAvailableReplicasSet",
              .message = "Waiting for status.availableReplicas set"};
    }
    const int unavailable = MaxUnavailable(spec);
    const int needed = std::max(*spec.replicas - unavailable, 0);
    if (*status_.available >= needed && !deployment_.deleting()) {
      return {.status = Truth::kTrue, .reason = std::string(reasons::kAvailable)};
    }
    if (deployment_.deleting()) {
      return {.status = Truth::kFalse, .reason = "NotAvailable", .message = "Deletion in progress"};
    }
    return {.status = Truth::kFalse,
            .reason = "NotAvailable",
            .message = fmt::format(
                "{} available replicas, at least {} required "
                "(spec.strategy.rollout.maxUnavailable is {}, spec.replicas is {})",
                *status_.available, needed,
                spec.max_unavailable.value_or(core::Amount::Of(0)).ToString(), *spec.replicas)};
  }

  void PutMachines() {
    if (!facts_.known) {
      for (std::string_view type : {types::kRollingOut, types::kMachinesReady,
                                    types::kMachinesUpToDate, types::kRemediating}) {
        Put(type, NotKnown());
      }
      return;
    }
    Put(types::kRollingOut, ShowRollingOut(facts_.machines));
    Put(types::kMachinesReady, ShowMachinesReady(facts_.machines));
    const UpToDateGroup up_to_date = ShowMachinesUpToDate(facts_.machines, now_);
    Put(types::kMachinesUpToDate, up_to_date.shown);
    LookAgain(up_to_date.look_again);
    Put(types::kRemediating, ShowRemediating(facts_.machines, kDeploymentKind));
  }

  void PutScaling() {
    const ScalingFacts scaling{.wished = deployment_.spec.replicas,
                               .machines = status_.replicas.value_or(0),
                               .known = facts_.known,
                               .deleting = deployment_.deleting(),
                               .missing_templates = facts_.missing_templates,
                               .blocked = {},
                               .stale = StaleDeletionLine(facts_.machines, now_)};
    Put(types::kScalingUp, ShowScalingUp(scaling));
    Put(types::kScalingDown, ShowScalingDown(scaling));
  }

  Shown ShowDeleting() const {
    if (!deployment_.deleting()) {
      return {.status = Truth::kFalse, .reason = std::string(reasons::kNotDeleting)};
    }
    if (!facts_.known) return NotKnown();
    Shown shown{.status = Truth::kTrue, .reason = std::string(reasons::kDeleting)};
    if (!facts_.machines.empty()) {
      shown.message = fmt::format("Deleting {} {}", facts_.machines.size(),
                                  Plural(kMachineKind, facts_.machines.size()));
      if (std::string stale = StaleDeletionLine(facts_.machines, now_); !stale.empty()) {
        shown.message += "\n" + stale;
      }
    } else if (!facts_.sets.empty()) {
      shown.message =
          fmt::format("Deleting {} {}", facts_.sets.size(), Plural(kSetKind, facts_.sets.size()));
    } else {
      shown.reason = reasons::kDeletionCompleted;
      shown.message = "Deletion completed";
    }
    return shown;
  }

  void PutLegacy() {
    int wished = 0;
    status_.legacy_ready = 0;
    status_.legacy_available = 0;
    for (const SetRecord* set : facts_.sets) {
      wished += set->spec.replicas.value_or(0);
      status_.legacy_ready += set->status.legacy_ready;
      status_.legacy_available += set->status.legacy_available;
    }
    status_.legacy_unavailable = std::max(wished - status_.legacy_available, 0);
    status_.legacy_updated =
        facts_.current == nullptr ? 0 : facts_.current->status.replicas.value_or(0);
    PutLegacyConditions();
  }

  void PutLegacyConditions() {
    const int needed =
        std::max(deployment_.spec.replicas.value_or(0) - MaxUnavailable(deployment_.spec), 0);
    const bool available = status_.legacy_available >= needed;
    if (available) {
      PutLegacy(types::kAvailable, {.status = Truth::kTrue});
    } else {
      PutLegacy(types::kAvailable,
                {.status = Truth::kFalse,
                 .reason = "WaitingForAvailableMachines",
                 .severity = "Warning",
                 .message = fmt::format("Minimum availability requires {} replicas, current {} "
                                        "available",
                                        needed, status_.legacy_available)});
    }
    PutLegacySetReady();
    PutLegacyReady();
  }

  void PutLegacySetReady() {
    const LegacyCondition* ready =
        facts_.current == nullptr ? nullptr
                                  : Find(facts_.current->status.legacy_conditions, types::kReady);
    if (ready != nullptr) {
      PutLegacy("MachineSetReady", {.status = ready->status,
                                    .reason = ready->reason,
                                    .severity = ready->severity,
                                    .message = ready->message});
    } else if (!facts_.current_problem.empty()) {
      PutLegacy("MachineSetReady", {.status = Truth::kFalse,
                                    .reason = "MachineSetCreationFailed",
                                    .severity = "Error",
                                    .message = facts_.current_problem});
    } else {
      PutLegacy("MachineSetReady",
                {.status = Truth::kFalse, .reason = "WaitingForMachineSet", .severity = "Info"});
    }
  }

  void PutLegacyReady() {
    const LegacyCondition* available = Find(status_.legacy_conditions, types::kAvailable);
    const LegacyCondition* set = Find(status_.legacy_conditions, "MachineSetReady");
    const LegacyCondition* worst = available->status != Truth::kTrue ? available : set;
    PutLegacy(types::kReady, {.status = worst->status,
                              .reason = worst->reason,
                              .severity = worst->severity,
                              .message = worst->message});
  }

  const DeploymentRecord& deployment_;
  const DeploymentFacts& facts_;
  WallTime now_;
  DeploymentStatus status_;
  std::optional<WallTime> look_again_;
};

}  // namespace

int MaxUnavailable(const DeploymentSpec& spec) {
  if (spec.strategy == "OnDelete") return 0;
  core::Deployment deployment;
  deployment.replicas = spec.replicas.value_or(0);
  deployment.max_surge = spec.max_surge.value_or(core::Amount::Of(1));
  deployment.max_unavailable = spec.max_unavailable.value_or(core::Amount::Of(0));
  return core::ResolveLimits(deployment).unavailable;
}

DeploymentReport NextDeploymentStatus(const DeploymentRecord& deployment,
                                      const DeploymentFacts& facts, WallTime now) {
  return Report(deployment, facts, now).Make();
}

}  // namespace millwright::dialects::capi
