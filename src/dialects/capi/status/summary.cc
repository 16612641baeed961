#include "dialects/capi/status/summary.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "dialects/capi/status/deletion_delay.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

constexpr std::string_view kNotReported = "Condition not yet reported";

bool IsControlPlaneComponent(std::string_view type) {
  return type.starts_with("APIServer") || type.starts_with("ControllerManager") ||
         type.starts_with("Scheduler") || type == "EtcdPodHealthy";
}

// Components of one control plane mostly fail together, and then one line says it.
std::vector<SummaryInput> GroupComponents(std::span<const SummaryInput> told) {
  std::vector<SummaryInput> grouped;
  std::optional<std::size_t> group;
  std::size_t members = 0;
  for (const SummaryInput& input : told) {
    if (!IsControlPlaneComponent(input.type)) {
      grouped.push_back(input);
      continue;
    }
    ++members;
    if (!group) {
      group = grouped.size();
      grouped.push_back(input);
    } else if (grouped[*group].text != input.text) {
      return {told.begin(), told.end()};
    }
  }
  if (members < 2) return {told.begin(), told.end()};
  grouped[*group].type = "Control plane components";
  return grouped;
}

std::string TextOf(const Condition& condition) {
  return condition.message.empty() ? condition.reason : condition.message;
}

// What is expected to be gone says nothing against a machine that goes.
bool IsExpectedToGo(const Condition& condition) {
  if (condition.type == types::kNodeHealthy) {
    return condition.reason == reasons::kNodeDeleted ||
           condition.reason == reasons::kNodeDoesNotExist;
  }
  return condition.reason == reasons::kObjectDeleted ||
         condition.reason == reasons::kObjectDoesNotExist;
}

SummaryInput DeletingInput(const MachineRecord& machine, const Conditions& conditions,
                           WallTime now) {
  SummaryInput input = InputOf(conditions, types::kDeleting, true);
  const Condition* deleting = Find(conditions, types::kDeleting);
  if (machine.deleting() && deleting != nullptr) {
    input.text = DeletionProgress(machine, deleting->reason, deleting->message, now);
  }
  return input;
}

}  // namespace

Weight WeightOf(Truth status, bool negative) {
  if (status == Truth::kUnknown) return Weight::kUnknown;
  return (status == Truth::kTrue) == negative ? Weight::kIssue : Weight::kInfo;
}

SummaryInput InputOf(const Conditions& conditions, std::string_view type, bool negative) {
  const Condition* condition = Find(conditions, type);
  if (condition == nullptr) {
    return {
        .type = std::string(type), .weight = Weight::kUnknown, .text = std::string(kNotReported)};
  }
  const Weight weight = WeightOf(condition->status, negative);
  // A reason alone is worth telling only where something is wrong.
  return {.type = std::string(type),
          .weight = weight,
          .text = weight == Weight::kInfo ? condition->message.str() : TextOf(*condition)};
}

std::string AfterColon(std::string_view message) {
  if (!message.contains('\n') && !message.starts_with("* ")) return fmt::format(" {}", message);
  std::string text = "\n  ";
  for (char c : message) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

Summary Summarize(std::span<const SummaryInput> inputs) {
  const auto any = [&](Weight weight) {
    return std::ranges::any_of(inputs,
                               [&](const SummaryInput& input) { return input.weight == weight; });
  };
  Summary summary;
  if (any(Weight::kIssue)) {
    summary.status = Truth::kFalse;
  } else if (any(Weight::kUnknown)) {
    summary.status = Truth::kUnknown;
  }
  std::vector<SummaryInput> told;
  for (const SummaryInput& input : inputs) {
    const bool informs = input.weight == Weight::kInfo;
    if (informs && (summary.status != Truth::kTrue || input.text.empty())) continue;
    told.push_back(input);
  }
  for (const SummaryInput& input : GroupComponents(told)) {
    if (!summary.message.empty()) summary.message += '\n';
    summary.message += fmt::format("* {}:{}", input.type, AfterColon(input.text));
  }
  return summary;
}

Shown ShowReady(const MachineRecord& machine, const Conditions& conditions, WallTime now) {
  std::vector<SummaryInput> inputs;
  inputs.push_back(DeletingInput(machine, conditions, now));
  inputs.push_back(InputOf(conditions, types::kUpdating, true));
  for (std::string_view type :
       {types::kBootstrapReady, types::kInfrastructureReady, types::kNodeHealthy}) {
    SummaryInput input = InputOf(conditions, type, false);
    const Condition* condition = Find(conditions, type);
    if (machine.deleting() && condition != nullptr && IsExpectedToGo(*condition)) {
      input.weight = Weight::kInfo;
    }
    inputs.push_back(std::move(input));
  }
  if (Find(conditions, types::kHealthCheckSucceeded) != nullptr) {
    inputs.push_back(InputOf(conditions, types::kHealthCheckSucceeded, false));
  }
  for (const ReadinessGate& gate : machine.spec.handed_down.readiness_gates) {
    inputs.push_back(InputOf(conditions, gate.type, gate.negative));
  }
  Summary summary = Summarize(inputs);
  std::string_view reason = reasons::kReady;
  if (summary.status == Truth::kFalse) reason = reasons::kNotReady;
  if (summary.status == Truth::kUnknown) reason = reasons::kReadyUnknown;
  return {.status = summary.status,
          .reason = std::string(reason),
          .message = std::move(summary.message)};
}

}  // namespace millwright::dialects::capi
