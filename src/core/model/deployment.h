// What planners may know of a deployment: the wish for a number of machines of one template, and
// how to get there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "core/model/amount.h"

namespace millwright::core {

enum class Strategy {
  kRollingUpdate,
  kRecreate,       // all old ones go before a new one comes
  kOnDelete,       // old ones go only when somebody deletes them
  kInPlaceAuto,    // machines are changed without replacement; we choose which, and when
  kInPlaceManual,  // the same; a person chooses
};

struct Deployment {
  std::string name;
  int replicas = 0;
  Strategy strategy = Strategy::kRollingUpdate;
  Amount max_surge;
  Amount max_unavailable;
  bool paused = false;
  std::optional<int> history_limit;           // none: as the dialect's rule says
  std::optional<Duration> progress_deadline;  // none: no limit
  std::optional<WallTime> rollout_after;      // sets made before are out of date once it has passed
  std::optional<std::int64_t> rollback_to;    // 0: the revision before

  friend bool operator==(const Deployment&, const Deployment&) = default;
};

}  // namespace millwright::core
