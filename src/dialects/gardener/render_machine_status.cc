// A machine's status after a report.
#include <fmt/format.h>

#include "core/health/node.h"
#include "core/lifecycle/status_change.h"
#include "dialects/gardener/names.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/state_note.h"
#include "dialects/gardener/words.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

using core::CloudCode;
using core::Phase;
using What = MachineReport::What;

// What goes with each kind of report, whatever the machine.
struct Outline {
  std::optional<Phase> phase;          // none: the machine's own
  std::optional<Operation> operation;  // none: the one shown stays
  OperationState state = OperationState::kProcessing;
  bool keeps_preservation = false;
  bool may_repeat = false;  // said again and again while it lasts
};

Outline OutlineOf(What what) {
  using enum OperationState;
  switch (what) {
    case What::kPending: return {Phase::kJoining, Operation::kCreate, kProcessing};
    case What::kAvailable: return {Phase::kAvailable, Operation::kCreate, kSuccessful};
    case What::kCreateFailed:
    case What::kInitializeFailed:
      return {Phase::kCreateFailing, Operation::kCreate, kFailed, false, true};
    case What::kNodeNameTaken: return {Phase::kFailed, Operation::kCreate, kFailed};
    case What::kJoined: return {Phase::kRunning, Operation::kCreate, kSuccessful, true};
    case What::kRejoined: return {Phase::kRunning, Operation::kHealthCheck, kSuccessful, true};
    case What::kUnwell:
    case What::kNodeLost: return {Phase::kUnhealthy, Operation::kHealthCheck, kProcessing, true};
    case What::kGivenUp:
    case What::kJoinTimedOut: return {Phase::kFailed, std::nullopt, kFailed, true};
    case What::kHealthReset: return {Phase::kRunning, Operation::kHealthCheck, kSuccessful, true};
    case What::kDeletion: return {Phase::kDeleting, Operation::kDelete, kProcessing, false, true};
    case What::kUpdateDrainFailed:
      return {std::nullopt, Operation::kDrain, kProcessing, true, true};
    case What::kUpdating: return {Phase::kUpdating, Operation::kUpdateInPlace, kProcessing};
    case What::kUpdateSucceeded: return {Phase::kUpdated, Operation::kUpdateInPlace, kSuccessful};
    case What::kUpdateFailed:
    case What::kUpdateTimedOut: return {Phase::kUpdateFailed, Operation::kUpdateInPlace, kFailed};
    case What::kConditions: return {std::nullopt, std::nullopt, kNone, true};
    case What::kProblem: return {std::nullopt, std::nullopt, kFailed, true};
  }
  return {};
}

// A machine whose creation was never said to be over has joined now, not again; and one that runs
// does neither.
What Meant(const MachineRecord& machine, What what) {
  if (what != What::kJoined && what != What::kRejoined) return what;
  if (machine.core.phase == Phase::kRunning) return What::kConditions;
  const bool creating = machine.operation.operation == Operation::kCreate &&
                        machine.operation.state != OperationState::kSuccessful;
  return creating ? What::kJoined : what;
}

std::string InSeconds(Duration duration) {
  return FormatDuration(std::chrono::round<std::chrono::seconds>(duration));
}

std::string ConditionsText(const std::vector<core::Condition>& conditions) {
  std::string text;
  for (const core::Condition& condition : conditions) {
    if (!text.empty()) text += ", ";
    text.append(condition.type).append("=").append(condition.status);
    if (!condition.reason.empty()) text.append(" (").append(condition.reason).append(")");
  }
  return text.empty() ? "none" : text;
}

// The token comes last, where ParseStage looks for it first.
std::string DeletionText(const MachineReport& report) {
  const std::string_view token = StageToken(report.stage);
  if (report.message.empty() && !report.code) return std::string(token);
  const std::string said = CloudErrorText(report.code, report.message);
  const bool ended = said.ends_with('.');
  return fmt::format("{}{} {}", said, ended ? "" : ".", token);
}

std::string Joined(const MachineRecord& machine, const MachineReport& report, WallTime now) {
  const Duration took = report.took > Duration{} ? report.took : now - machine.core.created;
  return fmt::format("Machine {} successfully joined the cluster in {}", machine.meta.key.name,
                     InSeconds(took));
}

