#include "dialects/schema_table.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace millwright::dialects {

namespace json = boost::json;

namespace {

constexpr std::string_view kQuantityPattern =
    R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)";

json::object IntOrText() {
  return {
      {"anyOf", json::array{json::object{{"type", "integer"}}, json::object{{"type", "string"}}}},
      {"x-kubernetes-int-or-string", true}};
}

json::object ListOf(json::object items, std::string_view list_type) {
  json::object list{{"type", "array"}, {"items", std::move(items)}};
  if (!list_type.empty()) list["x-kubernetes-list-type"] = list_type;
  return list;
}

json::object MapOf(json::object values) {
  return {{"type", "object"}, {"additionalProperties", std::move(values)}};
}

json::object Quantity() {
  json::object quantity = IntOrText();
  quantity["pattern"] = kQuantityPattern;
  return quantity;
}

json::object SchemaOf(FieldType type) {
  const json::object text{{"type", "string"}};
  const json::object object{{"type", "object"}};
  switch (type) {
    case FieldType::kObject: return object;
    case FieldType::kAtomicObject: return {{"type", "object"}, {"x-kubernetes-map-type", "atomic"}};
    case FieldType::kOpenObject:
      return {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}};
    case FieldType::kText: return text;
    case FieldType::kTime: return {{"type", "string"}, {"format", "date-time"}};
    case FieldType::kBool: return {{"type", "boolean"}};
    case FieldType::kInt32: return {{"type", "integer"}, {"format", "int32"}};
    case FieldType::kInt64: return {{"type", "integer"}, {"format", "int64"}};
    case FieldType::kAmount: return IntOrText();
    case FieldType::kTextMap: return MapOf(text);
    case FieldType::kQuantityMap: return MapOf(Quantity());
    case FieldType::kList: return ListOf(object, {});
    case FieldType::kAtomicList: return ListOf(object, "atomic");
    case FieldType::kMapList: return ListOf(object, "map");
    case FieldType::kObjectMap: return MapOf(object);
    case FieldType::kTextSet: return ListOf(text, "set");
    case FieldType::kAtomicTextList: return ListOf(text, "atomic");
  }
  return {};
}

json::object& Member(json::object& object, std::string_view key) {
  json::value& value = object[key];
  if (!value.is_object()) value = json::object();
  return value.get_object();
}

// The schema of an object inside another: "a.b", "a[]" for the items of a list, "a{}" for the
// values of a map.
json::object& Descend(json::object& root, std::string_view path) {
  json::object* schema = &root;
  while (!path.empty()) {
    const size_t dot = std::min(path.find('.'), path.size());
    std::string_view name = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    const bool items = name.ends_with("[]");
    const bool values = name.ends_with("{}");
    if (items || values) name.remove_suffix(2);
    schema = &Member(Member(*schema, "properties"), name);
    if (items) schema = &Member(*schema, "items");
    if (values) schema = &Member(*schema, "additionalProperties");
  }
  return *schema;
}

void Require(json::object& schema, std::string_view name) {
  json::value& required = schema["required"];
  if (!required.is_array()) required = json::array();
  required.get_array().push_back(json::value(name));
}

