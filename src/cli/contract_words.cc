#include "cli/contract_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/capi/names.h"
#include "dialects/capi/status/words.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace types = capi::types;
namespace reasons = capi::reasons;
using capi::Truth;

namespace {

struct Stage {
  std::string_view reason;
  std::string_view words;
};
constexpr Stage kStages[] = {
    {reasons::kWaitingForPreDrainHook, "held by a hook before the drain"},
    {reasons::kDrainingNode, "draining its node"},
    {reasons::kWaitingForVolumeDetach, "detaching volumes"},
    {reasons::kWaitingForPreTerminateHook, "held by a hook before the end"},
    {reasons::kWaitingForInfrastructureDeletion, "removing its instance"},
    {reasons::kWaitingForBootstrapDeletion, "removing its bootstrap data"},
    {reasons::kDeletingNode, "removing its node"},
    {reasons::kDeletionCompleted, "letting go"},
};

std::string_view TruthWord(Truth truth) {
  switch (truth) {
    case Truth::kTrue: return "True";
    case Truth::kFalse: return "False";
    case Truth::kUnknown: return "Unknown";
  }
  return "";
}

std::string LineOf(const capi::Condition* condition) {
  if (condition == nullptr) return "";
  std::string line = FirstLine(condition->message);
  return line.empty() ? condition->reason.str() : line;
}

// What is said of one that is done, and of one that is not.
struct RoleWords {
  std::string_view done, open;
};
RoleWords WordsOf(ExternalRole role) {
  switch (role) {
    case ExternalRole::kInfrastructure:
    case ExternalRole::kClusterInfrastructure: return {"Provisioned", "NotProvisioned"};
    case ExternalRole::kBootstrap: return {"DataReady", "NoData"};
    case ExternalRole::kControlPlane: return {"Initialized", "NotInitialized"};
  }
  return {};
}

std::string TroubleOf(const capi::ExternalRecord& object) {
  if (!object.problem.empty()) return object.problem;
  if (!object.failure_message.empty()) return object.failure_message;
  const auto& ready = object.ready_condition;
  return ready && ready->status != Truth::kTrue ? LineOf(&*ready) : std::string();
}

// A line with its star and its indent taken off, and how deep it stood.
struct Line {
  std::size_t depth = 0;
  std::string text;
};
Line Measure(std::string_view text) {
  Line line;
  while (text.starts_with("  ")) {
    text.remove_prefix(2);
    ++line.depth;
  }
  if (text.starts_with("* ")) {
    text.remove_prefix(2);
    ++line.depth;
  }
  line.text = text;
  return line;
}

void Place(std::vector<Cause>& causes, std::vector<std::size_t>& depths, Line line) {
  while (!depths.empty() && depths.back() >= line.depth) depths.pop_back();
  std::vector<Cause>* into = &causes;
  for (std::size_t i = 0; i < depths.size(); ++i) into = &into->back().because;
  into->push_back({std::move(line.text), {}});
  depths.push_back(line.depth);
}

}  // namespace

std::vector<Cause> Bullets(std::string_view message) {
  std::vector<Cause> causes;
  std::vector<std::size_t> depths;  // of the last cause and of those above it
  while (!message.empty()) {
    const auto end = std::min(message.find('\n'), message.size());
    Line line = Measure(message.substr(0, end));
    if (!line.text.empty()) Place(causes, depths, std::move(line));
    message.remove_prefix(std::min(end + 1, message.size()));
  }
  return causes;
}

std::string FirstLine(std::string_view message) {
  std::vector<Cause> causes = Bullets(message);
  if (causes.empty()) return "";
  const Cause* cause = &causes.front();
  std::string line = cause->what;
  // One that ends with a colon is a heading.
  while (line.ends_with(':') && !cause->because.empty()) {
    cause = &cause->because.front();
    line += " " + cause->what;
  }
  return line;
}

std::vector<core::Condition> AsShown(const capi::Conditions& conditions) {
  std::vector<core::Condition> shown;
  for (const capi::Condition& condition : conditions) {
    shown.push_back({.type = condition.type,
                     .status = std::string(TruthWord(condition.status)),
                     .since = condition.since,
                     .reason = condition.reason,
                     .message = condition.message});
  }
  return shown;
}

bool IsPaused(const capi::Conditions& conditions) {
  return capi::Is(conditions, types::kPaused, Truth::kTrue);
}

std::string StageOf(const capi::MachineRecord& machine) {
  const capi::Condition* deleting = capi::Find(machine.status.conditions, types::kDeleting);
  if (deleting == nullptr) return "";
  const auto found = std::ranges::find(kStages, std::string_view(deleting->reason), &Stage::reason);
  return found == std::ranges::end(kStages) ? "" : std::string(found->words);
}

