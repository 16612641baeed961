#include "apiserver/auth/pki/renewal.h"

#include <algorithm>

namespace millwright::apiserver {

namespace {

// The calendar can be set while we sleep.
constexpr Duration kLongestSleep = std::chrono::hours(24);
constexpr Duration kRetry = std::chrono::hours(1);

}  // namespace

Task<void> RenewInTime(Clock& clock, WallTime first, Renew renew, Logger log) {
  WallTime due = first;
  while (true) {
    const WallTime now = clock.Now();
    if (now < due) {
      // Far times must not overflow.
      const Duration sleep = due > now + kLongestSleep ? kLongestSleep : due - now;
      if (co_await SleepFor(clock, sleep) == Wake::kCancelled) co_return;
      continue;
    }
    const auto next = renew();
    if (next) {
      log.Info("certificates renewed");
      // A certificate that is due as soon as it is made must not keep us busy.
      due = std::max(*next, now + kRetry);
    } else {
      log.Warning("certificates could not be renewed", {{"error", next.error().message()}});
      due = now + kRetry;
    }
  }
}

}  // namespace millwright::apiserver
