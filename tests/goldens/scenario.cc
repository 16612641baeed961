#include "tests/goldens/scenario.h"

#include <re2/re2.h>

namespace millwright::goldens {
namespace {

constexpr std::string_view kUpdating = "\U0001F7E1";
constexpr std::string_view kUnacknowledged = "\U0001F7E0";

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

RecordedMachine ParseMachine(std::string text) {
  RecordedMachine machine;
  const auto strip = [&](std::string_view mark) {
    const size_t at = text.find(mark);
    if (at == std::string::npos) return false;
    text.erase(at, mark.size());
    return true;
  };
  machine.updating = strip(kUpdating);
  machine.unacknowledged = strip(kUnacknowledged);
  machine.name = text;
  return machine;
}

bool ParseCounts(const std::string& line, RecordedSet& set) {
  static const RE2 pattern(
      R"(\s+(\w+): (\d+)/(\d+) replicas, (\d+) available, (\d+) upToDate(?: \((.*)\))?)");
  std::string machines;
  if (!RE2::FullMatch(line, pattern, &set.name, &set.existing, &set.replicas, &set.available,
                      &set.up_to_date, &machines)) {
    return false;
  }
  for (std::string& name : Split(machines, ','))
    set.machines.push_back(ParseMachine(std::move(name)));
  return true;
}

bool ParseTitle(const std::string& line, Scenario& scenario) {
  if (!line.starts_with("## ")) return false;
  scenario.title = line.substr(3);
  scenario.in_place = RE2::PartialMatch(line, "(?i)in-place rollout");
  scenario.changed_again = RE2::PartialMatch(line, "(?i)change spec");
  return true;
}

bool ParseStrategy(const std::string& line, Scenario& scenario) {
  if (!line.starts_with("[Test] Rollout ")) return false;
  scenario.on_delete = line.find("onDeleteStrategy") != std::string::npos;
  RE2::PartialMatch(line, R"(MaxSurge=(\d+), MaxUnavailable=(\d+))", &scenario.max_surge,
                    &scenario.max_unavailable);
  return true;
}

void ParseDeletion(const std::string& line, Scenario& scenario) {
  int iteration = 0;
  std::string machine;
  if (RE2::FullMatch(line, R"(\[User\] Iteration (\d+), Deleting machine (\w+))", &iteration,
                     &machine)) {
    scenario.deletions.emplace(iteration, machine);
  }
}

}  // namespace

Result<Scenario> ParseScenario(std::string_view log) {
  Scenario scenario;
  bool begun = false;
  for (const std::string& line : Split(log, '\n')) {
    if (begun) {
      ParseDeletion(line, scenario);
    } else if (RecordedSet set; ParseCounts(line, set)) {
      (set.name == "md" ? scenario.deployment : scenario.sets.emplace_back()) = set;
    } else if (!ParseTitle(line, scenario)) {
      begun = ParseStrategy(line, scenario);
    }
  }
  if (!begun || scenario.sets.empty()) {
    return Fail(ErrorKind::kInvalid, "this is no record of a rollout");
  }
  return scenario;
}

}  // namespace millwright::goldens
