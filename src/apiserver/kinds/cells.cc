#include "apiserver/kinds/cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include <boost/json.hpp>

#include "apiserver/kinds/event_form.h"
#include "apiserver/rest/table.h"
#include "kube/api/json_text.h"
#include "kube/api/labels.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

std::string Joined(const json::array* items, std::string_view field) {
  std::string text;
  if (items == nullptr) return text;
  for (const json::value& item : *items) {
    if (!text.empty()) text += ',';
    text +=
        field.empty() ? std::string(item.get_string()) : std::string(kube::GetString(item, field));
  }
  return text;
}

std::string Containers(const Shown& object) {
  return Joined(kube::GetArray(object.object(), "spec.template.spec.containers"), "name");
}

std::string Images(const Shown& object) {
  return Joined(kube::GetArray(object.object(), "spec.template.spec.containers"), "image");
}

// The first of the fields that says something, else the last.
std::string_view FirstSet(const Shown& o, std::initializer_list<std::string_view> paths) {
  const auto* found = std::ranges::find_if(paths, [&](auto path) { return !o.Text(path).empty(); });
  return found == paths.end() ? *std::prev(paths.end()) : *found;
}

std::string SelectorText(const Shown& object, std::string_view path) {
  const json::value* selector = kube::Find(object.object(), path);
  if (selector == nullptr) return "<none>";
  const auto parsed = kube::DecodeLabelSelector(*selector);
  const std::string text = parsed ? parsed->ToString() : std::string();
  return text.empty() ? "<none>" : text;
}

// key=value pairs of a map, in the order of keys.
std::string PairsText(const Shown& object, std::string_view path) {
  const json::object* map = kube::GetObject(object.object(), path);
  if (map == nullptr || map->empty()) return "<none>";
  kube::Labels sorted;
  for (const auto& [key, value] : *map) {
    if (value.is_string()) sorted.emplace(key, std::string(value.get_string()));
  }
  std::string text;
  for (const auto& [key, value] : sorted) text += (text.empty() ? "" : ",") + key + "=" + value;
  return text;
}

std::string AccessModes(const Shown& object, std::string_view path) {
  std::string text;
  const json::array* modes = kube::GetArray(object.object(), path);
  if (modes == nullptr) return text;
  const std::pair<std::string_view, std::string_view> kShort[] = {{"ReadWriteOnce", "RWO"},
                                                                  {"ReadOnlyMany", "ROX"},
                                                                  {"ReadWriteMany", "RWX"},
                                                                  {"ReadWriteOncePod", "RWOP"}};
  for (const auto& [name, abbreviation] : kShort) {
    if (std::ranges::find(*modes, json::value(name)) == modes->end()) continue;
    text += (text.empty() ? "" : ",") + std::string(abbreviation);
  }
  return text;
}

// Of a Node: the first address of a type.
std::string Address(const Shown& node, std::string_view type) {
  const json::array* addresses = kube::GetArray(node.object(), "status.addresses");
  if (addresses == nullptr) return "<none>";
  for (const json::value& address : *addresses) {
    if (kube::GetString(address, "type") == type) {
      return std::string(kube::GetString(address, "address"));
    }
  }
  return "<none>";
}

std::string NodeStatus(const Shown& node) {
  std::string text = "Unknown";
  if (const json::array* conditions = kube::GetArray(node.object(), "status.conditions")) {
    for (const json::value& condition : *conditions) {
      if (kube::GetString(condition, "type") != "Ready") continue;
      text = kube::GetString(condition, "status") == "True" ? "Ready" : "NotReady";
    }
  }
  if (kube::GetBool(node.object(), "spec.unschedulable")) text += ",SchedulingDisabled";
  return text;
}

std::string NodeRoles(const Shown& node) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::vector<std::string> roles;
  if (const json::object* labels = kube::GetObject(node.object(), "metadata.labels")) {
    for (const auto& [key, value] : *labels) {
      const std::string_view name = key;
      if (name.starts_with(kPrefix) && name.size() > kPrefix.size()) {
        roles.emplace_back(name.substr(kPrefix.size()));
      } else if (name == "kubernetes.io/role" && value.is_string() && !value.get_string().empty()) {
        roles.emplace_back(value.get_string());
      }
    }
  }
  if (roles.empty()) return "<none>";
  std::ranges::sort(roles);
  return fmt::format("{}", fmt::join(roles, ","));
}

