#include "dialects/capi/set_body.h"

#include <boost/json/value.hpp>

#include <algorithm>

#include "dialects/capi/body_parts.h"
#include "dialects/capi/names.h"
#include "dialects/capi/owned_fields.h"

namespace millwright::dialects::capi {

namespace json = boost::json;

namespace {

// A deployment's own, or about itself only.
bool StaysBehind(std::string_view annotation) {
  constexpr std::string_view kOwn[] = {annotations::kLastApplied,     annotations::kRevision,
                                       annotations::kRevisionHistory, annotations::kDesiredReplicas,
                                       annotations::kMaxReplicas,     annotations::kConversionData};
  return std::ranges::find(kOwn, annotation) != std::end(kOwn);
}

void Put(kube::Labels& texts, std::string_view key, std::string value) {
  texts[std::string(key)] = std::move(value);
}

kube::Labels AnnotationsFor(const DeploymentRecord& deployment, const SetWish& wish) {
  kube::Labels wanted;
  for (const auto& [key, value] : deployment.annotations) {
    if (!StaysBehind(key)) wanted[key] = value;
  }
  Put(wanted, annotations::kDesiredReplicas, std::to_string(deployment.spec.replicas.value_or(0)));
  Put(wanted, annotations::kMaxReplicas, std::to_string(wish.max_replicas));
  Put(wanted, annotations::kRevision, wish.revision);
  Put(wanted, annotations::kDisableCreate, wish.disable_create ? "true" : "false");
  if (!wish.revision_history.empty()) {
    Put(wanted, annotations::kRevisionHistory, wish.revision_history);
  }
  if (wish.moves_to) Put(wanted, annotations::kMovesTo, *wish.moves_to);
  if (wish.receives_from) Put(wanted, annotations::kReceivesFrom, *wish.receives_from);
  if (wish.acknowledged) Put(wanted, annotations::kAcknowledged, *wish.acknowledged);
  return wanted;
}

// Sets of one deployment are told apart by this label; one that was adopted may have none.
kube::Labels WithHash(kube::Labels labels, const std::string& template_hash) {
  if (!template_hash.empty()) Put(labels, labels::kTemplateHash, template_hash);
  return labels;
}

json::object SpecJson(const SetSpec& spec) {
  json::object written{{"clusterName", spec.cluster}};
  if (spec.replicas) written["replicas"] = *spec.replicas;
  written["selector"] = SelectorJson(spec.selector_labels);
  written["template"] = TemplateJson(spec.machine_template);
  json::object naming;
  AddUnlessEmpty(naming, "template", spec.naming);
  AddUnlessEmpty(written, "machineNaming", std::move(naming));
  json::object deletion;
  AddUnlessEmpty(deletion, "order", spec.order);
  AddUnlessEmpty(written, "deletion", std::move(deletion));
  return written;
}

json::object BodyOf(const BodyMetadata& metadata, const SetSpec& spec) {
  return {{"apiVersion", kApiVersion},
          {"kind", kSetKind},
          {"metadata", MetadataJson(metadata)},
          {"spec", SpecJson(spec)}};
}

json::object BodyOf(const DeploymentRecord& deployment, const SetWish& wish,
                    const kube::ObjectKey& key, const Uid& uid, const std::string& template_hash,
                    MachineSpec machine_spec) {
  const DeploymentSpec& wished = deployment.spec;
  BodyMetadata metadata{.key = key,
                        .uid = uid,
                        .labels = WithHash(wished.machine_template.labels, template_hash),
                        .annotations = AnnotationsFor(deployment, wish),
                        .finalizers = {},
                        .owners = {ControllerReference(kDeploymentKind, deployment)}};
  Put(metadata.labels, labels::kDeployment, deployment.meta.key.name);
  SetSpec spec;
  spec.cluster = wished.cluster;
  spec.replicas = wish.replicas;
  spec.selector_labels = WithHash(wished.selector_labels, template_hash);
  spec.machine_template.labels = WithHash(wished.machine_template.labels, template_hash);
  spec.machine_template.annotations = wished.machine_template.annotations;
  spec.machine_template.spec = std::move(machine_spec);
  spec.naming = wished.naming;
  spec.order = wished.order;
  return BodyOf(metadata, spec);
}

}  // namespace

json::object SetBody(const DeploymentRecord& deployment, const SetName& name, const SetWish& wish) {
  return BodyOf(deployment, wish, {deployment.meta.key.namespace_, name.name}, Uid(),
                name.template_hash, deployment.spec.machine_template.spec);
}

json::object SetBody(const DeploymentRecord& deployment, const SetRecord& set,
                     const SetWish& wish) {
  MachineSpec machine_spec = set.spec.machine_template.spec;
  machine_spec.handed_down = deployment.spec.machine_template.spec.handed_down;
  const auto hash = set.labels.find(labels::kTemplateHash);
  return BodyOf(deployment, wish, set.meta.key, set.meta.uid,
                hash != set.labels.end() ? hash->second : std::string(), std::move(machine_spec));
}

bool NeedsApply(const json::object& body, const SetRecord& set) {
  return NeedsApply(body, BodyOf(MetadataOf(set), set.spec), set.applied.view());
}

}  // namespace millwright::dialects::capi
