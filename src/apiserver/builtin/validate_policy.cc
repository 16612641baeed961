// Disruption budgets, priorities, quotas and limits.
#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "apiserver/builtin/validate_kinds.h"
#include "kube/api/quantity.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

void CheckShare(const At& at, Faults& faults) {
  CheckIntOrPercent(at, faults);
  std::string_view text = at.Text();
  if (!text.ends_with('%')) return;
  text.remove_suffix(1);
  int percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error == std::errc() && end == text.data() + text.size() && percent > 100) {
    faults.Invalid(at, "must not be greater than 100%");
  }
}

constexpr std::int64_t kHighestUserPriority = 1'000'000'000;

constexpr std::array<std::string_view, 30> kQuotaResources = {"cpu",
                                                              "memory",
                                                              "ephemeral-storage",
                                                              "storage",
                                                              "pods",
                                                              "services",
                                                              "replicationcontrollers",
                                                              "resourcequotas",
                                                              "secrets",
                                                              "configmaps",
                                                              "persistentvolumeclaims",
                                                              "services.nodeports",
                                                              "services.loadbalancers",
                                                              "requests.cpu",
                                                              "requests.memory",
                                                              "requests.storage",
                                                              "requests.ephemeral-storage",
                                                              "limits.cpu",
                                                              "limits.memory",
                                                              "limits.ephemeral-storage",
                                                              "count/pods",
                                                              "count/services",
                                                              "count/secrets",
                                                              "count/configmaps",
                                                              "count/persistentvolumeclaims",
                                                              "count/replicationcontrollers",
                                                              "count/deployments.apps",
                                                              "count/replicasets.apps",
                                                              "count/statefulsets.apps",
                                                              "count/jobs.batch"};

constexpr std::array<std::string_view, 7> kScopes = {
    "BestEffort",  "CrossNamespacePodAffinity", "NotBestEffort", "NotTerminating", "PriorityClass",
    "Terminating", "VolumeAttributesClass"};

void CheckQuotaName(std::string_view name, const At& at, Faults& faults) {
  const json::value shown(name);
  const auto complaints = kube::CheckQualifiedName(name);
  for (const auto& complaint : complaints) faults.Invalid(at, shown, complaint);
  if (name.find('/') != name.npos) return;
  const bool standard = std::ranges::find(kQuotaResources, name) != kQuotaResources.end() ||
                        name.starts_with("requests.hugepages-") || name.starts_with("hugepages-");
  if (standard) return;
  if (complaints.empty()) {
    faults.Invalid(at, shown, "must be a standard resource type or fully qualified");
  }
  faults.Invalid(at, shown, "must be a standard resource for quota");
}

// What two bounds of a limit have to be like: the first not above the second.
struct Bound {
  std::string_view lower;
  std::string_view upper;
  std::string_view blamed;  // where it is said
  std::string_view lower_word;
  std::string_view upper_word;
};

constexpr Bound kBounds[] = {
    {"min", "max", "min", "min", "max"},
    {"min", "defaultRequest", "defaultRequest", "min", "default request"},
    {"defaultRequest", "max", "defaultRequest", "default request", "max"},
    {"defaultRequest", "default", "defaultRequest", "default request", "default limit"},
    {"min", "default", "default", "min", "default"},
    {"default", "max", "default", "default", "max"},
};

void CheckBounds(const At& item, Faults& faults) {
  for (const auto& bound : kBounds) {
    for (const auto& [name, low] : item[bound.lower].Members()) {
      const At high = item[bound.upper].Key(name);
      const auto least = kube::ParseQuantity(low.Text());
      const auto most = kube::ParseQuantity(high.Text());
      if (!high.IsSet() || !least || !most || *least <= *most) continue;
      const At blamed = item[bound.blamed].Key(name);
      // A real server shows one or the other, as it happened to be written.
      const At& shown = bound.blamed == "defaultRequest" ? blamed : low;
      faults.Invalid(blamed, shown.value(),
                     fmt::format("{} value {} is greater than {} value {}", bound.lower_word,
                                 low.Text(), bound.upper_word, high.Text()));
    }
  }
}