struct PodProgress {
  std::int64_t ready = 0;
  std::int64_t restarts = 0;
  std::string reason;
};

PodProgress ProgressOf(const Shown& pod) {
  PodProgress progress{.reason = pod.TextOr("status.phase", "")};
  const std::string_view said = pod.Text("status.reason");
  if (!said.empty()) progress.reason = said;
  if (const json::array* all = kube::GetArray(pod.object(), "status.containerStatuses")) {
    for (const json::value& status : *all) {
      progress.restarts += kube::GetInt(status, "restartCount");
      if (kube::GetBool(status, "ready")) ++progress.ready;
      for (const char* path : {"state.waiting.reason", "state.terminated.reason"}) {
        const std::string_view why = kube::GetString(status, path);
        if (!why.empty()) progress.reason = why;
      }
    }
  }
  if (!pod.Text("metadata.deletionTimestamp").empty()) {
    progress.reason = pod.Text("status.reason") == "NodeLost" ? "Unknown" : "Terminating";
  }
  return progress;
}

std::string Subjects(const Shown& binding, std::string_view kind) {
  std::string text;
  const json::array* subjects = kube::GetArray(binding.object(), "subjects");
  if (subjects == nullptr) return text;
  for (const json::value& subject : *subjects) {
    if (kube::GetString(subject, "kind") != kind) continue;
    if (!text.empty()) text += ", ";
    if (kind == "ServiceAccount") {
      text += std::string(kube::GetString(subject, "namespace")) + "/";
    }
    text += kube::GetString(subject, "name");
  }
  return text;
}

std::string Ports(const Shown& service) {
  std::string text;
  const json::array* ports = kube::GetArray(service.object(), "spec.ports");
  if (ports == nullptr) return "<none>";
  for (const json::value& port : *ports) {
    text += text.empty() ? "" : ",";
    text += std::to_string(kube::GetInt(port, "port"));
    if (const auto node = kube::GetInt(port, "nodePort")) text += ":" + std::to_string(node);
    text += "/" + std::string(kube::GetString(port, "protocol"));
  }
  return text;
}

std::string CertificateCondition(const Shown& request) {
  std::string text;
  if (const json::array* conditions = kube::GetArray(request.object(), "status.conditions")) {
    for (const json::value& condition : *conditions) {
      text += (text.empty() ? "" : ",") + std::string(kube::GetString(condition, "type"));
    }
  }
  if (text.empty()) text = "Pending";
  if (!request.Text("status.certificate").empty()) text += ",Issued";
  return text;
}

std::string JobStatus(const Shown& job) {
  if (const json::array* conditions = kube::GetArray(job.object(), "status.conditions")) {
    for (const char* type : {"Complete", "Failed", "Suspended"}) {
      for (const json::value& condition : *conditions) {
        if (kube::GetString(condition, "type") == type &&
            kube::GetString(condition, "status") == "True") {
          return type;
        }
      }
    }
  }
  if (!job.Text("metadata.deletionTimestamp").empty()) return "Terminating";
  return "Running";
}

}  // namespace

std::string_view Shown::Text(std::string_view path) const { return kube::GetString(object_, path); }

std::string Shown::TextOr(std::string_view path, std::string_view nothing) const {
  const std::string_view text = Text(path);
  return std::string(text.empty() ? nothing : text);
}

std::int64_t Shown::Number(std::string_view path) const { return kube::GetInt(object_, path); }

std::int64_t Shown::Count(std::string_view path) const {
  const json::value* value = kube::Find(object_, path);
  if (value == nullptr) return 0;
  if (value->is_object()) return static_cast<std::int64_t>(value->get_object().size());
  if (value->is_array()) return static_cast<std::int64_t>(value->get_array().size());
  return 0;
}

std::string Shown::Ago(std::string_view path) const {
  const std::string_view text = Text(path);
  if (text.empty()) return "<unknown>";
  const auto time = ParseTime(text);
  return time ? AgeText(now_ - *time) : "<invalid>";
}

std::string Shown::ScalarOr(std::string_view path, std::string_view nothing) const {
  const json::value* value = kube::Find(object_, path);
  if (value == nullptr || value->is_null()) return std::string(nothing);
  return value->is_string() ? std::string(value->get_string()) : json::serialize(*value);
}

json::array NameAndAge(const Shown& o) { return {o.Name(), o.Age()}; }

json::array NameAndTime(const Shown& o) { return {o.Name(), o.Text("metadata.creationTimestamp")}; }

