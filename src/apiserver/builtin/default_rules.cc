#include "apiserver/builtin/default_rules.h"

#include <limits>
#include <string>

#include <boost/json.hpp>

#include "apiserver/builtin/json_edit.h"
#include "base/base64.h"

namespace millwright::apiserver::builtin {

namespace json = boost::json;

namespace {

// Views and references into an object are dead once it grows: what is kept across that is a copy.

void CopyMember(json::object& object, std::string_view from, std::string_view to) {
  json::value copy = object[from];
  object[to] = std::move(copy);
}

// --- Pods and what contains them ---

// The tag decides: what can change behind it is pulled each time. No tag means "latest"; a digest
// never changes.
bool IsMovingTag(std::string_view image) {
  if (image.find('@') != std::string_view::npos) return false;
  const auto slash = image.rfind('/');
  const auto name = slash == std::string_view::npos ? image : image.substr(slash + 1);
  const auto colon = name.rfind(':');
  return colon == std::string_view::npos || name.substr(colon + 1) == "latest";
}

void ContainerRule(json::object& container) {
  const bool moving = IsMovingTag(TextOf(container, "image"));
  SetMissing(container, "imagePullPolicy", moving ? "Always" : "IfNotPresent");
}

void VolumeRule(json::object& volume) {
  if (volume.size() <= (volume.contains("name") ? 1U : 0U)) volume["emptyDir"].emplace_object();
  if (json::object* image = ObjectOf(volume, "image")) {
    const bool moving = IsMovingTag(TextOf(*image, "reference"));
    SetMissing(*image, "pullPolicy", moving ? "Always" : "IfNotPresent");
  }
}

void RequestWhatIsLimited(json::object& container) {
  json::object* resources = ObjectOf(container, "resources");
  const json::object* limits = resources == nullptr ? nullptr : ObjectOf(*resources, "limits");
  if (limits == nullptr || limits->empty()) return;
  const json::object copy = *limits;
  json::object& requests = MakeObject(*resources, "requests");
  for (const auto& [name, amount] : copy) {
    if (!requests.contains(name)) requests[name] = amount;
  }
}

// On the host's network, a port of the container is one of the host.
void UseHostPorts(json::object& container) {
  for (json::object& port : ObjectsOf(container, "ports")) {
    if (!port.contains("hostPort")) CopyMember(port, "containerPort", "hostPort");
  }
}

// The older name of the field goes with the newer one.
void PodSpecRule(json::object& spec) {
  const std::string older(TextOf(spec, "serviceAccount"));
  if (!older.empty()) SetMissing(spec, "serviceAccountName", json::value(older));
  const std::string name(TextOf(spec, "serviceAccountName"));
  if (!name.empty()) spec["serviceAccount"] = name;
}

// A single value and the list that came later say the same: the first of the list is the value.
void PairWithList(json::object& object, std::string_view one, std::string_view list,
                  json::value (*item_of)(std::string_view),
                  std::string_view (*text_of)(const json::value&)) {
  const std::string text(TextOf(object, one));
  if (ListIsEmpty(object, list)) {
    if (!text.empty()) object[list] = json::array{item_of(text)};
  } else if (text.empty()) {
    const std::string first(text_of(object[list].get_array().front()));
    object[one] = first;
  }
}

json::value IpItem(std::string_view ip) { return json::object{{"ip", ip}}; }
std::string_view IpText(const json::value& item) {
  return item.is_object() ? TextOf(item.get_object(), "ip") : std::string_view();
}
json::value PlainItem(std::string_view text) { return json::value(text); }
std::string_view PlainText(const json::value& item) {
  return item.is_string() ? std::string_view(item.get_string()) : std::string_view();
}

void PodStatusRule(json::object& status) {
  PairWithList(status, "podIP", "podIPs", IpItem, IpText);
  PairWithList(status, "hostIP", "hostIPs", IpItem, IpText);
}

void NodeSpecRule(json::object& spec) {
  PairWithList(spec, "podCIDR", "podCIDRs", PlainItem, PlainText);
}

void PodRule(json::object& pod) {
  json::object& spec = MakeObject(pod, "spec");
  SetMissing(spec, "enableServiceLinks", true);
  const bool host_network = IsTrue(spec, "hostNetwork");
  for (const char* list : {"containers", "initContainers"}) {
    for (json::object& container : ObjectsOf(spec, list)) {
      RequestWhatIsLimited(container);
      if (host_network) UseHostPorts(container);
    }
  }
}

void DeploymentStrategyRule(json::object& strategy) {
  if (TextOf(strategy, "type") != "RollingUpdate") return;
  json::object& rolling = MakeObject(strategy, "rollingUpdate");
  SetMissing(rolling, "maxUnavailable", "25%");
  SetMissing(rolling, "maxSurge", "25%");
}

void DaemonSetStrategyRule(json::object& strategy) {
  if (TextOf(strategy, "type") != "RollingUpdate") return;
  json::object& rolling = MakeObject(strategy, "rollingUpdate");
  SetMissing(rolling, "maxUnavailable", 1);
  SetMissing(rolling, "maxSurge", 0);
}

void StatefulSetStrategyRule(json::object& strategy) {
  if (TextOf(strategy, "type").empty()) {
    strategy["type"] = "RollingUpdate";
    MakeObject(strategy, "rollingUpdate");
  }
  json::object* rolling = ObjectOf(strategy, "rollingUpdate");
  if (TextOf(strategy, "type") == "RollingUpdate" && rolling != nullptr) {
    SetMissing(*rolling, "partition", 0);
  }
}

void StatefulSetSpecRule(json::object& spec) {
  for (json::object& claim : ObjectsOf(spec, "volumeClaimTemplates")) {
    SetMissing(claim, "apiVersion", "v1");
    SetMissing(claim, "kind", "PersistentVolumeClaim");
  }
}

void JobRule(json::object& job) {
  MakeObject(job, "metadata");
  json::object& spec = MakeObject(job, "spec");
  if (!spec.contains("completions") && !spec.contains("parallelism")) spec["completions"] = 1;
  SetMissing(spec, "parallelism", 1);
  SetMissing(spec, "backoffLimit",
             spec.contains("backoffLimitPerIndex") ? std::numeric_limits<std::int32_t>::max() : 6);
  SetMissing(spec, "podReplacementPolicy",
             spec.contains("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  const json::object* labels =
      ObjectOf(MakeObject(MakeObject(spec, "template"), "metadata"), "labels");
  json::object& metadata = MakeObject(job, "metadata");
  if (labels != nullptr && !metadata.contains("labels")) metadata["labels"] = *labels;
}

// --- Services ---

void ServicePortsRule(json::object& spec) {
  for (json::object& port : ObjectsOf(spec, "ports")) {
    const json::value* target = port.if_contains("targetPort");
    if (target == nullptr || *target == json::value(0) || *target == json::value(""))
      CopyMember(port, "port", "targetPort");
  }
}

void SessionAffinityRule(json::object& spec) {
  if (TextOf(spec, "sessionAffinity") == "None") spec.erase("sessionAffinityConfig");
  if (TextOf(spec, "sessionAffinity") != "ClientIP") return;
  json::object& client = MakeObject(MakeObject(spec, "sessionAffinityConfig"), "clientIP");
  SetMissing(client, "timeoutSeconds", 10800);
}

void ServiceSpecRule(json::object& spec) {
  SessionAffinityRule(spec);
  ServicePortsRule(spec);
  const std::string type(TextOf(spec, "type"));
  const bool outside = type == "NodePort" || type == "LoadBalancer" ||
                       (type == "ClusterIP" && !ListIsEmpty(spec, "externalIPs"));
  if (outside) SetMissing(spec, "externalTrafficPolicy", "Cluster");
  if (type == "ClusterIP" || type == "NodePort" || type == "LoadBalancer") {
    SetMissing(spec, "internalTrafficPolicy", "Cluster");
  }
  if (type == "LoadBalancer") SetMissing(spec, "allocateLoadBalancerNodePorts", true);
}

// --- Others of the core group ---

void NamespaceRule(json::object& object) {
  json::object& metadata = MakeObject(object, "metadata");
  const std::string name(TextOf(metadata, "name"));
  if (!name.empty()) MakeObject(metadata, "labels")["kubernetes.io/metadata.name"] = name;
}

// What is in stringData is never stored.
void SecretRule(json::object& secret) {
  const json::object* text = ObjectOf(secret, "stringData");
  if (text == nullptr) return;
  const json::object copy = *text;
  secret.erase("stringData");
  for (const auto& [name, value] : copy) {
    MakeObject(secret, "data")[name] = EncodeBase64(value.as_string());
  }
}

void NodeStatusRule(json::object& status) {
  if (status.contains("capacity")) SetMissing(status, "allocatable", status["capacity"]);
}

void CopyMissing(const json::object* from, json::object& to, std::string_view name) {
  if (from == nullptr) return;
  const json::object source = *from;
  for (const auto& [resource, amount] : source) {
    json::object& target = MakeObject(to, name);
    if (!target.contains(resource)) target[resource] = amount;
  }
}

void LimitRangeItemRule(json::object& item) {
  if (TextOf(item, "type") != "Container") return;
  CopyMissing(ObjectOf(item, "max"), item, "default");
  CopyMissing(ObjectOf(item, "default"), item, "defaultRequest");
  CopyMissing(ObjectOf(item, "min"), item, "defaultRequest");
}

// --- Other groups ---

void SubjectRule(json::object& subject) {
  const std::string_view kind = TextOf(subject, "kind");
  if (kind == "User" || kind == "Group")
    SetMissing(subject, "apiGroup", "rbac.authorization.k8s.io");
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

void CrdNamesRule(json::object& names) {
  const std::string kind(TextOf(names, "kind"));
  if (kind.empty()) return;
  SetMissing(names, "singular", json::value(Lower(kind)));
  SetMissing(names, "listKind", json::value(kind + "List"));
}

// One that says neither what it selects nor its own labels takes those of its pods.
void ReplicationControllerRule(json::object& controller) {
  const json::object* spec = ObjectOf(controller, "spec");
  const json::object* pods = spec == nullptr ? nullptr : ObjectOf(*spec, "template");
  const json::object* metadata = pods == nullptr ? nullptr : ObjectOf(*pods, "metadata");
  const json::object* found = metadata == nullptr ? nullptr : ObjectOf(*metadata, "labels");
  if (found == nullptr) return;
  const json::object labels = *found;
  const auto take = [&labels](json::object& owner, std::string_view name) {
    json::object& member = MakeObject(owner, name);
    if (member.empty()) member = labels;
  };
  take(MakeObject(controller, "spec"), "selector");
  take(MakeObject(controller, "metadata"), "labels");
}

void CrdSpecRule(json::object& spec) { CrdNamesRule(MakeObject(spec, "names")); }

void CrdRule(json::object& crd) {
  MakeObject(crd, "spec");
  json::object& status = MakeObject(crd, "status");
  if (!ListIsEmpty(status, "storedVersions")) return;
  for (const json::object& version : ObjectsOf(MakeObject(crd, "spec"), "versions")) {
    if (!IsTrue(version, "storage")) continue;
    status["storedVersions"] = json::array{version.at("name")};
    return;
  }
}

constexpr DefaultRule kRules[] = {
    {"apiextensions.v1.CustomResourceDefinition", CrdRule},
    {"apiextensions.v1.CustomResourceDefinitionSpec", CrdSpecRule},
    {"apps.v1.DaemonSetUpdateStrategy", DaemonSetStrategyRule},
    {"apps.v1.DeploymentStrategy", DeploymentStrategyRule},
    {"apps.v1.StatefulSetSpec", StatefulSetSpecRule},
    {"apps.v1.StatefulSetUpdateStrategy", StatefulSetStrategyRule},
    {"batch.v1.Job", JobRule},
    {"core.v1.Container", ContainerRule},
    {"core.v1.EphemeralContainerCommon", ContainerRule},
    {"core.v1.LimitRangeItem", LimitRangeItemRule},
    {"core.v1.Namespace", NamespaceRule},
    {"core.v1.NodeSpec", NodeSpecRule},
    {"core.v1.NodeStatus", NodeStatusRule},
    {"core.v1.Pod", PodRule},
    {"core.v1.PodSpec", PodSpecRule},
    {"core.v1.PodStatus", PodStatusRule},
    {"core.v1.ReplicationController", ReplicationControllerRule},
    {"core.v1.Secret", SecretRule},
    {"core.v1.ServiceSpec", ServiceSpecRule},
    {"core.v1.Volume", VolumeRule},
    {"rbac.v1.Subject", SubjectRule},
};

}  // namespace

std::span<const DefaultRule> DefaultRules() { return kRules; }

}  // namespace millwright::apiserver::builtin
