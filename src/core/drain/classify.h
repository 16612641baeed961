// Which pods of a node a drain is about.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/drain/pod.h"

namespace millwright::core {

// Where systems differ.
struct ClassifyPolicy {
  // A daemon set's pod that finished, or whose daemon set is gone, is evicted like any other.
  bool evicts_stray_daemon_pods = false;
  // Labels and rules decide about pods.
  bool honours_rules = false;
  // On a node that nobody can reach, a pod that was deleted a moment ago counts as gone.
  bool forgets_pods_of_lost_nodes = false;
};

enum class PodFate { kSkip, kEvict, kWaitCompleted };

enum class PodWarning { kDaemonSet, kLostDaemonSet, kLocalData, kUnmanaged };

struct PodVerdict {
  PodFate fate = PodFate::kEvict;
  int order = 0;
  std::vector<PodWarning> warnings;

  friend bool operator==(const PodVerdict&, const PodVerdict&) = default;
};

PodVerdict ClassifyPod(const Pod& pod, const ClassifyPolicy& policy, bool node_unreachable,
                       WallTime now);

// A rule of which the caller found out whether it matches.
struct NamedRule {
  std::string name;
  bool matches = false;
  PodRule rule;
};

// The first by name that matches.
std::optional<PodRule> FirstRule(std::span<const NamedRule> rules);

}  // namespace millwright::core
