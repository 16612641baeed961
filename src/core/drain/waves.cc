#include "core/drain/waves.h"

#include <algorithm>
#include <limits>

namespace millwright::core {

Waves PlanWaves(std::span<const Pod> pods, std::span<const PodVerdict> verdicts) {
  int first = std::numeric_limits<int>::max();
  for (const PodVerdict& verdict : verdicts) {
    if (verdict.fate != PodFate::kSkip) first = std::min(first, verdict.order);
  }
  Waves waves;
  for (size_t i = 0; i < pods.size(); ++i) {
    const bool now = verdicts[i].order == first;
    switch (verdicts[i].fate) {
      case PodFate::kSkip: break;
      case PodFate::kWaitCompleted:
        (now ? waves.wait : waves.wait_later).push_back(pods[i].key);
        break;
      case PodFate::kEvict:
        if (pods[i].deleting_since) {
          waves.going.push_back(pods[i].key);
        } else {
          (now ? waves.evict : waves.evict_later).push_back(pods[i].key);
        }
        break;
    }
  }
  for (auto* list :
       {&waves.evict, &waves.evict_later, &waves.wait, &waves.wait_later, &waves.going}) {
    std::ranges::sort(*list);
  }
  return waves;
}

}  // namespace millwright::core
