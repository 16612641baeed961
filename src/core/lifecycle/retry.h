// How soon something is tried again, if nothing that is watched changes before.
#pragma once

#include "base/time.h"

namespace millwright::core {

enum class Retry {
  kNow,        // go on: this was progress
  kConflict,   // somebody wrote at the same time
  kShort,      // it may well pass
  kMedium,     // it may pass
  kLong,       // a person has to act, or nothing is to do
  kExhausted,  // the cloud has no room
};

struct RetryPeriods {
  Duration conflict = std::chrono::milliseconds(200);
  Duration short_time = std::chrono::seconds(5);
  Duration medium_time = std::chrono::minutes(3);
  Duration long_time = std::chrono::minutes(10);
  Duration exhausted{};  // zero: the long time
};

Duration DelayFor(Retry retry, const RetryPeriods& periods);

}  // namespace millwright::core
