#include "apiserver/discovery/openapi/custom_definition.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include <boost/json.hpp>

#include "apiserver/discovery/openapi/definitions.h"
#include "kube/api/schema_parse.h"

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

bool Flag(const json::object& schema, std::string_view name) {
  const json::value* flag = schema.if_contains(name);
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

bool IsType(const json::object& schema, std::string_view type) {
  const json::value* said = schema.if_contains("type");
  return said != nullptr && said->is_string() && said->get_string() == type;
}

json::object Described(std::string_view description, json::object schema) {
  json::object described{{"description", description}};
  for (auto& [key, value] : schema) described[key] = std::move(value);
  return described;
}

void AddObjectFields(json::object& schema, Dialect dialect) {
  if (!schema.contains("properties")) schema["properties"].emplace_object();
  json::object& properties = schema["properties"].as_object();
  const json::object text{{"type", "string"}};
  properties["apiVersion"] = Described("The group and version of the kind.", text);
  properties["kind"] = Described("The kind of the object.", text);
  const json::object meta{{"$ref", Reference(dialect, kObjectMetaDefinition)}};
  properties["metadata"] =
      Described("Name, labels and the like.",
                dialect == Dialect::kV2 ? meta : json::object{{"allOf", json::array{meta}}});
}

void Require(json::object& schema, std::string_view field) {
  if (!schema.contains("required")) schema["required"].emplace_array();
  json::array& required = schema["required"].as_array();
  if (std::ranges::find(required, json::value(field)) == required.end()) {
    required.emplace_back(field);
  }
}

// 1.0 is written as 1, as everywhere in Kubernetes.
void MakeWhole(json::object& schema) {
  for (auto& [key, value] : schema) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (value.is_double() && std::abs(value.get_double()) < kExact &&
        std::trunc(value.get_double()) == value.get_double()) {
      value = static_cast<std::int64_t>(value.get_double());
    }
  }
}

void AllowNull(json::object& schema) {
  for (const std::string_view key : {"type", "nullable", "items", "properties"}) schema.erase(key);
}

bool IsNullable(const json::value& schema) {
  return schema.is_object() && Flag(schema.get_object(), "nullable");
}

// kubectl asks for required fields even where null is a value, since v2 cannot say so.
void RequireOnlyWhatIsNotNull(json::object& schema) {
  json::value* required = schema.if_contains("required");
  if (required == nullptr) return;
  const json::value* additional = schema.if_contains("additionalProperties");
  if (additional != nullptr && IsNullable(*additional)) {
    schema.erase("required");
    return;
  }
  const json::value* properties = schema.if_contains("properties");
  if (properties == nullptr) return;
  json::array kept;
  for (const json::value& field : required->as_array()) {
    const json::value* one = properties->as_object().if_contains(field.as_string());
    if (one == nullptr || !IsNullable(*one)) kept.push_back(field);
  }
  if (kept.empty()) {
    schema.erase("required");
  } else {
    *required = std::move(kept);
  }
}

void ReduceToV2(json::object& schema) {
  for (const std::string_view key : {"allOf", "anyOf", "oneOf", "not", "default"}) {
    schema.erase(key);
  }
  const bool open = Flag(schema, "x-kubernetes-preserve-unknown-fields");
  if (Flag(schema, "nullable")) AllowNull(schema);
  if (open) {
    schema.erase("items");
    schema.erase("properties");
    if (IsType(schema, "object")) schema.erase("type");
  }
  if (IsType(schema, "array") && !schema.contains("items")) schema.erase("type");
  RequireOnlyWhatIsNotNull(schema);
}

void CompleteV3(json::object& schema) {
  if (!Flag(schema, "x-kubernetes-int-or-string") || schema.contains("anyOf")) return;
  schema["anyOf"] =
      json::array{json::object{{"type", "integer"}}, json::object{{"type", "string"}}};
}

void Adapt(json::object& schema, Dialect dialect) {
  MakeWhole(schema);
  if (dialect == Dialect::kV2) {
    ReduceToV2(schema);
  } else {
    CompleteV3(schema);
  }
  for (const std::string_view key : {"items", "additionalProperties"}) {
    json::value* inner = schema.if_contains(key);
    if (inner != nullptr && inner->is_object()) Adapt(inner->get_object(), dialect);
  }
  if (json::value* properties = schema.if_contains("properties")) {
    for (auto& [name, property] : properties->as_object()) Adapt(property.as_object(), dialect);
  }
  const bool closed = !Flag(schema, "x-kubernetes-preserve-unknown-fields");
  if (Flag(schema, "x-kubernetes-embedded-resource") && (closed || dialect == Dialect::kV3)) {
    AddObjectFields(schema, dialect);
    Require(schema, "kind");
    Require(schema, "apiVersion");
  }
}

}  // namespace

json::object CustomDefinition(const kube::Schema* schema, Dialect dialect) {
  json::object document = schema == nullptr ? json::object() : kube::ToJson(*schema);
  if (schema == nullptr) document["x-kubernetes-preserve-unknown-fields"] = true;
  const bool open = Flag(document, "x-kubernetes-preserve-unknown-fields");
  if (open && dialect == Dialect::kV2) return {{"type", "object"}};
  Adapt(document, dialect);
  if (!document.contains("type")) document["type"] = "object";
  AddObjectFields(document, dialect);
  return document;
}

}  // namespace millwright::apiserver::openapi
