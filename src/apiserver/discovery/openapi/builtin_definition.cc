#include "apiserver/discovery/openapi/builtin_definition.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "apiserver/builtin/schema.h"
#include "kube/api/builtin_merge_keys.h"
#include "kube/api/schema_parse.h"

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

void Collect(const kube::Schema& schema, const kube::MergeKeys* keys, BuiltinParts& parts) {
  if (const std::string name = BuiltinDefinitionName(schema); !name.empty()) {
    const auto [part, is_new] = parts.try_emplace(name, &schema, keys);
    // The rules belong to the type, but not every way to it leads along them.
    if (!is_new && (part->second.merge_keys != nullptr || keys == nullptr)) return;
    part->second.merge_keys = keys;
  }
  for (const auto& [name, field] : schema.properties) {
    const kube::MergeField* rule = keys == nullptr ? nullptr : keys->Find(name);
    Collect(*field, rule == nullptr ? nullptr : rule->inner, parts);
  }
  if (schema.items) Collect(*schema.items, keys, parts);
  if (schema.additional) Collect(*schema.additional, keys, parts);
}

// Lists and objects of which a client has to send the names of all members it knows.
bool RetainsKeys(std::string_view definition, std::string_view field) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPlaces = {{
      {"io.k8s.api.apps.v1.DeploymentSpec", "strategy"},
      {"io.k8s.api.core.v1.PodSpec", "volumes"},
      {"io.k8s.api.core.v1.PodSpec", "resourceClaims"},
      {"io.k8s.api.core.v1.PodStatus", "resourceClaimStatuses"},
  }};
  return std::ranges::find(kPlaces, std::pair(definition, field)) != kPlaces.end();
}

std::string StrategyText(const kube::MergeField* rule, bool retains_keys) {
  std::string text;
  if (rule != nullptr && rule->strategy == kube::PatchStrategy::kMerge) text = "merge";
  if (rule != nullptr && rule->strategy == kube::PatchStrategy::kReplace) text = "replace";
  if (retains_keys) text += text.empty() ? "retainKeys" : ",retainKeys";
  return text;
}

json::object Value(const kube::Schema& schema, Dialect dialect);

json::object Plain(const kube::Schema& schema, Dialect dialect) {
  kube::Schema shallow = schema;
  shallow.properties.clear();
  shallow.items = nullptr;
  shallow.additional = nullptr;
  shallow.additional_kind = kube::Additional::kUnsaid;
  shallow.preserve_unknown_fields = false;  // which built-in kinds never say
  if (dialect == Dialect::kV2) shallow.default_value.reset();
  json::object document = kube::ToJson(shallow);
  if (schema.items) document["items"] = Value(*schema.items, dialect);
  if (schema.additional) document["additionalProperties"] = Value(*schema.additional, dialect);
  if (!schema.properties.empty()) {
    json::object& properties = document["properties"].emplace_object();
    for (const auto& [name, field] : schema.properties) properties[name] = Value(*field, dialect);
  }
  return document;
}

json::object Value(const kube::Schema& schema, Dialect dialect) {
  const std::string name = BuiltinDefinitionName(schema);
  if (!name.empty()) return {{"$ref", Reference(dialect, name)}};
  return Plain(schema, dialect);
}

// What stands beside a reference does not count, but in this form.
void MakeRoomBesideReference(json::object& document, Dialect dialect) {
  const auto reference = document.find("$ref");
  if (reference == document.end() || dialect == Dialect::kV2) return;
  json::object target{{"$ref", reference->value()}};
  document.erase(reference);
  document["allOf"] = json::array{std::move(target)};
}

json::object FieldDocument(const std::string& definition, const std::string& name,
                           const kube::Schema& field, const kube::MergeField* rule,
                           Dialect dialect) {
  json::object document = Value(field, dialect);
  const std::string strategy = StrategyText(rule, RetainsKeys(definition, name));
  if (strategy.empty()) return document;
  MakeRoomBesideReference(document, dialect);
  if (rule != nullptr && !rule->merge_key.empty()) {
    document["x-kubernetes-patch-merge-key"] = rule->merge_key;
  }
  document["x-kubernetes-patch-strategy"] = strategy;
  return document;
}

// The types whose JSON is not that of their Go struct, as clients expect them.
std::optional<json::object> SpecialDocument(std::string_view name, Dialect dialect) {
  const bool v2 = dialect == Dialect::kV2;
  const auto either = [](std::string_view one, std::string_view other) {
    return json::array{json::object{{"type", one}}, json::object{{"type", other}}};
  };
  if (name.ends_with(".meta.v1.Time") || name.ends_with(".meta.v1.MicroTime")) {
    return json::object{{"type", "string"}, {"format", "date-time"}};
  }
  if (name.ends_with(".resource.Quantity")) {
    if (v2) return json::object{{"type", "string"}};
    return json::object{{"oneOf", either("string", "number")}};
  }
  if (name.ends_with(".intstr.IntOrString")) {
    if (v2) return json::object{{"type", "string"}, {"format", "int-or-string"}};
    return json::object{{"format", "int-or-string"}, {"oneOf", either("integer", "string")}};
  }
  if (name.ends_with(".meta.v1.FieldsV1") || name.ends_with(".runtime.RawExtension")) {
    return json::object{{"type", "object"}};
  }
  return std::nullopt;
}

}  // namespace

void CollectParts(const kube::GroupVersionKind& kind, BuiltinParts& parts) {
  if (const kube::SchemaPtr schema = BuiltinSchema(kind)) {
    Collect(*schema, kube::BuiltinMergeKeys(kind), parts);
  }
}

void CollectObjectMeta(BuiltinParts& parts) {
  const kube::GroupVersionKind any{"", "v1", "Namespace"};
  const kube::MergeField* rule = kube::BuiltinMergeKeys(any)->Find("metadata");
  Collect(*BuiltinSchema(any)->Field("metadata"), rule->inner, parts);
}

json::object PartDocument(const std::string& name, const BuiltinPart& part, Dialect dialect) {
  if (auto special = SpecialDocument(name, dialect)) return *std::move(special);
  kube::Schema head = *part.schema;
  head.properties.clear();
  json::object document = Plain(head, dialect);
  if (part.schema->properties.empty()) return document;
  json::object& properties = document["properties"].emplace_object();
  for (const auto& [field, schema] : part.schema->properties) {
    const kube::MergeField* rule =
        part.merge_keys == nullptr ? nullptr : part.merge_keys->Find(field);
    properties[field] = FieldDocument(name, field, *schema, rule, dialect);
  }
  return document;
}

}  // namespace millwright::apiserver::openapi
