#include "dialects/capi/status/set_condition.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace millwright::dialects::capi {
namespace {

constexpr std::array<std::string_view, 35> kKnownFirst = {
    "Available",
    "Ready",
    "UpToDate",
    "RemoteConnectionProbe",
    "BootstrapConfigReady",
    "InfrastructureReady",
    "ControlPlaneInitialized",
    "ControlPlaneAvailable",
    "WorkersAvailable",
    "CertificatesAvailable",
    "Initialized",
    "EtcdClusterHealthy",
    "ControlPlaneComponentsHealthy",
    "NodeHealthy",
    "NodeReady",
    "NodeKubeadmLabelsAndTaintsSet",
    "EtcdPodHealthy",
    "EtcdMemberHealthy",
    "APIServerPodHealthy",
    "ControllerManagerPodHealthy",
    "SchedulerPodHealthy",
    "HealthCheckSucceeded",
    "OwnerRemediated",
    "TopologyReconciled",
    "Updating",
    "RollingOut",
    "Remediating",
    "ScalingDown",
    "ScalingUp",
    "MachinesReady",
    "ControlPlaneMachinesReady",
    "WorkerMachinesReady",
    "MachinesUpToDate",
    "ControlPlaneMachinesUpToDate",
    "WorkerMachinesUpToDate",
};

std::size_t Place(std::string_view type) {
  if (type == "Paused") return kKnownFirst.size() + 1;
  if (type == "Deleting") return kKnownFirst.size() + 2;
  return static_cast<std::size_t>(std::ranges::find(kKnownFirst, type) - kKnownFirst.begin());
}

auto PlaceOf(auto& conditions, std::string_view type) {
  return std::ranges::find_if(conditions, [&](const auto& one) { return one.type == type; });
}

WallTime WholeSeconds(WallTime time) { return std::chrono::floor<std::chrono::seconds>(time); }

}  // namespace

void Sort(Conditions& conditions) {
  std::ranges::sort(conditions, [](const Condition& a, const Condition& b) {
    return std::pair(Place(a.type), a.type.view()) < std::pair(Place(b.type), b.type.view());
  });
}

void Set(Conditions& conditions, std::string_view type, const Shown& shown, std::int64_t generation,
         WallTime now) {
  auto found = PlaceOf(conditions, type);
  if (found == conditions.end()) {
    found = conditions.insert(conditions.end(), Condition{.type = type});
    found->since = WholeSeconds(shown.since.value_or(now));
  } else if (found->status != shown.status) {
    found->since = WholeSeconds(shown.since.value_or(now));
  }
  found->status = shown.status;
  found->reason = shown.reason;
  found->message = shown.message;
  found->observed_generation = generation;
  Sort(conditions);
}

void Remove(Conditions& conditions, std::string_view type) {
  std::erase_if(conditions, [&](const Condition& condition) { return condition.type == type; });
}

void Set(LegacyConditions& conditions, std::string_view type, const LegacyShown& shown,
         WallTime now) {
  auto found = PlaceOf(conditions, type);
  if (found == conditions.end()) {
    found = conditions.insert(conditions.end(), LegacyCondition{.type = type});
    found->since = WholeSeconds(now);
  } else if (found->status != shown.status || found->reason != shown.reason ||
             found->severity != shown.severity || found->message != shown.message) {
    // The old kind's time is that of any change.
    found->since = WholeSeconds(now);
  }
  found->status = shown.status;
  found->reason = shown.reason;
  found->severity = shown.severity;
  found->message = shown.message;
  std::ranges::sort(conditions, [](const LegacyCondition& a, const LegacyCondition& b) {
    return std::pair(a.type != "Ready", a.type.view()) <
           std::pair(b.type != "Ready", b.type.view());
  });
}

void Remove(LegacyConditions& conditions, std::string_view type) {
  std::erase_if(conditions,
                [&](const LegacyCondition& condition) { return condition.type == type; });
}

const LegacyCondition* Find(const LegacyConditions& conditions, std::string_view type) {
  const auto found = PlaceOf(conditions, type);
  return found == conditions.end() ? nullptr : &*found;
}

std::string_view ToString(Truth truth) {
  switch (truth) {
    case Truth::kTrue: return "True";
    case Truth::kFalse: return "False";
    case Truth::kUnknown: break;
  }
  return "Unknown";
}

Truth TruthFrom(std::string_view text) {
  if (text == "True") return Truth::kTrue;
  if (text == "False") return Truth::kFalse;
  return Truth::kUnknown;
}

}  // namespace millwright::dialects::capi
