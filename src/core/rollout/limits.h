// How far a rollout may stray from the wished number of machines.
#pragma once

#include <algorithm>

#include "core/model/deployment.h"

namespace millwright::core {

struct Limits {
  int surge = 0;
  int unavailable = 0;

  int MinAvailable(int replicas) const { return std::max(replicas - unavailable, 0); }
  int MaxTotal(int replicas) const { return replicas + surge; }

  friend bool operator==(const Limits&, const Limits&) = default;
};

// The numbers behind the deployment's percentages: surge rounds up, unavailability down, so that a
// small deployment errs to more machines. Two zeros would never move, so one machine may then be
// unavailable. Strategies that do not roll have no limits of this kind.
Limits ResolveLimits(const Deployment& deployment);

}  // namespace millwright::core