std::string WithMessage(std::string text, const std::string& message) {
  return message.empty() ? text : text + ": " + message;
}

std::string Description(const MachineRecord& machine, const MachineReport& report, What what,
                        WallTime now) {
  const std::string& name = machine.meta.key.name;
  const auto conditions = [&] {
    return ConditionsText(report.conditions ? *report.conditions : machine.conditions.list());
  };
  switch (what) {
    case What::kPending: return "Creating machine on cloud provider";
    case What::kAvailable: return "Created machine on cloud provider";
    case What::kCreateFailed:
      return "Cloud provider message - " + CloudErrorText(report.code, report.message);
    case What::kInitializeFailed:
      return fmt::format("Provider error: {}. Initialize VM Instance",
                         CloudErrorText(report.code, report.message));
    case What::kNodeNameTaken: return "VM using old node obj";
    case What::kJoined: return Joined(machine, report, now);
    case What::kRejoined: return fmt::format("Machine {} successfully re-joined the cluster", name);
    case What::kUnwell:
      return fmt::format("Machine {} is unhealthy. Node conditions: {}", name, conditions());
    case What::kNodeLost:
      return fmt::format("Machine {} is unhealthy: its node object went missing", name);
    case What::kGivenUp:
      return fmt::format("Machine {} was unhealthy for longer than {}. Node conditions: {}", name,
                         InSeconds(report.took), conditions());
    case What::kJoinTimedOut:
      return fmt::format("Machine {} failed to join the cluster in {} minutes.", name,
                         FormatDuration(report.took));
    case What::kHealthReset:
      return fmt::format(
          "Machine {}: its health timeout was reset, since the API servers could not be reached",
          name);
    case What::kDeletion: return DeletionText(report);
    case What::kUpdateDrainFailed:
      return WithMessage(fmt::format("Machine {} could not be drained for its update", name),
                         report.message);
    case What::kUpdating: return fmt::format("Machine {} is undergoing an in-place update", name);
    case What::kUpdateSucceeded:
      return fmt::format("Machine {} was updated in place successfully", name);
    case What::kUpdateFailed:
      return WithMessage(fmt::format("Machine {}: its in-place update failed", name),
                         report.message);
    case What::kUpdateTimedOut:
      return fmt::format("Machine {}: its in-place update took longer than {}", name,
                         InSeconds(report.took));
    case What::kConditions: return machine.operation.description;
    case What::kProblem: return report.message;
  }
  return report.message;
}

std::string ErrorCode(const MachineReport& report, What what) {
  if (report.code && *report.code != CloudCode::kOk) {
    return std::string(core::ToString(*report.code));
  }
  const bool from_cloud = what == What::kCreateFailed || what == What::kInitializeFailed;
  return from_cloud ? "Unknown" : "";
}

ShownOperation NextOperation(const MachineRecord& machine, const MachineReport& report, What what,
                             WallTime now) {
  if (what == What::kConditions) return machine.operation;
  const Outline outline = OutlineOf(what);
  Operation operation = outline.operation.value_or(machine.operation.operation);
  if (operation == Operation::kNone) operation = Operation::kCreate;
  return {.operation = operation,
          .state = what == What::kDeletion ? report.state : outline.state,
          .description = Description(machine, report, what, now),
          .error_code = ErrorCode(report, what),
          .at = now};
}

json::array ConditionsJson(const std::vector<core::Condition>& conditions) {
  json::array list;
  for (const core::Condition& condition : conditions) {
    json::object shown{{"type", condition.type.view()}, {"status", condition.status.view()}};
    if (condition.since != WallTime()) shown["lastTransitionTime"] = FormatTime(condition.since);
    if (!condition.reason.empty()) shown["reason"] = condition.reason.view();
    if (!condition.message.empty()) shown["message"] = condition.message.view();
    list.push_back(std::move(shown));
  }
  return list;
}

json::array AddressesJson(const MachineReport& report) {
  json::array list;
  for (const auto& [type, address] : report.addresses) {
    list.push_back(json::object{{"type", type}, {"address", address}});
  }
  return list;
}

