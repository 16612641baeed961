// Keeping a machine that failed, or that somebody wants to look at: it is neither replaced nor
// scaled away for a while, and a failed one is emptied of pods.
#pragma once

#include <optional>

#include "core/preserve/wish.h"

namespace millwright::core {

struct PreserveView {
  EffectiveWish wish;
  Phase phase = Phase::kRunning;
  std::optional<WallTime> until;
  Duration time_limit{};

  bool has_node_name = false;
  bool node_exists = false;
  bool said_preserved = false;       // the node's condition says so
  bool said_drained = false;         // and that its pods are gone
  bool tainted = false;              // with our mark that no pod should come
  bool scale_down_disabled = false;  // by anybody
  bool scale_down_ours = false;      // by us
};

struct PreservePlan {
  enum class Kind { kLeave, kPreserve, kStop };

  Kind kind = Kind::kLeave;
  std::optional<WallTime> set_until;
  bool clear_until = false;     // the last act of stopping, so that a crash repeats the others
  bool forget_wishes = false;   // on machine and node
  bool note_node_wish = false;  // EffectiveWish::note_on_machine
  bool hold_scale_down = false;
  bool release_scale_down = false;
  bool taint = false;
  bool untaint = false;
  bool drain = false;
  bool say = false;  // write the node's condition; after the drain, if there is one
  std::optional<WallTime> look_again;

  friend bool operator==(const PreservePlan&, const PreservePlan&) = default;
};

PreservePlan PlanPreservation(const PreserveView& machine, WallTime now);

}  // namespace millwright::core
