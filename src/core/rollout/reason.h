// Why a rollout changes a set, as values: dialects, logs and `describe` put them into words.
#pragma once

#include <string>
#include <vector>

namespace millwright::core {

struct RolloutReason {
  enum class Kind {
    kCountsMoved,       // names: machines that moved here are part of the size now
    kRoomForMore,       // a machines exist, b are wished, c more may exist
    kAboveWish,         // the deployment wishes fewer
    kNoMachinesBehind,  // the size counts machines that do not exist, or none is available anyway
    kEnoughAvailable,   // a machines are available, b have to be
    kMovesTo,           // names: its machines move to that set instead of being replaced
    kSurgeDropped,      // a new machines are not made, because machines are updated in place
    kSurgeForUpdates,   // one new machine is made, so that others can be updated in place
    kShareOfChange,     // the deployment's wish changed, and this is the set's share of it
    kAllBefore,         // all old machines go before the first new one comes
    kNewOnesSuffice,    // the current set has all that is wished, and they are available
    kUpdatedInPlace,    // machines changed sets, with their update done
    kUnblocks,          // nothing moves, and this set has unavailable machines to lose
  };

  Kind kind;
  int a = 0;
  int b = 0;
  int c = 0;
  std::vector<std::string> names = {};

  friend bool operator==(const RolloutReason&, const RolloutReason&) = default;
};

// One line for people, in our words.
std::string ToString(const RolloutReason& reason);

}  // namespace millwright::core
