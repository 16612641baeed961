#include "dialects/capi/status/set_status.h"

#include <algorithm>

#include <fmt/format.h>

#include "dialects/capi/names.h"
#include "dialects/capi/status/aggregate.h"
#include "dialects/capi/status/deletion_delay.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/scaling.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

LegacyShown False(std::string reason, std::string severity, std::string message = {}) {
  return {.status = Truth::kFalse,
          .reason = std::move(reason),
          .severity = std::move(severity),
          .message = std::move(message)};
}

LegacyShown True() { return {.status = Truth::kTrue}; }

class Report {
 public:
  Report(const SetRecord& set, const SetFacts& facts, WallTime now)
      : set_(set), facts_(facts), now_(now), status_(set.status) {}

  SetReport Make() {
    if (facts_.machines_known) PutCounts();
    PutScaling();
    PutMachines();
    PutDeleting();
    Put(types::kPaused, PausedShown(false, set_, kSetKind));
    if (facts_.machines_known) PutLegacy();
    status_.selector = set_.spec.selector.ToString();
    if (facts_.succeeded) status_.observed_generation = set_.meta.generation;
    LookAgain(NextStale(facts_.machines, now_));
    return {.status = std::move(status_), .look_again = look_again_};
  }

 private:
  void Put(std::string_view type, const Shown& shown) {
    Set(status_.conditions, type, shown, set_.meta.generation, now_);
  }
  void PutLegacy(std::string_view type, const LegacyShown& shown) {
    Set(status_.legacy_conditions, type, shown, now_);
  }
  void LookAgain(std::optional<WallTime> at) {
    if (at && *at > now_) look_again_ = look_again_ ? std::min(*look_again_, *at) : *at;
  }

  void PutCounts() {
    const Counts counts = CountMachines(facts_.machines);
    status_.replicas = counts.replicas;
    status_.ready = counts.ready;
    status_.available = counts.available;
    status_.up_to_date = counts.up_to_date;
    status_.versions = CountVersions(facts_.machines);
  }

  void PutScaling() {
    const int moved = static_cast<int>(std::ranges::count_if(
        facts_.machines, [](const MachineRecord* machine) { return IsUnacknowledged(*machine); }));
    ScalingFacts scaling{.wished = set_.spec.replicas,
                         .machines = static_cast<int>(facts_.machines.size()),
                         .known = facts_.machines_known,
                         .deleting = set_.deleting(),
                         .missing_templates = facts_.missing_templates,
                         .blocked = facts_.preflight,
                         .stale = StaleDeletionLine(facts_.machines, now_)};
    Put(types::kScalingUp, ShowScalingUp(scaling));
    scaling.machines -= moved;
    Put(types::kScalingDown, ShowScalingDown(scaling));
  }

  void PutMachines() {
    if (!facts_.machines_known) {
      const Shown unknown{.status = Truth::kUnknown,
                          .reason = std::string(reasons::kInternalError),
                          .message = std::string(kSeeLogs)};
      for (std::string_view type :
           {types::kMachinesReady, types::kMachinesUpToDate, types::kRemediating}) {
        Put(type, unknown);
      }
      return;
    }
    Put(types::kMachinesReady, ShowMachinesReady(facts_.machines));
    const UpToDateGroup up_to_date = ShowMachinesUpToDate(facts_.machines, now_);
    Put(types::kMachinesUpToDate, up_to_date.shown);
    LookAgain(up_to_date.look_again);
    Put(types::kRemediating, ShowRemediating(facts_.machines, kSetKind));
  }

  void PutDeleting() {
    if (!set_.deleting()) {
      Put(types::kDeleting,
          {.status = Truth::kFalse, .reason = std::string(reasons::kNotDeleting)});
      return;
    }
    if (!facts_.machines_known) {
      Put(types::kDeleting, {.status = Truth::kUnknown,
                             .reason = std::string(reasons::kInternalError),
                             .message = std::string(kSeeLogs)});
      return;
    }
    if (facts_.machines.empty()) {
      Put(types::kDeleting, {.status = Truth::kTrue,
                             .reason = std::string(reasons::kDeletionCompleted),
                             .message = "Deletion completed"});
      return;
    }
    std::string message = fmt::format("Deleting {} {}", facts_.machines.size(),
                                      Plural(kMachineKind, facts_.machines.size()));
    if (std::string stale = StaleDeletionLine(facts_.machines, now_); !stale.empty()) {
      message += "\n" + stale;
    }
    Put(types::kDeleting, {.status = Truth::kTrue,
                           .reason = std::string(reasons::kDeleting),
                           .message = std::move(message)});
  }

