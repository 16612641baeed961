#include "kube/workqueue/rate_limiter.h"

#include <algorithm>

namespace millwright::kube {

Duration ExponentialDelay(Duration base, Duration max, int failures) {
  Duration delay = base;
  for (int i = 0; i < failures; ++i) {
    if (delay >= max / 2) return max;
    delay *= 2;
  }
  return std::min(delay, max);
}

void TokenBucket::Refill(SteadyTime now) {
  const double seconds = std::chrono::duration<double>(now - last_).count();
  tokens_ = std::min(burst_, tokens_ + seconds * rate_);
  last_ = now;
}

Duration TokenBucket::Reserve(SteadyTime now) {
  if (rate_ <= 0) return Duration::zero();
  Refill(now);
  tokens_ -= 1;
  if (tokens_ >= 0) return Duration::zero();
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(-tokens_ / rate_));
}

bool TokenBucket::TryTake(SteadyTime now) {
  if (rate_ <= 0) return true;
  Refill(now);
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

}  // namespace millwright::kube
