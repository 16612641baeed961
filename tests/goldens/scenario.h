// What a recorded rollout begins with, and what its user does. Everything else in the record is
// what our simulation has to come up with.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millwright::goldens {

struct RecordedMachine {
  std::string name;
  bool updating = false;
  bool unacknowledged = false;
};

struct RecordedSet {
  std::string name;
  int replicas = 0;
  int existing = 0;
  int available = 0;
  int up_to_date = 0;
  std::vector<RecordedMachine> machines;
};

struct Scenario {
  std::string title;
  bool in_place = false;       // the title says so
  bool changed_again = false;  // likewise: no set has the deployment's template
  bool on_delete = false;
  int max_surge = 0;
  int max_unavailable = 0;
  RecordedSet deployment;  // without machines
  std::vector<RecordedSet> sets;
  std::multimap<int, std::string> deletions;  // by the user: iteration -> machine
};

Result<Scenario> ParseScenario(std::string_view log);

}  // namespace millwright::goldens
