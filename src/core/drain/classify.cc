#include "core/drain/classify.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;

// Whole seconds, because the times come from objects.
bool IsForgotten(const Pod& pod, WallTime now) {
  return pod.deleting_since &&
         std::chrono::floor<std::chrono::seconds>(now - *pod.deleting_since) > 1s;
}

bool IsDaemonPod(const Pod& pod, const ClassifyPolicy& policy) {
  switch (pod.owner) {
    case Pod::Owner::kDaemonSet: return !policy.evicts_stray_daemon_pods || !pod.is_finished;
    case Pod::Owner::kLostDaemonSet: return !policy.evicts_stray_daemon_pods;
    case Pod::Owner::kNobody:
    case Pod::Owner::kOther: return false;
  }
  return false;
}

PodVerdict Apply(const PodRule& rule) {
  switch (rule.behaviour) {
    case PodRule::Behaviour::kSkip: return {.fate = PodFate::kSkip};
    case PodRule::Behaviour::kWaitCompleted: return {.fate = PodFate::kWaitCompleted};
    case PodRule::Behaviour::kDrain: return {.order = rule.order};
  }
  return {};
}

}  // namespace

PodVerdict ClassifyPod(const Pod& pod, const ClassifyPolicy& policy, bool node_unreachable,
                       WallTime now) {
  if (policy.forgets_pods_of_lost_nodes && node_unreachable && IsForgotten(pod, now)) {
    return {.fate = PodFate::kSkip};
  }
  if (IsDaemonPod(pod, policy))
    return {.fate = PodFate::kSkip, .warnings = {PodWarning::kDaemonSet}};
  if (pod.is_mirror) return {.fate = PodFate::kSkip};

  PodVerdict verdict;
  if (policy.honours_rules && pod.label) {
    verdict = Apply(*pod.label);
  } else if (policy.honours_rules && pod.rule) {
    verdict = Apply(*pod.rule);
  }
  if (verdict.fate != PodFate::kEvict) return verdict;
  if (pod.owner == Pod::Owner::kLostDaemonSet)
    verdict.warnings.push_back(PodWarning::kLostDaemonSet);
  if (pod.uses_local_data && !pod.is_finished) verdict.warnings.push_back(PodWarning::kLocalData);
  if (pod.owner == Pod::Owner::kNobody && !pod.is_finished) {
    verdict.warnings.push_back(PodWarning::kUnmanaged);
  }
  return verdict;
}

std::optional<PodRule> FirstRule(std::span<const NamedRule> rules) {
  const NamedRule* first = nullptr;
  for (const NamedRule& rule : rules) {
    if (rule.matches && (first == nullptr || rule.name < first->name)) first = &rule;
  }
  if (first == nullptr) return std::nullopt;
  return first->rule;
}

}  // namespace millwright::core
