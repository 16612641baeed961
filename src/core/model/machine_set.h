// What planners may know of a set: machines made from one template.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/id.h"
#include "base/time.h"

namespace millwright::core {

// What a set last reported of its machines. Reports lag: planners that must not overshoot say which
// of wish and report they believe.
struct SetCounts {
  int replicas = 0;
  int ready = 0;
  int available = 0;
  int up_to_date = 0;
  int fully_labelled = 0;
  int preserved_failed = 0;
  int auto_preserved = 0;

  friend bool operator==(const SetCounts&, const SetCounts&) = default;
};

struct MachineSet {
  Uid uid;
  std::string name;
  WallTime created{};
  bool deleting = false;
  int replicas = 0;  // wished
  SetCounts seen;
  bool report_is_current = true;  // the report is about the present wish

  // What its deployment needs to know.
  bool matches_template = false;    // nothing in which it differs would need a rollout
  std::int64_t revision = 0;        // 0: none yet
  std::optional<int> desired_note;  // the deployment's size when it last scaled this set
  std::optional<int> max_note;      // the same with surge

  // What its own planner needs to know.
  bool frozen = false;                  // overshoot protection says: no more machines
  bool creation_disabled = false;       // its deployment says: no more machines
  std::optional<WallTime> scaler_time;  // when a scaler last changed the deployment's size
  std::string moves_to;                 // surplus machines go to this set, not away
  bool receives = false;                // other sets move machines here

  friend bool operator==(const MachineSet&, const MachineSet&) = default;
};

}  // namespace millwright::core
