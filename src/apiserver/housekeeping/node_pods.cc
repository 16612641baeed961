#include "apiserver/housekeeping/node_pods.h"

#include <algorithm>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

json::array* ConditionsOf(json::value& pod) {
  json::object* object = pod.if_object();
  json::value* status = object == nullptr ? nullptr : object->if_contains("status");
  if (status == nullptr || !status->is_object()) return nullptr;
  json::value* conditions = status->get_object().if_contains("conditions");
  return conditions == nullptr ? nullptr : conditions->if_array();
}

json::object* Condition(json::value& pod, std::string_view type) {
  json::array* conditions = ConditionsOf(pod);
  if (conditions == nullptr) return nullptr;
  auto* found = std::ranges::find_if(
      *conditions, [&](const json::value& one) { return kube::GetString(one, "type") == type; });
  return found == conditions->end() ? nullptr : found->if_object();
}

bool Tolerates(const json::value& toleration, const Taint& taint) {
  const std::string_view effect = kube::GetString(toleration, "effect");
  if (!effect.empty() && effect != "NoExecute") return false;
  const std::string_view key = kube::GetString(toleration, "key");
  if (!key.empty() && key != taint.key) return false;
  const std::string_view how = kube::GetString(toleration, "operator");
  if (how == "Exists") return true;
  return (how.empty() || how == "Equal") && !key.empty() &&
         kube::GetString(toleration, "value") == taint.value;
}

// The first toleration of a taint counts.
std::optional<WallTime> LeaveTime(const json::array* tolerations, const Taint& taint,
                                  WallTime now) {
  if (tolerations == nullptr) return now;
  const auto* found = std::ranges::find_if(
      *tolerations, [&](const json::value& one) { return Tolerates(one, taint); });
  if (found == tolerations->end()) return now;
  const json::value* seconds = kube::Find(*found, "tolerationSeconds");
  if (seconds == nullptr || !seconds->is_int64()) return std::nullopt;
  // Counted from the taint and not from when we saw it, so that it goes on across restarts.
  const auto since = ParseTime(taint.time_added);
  constexpr std::int64_t kYears = std::int64_t{100} * 365 * 24 * 3600;
  const auto time = std::clamp<std::int64_t>(seconds->get_int64(), 0, kYears);
  return (since ? *since : now) + std::chrono::seconds(time);
}

}  // namespace

bool MarkPodNotReady(json::value& pod, WallTime now) {
  json::object* ready = Condition(pod, "Ready");
  if (ready == nullptr || kube::GetString(*ready, "status") == "False") return false;
  (*ready)["status"] = "False";
  (*ready)["lastTransitionTime"] = FormatTime(now);
  return true;
}

void MarkDrivenOut(json::value& pod, WallTime now) {
  const json::object wish{{"type", "DisruptionTarget"},
                          {"status", "True"},
                          {"lastTransitionTime", FormatTime(now)},
                          {"reason", "DeletionByTaintManager"},
                          {"message", "Taint manager: deleting due to NoExecute taint"}};
  if (json::object* old = Condition(pod, "DisruptionTarget")) {
    *old = wish;
    return;
  }
  if (!pod.get_object()["status"].is_object()) pod.get_object()["status"] = json::object();
  json::value& conditions = pod.get_object()["status"].get_object()["conditions"];
  if (!conditions.is_array()) conditions = json::array();
  conditions.get_array().push_back(wish);
}

std::optional<WallTime> LeaveTime(const json::value& pod, std::span<const Taint> taints,
                                  WallTime now) {
  const json::array* tolerations = kube::GetArray(pod, "spec.tolerations");
  std::optional<WallTime> first;
  for (const Taint& taint : taints) {
    const auto time = LeaveTime(tolerations, taint, now);
    if (time && (!first || *time < *first)) first = time;
  }
  return first;
}

}  // namespace millwright::apiserver
