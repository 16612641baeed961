// Which of a deployment's sets is the current one, and which are old.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/model/deployment.h"
#include "core/model/machine_set.h"

namespace millwright::core {

// Which of several sets that match the deployment's template is the current one. Both end with the
// name, so that everyone chooses alike.
enum class CurrentSetRule {
  kOldest,
  kLargest,  // most machines, then the oldest: the least churn
};

struct OldSet {
  size_t index = 0;
  // It differs in its template and nothing forces new machines, so changing its machines may do.
  bool may_update_in_place = false;

  friend bool operator==(const OldSet&, const OldSet&) = default;
};

struct SetRoles {
  std::optional<size_t> current;       // none: it has to be created
  std::vector<OldSet> old;             // the oldest first
  std::optional<WallTime> look_again;  // when rollout_after will make the current set an old one

  friend bool operator==(const SetRoles&, const SetRoles&) = default;
};

SetRoles FindRoles(const Deployment& deployment, std::span<const MachineSet> sets,
                   CurrentSetRule rule, WallTime now);

// Indexes of the sets, the oldest first; same age: by name.
std::vector<size_t> ByAge(std::span<const MachineSet> sets);

}  // namespace millwright::core
