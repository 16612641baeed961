#include "apiserver/housekeeping/node_health.h"

#include <algorithm>
#include <set>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";
constexpr std::string_view kUnreachable = "node.kubernetes.io/unreachable";
constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";

struct ConditionTaint {
  std::string_view condition;
  std::string_view status;
  std::string_view taint;
};

constexpr ConditionTaint kConditionTaints[] = {
    {"Ready", "False", kNotReady},
    {"Ready", "Unknown", kUnreachable},
    {"MemoryPressure", "True", "node.kubernetes.io/memory-pressure"},
    {"DiskPressure", "True", "node.kubernetes.io/disk-pressure"},
    {"NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"},
    {"PIDPressure", "True", "node.kubernetes.io/pid-pressure"},
};

// What a kubelet reports. The network is the business of others.
constexpr const char* kReported[] = {"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"};

using KeyAndEffect = std::pair<std::string_view, std::string_view>;

const json::value* ConditionOf(const json::value& node, std::string_view type) {
  const json::array* conditions = kube::GetArray(node, "status.conditions");
  if (conditions == nullptr) return nullptr;
  const auto* found = std::ranges::find_if(
      *conditions, [&](const json::value& one) { return kube::GetString(one, "type") == type; });
  return found == conditions->end() ? nullptr : found;
}

std::string_view StatusOf(const json::value& node, std::string_view type) {
  const json::value* condition = ConditionOf(node, type);
  return condition == nullptr ? std::string_view() : kube::GetString(*condition, "status");
}

json::value& Member(json::value& object, std::string_view name, json::kind kind) {
  if (!object.is_object()) object = json::object();
  json::value& member = object.get_object()[name];
  if (member.kind() == kind) return member;
  if (kind == json::kind::array) {
    member.emplace_array();
  } else {
    member.emplace_object();
  }
  return member;
}

std::set<KeyAndEffect> WantedTaints(const json::value& node, MayEvict evict) {
  std::set<KeyAndEffect> wanted;
  for (const auto& [condition, status, taint] : kConditionTaints) {
    if (StatusOf(node, condition) != status) continue;
    wanted.emplace(taint, "NoSchedule");
    if (condition == "Ready" && evict == MayEvict::kYes) wanted.emplace(taint, "NoExecute");
  }
  if (kube::GetBool(node, "spec.unschedulable")) wanted.emplace(kUnschedulable, "NoSchedule");
  return wanted;
}

bool IsOurs(const KeyAndEffect& taint, bool knows_ready) {
  const auto& [key, effect] = taint;
  const bool of_ready = key == kNotReady || key == kUnreachable;
  if (of_ready) return knows_ready && (effect == "NoSchedule" || effect == "NoExecute");
  if (effect != "NoSchedule") return false;
  return key == kUnschedulable ||
         std::ranges::find(kConditionTaints, key, &ConditionTaint::taint) !=
             std::end(kConditionTaints);
}

}  // namespace

std::string_view ReadyStatus(const json::value& node) { return StatusOf(node, "Ready"); }

std::string_view HeartbeatOf(const json::value& node) {
  const json::value* ready = ConditionOf(node, "Ready");
  return ready == nullptr ? kube::GetString(node, "metadata.creationTimestamp")
                          : kube::GetString(*ready, "lastHeartbeatTime");
}

void MarkUnknown(json::value& node, WallTime now) {
  const std::string created(kube::GetString(node, "metadata.creationTimestamp"));
  json::value& status = Member(node, "status", json::kind::object);
  json::array& conditions = Member(status, "conditions", json::kind::array).get_array();
  for (const char* type : kReported) {
    auto* found = std::ranges::find_if(
        conditions, [&](const json::value& one) { return kube::GetString(one, "type") == type; });
    if (found == conditions.end()) {
      conditions.push_back(json::object{{"type", type},
                                        {"status", "Unknown"},
                                        {"lastHeartbeatTime", created},
                                        {"lastTransitionTime", FormatTime(now)},
                                        {"reason", "NodeStatusNeverUpdated"},
                                        {"message", "Kubelet never posted node status."}});
      continue;
    }
    if (kube::GetString(*found, "status") == "Unknown") continue;
    json::object& condition = found->get_object();
    condition["status"] = "Unknown";
    condition["lastTransitionTime"] = FormatTime(now);
    condition["reason"] = "NodeStatusUnknown";
    condition["message"] = "Kubelet stopped posting node status.";
  }
}

bool FitTaints(json::value& node, MayEvict evict, WallTime now) {
  const bool knows_ready = !ReadyStatus(node).empty();
  std::set<KeyAndEffect> missing = WantedTaints(node, evict);
  const json::array* old = kube::GetArray(node, "spec.taints");
  json::array taints;
  bool changed = false;
  for (const json::value& taint : old == nullptr ? json::array() : *old) {
    const std::string key(kube::GetString(taint, "key"));
    const std::string effect(kube::GetString(taint, "effect"));
    const bool wanted = missing.erase({key, effect}) > 0;
    if (wanted || !IsOurs({key, effect}, knows_ready)) {
      taints.push_back(taint);
    } else {
      changed = true;
    }
  }
  for (const auto& [key, effect] : missing) {
    taints.push_back(
        json::object{{"key", key}, {"timeAdded", FormatTime(now)}, {"effect", effect}});
    changed = true;
  }
  if (!changed) return false;
  json::object& spec = Member(node, "spec", json::kind::object).get_object();
  if (taints.empty()) {
    spec.erase("taints");
  } else {
    spec["taints"] = std::move(taints);
  }
  return true;
}

std::vector<Taint> NoExecuteTaints(const json::value& node) {
  std::vector<Taint> found;
  const json::array* taints = kube::GetArray(node, "spec.taints");
  if (taints == nullptr) return found;
  for (const json::value& taint : *taints) {
    if (kube::GetString(taint, "effect") != "NoExecute") continue;
    found.push_back({.key = std::string(kube::GetString(taint, "key")),
                     .value = std::string(kube::GetString(taint, "value")),
                     .time_added = std::string(kube::GetString(taint, "timeAdded"))});
  }
  return found;
}

}  // namespace millwright::apiserver
