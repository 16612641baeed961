#include "cli/machine_words.h"

#include <fmt/format.h>

namespace millwright::cli {

using core::Phase;
using dialects::MachineRecord;

namespace {

std::string_view PhaseWord(const MachineRecord& machine) {
  switch (machine.core.phase) {
    case Phase::kNew: return machine.problem.empty() ? "New" : "Invalid";
    case Phase::kCreateFailing: return "CannotCreate";
    case Phase::kProvisioning: return "Creating";
    case Phase::kJoining: return "Joining";
    case Phase::kAvailable: return "Available";
    case Phase::kRunning: return "Running";
    case Phase::kUnhealthy: return "Unhealthy";
    case Phase::kUpdating: return "Updating";
    case Phase::kUpdated: return "Updated";
    case Phase::kUpdateFailed: return "UpdateFailed";
    case Phase::kFailed: return "Failed";
    case Phase::kDeleting: return "Deleting";
  }
  return "";
}

// Gardener's descriptions of a deletion end with the step that comes next, for other programs.
// People are told the stage in our words.
constexpr std::string_view kNextSteps[] = {"Initiate node drain",
                                           "Initiate VM deletion",
                                           "Initiate node object deletion",
                                           "Initiate machine object finalizer removal",
                                           "Delete Volume Attachments",
                                           "Set machine status to termination. Now, getting VM "
                                           "Status"};

std::string_view WithoutNextStep(std::string_view description) {
  for (const std::string_view step : kNextSteps) {
    if (!description.ends_with(step)) continue;
    description.remove_suffix(step.size());
    while (description.ends_with(' ') || description.ends_with('.')) description.remove_suffix(1);
    break;
  }
  return description;
}

}  // namespace

std::string_view StageWord(core::DeletionStage stage) {
  using enum core::DeletionStage;
  switch (stage) {
    case kFindNode: return "finding its node";
    case kDrain: return "draining its node";
    case kReleaseVolumes: return "detaching volumes";
    case kRemoveInstance: return "removing its instance";
    case kRemoveNode: return "removing its node";
    case kLetGo: return "letting go";
  }
  return "";
}

std::string StateOf(const MachineRecord& machine) {
  if (!machine.core.IsDeleting()) return std::string(PhaseWord(machine));
  std::string text = "Deleting";
  if (machine.stage) text.append(": ").append(StageWord(*machine.stage));
  return text;
}

Mood MoodOf(const MachineRecord& machine) {
  if (machine.operation.state == dialects::OperationState::kFailed) return Mood::kBad;
  if (machine.core.IsDeleting()) return Mood::kBusy;
  switch (machine.core.phase) {
    case Phase::kRunning:
    case Phase::kAvailable: return Mood::kFine;
    case Phase::kNew: return machine.problem.empty() ? Mood::kBusy : Mood::kBad;
    case Phase::kProvisioning:
    case Phase::kJoining:
    case Phase::kUpdating:
    case Phase::kUpdated:
    case Phase::kDeleting: return Mood::kBusy;
    case Phase::kCreateFailing:
    case Phase::kUnhealthy:
    case Phase::kUpdateFailed:
    case Phase::kFailed: return Mood::kBad;
  }
  return Mood::kPlain;
}

std::string PlainCloudError(std::string_view description) {
  description = WithoutNextStep(description);
  constexpr std::string_view kCode = "code = [";
  constexpr std::string_view kMessage = "] message = [";
  const auto code = description.find(kCode);
  const auto message = description.find(kMessage, code == description.npos ? 0 : code);
  const auto end = description.rfind(']');
  const bool wrapped = code != description.npos && message != description.npos &&
                       end != description.npos && end >= message + kMessage.size();
  if (!wrapped) return std::string(description);
  const auto code_begin = code + kCode.size();
  const auto message_begin = message + kMessage.size();
  std::string text(description.substr(code_begin, message - code_begin));
  text.append(": ").append(description.substr(message_begin, end - message_begin));
  const std::string_view rest = description.substr(end + 1);
  if (rest.size() > 2) text.append(rest);
  return text;
}

std::string NewsOf(const MachineRecord& machine) {
  if (!machine.problem.empty()) return machine.problem;
  if (MoodOf(machine) == Mood::kFine) return {};
  const auto ready = machine.conditions.Find("Ready");
  if (machine.core.phase == Phase::kUnhealthy && ready && ready->status != "True") {
    return fmt::format("its node is not ready: {}", ready->reason);
  }
  return PlainCloudError(machine.operation.description);
}

NodeState StateOf(const dialects::NodeRecord& node) {
  const auto ready = node.conditions.Find("Ready");
  NodeState state{.text = "Unknown", .ready = ready && ready->status == "True"};
  if (ready) state.text = state.ready ? "Ready" : "NotReady";
  if (ready && !state.ready) state.why = ready->message;
  if (node.unschedulable) state.text += ",SchedulingDisabled";
  return state;
}

}  // namespace millwright::cli