void CheckLimit(const At& item, std::set<std::string_view>& types, Faults& faults) {
  const At type = item["type"];
  const std::string_view name = type.Text();
  const bool standard = name == "Pod" || name == "Container" || name == "PersistentVolumeClaim";
  if (!standard && name.find('/') == name.npos) {
    faults.Invalid(type, "must be a standard limit type or fully qualified");
  }
  if (!types.insert(name).second) faults.Duplicate(type);
  if (name == "Pod") {
    for (const char* field : {"default", "defaultRequest"}) {
      if (!item[field].IsEmpty()) {
        faults.Forbidden(item[field], "may not be specified when `type` is 'Pod'");
      }
    }
  }
  CheckBounds(item, faults);
}

}  // namespace

void ValidatePodDisruptionBudget(const At& object, const At* /*old*/, Faults& faults) {
  const At spec = object["spec"];
  if (spec["minAvailable"].IsSet() && spec["maxUnavailable"].IsSet()) {
    faults.InvalidStruct(
        spec,
        GoStructText({{"MinAvailable", spec["minAvailable"]},
                      {"Selector", spec["selector"]},
                      {"MaxUnavailable", spec["maxUnavailable"]},
                      {"UnhealthyPodEvictionPolicy", spec["unhealthyPodEvictionPolicy"]}}),
        "minAvailable and maxUnavailable cannot be both set");
  }
  CheckShare(spec["minAvailable"], faults);
  CheckShare(spec["maxUnavailable"], faults);
  CheckLabelSelector(spec["selector"], faults);
  if (spec["unhealthyPodEvictionPolicy"].IsSet()) {
    CheckOneOf(spec["unhealthyPodEvictionPolicy"], {"AlwaysAllow", "IfHealthyBudget"}, faults);
  }
  for (const char* count :
       {"disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"}) {
    CheckNotNegative(object["status"][count], faults);
  }
}

void ValidatePriorityClass(const At& object, const At* old, Faults& faults) {
  const At name = object["metadata"]["name"];
  const bool system =
      name.Text() == "system-node-critical" || name.Text() == "system-cluster-critical";
  if (name.Text().starts_with("system-") && !system) {
    faults.Forbidden(name,
                     fmt::format("priority class names with 'system-' prefix are reserved for "
                                 "system use only. error: {} is not a known system priority "
                                 "class",
                                 name.Text()));
  } else if (!system && object["value"].Number().value_or(0) > kHighestUserPriority) {
    faults.Forbidden(object["value"],
                     fmt::format("maximum allowed value of a user defined priority is {}",
                                 kHighestUserPriority));
  }
  if (object["preemptionPolicy"].IsSet()) {
    CheckOneOf(object["preemptionPolicy"], {"PreemptLowerPriority", "Never"}, faults);
  }
  if (old == nullptr) return;
  if (!Same(object["value"], (*old)["value"])) {
    faults.Forbidden(object["value"], "may not be changed in an update.");
  }
  CheckUnchanged(object["preemptionPolicy"], (*old)["preemptionPolicy"], faults);
}

void ValidateResourceQuota(const At& object, const At* old, Faults& faults) {
  const At spec = object["spec"];
  for (const auto& [name, amount] : spec["hard"].Members()) {
    CheckQuotaName(name, amount, faults);
    const auto quantity = kube::ParseQuantity(amount.Text());
    if (quantity && quantity->IsNegative()) {
      faults.Invalid(amount, "must be greater than or equal to 0");
    }
  }
  const At scopes = spec["scopes"];
  for (const At& scope : scopes.Items()) {
    if (std::ranges::find(kScopes, scope.Text()) == kScopes.end()) {
      faults.Invalid(scopes, "unsupported scope");
    }
  }
  if (old != nullptr) CheckUnchanged(scopes, (*old)["spec"]["scopes"], faults);
}

void ValidateLimitRange(const At& object, const At* /*old*/, Faults& faults) {
  std::set<std::string_view> types;
  for (const At& item : object["spec"]["limits"].Items()) CheckLimit(item, types, faults);
}

}  // namespace millwright::apiserver::builtin
