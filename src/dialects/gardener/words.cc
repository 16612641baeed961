#include "dialects/gardener/words.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace millwright::dialects::gardener {
namespace {

// A value and how it is written. Of values that share a text the first is the one that is read.
template <class T>
struct Word {
  T value;
  std::string_view text;
};

template <class T, size_t kCount>
std::optional<T> Find(const Word<T> (&words)[kCount], std::string_view text) {
  const auto found = std::ranges::find(words, text, &Word<T>::text);
  return found == std::end(words) ? std::nullopt : std::optional(found->value);
}

template <class T, size_t kCount>
std::string_view TextOf(const Word<T> (&words)[kCount], T value) {
  const auto found = std::ranges::find(words, value, &Word<T>::value);
  return found == std::end(words) ? std::string_view() : found->text;
}

using core::Phase;
constexpr Word<Phase> kPhases[] = {
    {Phase::kNew, ""},
    {Phase::kJoining, "Pending"},
    {Phase::kAvailable, "Available"},
    {Phase::kRunning, "Running"},
    {Phase::kUnhealthy, "Unknown"},
    {Phase::kFailed, "Failed"},
    {Phase::kCreateFailing, "CrashLoopBackOff"},
    {Phase::kDeleting, "Terminating"},
    {Phase::kUpdating, "InPlaceUpdating"},
    {Phase::kUpdated, "InPlaceUpdateSuccessful"},
    {Phase::kUpdateFailed, "InPlaceUpdateFailed"},
    {Phase::kProvisioning, ""},
};

constexpr Word<Operation> kOperations[] = {
    {Operation::kNone, ""},
    {Operation::kCreate, "Create"},
    {Operation::kHealthCheck, "HealthCheck"},
    {Operation::kDrain, "DrainNode"},
    {Operation::kDelete, "Delete"},
    {Operation::kUpdateInPlace, "InPlaceUpdate"},
};

constexpr Word<OperationState> kStates[] = {
    {OperationState::kNone, ""},
    {OperationState::kProcessing, "Processing"},
    {OperationState::kFailed, "Failed"},
    {OperationState::kSuccessful, "Successful"},
};

using core::DeletionStage;
constexpr Word<DeletionStage> kStages[] = {
    {DeletionStage::kFindNode, "Set machine status to termination. Now, getting VM Status"},
    {DeletionStage::kDrain, "Initiate node drain"},
    {DeletionStage::kReleaseVolumes, "Delete Volume Attachments"},
    {DeletionStage::kRemoveInstance, "Initiate VM deletion"},
    {DeletionStage::kRemoveNode, "Initiate node object deletion"},
    {DeletionStage::kLetGo, "Initiate machine object finalizer removal"},
};

using core::PreserveWish;
constexpr Word<PreserveWish> kWishes[] = {
    {PreserveWish::kNow, "now"},
    {PreserveWish::kWhenFailed, "when-failed"},
    {PreserveWish::kAutomatic, "auto-preserved"},
    {PreserveWish::kNever, "false"},
};

using core::ProgressReason;
constexpr Word<ProgressReason> kReasons[] = {
    {ProgressReason::kNewSetCreated, "NewMachineSetCreated"},
    {ProgressReason::kFoundNewSet, "FoundNewMachineSet"},
    {ProgressReason::kSetUpdated, "MachineSetUpdated"},
    {ProgressReason::kNewSetAvailable, "NewMachineSetAvailable"},
    {ProgressReason::kDeadlineExceeded, "ProgressDeadlineExceeded"},
    {ProgressReason::kSetCreateError, "MachineSetCreateError"},
    {ProgressReason::kPaused, "DeploymentPaused"},
    {ProgressReason::kResumed, "DeploymentResumed"},
};

using Status = core::Progress::Status;
constexpr Word<Status> kStatuses[] = {
    {Status::kTrue, "True"}, {Status::kFalse, "False"}, {Status::kUnknown, "Unknown"}};

constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "true", "True", "TRUE"};

}  // namespace

core::Phase ParsePhase(std::string_view text) { return Find(kPhases, text).value_or(Phase::kNew); }
std::string_view PhaseText(core::Phase phase) { return TextOf(kPhases, phase); }

Operation ParseOperation(std::string_view text) {
  return Find(kOperations, text).value_or(Operation::kNone);
}
std::string_view OperationText(Operation operation) { return TextOf(kOperations, operation); }

OperationState ParseOperationState(std::string_view text) {
  return Find(kStates, text).value_or(OperationState::kNone);
}
std::string_view OperationStateText(OperationState state) { return TextOf(kStates, state); }

std::string_view StageToken(core::DeletionStage stage) { return TextOf(kStages, stage); }

std::optional<core::DeletionStage> ParseStage(std::string_view description) {
  for (const auto& [stage, token] : kStages) {
    if (description.ends_with(token)) return stage;
  }
  for (const auto& [stage, token] : kStages) {
    if (description.contains(token)) return stage;
  }
  return std::nullopt;
}

std::string CloudErrorText(std::optional<core::CloudCode> code, std::string_view message) {
  if (!code || code == core::CloudCode::kOk) return std::string(message);
  std::string text = "machine codes error: code = [";
  text.append(core::ToString(*code)).append("] message = [").append(message).append("]");
  return text;
}

core::WrittenWish ParseWish(std::string_view text) {
  const auto wish = Find(kWishes, text);
  return {.valid = wish.has_value(), .wish = wish.value_or(PreserveWish::kNone)};
}
std::string_view WishText(core::PreserveWish wish) { return TextOf(kWishes, wish); }

std::optional<core::ProgressReason> ParseProgressReason(std::string_view text) {
  return Find(kReasons, text);
}
std::string_view ProgressReasonText(core::ProgressReason reason) {
  return TextOf(kReasons, reason);
}

core::Progress::Status ParseConditionStatus(std::string_view text) {
  return Find(kStatuses, text).value_or(Status::kUnknown);
}
std::string_view ConditionStatusText(core::Progress::Status status) {
  return TextOf(kStatuses, status);
}

bool IsTrue(std::string_view text) { return std::ranges::count(kTrue, text) > 0; }

}  // namespace millwright::dialects::gardener
