#include "core/rollout/limits.h"

namespace millwright::core {

Limits ResolveLimits(const Deployment& deployment) {
  const int replicas = std::max(deployment.replicas, 0);
  Limits limits;
  switch (deployment.strategy) {
    case Strategy::kRecreate:
    case Strategy::kOnDelete: return limits;
    case Strategy::kRollingUpdate:
    case Strategy::kInPlaceAuto:
      limits.surge = std::max(deployment.max_surge.Resolve(replicas, Round::kUp), 0);
      break;
    case Strategy::kInPlaceManual: break;  // nothing new is made: people choose from what there is
  }
  limits.unavailable = std::max(deployment.max_unavailable.Resolve(replicas, Round::kDown), 0);
  if (limits.surge == 0 && limits.unavailable == 0) limits.unavailable = 1;
  limits.unavailable = std::min(limits.unavailable, replicas);
  return limits;
}

}  // namespace millwright::core
