#include "controllers/contract/drain/drain_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kube/api/status.h"

namespace millwright::controllers::contract {

namespace {

constexpr std::size_t kPodsNamed = 3;
constexpr std::size_t kVolumesNamed = 5;
constexpr std::size_t kReasonsNamed = 5;
constexpr std::string_view kServerSays =
    "Cannot evict pod as it would violate the pod's disruption budget.";
constexpr std::string_view kBudget =
    "cannot evict pod as it would violate the pod's disruption budget.";

std::string Pods(std::span<const std::string> pods) {
  return fmt::format("{} {}", pods.size() == 1 ? "Pod" : "Pods", FirstOf(pods, kPodsNamed));
}

void AddRefusals(const Refusals& refusals, std::string& message) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [pod, why] : refusals) by_reason[why].push_back(pod);
  std::size_t named = 0;
  std::size_t others = 0;
  for (const auto& [why, pods] : by_reason) {
    if (named++ >= kReasonsNamed) {
      others += pods.size();
    } else if (why.starts_with(kBudget)) {
      message += fmt::format("\n* {}: {}", Pods(pods), why);
    } else {
      message += fmt::format("\n* {}: failed to evict Pod, {}", Pods(pods), why);
    }
  }
  if (others > 0) {
    message += fmt::format("\n* {} {} with other issues", others, others == 1 ? "Pod" : "Pods");
  }
}

std::string JoinedCauses(const kube::Status& status) {
  std::vector<std::string_view> causes;
  for (const kube::StatusCause& cause : status.details.causes) causes.push_back(cause.message);
  return fmt::format("{}", fmt::join(causes, ", "));
}

}  // namespace

std::string FirstOf(std::span<const std::string> names, std::size_t limit) {
  const auto shown = names.first(std::min(names.size(), limit));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > limit) text += fmt::format(", ... ({} more)", names.size() - limit);
  return text;
}

std::string WhyNotEvicted(const Error& error) {
  const auto* detail = error.detail<kube::StatusDetail>();
  if (detail == nullptr) return error.message();
  const kube::Status& status = detail->status();
  if (error.kind() == ErrorKind::kThrottled) {
    std::string why = status.message;
    if (why.starts_with(kServerSays)) why.replace(0, kServerSays.size(), kBudget);
    const std::string causes = JoinedCauses(status);
    return causes.empty() ? why : why + " " + causes;
  }
  const bool terminating = std::ranges::any_of(status.details.causes, [](const auto& cause) {
    return cause.reason == "NamespaceTerminating";
  });
  if (terminating) return "its namespace is terminating and will take the Pod with it";
  return status.message.empty() ? error.message() : status.message;
}

std::string DrainMessage(const core::Waves& waves, const Refusals& refusals, WallTime started) {
  std::string message =
      fmt::format("Drain not completed yet (started at {}):", FormatTime(started));
  if (!waves.going.empty()) {
    message += fmt::format("\n* {}: deletionTimestamp set, but still not removed from the Node",
                           Pods(waves.going));
  }
  AddRefusals(refusals, message);
  if (!waves.wait.empty()) {
    message += fmt::format("\n* {}: waiting for completion", Pods(waves.wait));
  }
  constexpr std::string_view kAfter = "\nAfter above Pods have been removed from the Node, ";
  if (!waves.evict_later.empty()) {
    message += fmt::format("{}the following Pods will be evicted: {}", kAfter,
                           FirstOf(waves.evict_later, kPodsNamed));
  }
  if (!waves.wait_later.empty()) {
    message += fmt::format("{}waiting for the following Pods to complete without eviction: {}",
                           kAfter, FirstOf(waves.wait_later, kPodsNamed));
  }
  return message;
}

std::string VolumesMessage(const core::VolumesLeft& left, WallTime started) {
  std::string message =
      fmt::format("Waiting for Node volumes to be detached (started at {})", FormatTime(started));
  const auto add = [&message](const char* what, const std::vector<std::string>& names) {
    if (!names.empty()) message += fmt::format("\n* {}: {}", what, FirstOf(names, kVolumesNamed));
  };
  add("PersistentVolumeClaims", left.claims);
  add("PersistentVolumes without a claim", left.unclaimed);
  add("Node .status.volumesAttached entries without PersistentVolume", left.unknown);
  add("VolumeAttachments without PersistentVolume", left.unattributed);
  return message;
}

}  // namespace millwright::controllers::contract
