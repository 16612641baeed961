#include "dialects/capi/machine_body.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>

#include "dialects/capi/body_parts.h"
#include "dialects/capi/label_value.h"
#include "dialects/capi/names.h"
#include "dialects/capi/owned_fields.h"

namespace millwright::dialects::capi {

namespace json = boost::json;

namespace {

constexpr int kNodeDeletionTimeoutSeconds = 10;

json::object BodyOf(const BodyMetadata& metadata, const MachineSpec& spec) {
  return {{"apiVersion", kApiVersion},
          {"kind", kMachineKind},
          {"metadata", MetadataJson(metadata)},
          {"spec", SpecJson(spec)}};
}

BodyMetadata MetadataFor(const SetRecord& set) {
  return {.labels = LabelsForMachine(set),
          .annotations = AnnotationsForMachine(set),
          .finalizers = {std::string(finalizers::kMachine)},
          .owners = {ControllerReference(kSetKind, set)}};
}

MachineSpec SpecFor(const SetRecord& set) {
  MachineSpec spec = set.spec.machine_template.spec;
  spec.cluster = set.spec.cluster;
  return spec;
}

// Finalizers of others are in the body too: upstream's has them, and who shares a field with us
// loses nothing by it.
BodyMetadata MetadataFor(const SetRecord& set, const MachineRecord& machine) {
  BodyMetadata metadata = MetadataFor(set);
  metadata.key = machine.meta.key;
  metadata.uid = machine.meta.uid;
  for (const std::string& finalizer : machine.finalizers) {
    if (std::ranges::find(metadata.finalizers, finalizer) == metadata.finalizers.end()) {
      metadata.finalizers.push_back(finalizer);
    }
  }
  return metadata;
}

}  // namespace

kube::Labels LabelsForMachine(const SetRecord& set) {
  kube::Labels wanted = set.spec.machine_template.labels;
  wanted[std::string(labels::kSet)] = LabelValueOf(set.meta.key.name);
  const auto deployment = set.labels.find(labels::kDeployment);
  if (deployment != set.labels.end()) wanted[std::string(labels::kDeployment)] = deployment->second;
  return wanted;
}

kube::Labels AnnotationsForMachine(const SetRecord& set) {
  return set.spec.machine_template.annotations;
}

json::object MachineBody(const SetRecord& set, std::string_view name, const Reference& bootstrap,
                         const Reference& infrastructure) {
  BodyMetadata metadata = MetadataFor(set);
  metadata.key = {set.meta.key.namespace_, std::string(name)};
  MachineSpec spec = SpecFor(set);
  spec.bootstrap = bootstrap;
  spec.infrastructure = infrastructure;
  return BodyOf(metadata, spec);
}

json::object MachineBody(const SetRecord& set, const MachineRecord& machine) {
  MachineSpec spec = SpecFor(set);
  spec.version = machine.spec.version;
  spec.failure_domain = machine.spec.failure_domain;
  spec.bootstrap = machine.spec.bootstrap;
  spec.infrastructure = machine.spec.infrastructure;
  return BodyOf(MetadataFor(set, machine), spec);
}

json::object UpdatedMachineBody(const SetRecord& set, const MachineRecord& machine) {
  MachineSpec spec = SpecFor(set);
  spec.bootstrap = machine.spec.bootstrap;
  spec.infrastructure = machine.spec.infrastructure;
  return BodyOf(MetadataFor(set, machine), spec);
}

bool NeedsApply(const json::object& body, const MachineRecord& machine) {
  return NeedsApply(body, BodyOf(MetadataOf(machine), machine.spec), machine.applied.view());
}

std::optional<json::object> DeletingMachinePatch(const SetRecord& set,
                                                 const MachineRecord& machine) {
  HandedDown wanted = set.spec.machine_template.spec.handed_down;
  if (!wanted.node_deletion_timeout_seconds) {
    wanted.node_deletion_timeout_seconds = kNodeDeletionTimeoutSeconds;
  }
  if (wanted == machine.spec.handed_down) return std::nullopt;
  // Null takes away what is no longer wished for.
  json::object spec{{"minReadySeconds", nullptr},
                    {"readinessGates", nullptr},
                    {"deletion", json::object{{"nodeDrainTimeoutSeconds", nullptr},
                                              {"nodeVolumeDetachTimeoutSeconds", nullptr}}},
                    {"taints", nullptr}};
  json::object written;
  AddHandedDown(wanted, written);
  for (const auto& [key, value] : written) {
    if (key != "deletion") spec[key] = value;
  }
  json::object& deletion = spec["deletion"].get_object();
  for (const auto& [key, value] : written["deletion"].get_object()) deletion[key] = value;
  return json::object{{"spec", std::move(spec)}};
}

}  // namespace millwright::dialects::capi
