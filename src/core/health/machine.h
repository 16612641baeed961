// How a machine's phase follows the health of its node, where systems keep a phase (Gardener).
#pragma once

#include <optional>
#include <span>

#include "core/model/machine.h"

namespace millwright::core {

enum class UpdateResult { kNone, kSucceeded, kFailed };

struct HealthView {
  Phase phase = Phase::kNew;
  WallTime created{};
  WallTime phase_since{};
  bool node_exists = false;
  bool had_node = false;   // it reported conditions before
  bool node_well = false;  // IsNodeWell
  bool node_held = false;  // a taint says that it is not ready for pods yet
  UpdateResult update_result = UpdateResult::kNone;  // what the updater on the node reports
};

struct HealthLimits {
  Duration join{};    // from the machine's creation to a well node
  Duration health{};  // unwell for so long: failed
  Duration update{};  // an update in place for so long: failed
  bool never_fail_for_health = false;
};

enum class HealthEvent {
  kNone,
  kJoined,  // the first time
  kRecovered,
  kBecameUnwell,
  kNodeLost,
  kJoinTimedOut,
  kUnwellTooLong,  // it may be given up, if MayReplace says so
  kUpdateSucceeded,
  kUpdateFailed,
  kUpdateTimedOut,
};

struct HealthPlan {
  HealthEvent event = HealthEvent::kNone;
  std::optional<WallTime> look_again;  // when a time-out is due, if nothing happens before

  friend bool operator==(const HealthPlan&, const HealthPlan&) = default;
};

// Time-outs are looked at on every call, whatever else changed: a node that flaps does not postpone
// them.
HealthPlan PlanHealth(const HealthView& machine, const HealthLimits& limits, WallTime now);

// The phase that an event leads to.
Phase PhaseAfter(HealthEvent event, Phase before);

// Whether `candidate` may be given up now, or too many of its siblings are being replaced already:
// those neither running nor just unwell, except failed ones kept on purpose. `siblings` may include
// it. The caller holds back further decisions of the same deployment until this one is seen.
bool MayReplace(const Machine& candidate, std::span<const Machine> siblings, int max_in_flight);

}  // namespace millwright::core
