// The words in which the API shows what we know as values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/lifecycle/cloud_code.h"
#include "core/lifecycle/deletion.h"
#include "core/model/machine.h"
#include "core/preserve/wish.h"
#include "core/rollout/progress.h"
#include "dialects/machine_record.h"

namespace millwright::dialects::gardener {

// A phase that nobody knows is kNew, as upstream treats it: its instance is confirmed first.
core::Phase ParsePhase(std::string_view text);
std::string_view PhaseText(core::Phase phase);

Operation ParseOperation(std::string_view text);
std::string_view OperationText(Operation operation);

OperationState ParseOperationState(std::string_view text);
std::string_view OperationStateText(OperationState state);

// The sentence that stands for a stage of deletion; others read it too.
std::string_view StageToken(core::DeletionStage stage);

// The stage that a description speaks of. Its last words decide, where we and upstream put the
// token: what a cloud said before may contain anything. Only if it ends with none, any token in it
// does.
std::optional<core::DeletionStage> ParseStage(std::string_view description);

// "machine codes error: code = [Internal] message = [...]"; without a code the message alone.
std::string CloudErrorText(std::optional<core::CloudCode> code, std::string_view message);

core::WrittenWish ParseWish(std::string_view text);
std::string_view WishText(core::PreserveWish wish);

std::optional<core::ProgressReason> ParseProgressReason(std::string_view text);
std::string_view ProgressReasonText(core::ProgressReason reason);
core::Progress::Status ParseConditionStatus(std::string_view text);
std::string_view ConditionStatusText(core::Progress::Status status);

// The truth of a label's value, in the spellings that Go accepts.
bool IsTrue(std::string_view text);

}  // namespace millwright::dialects::gardener
