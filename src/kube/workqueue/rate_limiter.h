// How long a failing key waits before its next try.
#pragma once

#include "base/time.h"

namespace millwright::kube {

// base * 2^failures, at most max. Failures beyond what fits are max too.
Duration ExponentialDelay(Duration base, Duration max, int failures);

// A token bucket: `burst` at once, then `rate` a second. Reserve never refuses; it says how long to
// wait.
class TokenBucket {
 public:
  // A rate of zero or less means no limit.
  TokenBucket(double rate, int burst) : rate_(rate), burst_(burst), tokens_(burst) {}

  Duration Reserve(SteadyTime now);

  // For those who would rather not than later: true and a token less, or false and nothing changed.
  bool TryTake(SteadyTime now);

 private:
  void Refill(SteadyTime now);

  double rate_;
  double burst_;
  double tokens_;
  SteadyTime last_{};
};

}  // namespace millwright::kube