json::array ConfigMapCells(const Shown& o) {
  return {o.Name(), o.Count("data") + o.Count("binaryData"), o.Age()};
}

json::array NamespaceCells(const Shown& o) { return {o.Name(), o.Text("status.phase"), o.Age()}; }

json::array NodeCells(const Shown& o) {
  return {o.Name(),
          NodeStatus(o),
          NodeRoles(o),
          o.Age(),
          o.Text("status.nodeInfo.kubeletVersion"),
          Address(o, "InternalIP"),
          Address(o, "ExternalIP"),
          o.TextOr("status.nodeInfo.osImage", "<unknown>"),
          o.TextOr("status.nodeInfo.kernelVersion", "<unknown>"),
          o.TextOr("status.nodeInfo.containerRuntimeVersion", "<unknown>")};
}

json::array PodCells(const Shown& o) {
  const PodProgress progress = ProgressOf(o);
  return {o.Name(),
          fmt::format("{}/{}", progress.ready, o.Count("spec.containers")),
          progress.reason,
          std::to_string(progress.restarts),
          o.Age(),
          o.TextOr("status.podIP"),
          o.TextOr("spec.nodeName"),
          o.TextOr("status.nominatedNodeName"),
          "<none>"};
}

json::array SecretCells(const Shown& o) {
  return {o.Name(), o.Text("type"), o.Count("data"), o.Age()};
}