// What a status says, as far as a change of it is worth a write.
core::ShownStatus Compared(const ShownOperation& operation, Phase phase,
                           std::optional<core::DeletionStage> stage) {
  core::ShownStatus shown{
      .description = operation.description,
      .described_at = operation.at.value_or(WallTime()),
      .rest = fmt::format("{}|{}|{}|{}", PhaseText(phase), OperationText(operation.operation),
                          OperationStateText(operation.state), operation.error_code)};
  if (stage) shown.stage = StageToken(*stage);
  return shown;
}

bool HasNewConditions(const MachineRecord& machine, const MachineReport& report) {
  return report.conditions && core::ConditionsDiffer(machine.conditions.list(), *report.conditions,
                                                     conditions::kInPlaceUpdate);
}

// Everything except how it is worded.
bool HasNewFacts(const MachineRecord& machine, const MachineReport& report) {
  if (HasNewConditions(machine, report)) return true;
  if (report.remember && *report.remember != machine.remembered) return true;
  return !report.addresses.empty();
}

bool IsOperationNews(const MachineRecord& machine, const MachineReport& report, What what,
                     const ShownOperation& next, Phase phase, WallTime now) {
  const bool deletion = what == What::kDeletion;
  const core::ShownStatus before =
      Compared(machine.operation, machine.core.phase, deletion ? machine.stage : std::nullopt);
  const core::ShownStatus after =
      Compared(next, phase, deletion ? std::optional(report.stage) : std::nullopt);
  // What lasts is said anew now and then, so that people see that it is still tried; what is said
  // once is not.
  if (OutlineOf(what).may_repeat) return core::IsWorthWriting(before, after, now);
  return before.rest != after.rest || before.description != after.description;
}

json::object CurrentStatusPatch(const MachineRecord& machine, What what, Phase phase,
                                WallTime now) {
  json::object current;
  if (phase != machine.core.phase || what == What::kHealthReset) {
    current["phase"] = PhaseText(phase);
    // The base of time-outs: it moves with the phase, and with nothing else.
    current["lastUpdateTime"] = FormatTime(now);
    current["timeoutActive"] = nullptr;
  }
  if (what == What::kPending) current["timeoutActive"] = true;
  if (machine.core.preservation.until && !OutlineOf(what).keeps_preservation) {
    current["preserveExpiryTime"] = nullptr;
  }
  return current;
}

}  // namespace

json::object MachineStatus(const MachineRecord& machine, const MachineReport& report,
                           WallTime now) {
  const What what = Meant(machine, report.what);
  const Phase phase = report.phase.value_or(OutlineOf(what).phase.value_or(machine.core.phase));
  const ShownOperation next = NextOperation(machine, report, what, now);
  const bool news =
      what != What::kConditions && IsOperationNews(machine, report, what, next, phase, now);
  if (!news && !HasNewFacts(machine, report)) return {};

  json::object status;
  if (news) {
    json::object operation = OperationJson(next);
    if (next.error_code.empty() && !machine.operation.error_code.empty()) {
      operation["errorCode"] = nullptr;
    }
    status["lastOperation"] = std::move(operation);
  }
  json::object current = CurrentStatusPatch(machine, what, phase, now);
  if (!current.empty() && (news || phase != machine.core.phase)) {
    status["currentStatus"] = std::move(current);
  }
  if (HasNewConditions(machine, report)) {
    status["conditions"] = ConditionsJson(*report.conditions);
  }
  if (report.remember && *report.remember != machine.remembered) {
    status["lastKnownState"] =
        report.remember->empty() ? json::value(nullptr) : json::value(*report.remember);
  }
  if (!report.addresses.empty()) status["addresses"] = AddressesJson(report);
  return {{"status", std::move(status)}};
}

json::object MachineNotes(const MachineRecord& machine, const MachineReport& report) {
  const bool begins = report.what == What::kDeletion && machine.core.phase != Phase::kDeleting;
  // Only of a failed one does it matter later: its node is told that it goes because of that.
  if (!begins || machine.core.phase != Phase::kFailed || machine.phase_before_deletion) return {};
  return AnnotationPatch({{annotations::kState, StateNoteText({.before = machine.core.phase})}});
}

}  // namespace millwright::dialects::gardener
