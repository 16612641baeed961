// What planners that look at many machines may know of each one. A dialect fills it from its object
// and the node's; nothing here is fetched, and labels or annotations appear only as what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/id.h"
#include "base/text.h"
#include "base/time.h"
#include "core/model/phase.h"

namespace millwright::core {

// What was said about taking this machine away before others.
struct Disposal {
  bool chosen = false;                // a person or a scaler named it as the next to go
  bool errored = false;               // it reports an error of its own
  int priority = 0;                   // lower goes first; the dialect knows its default
  std::optional<WallTime> marked_at;  // when a scaler named it

  friend bool operator==(const Disposal&, const Disposal&) = default;
};

// A wish to keep a machine that failed, to look at it later.
enum class PreserveWish : std::uint8_t {
  kNone,
  kNow,
  kWhenFailed,
  kAutomatic,  // we wished it ourselves, within a quota
  kNever,
};

struct Preservation {
  PreserveWish wish = PreserveWish::kNone;  // the one in force, of machine and node
  std::optional<WallTime> until;            // set: it is preserved, or was until then

  bool HoldsAt(WallTime now) const { return until && *until > now; }

  friend bool operator==(const Preservation&, const Preservation&) = default;
};

// How far a change without replacement has come.
struct InPlace {
  bool candidate = false;       // it may be chosen
  bool selected = false;        // it was chosen
  bool updating = false;        // it is changing now, or waits for that
  bool unacknowledged = false;  // it was moved to its set, which does not count it yet
  bool succeeded = false;       // the change worked
  bool handed_over = false;     // moved after success, and not settled in its new set

  friend bool operator==(const InPlace&, const InPlace&) = default;
};

// All but who it is: where very many machines are kept, that is known already.
struct MachineFacts {
  Text set;  // the name of the set that controls it; empty: it stands alone
  WallTime created{};
  std::optional<WallTime> deleting_since;
  Phase phase = Phase::kNew;

  bool has_node = false;
  bool ready = false;
  bool available = false;   // as the dialect defines it; includes any minimum time of readiness
  bool up_to_date = false;  // made from, or updated to, its deployment's present template
  bool unhealthy = false;   // known to be bad, not merely unknown
  bool to_be_remediated = false;  // a health check asked its set to replace it
  bool fully_labelled = false;

  Disposal disposal;
  Preservation preservation;
  InPlace in_place;

  // The mark or our own word for it: the one may be seen before the other.
  bool IsDeleting() const { return deleting_since.has_value() || phase == Phase::kDeleting; }

  friend bool operator==(const MachineFacts&, const MachineFacts&) = default;
};

struct Machine : MachineFacts {
  Uid uid;
  Text name;

  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace millwright::core
