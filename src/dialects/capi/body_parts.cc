#include "dialects/capi/body_parts.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "dialects/capi/names.h"

namespace millwright::dialects::capi {

namespace json = boost::json;

namespace {

json::array GatesJson(const std::vector<ReadinessGate>& gates) {
  json::array list;
  for (const ReadinessGate& gate : gates) {
    json::object item{{"conditionType", gate.type}};
    if (gate.negative) item["polarity"] = "Negative";
    list.push_back(std::move(item));
  }
  return list;
}

json::array TaintsJson(const std::vector<core::WantedTaint>& taints) {
  json::array list;
  for (const core::WantedTaint& wanted : taints) {
    json::object item{{"key", wanted.taint.key}, {"effect", wanted.taint.effect}};
    AddUnlessEmpty(item, "value", wanted.taint.value);
    item["propagation"] = wanted.only_at_first ? "OnInitialization" : "Always";
    list.push_back(std::move(item));
  }
  return list;
}

void AddNumber(json::object& object, std::string_view key, std::optional<int> number) {
  if (number) object[key] = *number;
}

json::object BootstrapJson(const MachineSpec& spec) {
  json::object bootstrap;
  AddUnlessEmpty(bootstrap, "configRef", ReferenceJson(spec.bootstrap));
  if (spec.data_secret) bootstrap["dataSecretName"] = *spec.data_secret;
  return bootstrap;
}

}  // namespace

void AddUnlessEmpty(json::object& object, std::string_view key, json::object member) {
  if (!member.empty()) object[key] = std::move(member);
}

void AddUnlessEmpty(json::object& object, std::string_view key, std::string_view text) {
  if (!text.empty()) object[key] = text;
}

json::object TextsJson(const kube::Labels& texts) {
  json::object object;
  for (const auto& [key, value] : texts) object[key] = value;
  return object;
}

json::object ReferenceJson(const Reference& reference) {
  if (!reference.defined()) return {};
  return {{"apiGroup", reference.group}, {"kind", reference.kind}, {"name", reference.name}};
}

json::object SelectorJson(const kube::Labels& labels) {
  return {{"matchLabels", TextsJson(labels)}};
}

void AddHandedDown(const HandedDown& handed_down, json::object& spec) {
  AddNumber(spec, "minReadySeconds", handed_down.min_ready_seconds);
  if (!handed_down.readiness_gates.empty()) {
    spec["readinessGates"] = GatesJson(handed_down.readiness_gates);
  }
  json::object deletion;
  AddNumber(deletion, "nodeDrainTimeoutSeconds", handed_down.drain_timeout_seconds);
  AddNumber(deletion, "nodeVolumeDetachTimeoutSeconds", handed_down.volume_timeout_seconds);
  AddNumber(deletion, "nodeDeletionTimeoutSeconds", handed_down.node_deletion_timeout_seconds);
  AddUnlessEmpty(spec, "deletion", std::move(deletion));
  if (!handed_down.taints.empty()) spec["taints"] = TaintsJson(handed_down.taints);
}

json::object SpecJson(const MachineSpec& spec) {
  json::object written{{"clusterName", spec.cluster}};
  AddUnlessEmpty(written, "bootstrap", BootstrapJson(spec));
  AddUnlessEmpty(written, "infrastructureRef", ReferenceJson(spec.infrastructure));
  AddUnlessEmpty(written, "version", spec.version);
  AddUnlessEmpty(written, "providerID", spec.provider_id);
  AddUnlessEmpty(written, "failureDomain", spec.failure_domain);
  AddHandedDown(spec.handed_down, written);
  return written;
}

json::object TemplateJson(const MachineTemplate& machine_template) {
  json::object metadata;
  AddUnlessEmpty(metadata, "labels", TextsJson(machine_template.labels));
  AddUnlessEmpty(metadata, "annotations", TextsJson(machine_template.annotations));
  json::object written;
  AddUnlessEmpty(written, "metadata", std::move(metadata));
  written["spec"] = SpecJson(machine_template.spec);
  return written;
}

kube::OwnerReference ControllerReference(std::string_view kind, const Header& owner) {
  return {.api_version = std::string(kApiVersion),
          .kind = std::string(kind),
          .name = owner.meta.key.name,
          .uid = owner.meta.uid,
          .controller = true,
          .block_owner_deletion = true};
}

json::object MetadataJson(const BodyMetadata& metadata) {
  json::object written{{"name", metadata.key.name}, {"namespace", metadata.key.namespace_}};
  AddUnlessEmpty(written, "uid", metadata.uid.str());
  AddUnlessEmpty(written, "labels", TextsJson(metadata.labels));
  AddUnlessEmpty(written, "annotations", TextsJson(metadata.annotations));
  if (!metadata.finalizers.empty()) {
    json::array& list = (written["finalizers"] = json::array()).get_array();
    for (const std::string& finalizer : metadata.finalizers) list.emplace_back(finalizer);
  }
  if (!metadata.owners.empty()) {
    json::array& list = (written["ownerReferences"] = json::array()).get_array();
    for (const auto& owner : metadata.owners) list.push_back(kube::EncodeOwnerReference(owner));
  }
  return written;
}

BodyMetadata MetadataOf(const Header& header) {
  return {.key = header.meta.key,
          .uid = header.meta.uid,
          .labels = header.labels,
          .annotations = header.annotations,
          .finalizers = header.finalizers,
          .owners = header.owners};
}

}  // namespace millwright::dialects::capi