json::array EventCells(const Shown& o) {
  if (o.object().is_object() && o.object().get_object().contains("regarding")) {
    const json::value event = EventIn("v1", o.object());
    return EventCells(Shown(event, o.now()));
  }
  const std::string first = o.Ago(FirstSet(o, {"firstTimestamp", "eventTime"}));
  const bool series = kube::GetObject(o.object(), "series") != nullptr;
  const std::string last =
      o.Ago(series ? "series.lastObservedTime"
                   : FirstSet(o, {"lastTimestamp", "firstTimestamp", "eventTime"}));
  std::string target(o.Text("involvedObject.kind"));
  std::ranges::transform(target, target.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string_view name = o.Text("involvedObject.name");
  if (!name.empty()) target.append("/").append(name);
  std::string source(o.Text(FirstSet(o, {"source.component", "reportingComponent"})));
  const std::string_view host = o.Text(FirstSet(o, {"source.host", "reportingInstance"}));
  if (!host.empty()) source.append(", ").append(host);
  return {last,
          o.Text("type"),
          o.Text("reason"),
          target,
          o.Text("involvedObject.fieldPath"),
          source,
          o.Text("message"),
          first,
          series ? o.Number("series.count") : std::max<std::int64_t>(o.Number("count"), 1),
          o.Name()};
}

json::array VolumeCells(const Shown& o) {
  std::string claim;
  if (!o.Text("spec.claimRef.name").empty()) {
    claim = std::string(o.Text("spec.claimRef.namespace")) + "/" +
            std::string(o.Text("spec.claimRef.name"));
  }
  return {o.Name(),
          o.ScalarOr("spec.capacity.storage", ""),
          AccessModes(o, "spec.accessModes"),
          o.Text("spec.persistentVolumeReclaimPolicy"),
          o.Text("status.phase"),
          claim,
          o.Text("spec.storageClassName"),
          o.TextOr("spec.volumeAttributesClassName", "<unset>"),
          o.Text("status.reason"),
          o.Age(),
          o.TextOr("spec.volumeMode", "<unset>")};
}

json::array ClaimCells(const Shown& o) {
  const bool bound = !o.Text("spec.volumeName").empty();
  return {o.Name(),
          o.Text("status.phase"),
          o.Text("spec.volumeName"),
          bound ? o.ScalarOr("status.capacity.storage", "") : "",
          bound ? AccessModes(o, "status.accessModes") : "",
          o.Text("spec.storageClassName"),
          o.TextOr("spec.volumeAttributesClassName", "<unset>"),
          o.Age(),
          o.TextOr("spec.volumeMode", "<unset>")};
}

json::array ServiceCells(const Shown& o) {
  return {o.Name(), o.Text("spec.type"),          o.TextOr("spec.clusterIP"), "<none>", Ports(o),
          o.Age(),  PairsText(o, "spec.selector")};
}

json::array DaemonSetCells(const Shown& o) {
  return {o.Name(),
          o.Number("status.desiredNumberScheduled"),
          o.Number("status.currentNumberScheduled"),
          o.Number("status.numberReady"),
          o.Number("status.updatedNumberScheduled"),
          o.Number("status.numberAvailable"),
          PairsText(o, "spec.template.spec.nodeSelector"),
          o.Age(),
          Containers(o),
          Images(o),
          SelectorText(o, "spec.selector")};
}

json::array DeploymentCells(const Shown& o) {
  return {o.Name(),
          fmt::format("{}/{}", o.Number("status.readyReplicas"), o.Number("spec.replicas")),
          o.Number("status.updatedReplicas"),
          o.Number("status.availableReplicas"),
          o.Age(),
          Containers(o),
          Images(o),
          SelectorText(o, "spec.selector")};
}

json::array ReplicaSetCells(const Shown& o) {
  return {o.Name(),
          o.Number("spec.replicas"),
          o.Number("status.replicas"),
          o.Number("status.readyReplicas"),
          o.Age(),
          Containers(o),
          Images(o),
          SelectorText(o, "spec.selector")};
}

json::array ReplicationControllerCells(const Shown& o) {
  json::array cells = ReplicaSetCells(o);
  cells.back() = PairsText(o, "spec.selector");
  return cells;
}

json::array StatefulSetCells(const Shown& o) {
  return {o.Name(),
          fmt::format("{}/{}", o.Number("status.readyReplicas"), o.Number("spec.replicas")),
          o.Age(), Containers(o), Images(o)};
}

json::array JobCells(const Shown& o) {
  std::string duration;
  const auto start = ParseTime(o.Text("status.startTime"));
  const auto end = ParseTime(o.Text("status.completionTime"));
  if (start) duration = AgeText((end ? *end : o.now()) - *start);
  return {o.Name(),
          JobStatus(o),
          fmt::format("{}/{}", o.Number("status.succeeded"), o.Number("spec.completions")),
          duration,
          o.Age(),
          Containers(o),
          Images(o),
          SelectorText(o, "spec.selector")};
}

json::array SigningRequestCells(const Shown& o) {
  const std::int64_t seconds = o.Number("spec.expirationSeconds");
  return {o.Name(),
          o.Age(),
          o.TextOr("spec.signerName"),
          o.Text("spec.username"),
          seconds == 0 ? "<none>" : AgeText(std::chrono::seconds(seconds)),
          CertificateCondition(o)};
}

json::array LeaseCells(const Shown& o) {
  return {o.Name(), o.Text("spec.holderIdentity"), o.Age()};
}

json::array BudgetCells(const Shown& o) {
  return {o.Name(), o.ScalarOr("spec.minAvailable", "N/A"),
          o.ScalarOr("spec.maxUnavailable", "N/A"), o.Number("status.disruptionsAllowed"), o.Age()};
}

json::array BindingCells(const Shown& o) {
  return {o.Name(),
          std::string(o.Text("roleRef.kind")) + "/" + std::string(o.Text("roleRef.name")),
          o.Age(),
          Subjects(o, "User"),
          Subjects(o, "Group"),
          Subjects(o, "ServiceAccount")};
}

json::array PriorityCells(const Shown& o) {
  return {o.Name(), o.Number("value"), kube::GetBool(o.object(), "globalDefault"), o.Age(),
          o.Text("preemptionPolicy")};
}

json::array CsiNodeCells(const Shown& o) { return {o.Name(), o.Count("spec.drivers"), o.Age()}; }

json::array StorageClassCells(const Shown& o) {
  std::string name(o.Name());
  const json::object* annotations = kube::GetObject(o.object(), "metadata.annotations");
  const bool is_default = annotations != nullptr &&
                          annotations->contains("storageclass.kubernetes.io/is-default-class") &&
                          annotations->at("storageclass.kubernetes.io/is-default-class") == "true";
  if (is_default) name += " (default)";
  return {name,
          o.Text("provisioner"),
          o.TextOr("reclaimPolicy", "Delete"),
          o.TextOr("volumeBindingMode", "Immediate"),
          kube::GetBool(o.object(), "allowVolumeExpansion"),
          o.Age()};
}

json::array AttachmentCells(const Shown& o) {
  return {o.Name(),
          o.Text("spec.attacher"),
          o.Text("spec.source.persistentVolumeName"),
          o.Text("spec.nodeName"),
          kube::GetBool(o.object(), "status.attached"),
          o.Age()};
}

json::array WebhookCells(const Shown& o) { return {o.Name(), o.Count("webhooks"), o.Age()}; }

}  // namespace millwright::apiserver
