#include "kube/api/schema_structural.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>

#include "kube/api/schema_parse.h"
#include "kube/api/schema_structural_parts.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

enum class Level { kRoot, kItem, kField };

std::string_view MissingTypeText(Level level) {
  switch (level) {
    case Level::kRoot: return "must not be empty at the root";
    case Level::kItem: return "must not be empty for specified array items";
    case Level::kField: return "must not be empty for specified object fields";
  }
  return "";
}

json::value TypeValue(const Schema& schema) { return json::value(ToString(schema.type)); }

void CheckType(const Schema& schema, Level level, const std::string& path, Findings& out) {
  const std::string at = PathChild(path, "type");
  const bool missing = schema.type == ValueType::kAny;
  if (schema.embedded_resource && schema.type != ValueType::kObject) {
    const std::string text = "must be object if x-kubernetes-embedded-resource is true";
    out.Add(missing ? RequiredError(at, text) : InvalidError(at, TypeValue(schema), text));
  } else if (missing && !schema.int_or_string && !schema.preserve_unknown_fields) {
    out.Add(RequiredError(at, std::string(MissingTypeText(level))));
  }
  if (level == Level::kRoot && !missing && schema.type != ValueType::kObject) {
    out.Add(InvalidError(at, TypeValue(schema), "must be object at the root"));
  }
  if (level == Level::kRoot && schema.nullable) {
    out.Add(ForbiddenError(PathChild(path, "nullable"), "nullable cannot be true at the root"));
  }
  if (schema.type == ValueType::kArray && !schema.items) {
    out.Add(RequiredError(PathChild(path, "items"), "must be specified"));
  }
}

void CheckExtensions(const Schema& schema, const std::string& path, Findings& out) {
  const std::string text = "must be false if x-kubernetes-int-or-string is true";
  if (schema.int_or_string && schema.preserve_unknown_fields) {
    out.Add(InvalidError(PathChild(path, "x-kubernetes-preserve-unknown-fields"), true, text));
  }
  if (schema.int_or_string && schema.embedded_resource) {
    out.Add(InvalidError(PathChild(path, "x-kubernetes-embedded-resource"), true, text));
  }
}

// Metadata of the object itself may only restrict the names: the rest is ObjectMeta already.
bool SaysMoreThanNames(const Schema& metadata) {
  Schema rest = metadata;
  rest.type = ValueType::kAny;
  rest.default_value.reset();
  const bool only_names = std::ranges::all_of(rest.properties, [](const auto& property) {
    return property.first == "name" || property.first == "generateName";
  });
  if (only_names) rest.properties.clear();
  return !ToJson(rest).empty();
}

void CheckResourceFields(const Schema& schema, Level level, const std::string& path,
                         Findings& out) {
  const bool is_resource = level == Level::kRoot || schema.embedded_resource;
  if (!is_resource) return;
  for (const std::string_view name : {"apiVersion", "kind"}) {
    const auto found = schema.properties.find(name);
    if (found == schema.properties.end() || found->second->type == ValueType::kString) continue;
    const std::string at = PathChild(PathKey(PathChild(path, "properties"), name), "type");
    out.Add(InvalidError(at, TypeValue(*found->second), "must be string"));
  }
  const auto metadata = schema.properties.find("metadata");
  if (metadata == schema.properties.end()) return;
  const std::string at = PathKey(PathChild(path, "properties"), "metadata");
  if (metadata->second->type != ValueType::kObject) {
    out.Add(InvalidError(PathChild(at, "type"), TypeValue(*metadata->second), "must be object"));
  }
  if (level == Level::kRoot && SaysMoreThanNames(*metadata->second)) {
    out.Add(
        ForbiddenError(at,
                       "must not specify anything other than name and generateName, but metadata "
                       "is implicitly specified"));
  }
}

void CheckEmbedding(const Schema& schema, Level level, const std::string& path, Findings& out) {
  const std::string at = PathChild(path, "additionalProperties");
  const bool additional = schema.additional_kind != Additional::kUnsaid;
  if (additional && level == Level::kRoot) {
    out.Add(ForbiddenError(at, "must not be used at the root"));
  }
  if (!schema.embedded_resource) return;
  if (additional) {
    out.Add(ForbiddenError(at, "must not be used if x-kubernetes-embedded-resource is set"));
  }
  if (!schema.preserve_unknown_fields && schema.properties.empty()) {
    out.Add(RequiredError(PathChild(path, "properties"),
                          "must not be empty if x-kubernetes-embedded-resource is true without "
                          "x-kubernetes-preserve-unknown-fields"));
  }
}

void Walk(const Schema& schema, Level level, const std::string& path, Findings& out) {
  CheckType(schema, level, path, out);
  CheckExtensions(schema, path, out);
  CheckResourceFields(schema, level, path, out);
  CheckEmbedding(schema, level, path, out);
  CheckCollections(schema, path, out);
  CheckRules(schema, path, out);
  CheckNestedSchemas(schema, path, out);
  for (const auto& [name, property] : schema.properties) {
    Walk(*property, Level::kField, PathKey(PathChild(path, "properties"), name), out);
  }
  if (schema.additional) {
    Walk(*schema.additional, Level::kField, PathChild(path, "additionalProperties"), out);
  }
  if (schema.items) Walk(*schema.items, Level::kItem, PathChild(path, "items"), out);
}

}  // namespace

std::vector<FieldError> CheckStructural(const Schema& schema, const std::string& path) {
  Findings out;
  Walk(schema, Level::kRoot, path, out);
  CheckCompleteness(schema, path, out);
  // A default can only be judged by a schema that is right itself.
  if (out.ok()) CheckDefaults(schema, path, out);
  std::ranges::sort(out.errors, {}, [](const FieldError& error) { return ToString(error); });
  return std::move(out.errors);
}

}  // namespace millwright::kube
