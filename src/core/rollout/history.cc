#include "core/rollout/history.h"

#include "core/rollout/roles.h"

namespace millwright::core {

std::vector<std::string> SetsToForget(std::span<const MachineSet> old, int keep) {
  std::vector<const MachineSet*> staying;
  for (const size_t index : ByAge(old)) {
    if (!old[index].deleting) staying.push_back(&old[index]);
  }
  std::vector<std::string> names;
  const int surplus = static_cast<int>(staying.size()) - keep;
  for (int i = 0; i < surplus; ++i) {
    const MachineSet& set = *staying[i];
    const bool empty = set.replicas == 0 && set.seen.replicas == 0 && set.report_is_current;
    if (empty) names.push_back(set.name);
  }
  return names;
}

}  // namespace millwright::core
