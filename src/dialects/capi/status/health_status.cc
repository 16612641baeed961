#include "dialects/capi/status/health_status.h"

#include <algorithm>

#include <fmt/format.h>

#include "dialects/capi/names.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

using Kind = core::Finding::Kind;

struct Words {
  std::string_view reason;
  std::string_view legacy;
};

Words WordsFor(Kind kind) {
  switch (kind) {
    case Kind::kAskedFor: return {"HasRemediateAnnotation", "HasRemediateMachineAnnotation"};
    case Kind::kNodeGone: return {"NodeDeleted", "NodeNotFound"};
    case Kind::kNeverStarted: return {"NodeStartupTimeout", "NodeStartupTimeout"};
    case Kind::kNodeCondition: return {"UnhealthyNode", "UnhealthyNode"};
    case Kind::kMachineCondition:
    case Kind::kFailed: break;
  }
  return {"UnhealthyMachine", "UnhealthyMachine"};
}

std::string Line(const core::Finding& finding, const std::string& node) {
  switch (finding.kind) {
    case Kind::kAskedFor:
      return fmt::format("marked for remediation via {} annotation", annotations::kRemediate);
    case Kind::kNodeGone: return fmt::format("Node {} has been deleted", node);
    case Kind::kNeverStarted:
      return fmt::format("Node failed to report startup in {}", FormatDuration(finding.timeout));
    case Kind::kNodeCondition:
    case Kind::kMachineCondition:
      return fmt::format(
          "Condition {} on {} is reporting status {} with reason {} for more than {}", finding.type,
          finding.kind == Kind::kNodeCondition ? "Node" : "Machine", finding.status, finding.reason,
          FormatDuration(finding.timeout));
    case Kind::kFailed: break;
  }
  return "Machine has failed";
}

// Findings about the machine come first, and the first one gives its name to all.
Kind Leading(const core::Verdict& verdict) {
  return verdict.findings.empty() ? Kind::kMachineCondition : verdict.findings.front().kind;
}

}  // namespace

Shown ShowUnhealthy(const core::Verdict& verdict, const std::string& node) {
  const Kind leading = Leading(verdict);
  Shown shown{.status = Truth::kFalse, .reason = std::string(WordsFor(leading).reason)};
  if (leading == Kind::kAskedFor) {
    shown.message = fmt::format("Health check failed: {}", Line(verdict.findings.front(), node));
    return shown;
  }
  shown.message = "Health check failed:";
  for (const core::Finding& finding : verdict.findings) {
    shown.message += fmt::format("\n  * {}", Line(finding, node));
  }
  return shown;
}

LegacyShown ShowUnhealthyOld(const core::Verdict& verdict) {
  const Kind leading = Leading(verdict);
  LegacyShown shown{.status = Truth::kFalse,
                    .reason = std::string(WordsFor(leading).legacy),
                    .severity = "Warning"};
  if (leading == Kind::kNodeGone) return shown;
  for (const core::Finding& finding : verdict.findings) {
    if (!shown.message.empty()) shown.message += "; ";
    shown.message += Line(finding, {});
  }
  return shown;
}

Shown ShowHealthy() {
  return {.status = Truth::kTrue, .reason = std::string(types::kHealthCheckSucceeded)};
}

bool AskForRemediation(MachineStatus& status, std::int64_t generation, WallTime now) {
  if (Is(status.conditions, types::kOwnerRemediated, Truth::kFalse)) return false;
  Set(status.conditions, types::kOwnerRemediated,
      {.status = Truth::kFalse,
       .reason = std::string(reasons::kWaitingForRemediation),
       .message = "Waiting for remediation"},
      generation, now);
  Set(status.legacy_conditions, types::kOwnerRemediated,
      {.status = Truth::kFalse,
       .reason = std::string(reasons::kWaitingForRemediation),
       .severity = "Warning"},
      now);
  return true;
}

std::string TooManyUnhealthy(const HealthCheckRecord& check, int expected, const core::Gate& gate) {
  if (!check.range.empty()) {
    return fmt::format(
        "Nothing is remediated: {} of {} machines are not known to be healthy, which is outside "
        "the range {}",
        gate.unhealthy, expected, check.range);
  }
  return fmt::format(
      "Nothing is remediated: {} of {} machines are not known to be healthy, at most {} may be",
      gate.unhealthy, expected, check.at_most.value_or(core::Amount::Percent(100)).ToString());
}

HealthCheckStatus NextHealthCheckStatus(const HealthCheckRecord& check,
                                        const HealthCheckFacts& facts, WallTime now) {
  HealthCheckStatus next = check.status;
  next.targets = facts.targets;
  std::ranges::sort(next.targets);
  constexpr std::size_t kMostTargets = 10'000;
  if (next.targets.size() > kMostTargets) next.targets.resize(kMostTargets);
  const int expected = static_cast<int>(facts.targets.size());
  next.expected = expected;
  next.healthy = facts.healthy;
  next.remediations_allowed = facts.gate.allowed ? facts.gate.more_allowed : 0;
  if (facts.gate.allowed) {
    Set(next.conditions, types::kRemediationAllowed,
        {.status = Truth::kTrue, .reason = std::string(types::kRemediationAllowed)},
        check.meta.generation, now);
    Set(next.legacy_conditions, types::kRemediationAllowed, {.status = Truth::kTrue}, now);
  } else {
    const std::string message = TooManyUnhealthy(check, expected, facts.gate);
    Set(next.conditions, types::kRemediationAllowed,
        {.status = Truth::kFalse, .reason = "TooManyUnhealthy", .message = message},
        check.meta.generation, now);
    Set(next.legacy_conditions, types::kRemediationAllowed,
        {.status = Truth::kFalse,
         .reason = "TooManyUnhealthy",
         .severity = "Warning",
         .message = message},
        now);
  }
  if (Find(next.conditions, types::kPaused) != nullptr) {
    Set(next.conditions, types::kPaused, PausedShown(false, check, kHealthCheckKind),
        check.meta.generation, now);
  }
  if (facts.succeeded) next.observed_generation = check.meta.generation;
  return next;
}

}  // namespace millwright::dialects::capi
