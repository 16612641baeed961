// Of one machine; diagnosis.cc has those above it.
#include <fmt/format.h>

#include <algorithm>

#include "cli/age.h"
#include "cli/diagnosis.h"
#include "cli/machine_words.h"
#include "core/lifecycle/cloud_code.h"

namespace millwright::cli {

using core::Phase;
using dialects::ClassRecord;
using dialects::MachineRecord;
using dialects::NodeRecord;

namespace {

using namespace std::chrono_literals;

// A controller that runs has acted by then.
constexpr Duration kPatience = 1min;

void Add(std::vector<Cause>& causes, std::string what, std::vector<Cause> because = {}) {
  causes.push_back({std::move(what), std::move(because)});
}

// When the cloud is asked again about a creation that it refused; core/lifecycle/create has the
// rule.
Duration CreateDelay(const std::string& error_code, const core::RetryPeriods& periods) {
  const auto code = core::ParseCloudCode(error_code);
  if (code == core::CloudCode::kResourceExhausted) {
    return core::DelayFor(core::Retry::kExhausted, periods);
  }
  const bool passing = code && core::IsPassing(*code);
  return core::DelayFor(passing ? core::Retry::kShort : core::Retry::kMedium, periods);
}

std::string NextTry(WallTime last, Duration delay, WallTime now) {
  const WallTime next = last + delay;
  if (next <= now) return "it is tried again now and then";
  return fmt::format("it is tried again in about {}", ShortAge(next - now));
}

// What a person can do about a code, where that is known.
std::string_view HintFor(const std::string& error_code) {
  using enum core::CloudCode;
  const auto code = core::ParseCloudCode(error_code);
  if (code == kResourceExhausted) {
    return "the cloud has no room or the quota is used up: raise it, or use another size or zone";
  }
  if (code == kPermissionDenied || code == kUnauthenticated) {
    return "look at the credentials in the secret of its class";
  }
  return code == kInvalidArgument ? "look at the provider's part of its class" : "";
}

void AddClassProblems(const Seen& seen, const DiagnosisRules& rules, const MachineRecord& machine,
                      std::vector<Cause>& causes) {
  const ClassRecord* of = seen.ClassOf(machine);
  if (of == nullptr) {
    if (seen.classes_known && !machine.class_name.empty()) {
      Add(causes, fmt::format("{} {} does not exist", rules.class_kind, machine.class_name));
    }
    return;
  }
  if (!of->problem.empty()) {
    Add(causes, fmt::format("{} {}: {}", rules.class_kind, machine.class_name, of->problem));
  }
  for (const kube::ObjectKey& secret : of->secrets) {
    if (std::ranges::count(seen.missing_secrets, secret) == 0) continue;
    Add(causes, fmt::format("secret {} of {} {} does not exist", secret.ToString(),
                            rules.class_kind, machine.class_name));
  }
}

// What its last operation said, with who has to act.
std::vector<Cause> LastWords(const MachineRecord& machine, const DiagnosisRules& rules,
                             WallTime now) {
  std::vector<Cause> said;
  const dialects::ShownOperation& operation = machine.operation;
  if (std::string line = PlainCloudError(operation.description); !line.empty()) {
    if (operation.at) line += fmt::format(" ({} ago)", AgeSince(*operation.at, now));
    Add(said, std::move(line));
  }
  if (const std::string_view hint = HintFor(operation.error_code); !hint.empty()) {
    Add(said, std::string(hint));
  }
  if (machine.core.phase == Phase::kCreateFailing && operation.at) {
    Add(said, NextTry(*operation.at, CreateDelay(operation.error_code, rules.periods), now));
  }
  return said;
}

void AddNodeTrouble(const Seen& seen, const MachineRecord& machine, WallTime now,
                    std::vector<Cause>& causes) {
  const NodeRecord* node = seen.NodeOf(machine);
  const auto& conditions = node != nullptr ? node->conditions : machine.conditions;
  for (const core::Condition& condition : conditions.list()) {
    // Of a node that is silent everything is unknown; that it is silent says it all.
    const bool good =
        condition.type == "Ready" ? condition.status == "True" : condition.status != "True";
    const bool known = condition.type == "Ready" || condition.type.view().ends_with("Pressure") ||
                       condition.type.view().ends_with("Problem") ||
                       condition.type.view().ends_with("Unavailable");
    if (good || !known) continue;
    std::string line =
        fmt::format("node {}: {}={}", machine.node, condition.type, condition.status);
    if (!condition.reason.empty()) line += fmt::format(" ({})", condition.reason);
    if (condition.since != WallTime()) {
      line += fmt::format(" for {}", AgeSince(condition.since, now));
    }
    if (!condition.message.empty()) line += fmt::format(": {}", condition.message);
    Add(causes, std::move(line));
  }
}

// A deletion waits for us, or for whoever else put a finalizer on it.
std::vector<Cause> WhyNotGone(const MachineRecord& machine, const DiagnosisRules& rules,
                              WallTime now) {
  std::vector<Cause> because = LastWords(machine, rules, now);
  bool ours = false;
  for (const std::string& finalizer : machine.finalizers.get()) {
    if (finalizer == rules.finalizer) {
      ours = true;
    } else {
      Add(because, fmt::format("finalizer {} of somebody else holds it: whoever set it has to "
                               "remove it",
                               finalizer));
    }
  }
  const bool silent = !machine.stage && machine.core.phase != Phase::kDeleting;
  if (ours && silent && machine.core.deleting_since &&
      now - *machine.core.deleting_since > kPatience) {
    Add(because, "nobody acts on it: is the controller running?");
  }
  return because;
}

Cause Going(const MachineRecord& machine, const DiagnosisRules& rules, WallTime now) {
  std::string what = "it is being deleted";
  if (machine.core.deleting_since) {
    what += " since " + AgeSince(*machine.core.deleting_since, now);
  }
  if (machine.stage) what += fmt::format(", now {}", StageWord(*machine.stage));
  if (machine.stage == core::DeletionStage::kDrain && machine.limits().drain &&
      machine.core.deleting_since) {
    const WallTime forced = *machine.core.deleting_since + *machine.limits().drain;
    if (forced > now) what += fmt::format("; by force in {}", ShortAge(forced - now));
  }
  return {std::move(what), WhyNotGone(machine, rules, now)};
}

std::string Joining(const MachineRecord& machine, WallTime now) {
  std::string what =
      fmt::format("its instance {} is there, its node has not joined", machine.instance);
  if (machine.phase_since != WallTime()) {
    what += fmt::format(" for {}", AgeSince(machine.phase_since, now));
  }
  if (machine.limits().creation) {
    const WallTime limit = machine.core.created + *machine.limits().creation;
    what += limit > now ? fmt::format("; it is given up in {}", ShortAge(limit - now))
                        : "; its time is over";
  }
  return what;
}

}  // namespace

std::vector<Cause> WhyNot(const Seen& seen, const DiagnosisRules& rules,
                          const MachineRecord& machine, WallTime now) {
  std::vector<Cause> causes;
  if (!machine.problem.empty()) Add(causes, machine.problem);
  if (machine.core.IsDeleting()) {
    AddClassProblems(seen, rules, machine, causes);
    causes.push_back(Going(machine, rules, now));
    return causes;
  }
  if (machine.core.phase != Phase::kRunning && machine.core.phase != Phase::kAvailable) {
    AddClassProblems(seen, rules, machine, causes);
  }
  switch (machine.core.phase) {
    case Phase::kRunning:
    case Phase::kAvailable: break;
    case Phase::kNew:
      if (!causes.empty()) break;  // that is why
      if (machine.operation.operation != dialects::Operation::kNone) {
        Add(causes, "its instance is not confirmed", LastWords(machine, rules, now));
      } else if (now - machine.core.created > kPatience) {
        Add(causes, "nobody has acted on it: is the controller running?");
      } else {
        Add(causes, fmt::format("it is new ({})", AgeSince(machine.core.created, now)));
      }
      break;
    case Phase::kProvisioning:
      Add(causes, "its instance is being made", LastWords(machine, rules, now));
      break;
    case Phase::kCreateFailing:
      Add(causes, "the cloud does not make its instance", LastWords(machine, rules, now));
      break;
    case Phase::kJoining: Add(causes, Joining(machine, now)); break;
    case Phase::kUnhealthy: {
      std::vector<Cause> because;
      AddNodeTrouble(seen, machine, now, because);
      if (because.empty()) because = LastWords(machine, rules, now);
      std::string what = fmt::format("it is unhealthy for {}", AgeSince(machine.phase_since, now));
      if (machine.limits().health && machine.phase_since + *machine.limits().health > now) {
        what += fmt::format("; it is given up in {}",
                            ShortAge(machine.phase_since + *machine.limits().health - now));
      }
      Add(causes, std::move(what), std::move(because));
      break;
    }
    case Phase::kFailed:
      Add(causes, "it was given up and is to be replaced", LastWords(machine, rules, now));
      break;
    case Phase::kUpdating:
    case Phase::kUpdated: Add(causes, "it is being updated in place"); break;
    case Phase::kUpdateFailed:
      Add(causes, "its update in place failed", LastWords(machine, rules, now));
      break;
    case Phase::kDeleting: break;
  }
  return causes;
}

}  // namespace millwright::cli
