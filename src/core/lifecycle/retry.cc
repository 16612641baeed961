#include "core/lifecycle/retry.h"

namespace millwright::core {

Duration DelayFor(Retry retry, const RetryPeriods& periods) {
  switch (retry) {
    case Retry::kNow: return Duration::zero();
    case Retry::kConflict: return periods.conflict;
    case Retry::kShort: return periods.short_time;
    case Retry::kMedium: return periods.medium_time;
    case Retry::kLong: return periods.long_time;
    case Retry::kExhausted:
      return periods.exhausted > Duration::zero() ? periods.exhausted : periods.long_time;
  }
  return periods.long_time;
}

}  // namespace millwright::core
