// What a drain knows of a pod.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"

namespace millwright::core {

// What somebody said about a pod before it came to a drain.
struct PodRule {
  enum class Behaviour { kDrain, kSkip, kWaitCompleted };

  Behaviour behaviour = Behaviour::kDrain;
  int order = 0;  // smaller goes first

  friend bool operator==(const PodRule&, const PodRule&) = default;
};

struct Pod {
  enum class Owner { kNobody, kDaemonSet, kLostDaemonSet, kOther };

  Uid uid;
  std::string key;  // namespace/name
  Owner owner = Owner::kOther;
  bool is_mirror = false;  // the kubelet made it, and would make it again
  bool is_finished = false;
  bool uses_local_data = false;
  int priority = 0;
  Duration grace{};
  std::optional<WallTime> deleting_since;
  std::vector<std::string> volumes;  // persistent ones, by the name of what it claims
  std::optional<PodRule> label;      // its own wish
  std::optional<PodRule> rule;       // the first rule that matches it; see FirstRule
};

}  // namespace millwright::core
