#include "dialects/capi/clone.h"

#include <fmt/format.h>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include "dialects/capi/body_parts.h"
#include "dialects/capi/json_path.h"
#include "dialects/capi/machine_body.h"
#include "dialects/capi/names.h"
#include "dialects/capi/owned_fields.h"
#include "kube/api/group_version.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::capi {

namespace json = boost::json;

namespace {

void Overwrite(json::object& texts, const kube::Labels& with) {
  for (const auto& [key, value] : with) texts[key] = value;
}

json::object MemberOf(const json::object& object, std::string_view key) {
  const json::value* member = object.if_contains(key);
  return member != nullptr && member->is_object() ? member->get_object() : json::object();
}

json::object MetadataFor(const json::object& body, const json::object& source,
                         const kube::GroupVersionKind& kind, const CloneWish& wish) {
  const json::object written = MemberOf(body, "metadata");
  json::object labels = MemberOf(written, "labels");
  Overwrite(labels, wish.labels);
  labels[labels::kCluster] = wish.cluster;
  json::object annotations = MemberOf(written, "annotations");
  Overwrite(annotations, wish.annotations);
  annotations[annotations::kClonedFromName] = TextAtPath(source, "metadata.name");
  annotations[annotations::kClonedFromKind] =
      kind.group.empty() ? kind.kind : fmt::format("{}.{}", kind.kind, kind.group);
  json::object metadata{{"name", wish.key.name},
                        {"namespace", wish.key.namespace_},
                        {"labels", std::move(labels)},
                        {"annotations", std::move(annotations)}};
  if (wish.owner) {
    metadata["ownerReferences"] = json::array{kube::EncodeOwnerReference(*wish.owner)};
  }
  return metadata;
}

// Takes labels and annotations out of the fields of an entry of managedFields.
bool DropMetadata(json::object& entry) {
  json::value* fields = entry.if_contains("fieldsV1");
  json::value* metadata = fields != nullptr && fields->is_object()
                              ? fields->get_object().if_contains("f:metadata")
                              : nullptr;
  if (metadata == nullptr || !metadata->is_object()) return false;
  const size_t labels = metadata->get_object().erase("f:labels");
  return metadata->get_object().erase("f:annotations") + labels > 0;
}

json::object MetadataFields(const SetRecord& set) {
  json::object metadata;
  AddUnlessEmpty(metadata, "labels", TextsJson(LabelsForMachine(set)));
  AddUnlessEmpty(metadata, "annotations", TextsJson(AnnotationsForMachine(set)));
  return FieldsOfBody({{"metadata", std::move(metadata)}}).ToJson();
}

bool IsApplyOf(const json::value& entry, std::string_view manager) {
  return kube::GetString(entry, "manager") == manager &&
         kube::GetString(entry, "operation") == "Apply" &&
         kube::GetString(entry, "subresource").empty();
}

}  // namespace

std::string ClonedKind(std::string_view template_kind) {
  if (template_kind.ends_with(kTemplateSuffix)) template_kind.remove_suffix(kTemplateSuffix.size());
  return std::string(template_kind);
}

Reference CloneReference(const Reference& source, std::string_view name) {
  return {.kind = ClonedKind(source.kind), .name = std::string(name), .group = source.group};
}

Result<json::object> Clone(const json::object& source, const CloneWish& wish) {
  const json::value root(source);
  TRY(const kube::GroupVersionKind kind,
      kube::ParseGroupVersionKind(kube::GetString(root, "apiVersion"),
                                  kube::GetString(root, "kind")));
  const json::object* body = kube::GetObject(root, "spec.template");
  json::object clone = body != nullptr ? *body : json::object();
  clone["metadata"] = MetadataFor(clone, source, kind, wish);
  if (!clone.contains("apiVersion")) clone["apiVersion"] = kind.ApiVersion();
  if (!clone.contains("kind")) clone["kind"] = ClonedKind(kind.kind);
  return clone;
}

kube::OwnerReference FirstOwner(std::string_view kind, const Header& owner) {
  kube::OwnerReference reference = ControllerReference(kind, owner);
  reference.controller.reset();
  reference.block_owner_deletion.reset();
  return reference;
}

std::optional<json::object> HandOverMetadata(const json::object& created, const SetRecord& set) {
  const json::value root(created);
  const json::array* entries = kube::GetArray(root, "metadata.managedFields");
  if (entries == nullptr) return std::nullopt;
  json::array changed;
  bool any = false;
  for (const json::value& entry : *entries) {
    json::value kept = entry;
    const bool dropped = IsApplyOf(entry, managers::kSet) && DropMetadata(kept.get_object());
    changed.push_back(std::move(kept));
    if (!dropped) continue;
    any = true;
    json::object given = entry.get_object();
    given["manager"] = managers::kSetMetadata;
    given["fieldsV1"] = MetadataFields(set);
    changed.push_back(std::move(given));
  }
  if (!any) return std::nullopt;
  json::object metadata{{"managedFields", std::move(changed)}};
  AddUnlessEmpty(metadata, "resourceVersion", kube::GetString(root, "metadata.resourceVersion"));
  AddUnlessEmpty(metadata, "uid", kube::GetString(root, "metadata.uid"));
  return json::object{{"metadata", std::move(metadata)}};
}

bool NeedsHandOver(const ExternalRecord& record) {
  const auto fields = kube::ParseJson(record.applied.view());
  if (!fields) return false;
  return kube::Find(*fields, "f:metadata.f:labels") != nullptr ||
         kube::Find(*fields, "f:metadata.f:annotations") != nullptr;
}

json::object CloneMetadataBody(const Reference& clone, std::string_view version,
                               const ExternalRecord& record, const SetRecord& set) {
  BodyMetadata metadata{.key = record.meta.key,
                        .uid = record.meta.uid,
                        .labels = LabelsForMachine(set),
                        .annotations = AnnotationsForMachine(set),
                        .finalizers = {},
                        .owners = {}};
  return {{"apiVersion", kube::ApiVersion(clone.group, version)},
          {"kind", clone.kind},
          {"metadata", MetadataJson(metadata)}};
}

bool NeedsApply(const json::object& metadata_body, const ExternalRecord& record) {
  json::object there = metadata_body;
  there["metadata"] = MetadataJson(MetadataOf(record));
  return NeedsApply(metadata_body, there, record.applied_metadata.view());
}

}  // namespace millwright::dialects::capi