ShownState StateOf(const capi::MachineRecord& machine) {
  const auto& conditions = machine.status.conditions;
  const capi::Condition* ready = capi::Find(conditions, types::kReady);
  const bool is_ready = ready != nullptr && ready->status == Truth::kTrue;
  if (machine.deleting()) {
    const std::string stage = StageOf(machine);
    return {.word = stage.empty() ? "Deleting" : "Deleting: " + stage,
            .mood = Mood::kBusy,
            .ready = is_ready,
            .line = LineOf(capi::Find(conditions, types::kDeleting))};
  }
  if (IsPaused(conditions)) {
    return {.word = "Paused",
            .mood = Mood::kBusy,
            .ready = is_ready,
            .line = LineOf(capi::Find(conditions, types::kPaused))};
  }
  const std::string phase = machine.status.phase.empty() ? "New" : machine.status.phase;
  if (is_ready) return {.word = phase, .mood = Mood::kFine, .ready = true, .line = {}};
  // One that ran and is unwell; others are on their way.
  const bool unwell = phase == "Running";
  return {.word = unwell ? "NotReady" : phase,
          .mood = unwell ? Mood::kBad : Mood::kBusy,
          .ready = false,
          .line = LineOf(ready)};
}

ShownState NodeStateOf(const capi::MachineRecord& machine) {
  const capi::Condition* ready = capi::Find(machine.status.conditions, types::kNodeReady);
  if (ready == nullptr)
    return {.word = "Unknown", .mood = Mood::kPlain, .ready = false, .line = {}};
  if (ready->status == Truth::kTrue) {
    return {.word = "Ready", .mood = Mood::kFine, .ready = true, .line = {}};
  }
  return {.word = ready->status == Truth::kFalse ? "NotReady" : "Unknown",
          .mood = Mood::kBad,
          .ready = false,
          .line = LineOf(ready)};
}

ShownState StateOf(const capi::ClusterRecord& cluster) {
  const auto& conditions = cluster.status.conditions;
  const auto is_true = [&](std::string_view type) {
    return capi::Is(conditions, type, Truth::kTrue);
  };
  const bool ready =
      is_true(types::kInfrastructureReady) && is_true(types::kControlPlaneInitialized);
  const std::string phase = cluster.status.phase.empty() ? "New" : cluster.status.phase;
  if (cluster.deleting()) {
    return {.word = "Deleting",
            .mood = Mood::kBusy,
            .ready = ready,
            .line = LineOf(capi::Find(conditions, types::kDeleting))};
  }
  if (cluster.paused || IsPaused(conditions)) {
    return {.word = "Paused",
            .mood = Mood::kBusy,
            .ready = ready,
            .line = "nothing of it is worked on"};
  }
  for (const std::string_view type : {types::kInfrastructureReady, types::kControlPlaneInitialized,
                                      types::kRemoteConnectionProbe}) {
    const capi::Condition* condition = capi::Find(conditions, type);
    if (condition == nullptr || condition->status == Truth::kTrue) continue;
    return {.word = phase,
            .mood = ready ? Mood::kBad : Mood::kBusy,
            .ready = ready,
            .line = LineOf(condition)};
  }
  return {.word = phase, .mood = ready ? Mood::kFine : Mood::kBusy, .ready = ready, .line = {}};
}

bool IsDone(const SeenExternal& external, ExternalRole role) {
  switch (role) {
    case ExternalRole::kInfrastructure:
    case ExternalRole::kClusterInfrastructure:
      return capi::IsProvisioned(external.object, external.contract);
    case ExternalRole::kBootstrap:
      return capi::HasBootstrapData(external.object, external.contract);
    case ExternalRole::kControlPlane:
      return capi::IsControlPlaneInitialized(external.object, external.contract);
  }
  return false;
}

ShownState StateOf(const ExternalView& external, ExternalRole role) {
  if (external.seen == nullptr) {
    const bool missing = external.why_not == "does not exist";
    return {.word = missing ? "Missing" : "Unknown",
            .mood = missing ? Mood::kBad : Mood::kPlain,
            .ready = false,
            .line = missing ? std::string() : external.why_not};
  }
  const capi::ExternalRecord& object = external.seen->object;
  const bool done = IsDone(*external.seen, role);
  const bool said_well = !object.ready_condition || object.ready_condition->status == Truth::kTrue;
  const RoleWords words = WordsOf(role);
  ShownState state{.word = std::string(done ? words.done : words.open),
                   .mood = done ? (said_well ? Mood::kFine : Mood::kBad) : Mood::kBusy,
                   .ready = done && said_well,
                   .line = TroubleOf(object)};
  if (!object.failure_message.empty() || !object.problem.empty()) state.mood = Mood::kBad;
  if (object.annotations.contains(capi::annotations::kPaused)) state.word = "Paused";
  if (object.deleting()) {
    state.word = "Deleting";
    state.mood = Mood::kBusy;
  }
  return state;
}

}  // namespace millwright::cli
