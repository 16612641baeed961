#include "dialects/capi/read_header.h"

#include "dialects/capi/read_parts.h"

namespace millwright::dialects::capi {

using kube::ForEachField;
using kube::ForEachItem;
using kube::JsonValue;
using kube::ReadInto;

namespace {

Result<void> ReadOwner(JsonValue value, kube::OwnerReference& owner) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "apiVersion") return ReadInto(field, owner.api_version);
    if (key == "kind") return ReadInto(field, owner.kind);
    if (key == "name") return ReadInto(field, owner.name);
    if (key == "uid") return ReadInto(field, owner.uid);
    if (key == "controller") return ReadInto(field, owner.controller);
    if (key == "blockOwnerDeletion") return ReadInto(field, owner.block_owner_deletion);
    return {};
  });
}

// One entry of managedFields. Its fields stand before its manager, so their bytes are taken on
// trust and dropped if they are somebody else's.
Result<void> ReadManager(JsonValue value, kube::TextPool& texts,
                         std::initializer_list<AppliedBy> applied) {
  std::string manager;
  std::string operation;
  std::string subresource;
  std::string_view fields;
  CHECK_OK(ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "manager") return ReadInto(field, manager);
    if (key == "operation") return ReadInto(field, operation);
    if (key == "subresource") return ReadInto(field, subresource);
    if (key != "fieldsV1" || kube::IsNull(field)) return {};
    TRY(fields, kube::RawJson(field));
    return {};
  }));
  if (operation != "Apply" || !subresource.empty()) return {};
  for (const AppliedBy& by : applied) {
    if (by.manager == manager) *by.fields = texts.Share(fields);
  }
  return {};
}

}  // namespace

Result<void> ReadHeader(JsonValue value, Header& header, kube::TextPool& texts,
                        std::initializer_list<AppliedBy> applied) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "labels") return ReadTexts(field, header.labels);
    if (key == "annotations") return ReadTexts(field, header.annotations);
    if (key == "finalizers") return ReadInto(field, header.finalizers);
    if (key == "creationTimestamp") return ReadInto(field, header.created);
    if (key == "ownerReferences") {
      return ForEachItem(
          field, [&](JsonValue item) { return ReadOwner(item, header.owners.emplace_back()); });
    }
    if (key == "managedFields" && applied.size() != 0) {
      return ForEachItem(field, [&](JsonValue item) { return ReadManager(item, texts, applied); });
    }
    return kube::ReadMetaField(key, field, header.meta);
  });
}

}  // namespace millwright::dialects::capi