json::array Split(std::string_view list, char separator) {
  json::array parts;
  while (!list.empty()) {
    const size_t end = std::min(list.find(separator), list.size());
    parts.push_back(json::value(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

// Lower and upper limits have other names for other things.
struct LimitNames {
  std::string_view least;
  std::string_view most;
};

LimitNames LimitNamesOf(const json::object& schema) {
  const json::value* found = schema.if_contains("type");
  const std::string_view type =
      found != nullptr ? std::string_view(found->get_string()) : std::string_view();
  if (type == "string") return {"minLength", "maxLength"};
  if (type == "array") return {"minItems", "maxItems"};
  if (type == "object") return {"minProperties", "maxProperties"};
  return {"minimum", "maximum"};
}

void AddLimits(json::object& schema, const Limits& limits) {
  const LimitNames names = LimitNamesOf(schema);
  if (limits.least) schema[names.least] = *limits.least;
  if (limits.most) schema[names.most] = *limits.most;
  if (!limits.pattern.empty()) schema["pattern"] = limits.pattern;
  if (!limits.one_of.empty()) schema["enum"] = Split(limits.one_of, '|');
  if (!limits.keys.empty()) schema["x-kubernetes-list-map-keys"] = Split(limits.keys, ',');
  if (!limits.rule.empty()) {
    schema["x-kubernetes-validations"] =
        json::array{json::object{{"rule", limits.rule}, {"message", limits.rule_message}}};
  }
}

void AddField(json::object& root, const Field& field) {
  const size_t dot = field.path.rfind('.');
  const bool nested = dot != std::string_view::npos;
  const std::string_view name = nested ? field.path.substr(dot + 1) : field.path;
  json::object& parent = Descend(root, nested ? field.path.substr(0, dot) : std::string_view());
  json::object schema = SchemaOf(field.type);
  AddLimits(schema, field.limits);
  if (!field.description.empty()) schema["description"] = field.description;
  Member(parent, "properties")[name] = std::move(schema);
  if (field.required) Require(parent, name);
}

constexpr Field kEveryKind[] = {
    {"apiVersion", FieldType::kText, "Version of the API that this object is written in."},
    {"kind", FieldType::kText, "Kind of this object."},
    {"metadata", FieldType::kObject, ""},  // the server knows it, and lets nobody describe it
};

json::object SchemaOf(const KindTable& kind) {
  json::object schema{{"type", "object"}, {"description", kind.description}};
  for (const Field& field : kEveryKind) AddField(schema, field);
  for (const FieldGroup& group : kind.fields) {
    json::object& at = Descend(schema, group.at);
    for (const Field& field : group.fields) AddField(at, field);
  }
  return schema;
}

json::array ColumnsOf(const KindTable& kind) {
  json::array columns;
  for (const Column& column : kind.columns) {
    json::object written{{"name", column.name},
                         {"type", column.type},
                         {"jsonPath", column.path},
                         {"description", column.description}};
    if (column.priority != 0) written["priority"] = column.priority;
    columns.push_back(std::move(written));
  }
  return columns;
}

json::object VersionOf(const KindTable& kind, bool stored) {
  json::object version{{"name", kind.version},
                       {"served", true},
                       {"storage", stored},
                       {"schema", json::object{{"openAPIV3Schema", SchemaOf(kind)}}}};
  if (kind.deprecated) version["deprecated"] = true;
  if (!kind.columns.empty()) version["additionalPrinterColumns"] = ColumnsOf(kind);
  json::object subresources;
  if (kind.has_status) subresources["status"] = json::object();
  if (kind.has_scale) {
    json::object scale{{"specReplicasPath", ".spec.replicas"},
                       {"statusReplicasPath", ".status.replicas"}};
    if (!kind.selector_path.empty()) scale["labelSelectorPath"] = kind.selector_path;
    subresources["scale"] = std::move(scale);
  }
  if (!subresources.empty()) version["subresources"] = std::move(subresources);
  return version;
}

}  // namespace

json::object CrdOf(const KindTable& kind) { return CrdOf(std::span(&kind, 1)); }

json::object CrdOf(std::span<const KindTable> versions) {
  const KindTable& kind = versions.back();
  const std::string name = std::string(kind.plural) + "." + std::string(kind.group);
  json::object names{{"kind", kind.kind},
                     {"listKind", std::string(kind.kind) + "List"},
                     {"plural", kind.plural},
                     {"singular", kind.singular}};
  if (!kind.short_name.empty()) names["shortNames"] = Split(kind.short_name, ',');
  if (!kind.category.empty()) names["categories"] = json::array{json::value(kind.category)};
  json::array written;
  for (const KindTable& version : versions) {
    written.push_back(VersionOf(version, version.version == kind.version));
  }
  return {{"apiVersion", "apiextensions.k8s.io/v1"},
          {"kind", "CustomResourceDefinition"},
          {"metadata", json::object{{"name", name}}},
          {"spec", json::object{{"group", kind.group},
                                {"names", std::move(names)},
                                {"scope", "Namespaced"},
                                {"versions", std::move(written)}}}};
}

}  // namespace millwright::dialects
