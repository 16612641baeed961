// The document of a schema.
#include <boost/json.hpp>

#include "kube/api/schema_parse.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

void PutText(json::object& out, std::string_view name, std::string_view text) {
  if (!text.empty()) out[name] = text;
}

void PutFlag(json::object& out, std::string_view name, bool flag) {
  if (flag) out[name] = true;
}

template <class T>
void PutOptional(json::object& out, std::string_view name, const std::optional<T>& value) {
  if (value) out[name] = *value;
}

void PutTexts(json::object& out, std::string_view name, const std::vector<std::string>& texts) {
  if (!texts.empty()) out[name] = json::array(texts.begin(), texts.end());
}

void PutSchemas(json::object& out, std::string_view name, const std::vector<SchemaPtr>& schemas) {
  if (schemas.empty()) return;
  json::array& list = out[name].emplace_array();
  for (const auto& schema : schemas) list.push_back(ToJson(*schema));
}

void PutChecks(json::object& out, const ValueChecks& checks) {
  PutTexts(out, "required", checks.required);
  if (!checks.enum_values.empty()) {
    out["enum"] = json::array(checks.enum_values.begin(), checks.enum_values.end());
  }
  PutText(out, "format", checks.format);
  PutOptional(out, "minimum", checks.minimum);
  PutOptional(out, "maximum", checks.maximum);
  PutFlag(out, "exclusiveMinimum", checks.exclusive_minimum);
  PutFlag(out, "exclusiveMaximum", checks.exclusive_maximum);
  PutOptional(out, "multipleOf", checks.multiple_of);
  PutOptional(out, "minLength", checks.min_length);
  PutOptional(out, "maxLength", checks.max_length);
  if (checks.pattern) PutText(out, "pattern", checks.pattern->text());
  PutOptional(out, "minItems", checks.min_items);
  PutOptional(out, "maxItems", checks.max_items);
  PutFlag(out, "uniqueItems", checks.unique_items);
  PutOptional(out, "minProperties", checks.min_properties);
  PutOptional(out, "maxProperties", checks.max_properties);
  PutSchemas(out, "allOf", checks.all_of);
  PutSchemas(out, "anyOf", checks.any_of);
  PutSchemas(out, "oneOf", checks.one_of);
  if (checks.negated) out["not"] = ToJson(*checks.negated);
}

json::object RuleJson(const ValidationRule& rule) {
  json::object out;
  out["rule"] = rule.rule;
  PutText(out, "message", rule.message);
  PutText(out, "messageExpression", rule.message_expression);
  PutText(out, "reason", rule.reason);
  PutText(out, "fieldPath", rule.field_path);
  PutOptional(out, "optionalOldSelf", rule.optional_old_self);
  return out;
}

void PutExtensions(json::object& out, const Schema& schema) {
  PutFlag(out, "x-kubernetes-preserve-unknown-fields", schema.preserve_unknown_fields);
  PutFlag(out, "x-kubernetes-int-or-string", schema.int_or_string);
  PutFlag(out, "x-kubernetes-embedded-resource", schema.embedded_resource);
  if (schema.list_type) PutText(out, "x-kubernetes-list-type", ToString(*schema.list_type));
  PutTexts(out, "x-kubernetes-list-map-keys", schema.list_map_keys);
  if (schema.map_type) PutText(out, "x-kubernetes-map-type", ToString(*schema.map_type));
  if (schema.rules.empty()) return;
  json::array& rules = out["x-kubernetes-validations"].emplace_array();
  for (const auto& rule : schema.rules) rules.push_back(RuleJson(rule));
}

void PutStructure(json::object& out, const Schema& schema) {
  if (!schema.properties.empty()) {
    json::object& properties = out["properties"].emplace_object();
    for (const auto& [name, property] : schema.properties) properties[name] = ToJson(*property);
  }
  switch (schema.additional_kind) {
    case Additional::kUnsaid: break;
    case Additional::kNone: out["additionalProperties"] = false; break;
    case Additional::kAny: out["additionalProperties"] = true; break;
    case Additional::kTyped: out["additionalProperties"] = ToJson(*schema.additional); break;
  }
  if (schema.items) out["items"] = ToJson(*schema.items);
}

}  // namespace

json::object ToJson(const Schema& schema) {
  json::object out;
  PutText(out, "title", schema.title);
  PutText(out, "description", schema.description);
  PutText(out, "type", ToString(schema.type));
  PutFlag(out, "nullable", schema.nullable);
  if (schema.default_value) out["default"] = *schema.default_value;
  PutStructure(out, schema);
  PutChecks(out, schema.checks);
  PutExtensions(out, schema);
  return out;
}

}  // namespace millwright::kube
