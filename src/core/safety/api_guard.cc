#include "core/safety/api_guard.h"

namespace millwright::core {

ApiGuardStep WatchApi(const ApiGuard& guard, bool reachable, const ApiGuardLimits& limits,
                      WallTime now) {
  // One good answer forgets all failures: two short outages far apart are no long one.
  if (reachable) return {.guard = {}, .thawed = guard.frozen, .look_again = limits.look_every};
  ApiGuard next = guard;
  if (!next.failing_since) next.failing_since = now;
  next.frozen = next.frozen || now - *next.failing_since > limits.failing_for;
  return {.guard = next, .look_again = limits.failing_for / 5};
}

}  // namespace millwright::core
