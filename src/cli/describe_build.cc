// From records to descriptions.
#include <fmt/format.h>

#include "cli/age.h"
#include "cli/describe_view.h"
#include "cli/machine_words.h"
#include "cli/rollout_state.h"
#include "cli/shown_conditions.h"

namespace millwright::cli {

using dialects::DeploymentRecord;
using dialects::MachineRecord;
using dialects::SetRecord;

namespace {

std::string Title(const dialects::Kind& kind, const kube::Meta& meta) {
  return kind.kind.kind + " " + meta.key.ToString();
}

std::string NumberOrNone(std::int64_t number) { return number == 0 ? "" : std::to_string(number); }

std::string Counts(int wished, int there, int ready, int available) {
  return fmt::format("{} wished, {} there, {} ready, {} available", wished, there, ready,
                     available);
}

std::string_view Question(bool deleting, bool scaled_wrong) {
  if (deleting) return "Why it is not gone";
  return scaled_wrong ? "Why it is not scaled" : "Why it is not ready";
}

std::string OwnerText(const auto& owner) { return owner ? owner->kind + " " + owner->name : ""; }

std::string OperationWord(dialects::Operation operation) {
  using enum dialects::Operation;
  switch (operation) {
    case kNone: return "";
    case kCreate: return "create";
    case kHealthCheck: return "check health";
    case kDrain: return "drain";
    case kDelete: return "delete";
    case kUpdateInPlace: return "update in place";
  }
  return "";
}

std::string StateWord(dialects::OperationState state) {
  using enum dialects::OperationState;
  switch (state) {
    case kNone: return "";
    case kProcessing: return "under way";
    case kFailed: return "failed";
    case kSuccessful: return "succeeded";
  }
  return "";
}

std::string OperationText(const dialects::ShownOperation& operation, WallTime now) {
  if (operation.operation == dialects::Operation::kNone) return "";
  std::string text =
      fmt::format("{}, {}", OperationWord(operation.operation), StateWord(operation.state));
  if (!operation.error_code.empty()) text += fmt::format(" with {}", operation.error_code);
  if (operation.at) text += fmt::format(", {} ago", AgeSince(*operation.at, now));
  if (!operation.description.empty()) text += ": " + PlainCloudError(operation.description);
  return text;
}

std::string NodeText(const Seen& seen, const MachineRecord& machine) {
  const dialects::NodeRecord* node = seen.NodeOf(machine);
  if (node != nullptr) return fmt::format("{}, {}", machine.node, StateOf(*node).text);
  return machine.node;
}

std::string AgeText(WallTime created, WallTime now) {
  return fmt::format("{}, since {}", AgeSince(created, now), FormatTime(created));
}

}  // namespace

Description Describe(const Seen& seen, const dialects::Dialect& dialect,
                     const DeploymentRecord& deployment, WallTime now) {
  const core::DeploymentCounts& counts = deployment.seen;
  const RolloutState state = StateOf(deployment);
  const bool scaled_wrong = counts.replicas != deployment.core.replicas;
  const bool only_paused = state.word == "Paused" && state.sentence.empty();
  std::string limit = deployment.core.progress_deadline
                          ? ShortAge(*deployment.core.progress_deadline)
                          : std::string();
  return {.title = Title(dialect.kinds().deployment, deployment.meta),
          .facts = {{"Status", state.word},
                    {"Machines", Counts(deployment.core.replicas, counts.replicas, counts.ready,
                                        counts.available)},
                    {"Up to date", fmt::format("{} of {}", counts.updated, counts.replicas)},
                    {"Strategy", StrategyText(deployment.core)},
                    {"Revision", NumberOrNone(deployment.revision)},
                    {"Deadline", std::move(limit)},
                    {"Age", AgeText(deployment.created, now)}},
          .question = only_paused ? "Why changes are not rolled out"
                                  : std::string(Question(deployment.meta.deleting_since.has_value(),
                                                         scaled_wrong)),
          .all_well = "All of its machines are up to date and available.",
          .causes = WhyNot(seen, RulesFor(dialect), deployment, now),
          .conditions = ShownConditions(deployment.status.view()),
          .tree = DeploymentItem(seen, RulesFor(dialect.kinds(), false), deployment),
          .events = {}};
}

Description Describe(const Seen& seen, const dialects::Dialect& dialect, const SetRecord& set,
                     WallTime now) {
  const core::SetCounts& counts = set.core.seen;
  const bool scaled_wrong = counts.replicas != set.core.replicas;
  return {.title = Title(dialect.kinds().set, set.meta),
          .facts = {{"Machines",
                     Counts(set.core.replicas, counts.replicas, counts.ready, counts.available)},
                    {"Owner", OwnerText(set.owner)},
                    {"Revision", NumberOrNone(set.core.revision)},
                    {"Age", AgeText(set.core.created, now)}},
          .question = std::string(Question(set.core.deleting, scaled_wrong)),
          .all_well = "It has as many machines as it should, and all of them are ready.",
          .causes = WhyNot(seen, RulesFor(dialect), set, now),
          .conditions = ShownConditions(set.status.view()),
          .tree = SetItem(seen, RulesFor(dialect.kinds(), false), set, nullptr),
          .events = {}};
}

Description Describe(const Seen& seen, const dialects::Dialect& dialect,
                     const MachineRecord& machine, WallTime now) {
  // Its node's own words are newer than the copy, and there are more of them.
  const dialects::NodeRecord* node = seen.NodeOf(machine);
  std::string status = StateOf(machine);
  if (machine.phase_since != WallTime()) {
    status += fmt::format(" for {}", AgeSince(machine.phase_since, now));
  }
  return {.title = Title(dialect.kinds().machine, machine.meta),
          .facts = {{"Status", std::move(status)},
                    {"Last operation", OperationText(machine.operation, now)},
                    {"Owner", OwnerText(machine.owner)},
                    {"Class", machine.class_name},
                    {"Instance", machine.instance},
                    {"Node", NodeText(seen, machine)},
                    {"Age", AgeText(machine.core.created, now)}},
          .question = std::string(Question(machine.core.IsDeleting(), false)),
          .all_well = "It is running.",
          .causes = WhyNot(seen, RulesFor(dialect), machine, now),
          .conditions = (node != nullptr ? node->conditions : machine.conditions).list(),
          .tree = MachineItem(seen, RulesFor(dialect.kinds(), true), machine),
          .events = {}};
}

}  // namespace millwright::cli