  // The old counters look at nodes. What a machine shows of its node is as good.
  void PutLegacyCounts() {
    status_.legacy_fully_labeled = 0;
    status_.legacy_ready = 0;
    status_.legacy_available = 0;
    const auto min_ready = std::chrono::seconds(
        set_.spec.machine_template.spec.handed_down.min_ready_seconds.value_or(0));
    for (const MachineRecord* machine : facts_.machines) {
      const bool labeled =
          std::ranges::all_of(set_.spec.machine_template.labels, [&](const auto& label) {
            const auto found = machine->labels.find(label.first);
            return found != machine->labels.end() && found->second == label.second;
          });
      if (labeled) ++status_.legacy_fully_labeled;
      const Condition* node = Find(machine->status.conditions, types::kNodeReady);
      if (node == nullptr || node->status != Truth::kTrue || machine->status.node.empty()) continue;
      ++status_.legacy_ready;
      if (node->since + min_ready <= now_) {
        ++status_.legacy_available;
      } else {
        LookAgain(node->since + min_ready);
      }
    }
  }

  void PutLegacy() {
    PutLegacyCounts();
    const int machines = static_cast<int>(facts_.machines.size());
    const int wished = set_.deleting() ? 0 : set_.spec.replicas.value_or(machines);
    if (!facts_.preflight.empty() && machines < wished) {
      std::string message;
      for (const std::string& reason : facts_.preflight) {
        message += (message.empty() ? "" : "; ") + reason;
      }
      PutLegacy("MachinesCreated", False("PreflightCheckFailed", "Error", std::move(message)));
    } else if (!facts_.creation_problem.empty()) {
      PutLegacy("MachinesCreated",
                False("MachineCreationFailed", "Error", facts_.creation_problem));
    } else {
      PutLegacy("MachinesCreated", True());
    }
    if (machines < wished) {
      PutLegacy("Resized", False("ScalingUp", "Warning",
                                 fmt::format("Scaling up MachineSet to {} replicas (actual {})",
                                             wished, machines)));
    } else if (machines > wished) {
      PutLegacy("Resized", False("ScalingDown", "Warning",
                                 fmt::format("Scaling down MachineSet to {} replicas (actual {})",
                                             wished, machines)));
    } else {
      PutLegacy("Resized", True());
    }
    PutLegacyMachinesReady();
    PutLegacyReady();
  }

  void PutLegacyMachinesReady() {
    const LegacyCondition* worst = nullptr;
    const MachineRecord* whose = nullptr;
    for (const MachineRecord* machine : facts_.machines) {
      const LegacyCondition* ready = Find(machine->status.legacy_conditions, types::kReady);
      if (ready == nullptr || ready->status == Truth::kTrue) continue;
      const bool earlier = whose == nullptr || machine->meta.key.name < whose->meta.key.name;
      if (worst == nullptr || (earlier && ready->severity == worst->severity) ||
          Gravity(*ready) > Gravity(*worst)) {
        worst = ready;
        whose = machine;
      }
    }
    if (worst == nullptr) {
      PutLegacy(types::kMachinesReady, True());
      return;
    }
    PutLegacy(types::kMachinesReady,
              {.status = worst->status,
               .reason = fmt::format("{} @ Machine/{}", worst->reason, whose->meta.key.name),
               .severity = worst->severity,
               .message = worst->message});
  }

  static int Gravity(const LegacyCondition& condition) {
    if (condition.status == Truth::kUnknown) return 1;
    if (condition.severity == "Error") return 4;
    return condition.severity == "Warning" ? 3 : 2;
  }

  void PutLegacyReady() {
    const LegacyCondition* worst = nullptr;
    for (std::string_view type : {"MachinesCreated", "Resized", "MachinesReady"}) {
      const LegacyCondition* part = Find(status_.legacy_conditions, type);
      if (part == nullptr || part->status == Truth::kTrue) continue;
      if (worst == nullptr || Gravity(*part) > Gravity(*worst)) worst = part;
    }
    PutLegacy(types::kReady, worst == nullptr ? True()
                                              : LegacyShown{.status = worst->status,
                                                            .reason = worst->reason,
                                                            .severity = worst->severity,
                                                            .message = worst->message});
  }

  const SetRecord& set_;
  const SetFacts& facts_;
  WallTime now_;
  SetStatus status_;
  std::optional<WallTime> look_again_;
};

}  // namespace

SetReport NextSetStatus(const SetRecord& set, const SetFacts& facts, WallTime now) {
  return Report(set, facts, now).Make();
}

}  // namespace millwright::dialects::capi
