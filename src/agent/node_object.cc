#include "agent/node_object.h"

#include <boost/json.hpp>

namespace millwright::agent {

namespace json = boost::json;

namespace {

// As kubelets have it; a cluster takes a node for lost after 40 s.
constexpr std::int64_t kLeaseSeconds = 40;

struct Truth {
  const char* type;
  const char* status;
  const char* reason;
  const char* message;
};

constexpr Truth kTruths[] = {
    {"MemoryPressure", "False", "KubeletHasSufficientMemory", "this machine runs no containers"},
    {"DiskPressure", "False", "KubeletHasNoDiskPressure", "this machine runs no containers"},
    {"PIDPressure", "False", "KubeletHasSufficientPID", "this machine runs no containers"},
    {"Ready", "True", "KubeletReady", "the node agent is running"},
};

json::object Texts(const std::map<std::string, std::string>& texts) {
  json::object object;
  for (const auto& [name, text] : texts) object[name] = text;
  return object;
}

json::object LabelsOf(const NodeFacts& facts) {
  json::object labels = Texts(facts.labels);
  labels["kubernetes.io/hostname"] = facts.name;
  labels["kubernetes.io/os"] = "linux";
  labels["kubernetes.io/arch"] = facts.system.architecture;
  return labels;
}

json::object NodeInfoOf(const NodeFacts& facts) {
  const SystemFacts& system = facts.system;
  return {{"architecture", system.architecture},
          {"bootID", system.boot_id},
          {"containerRuntimeVersion", "millwright://0"},
          {"kernelVersion", system.kernel},
          {"kubeProxyVersion", ""},
          {"kubeletVersion", facts.version},
          {"machineID", system.machine_id},
          {"operatingSystem", "linux"},
          {"osImage", system.os_image},
          {"systemUUID", system.machine_id}};
}

json::array ConditionsNow(const Conditions& seen, WallTime now) {
  json::array conditions;
  for (const Truth& truth : kTruths) {
    json::object condition{{"type", truth.type},
                           {"status", truth.status},
                           {"reason", truth.reason},
                           {"message", truth.message},
                           {"lastHeartbeatTime", FormatTime(now)}};
    const auto known = seen.find(truth.type);
    if (known == seen.end() || known->second != truth.status) {
      condition["lastTransitionTime"] = FormatTime(now);
    }
    conditions.emplace_back(std::move(condition));
  }
  return conditions;
}

}  // namespace

json::object NodeObject(const NodeFacts& facts) {
  json::object spec;
  if (!facts.provider_id.empty()) spec["providerID"] = facts.provider_id;
  json::array taints;
  for (const Taint& taint : facts.taints) {
    json::object object{{"key", taint.key}, {"effect", taint.effect}};
    if (!taint.value.empty()) object["value"] = taint.value;
    taints.emplace_back(std::move(object));
  }
  if (!taints.empty()) spec["taints"] = std::move(taints);
  json::object metadata;
  metadata["name"] = facts.name;
  metadata["labels"] = LabelsOf(facts);
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", std::move(metadata)},
          {"spec", std::move(spec)}};
}

json::object NodePatch(const NodeFacts& facts, bool has_provider_id) {
  json::object patch;
  json::object metadata;
  metadata["labels"] = LabelsOf(facts);
  patch["metadata"] = std::move(metadata);
  if (!has_provider_id && !facts.provider_id.empty()) {
    json::object spec;
    spec["providerID"] = facts.provider_id;
    patch["spec"] = std::move(spec);
  }
  return patch;
}

json::object StatusPatch(const NodeFacts& facts, const Conditions& seen, WallTime now) {
  json::array addresses;
  addresses.push_back(json::object{{"type", "InternalIP"}, {"address", facts.address}});
  addresses.push_back(json::object{{"type", "Hostname"}, {"address", facts.name}});
  json::object status;
  status["capacity"] = Texts(facts.capacity);
  status["allocatable"] = Texts(facts.capacity);
  status["addresses"] = std::move(addresses);
  status["nodeInfo"] = NodeInfoOf(facts);
  status["conditions"] = ConditionsNow(seen, now);
  json::object patch;
  patch["status"] = std::move(status);
  return patch;
}

json::object LeasePatch(const std::string& node, WallTime now) {
  json::object spec{{"holderIdentity", node},
                    {"leaseDurationSeconds", kLeaseSeconds},
                    {"renewTime", FormatMicroTime(now)}};
  json::object patch;
  patch["spec"] = std::move(spec);
  return patch;
}

json::object LeaseObject(const std::string& node, const std::string& node_uid, WallTime now) {
  json::object lease = LeasePatch(node, now);
  lease["apiVersion"] = "coordination.k8s.io/v1";
  lease["kind"] = "Lease";
  json::array owners;
  owners.push_back(
      json::object{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", node}, {"uid", node_uid}});
  lease["metadata"] = json::object{
      {"name", node}, {"namespace", "kube-node-lease"}, {"ownerReferences", std::move(owners)}};
  return lease;
}

}  // namespace millwright::agent
