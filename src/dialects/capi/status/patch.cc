#include "dialects/capi/status/patch.h"

#include <boost/json.hpp>

#include "dialects/capi/status/set_condition.h"
#include "kube/api/merge_patch.h"

namespace millwright::dialects::capi {
namespace {

namespace json = boost::json;

// As long as a condition's message may be; what is longer would have the whole status refused.
constexpr std::size_t kLongestMessage = 32'000;

json::string Text(std::string_view text) { return json::string(text); }

// Cut between characters, not within one.
std::string_view Shortened(std::string_view message) {
  if (message.size() <= kLongestMessage) return message;
  std::size_t end = kLongestMessage;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) --end;
  return message.substr(0, end);
}

void Put(json::object& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object[key] = Text(text);
}
void Put(json::object& object, std::string_view key, const std::optional<WallTime>& time) {
  if (time) object[key] = Text(FormatTime(*time));
}
void Put(json::object& object, std::string_view key, std::optional<int> number) {
  if (number) object[key] = *number;
}
void Put(json::object& object, std::string_view key, std::optional<bool> flag) {
  if (flag) object[key] = *flag;
}
void Put(json::object& object, std::string_view key, json::object part) {
  if (!part.empty()) object[key] = std::move(part);
}
void PutGeneration(json::object& object, std::int64_t generation) {
  if (generation > 0) object["observedGeneration"] = generation;
}
void PutJson(json::object& object, std::string_view key, const kube::SharedText& text) {
  if (text.empty()) return;
  boost::system::error_code failed;
  json::value value = json::parse(text.view(), failed);
  if (!failed) object[key] = std::move(value);
}

void PutConditions(json::object& object, const Conditions& conditions) {
  if (conditions.empty()) return;
  json::array list;
  for (const Condition& condition : conditions) {
    json::object item;
    item["type"] = Text(condition.type);
    item["status"] = Text(ToString(condition.status));
    if (condition.observed_generation > 0) {
      item["observedGeneration"] = condition.observed_generation;
    }
    item["lastTransitionTime"] = Text(FormatTime(condition.since));
    item["reason"] = Text(condition.reason);
    item["message"] = Text(Shortened(condition.message));
    list.push_back(std::move(item));
  }
  object["conditions"] = std::move(list);
}

void PutConditions(json::object& object, const LegacyConditions& conditions) {
  if (conditions.empty()) return;
  json::array list;
  for (const LegacyCondition& condition : conditions) {
    json::object item;
    item["type"] = Text(condition.type);
    item["status"] = Text(ToString(condition.status));
    Put(item, "severity", condition.severity);
    item["lastTransitionTime"] = Text(FormatTime(condition.since));
    Put(item, "reason", condition.reason);
    Put(item, "message", Shortened(condition.message));
    list.push_back(std::move(item));
  }
  object["conditions"] = std::move(list);
}

void PutLegacy(json::object& status, json::object old) {
  if (old.empty()) return;
  json::object deprecated;
  deprecated["v1beta1"] = std::move(old);
  status["deprecated"] = std::move(deprecated);
}

void PutVersions(json::object& status, const std::vector<VersionCount>& versions) {
  if (versions.empty()) return;
  json::array list;
  for (const VersionCount& version : versions) {
    list.push_back({{"version", Text(version.version)}, {"replicas", version.replicas}});
  }
  status["versions"] = std::move(list);
}

json::object Encode(const MachineStatus& machine) {
  json::object status;
  PutConditions(status, machine.conditions);
  json::object initialization;
  Put(initialization, "infrastructureProvisioned", machine.infrastructure_provisioned);
  Put(initialization, "bootstrapDataSecretCreated", machine.data_secret_created);
  Put(status, "initialization", std::move(initialization));
  json::object node;
  Put(node, "name", machine.node);
  Put(status, "nodeRef", std::move(node));
  PutJson(status, "nodeInfo", machine.node_info);
  Put(status, "lastUpdated", machine.last_updated);
  PutJson(status, "addresses", machine.addresses);
  Put(status, "failureDomain", machine.failure_domain);
  Put(status, "phase", machine.phase);
  Put(status, "certificatesExpiryDate", machine.certificates_expiry);
  PutGeneration(status, machine.observed_generation);
  json::object deletion;
  Put(deletion, "nodeDrainStartTime", machine.deletion.drain);
  Put(deletion, "waitForNodeVolumeDetachStartTime", machine.deletion.volumes);
  Put(deletion, "waitForPreDrainHookStartTime", machine.deletion.pre_drain_hook);
  Put(deletion, "waitForPreTerminateHookStartTime", machine.deletion.pre_terminate_hook);
  Put(status, "deletion", std::move(deletion));
  json::object old;
  PutConditions(old, machine.legacy_conditions);
  Put(old, "failureReason", machine.legacy_failure_reason);
  Put(old, "failureMessage", machine.legacy_failure_message);
  PutLegacy(status, std::move(old));
  return status;
}

void PutCounters(json::object& status, const auto& owner) {
  Put(status, "selector", owner.selector);
  Put(status, "replicas", owner.replicas);
  Put(status, "readyReplicas", owner.ready);
  Put(status, "availableReplicas", owner.available);
  Put(status, "upToDateReplicas", owner.up_to_date);
  PutVersions(status, owner.versions);
  PutGeneration(status, owner.observed_generation);
}

json::object Encode(const SetStatus& set) {
  json::object status;
  PutConditions(status, set.conditions);
  PutCounters(status, set);
  json::object old;
  PutConditions(old, set.legacy_conditions);
  Put(old, "failureReason", set.legacy_failure_reason);
  Put(old, "failureMessage", set.legacy_failure_message);
  old["fullyLabeledReplicas"] = set.legacy_fully_labeled;
  old["readyReplicas"] = set.legacy_ready;
  old["availableReplicas"] = set.legacy_available;
  PutLegacy(status, std::move(old));
  return status;
}

json::object Encode(const DeploymentStatus& deployment) {
  json::object status;
  PutConditions(status, deployment.conditions);
  PutCounters(status, deployment);
  Put(status, "phase", deployment.phase);
  json::object old;
  PutConditions(old, deployment.legacy_conditions);
  old["updatedReplicas"] = deployment.legacy_updated;
  old["readyReplicas"] = deployment.legacy_ready;
  old["availableReplicas"] = deployment.legacy_available;
  old["unavailableReplicas"] = deployment.legacy_unavailable;
  PutLegacy(status, std::move(old));
  return status;
}

json::object Encode(const HealthCheckStatus& check) {
  json::object status;
  PutConditions(status, check.conditions);
  Put(status, "expectedMachines", check.expected);
  Put(status, "currentHealthy", check.healthy);
  Put(status, "remediationsAllowed", check.remediations_allowed);
  PutGeneration(status, check.observed_generation);
  if (!check.targets.empty()) {
    json::array targets;
    for (const std::string& target : check.targets) targets.push_back(Text(target));
    status["targets"] = std::move(targets);
  }
  json::object old;
  PutConditions(old, check.legacy_conditions);
  PutLegacy(status, std::move(old));
  return status;
}

json::object Encode(const ReplicaCounts& counts) {
  json::object object;
  Put(object, "desiredReplicas", counts.desired);
  Put(object, "replicas", counts.replicas);
  Put(object, "readyReplicas", counts.ready);
  Put(object, "availableReplicas", counts.available);
  Put(object, "upToDateReplicas", counts.up_to_date);
  return object;
}

json::object Encode(const ClusterStatus& cluster) {
  json::object status;
  PutConditions(status, cluster.conditions);
  json::object initialization;
  Put(initialization, "infrastructureProvisioned", cluster.infrastructure_provisioned);
  Put(initialization, "controlPlaneInitialized", cluster.control_plane_initialized);
  Put(status, "initialization", std::move(initialization));
  PutJson(status, "failureDomains", cluster.failure_domains);
  Put(status, "controlPlane", Encode(cluster.control_plane));
  Put(status, "workers", Encode(cluster.workers));
  Put(status, "phase", cluster.phase);
  PutGeneration(status, cluster.observed_generation);
  json::object old;
  PutConditions(old, cluster.legacy_conditions);
  PutLegacy(status, std::move(old));
  return status;
}

json::object Difference(const auto& before, const auto& after) {
  if (before == after) return {};
  Result<json::value> patch = kube::CreateMergePatch(Encode(before), Encode(after));
  if (!patch || patch->as_object().empty()) return {};
  json::object whole;
  whole["status"] = std::move(*patch);
  return whole;
}

}  // namespace

boost::json::object StatusPatch(const MachineStatus& before, const MachineStatus& after) {
  return Difference(before, after);
}
boost::json::object StatusPatch(const SetStatus& before, const SetStatus& after) {
  return Difference(before, after);
}
boost::json::object StatusPatch(const DeploymentStatus& before, const DeploymentStatus& after) {
  return Difference(before, after);
}
boost::json::object StatusPatch(const HealthCheckStatus& before, const HealthCheckStatus& after) {
  return Difference(before, after);
}
boost::json::object StatusPatch(const ClusterStatus& before, const ClusterStatus& after) {
  return Difference(before, after);
}

}  // namespace millwright::dialects::capi
