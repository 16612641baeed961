// Where a machine stands in its life, in our words; a dialect has its own for what it shows.
#pragma once

#include <cstdint>
#include <string_view>

namespace millwright::core {

enum class Phase : std::uint8_t {
  kNew,            // the object exists, no instance is confirmed
  kCreateFailing,  // the cloud refused, we go on trying
  kProvisioning,   // the instance is being made
  kJoining,        // the instance exists, its node has not joined
  kAvailable,  // the instance exists and no node is expected: as good as it gets without a target
  kRunning,    // its node joined and is well
  kUnhealthy,  // it ran; now its node is unwell or lost
  kUpdating,   // it is being changed in place
  kUpdated,    // the change in place succeeded
  kUpdateFailed,  // the change in place failed
  kFailed,        // given up; whoever owns it replaces it
  kDeleting,      // on its way out
};

// For logs and test output.
std::string_view ToString(Phase phase);

}  // namespace millwright::core
