#include "cli/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "cli/age.h"
#include "cli/rollout_state.h"
#include "cli/shown_conditions.h"

namespace millwright::cli {

using dialects::DeploymentRecord;
using dialects::MachineRecord;
using dialects::SetRecord;

namespace {

// More of the same helps nobody; `millwright tree` has all.
constexpr std::size_t kMostMachines = 5;

void Add(std::vector<Cause>& causes, std::string what, std::vector<Cause> because = {}) {
  causes.push_back({std::move(what), std::move(because)});
}

void AddFinalizersOfOthers(const std::vector<std::string>& finalizers, const DiagnosisRules& rules,
                           std::vector<Cause>& causes) {
  for (const std::string& finalizer : finalizers) {
    if (finalizer == rules.finalizer) continue;
    Add(causes, fmt::format("finalizer {} of somebody else holds it: whoever set it has to "
                            "remove it",
                            finalizer));
  }
}

// What it says itself that went wrong, as conditions.
void AddFailures(std::string_view status, std::vector<Cause>& causes) {
  for (const core::Condition& condition : ShownConditions(status)) {
    const bool failure = condition.type.view().ends_with("Failure") && condition.status == "True";
    if (failure) Add(causes, fmt::format("{}: {}", condition.reason, condition.message));
  }
}

void AddMachines(const Seen& seen, const DiagnosisRules& rules, const SetRecord& set, WallTime now,
                 std::vector<Cause>& causes) {
  std::size_t bad = 0;
  for (const MachineRecord* machine : seen.MachinesOf(set)) {
    std::vector<Cause> why = WhyNot(seen, rules, *machine, now);
    if (why.empty() || ++bad > kMostMachines) continue;
    Add(causes,
        fmt::format("{} {}, {} old", rules.machine_kind, machine->meta.key.name,
                    AgeSince(machine->core.created, now)),
        std::move(why));
  }
  if (bad > kMostMachines) {
    Add(causes,
        fmt::format("and {} more: see millwright tree {}", bad - kMostMachines, set.meta.key.name));
  }
}

std::string Held(const SetRecord& set) {
  if (set.core.frozen) {
    return "it is frozen: there were too many machines, and none are made until there are not";
  }
  return set.core.creation_disabled ? "its deployment lets it make no machines" : "";
}

// `subject` is how the sentence begins: "it", or its name.
std::optional<Cause> WhyNotSet(const Seen& seen, const DiagnosisRules& rules, const SetRecord& set,
                               const std::string& subject, WallTime now) {
  std::vector<Cause> causes;
  if (!set.problem.empty()) Add(causes, set.problem);
  const core::SetCounts& counts = set.core.seen;
  const bool short_of = counts.replicas < set.core.replicas;
  if (std::string held = Held(set); !held.empty() && short_of) Add(causes, std::move(held));
  AddFailures(set.status.view(), causes);
  AddMachines(seen, rules, set, now, causes);
  if (set.core.deleting) {
    AddFinalizersOfOthers(set.finalizers, rules, causes);
    return Cause{fmt::format("{} is being deleted and has {}", subject,
                             Plural(std::ssize(seen.MachinesOf(set)), "machine")),
                 std::move(causes)};
  }
  if (causes.empty() && !set.core.report_is_current) {
    Add(causes, "the controller has not looked at its last change yet: is it running?");
  }
  const bool right = counts.replicas == set.core.replicas && counts.ready == set.core.replicas;
  if (right && causes.empty()) return std::nullopt;
  return Cause{fmt::format("{} wants {}, has {} and {} ready", subject,
                           Plural(set.core.replicas, "machine"), counts.replicas, counts.ready),
               std::move(causes)};
}

}  // namespace

DiagnosisRules RulesFor(const dialects::Dialect& dialect) {
  return {.set_kind = dialect.kinds().set.kind.kind,
          .machine_kind = dialect.kinds().machine.kind.kind,
          .class_kind = dialect.kinds().machine_class.kind.kind,
          .finalizer = dialect.names().finalizer,
          .periods = {}};
}

std::vector<Cause> WhyNot(const Seen& seen, const DiagnosisRules& rules, const SetRecord& set,
                          WallTime now) {
  auto why = WhyNotSet(seen, rules, set, "it", now);
  return why ? std::vector<Cause>{*std::move(why)} : std::vector<Cause>();
}

std::vector<Cause> WhyNot(const Seen& seen, const DiagnosisRules& rules,
                          const DeploymentRecord& deployment, WallTime now) {
  std::vector<Cause> causes;
  if (!deployment.problem.empty()) Add(causes, deployment.problem);
  const RolloutState state = StateOf(deployment);
  const bool deleting = deployment.meta.deleting_since.has_value();
  if (IsUnseen(deployment)) {
    Add(causes, fmt::format("the controller has not looked at its last change yet (generation {}, "
                            "seen {}): is it running?",
                            deployment.meta.generation, deployment.observed_generation));
  }
  if (state.word == "Ready" && causes.empty()) return {};
  if (deployment.core.paused) {
    Add(causes, fmt::format("it is paused, so that changes are not rolled out: millwright rollout "
                            "resume {}",
                            deployment.meta.key.name));
  }
  if (deployment.frozen) {
    Add(causes,
        "it is frozen: there were too many machines, and none are made until there are "
        "not");
  }
  AddFailures(deployment.status.view(), causes);
  for (const SetRecord* set : seen.SetsOf(deployment)) {
    const std::string subject =
        fmt::format("{} {} ({}, revision {})", rules.set_kind, set->meta.key.name,
                    seen.IsCurrent(*set, deployment) ? "current" : "old", set->core.revision);
    auto why = WhyNotSet(seen, rules, *set, subject, now);
    if (why) causes.push_back(*std::move(why));
  }
  if (deleting) AddFinalizersOfOthers(deployment.finalizers, rules, causes);
  if (causes.empty() && seen.SetsOf(deployment).empty() && !deleting) {
    Add(causes, "it has no set yet: is the controller running?");
  }
  if (state.word == "Stuck") {
    return {{"it made no progress before its deadline: " + state.sentence, std::move(causes)}};
  }
  if (state.sentence.empty() || state.word == "Changed" || state.word == "Invalid" ||
      state.word == "Frozen") {
    return causes;
  }
  return {{state.sentence, std::move(causes)}};
}

std::string CausesText(const std::vector<Cause>& causes, std::size_t depth) {
  std::string text;
  for (const Cause& cause : causes) {
    std::string line = cause.what;
    std::ranges::replace(line, '\n', ' ');
    text.append(depth * 2, ' ').append("- ").append(line).append("\n");
    text += CausesText(cause.because, depth + 1);
  }
  return text;
}

}  // namespace millwright::cli
