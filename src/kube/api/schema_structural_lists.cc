// What the types of lists and maps ask of a schema, and what its rules ask.
#include <algorithm>
#include <set>

#include <boost/json.hpp>

#include "kube/api/schema_structural_parts.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

void RequireType(const Schema& schema, ValueType type, const std::string& path,
                 std::string_view because, Findings& out) {
  if (schema.type == type) return;
  const std::string text =
      "must be " + std::string(ToString(type)) + " if " + std::string(because) + " is specified";
  const std::string at = PathChild(path, "type");
  out.Add(schema.type == ValueType::kAny
              ? RequiredError(at, text)
              : InvalidError(at, json::value(ToString(schema.type)), text));
}

void CheckSetItems(const Schema& items, const std::string& path, Findings& out) {
  const std::string text = "must be atomic as item of a list with x-kubernetes-list-type=set";
  if (items.type == ValueType::kArray && items.list_type && *items.list_type != ListType::kAtomic) {
    out.Add(InvalidError(PathChild(path, "x-kubernetes-list-type"),
                         json::value(ToString(*items.list_type)), text));
  }
  if (items.type == ValueType::kObject && items.map_type != MapType::kAtomic) {
    out.Add(InvalidError(PathChild(path, "x-kubernetes-map-type"), json::value(), text));
  }
}

// One key field of the items of a list of type map.
void CheckKey(const Schema& items, const std::string& key, const std::string& path, Findings& out) {
  const auto found = items.properties.find(key);
  if (found == items.properties.end()) return;
  const Schema& field = *found->second;
  const std::string at = PathKey(PathChild(path, "properties"), key);
  const std::string because = "this property is in x-kubernetes-list-map-keys, so it ";
  if (field.type == ValueType::kArray || field.type == ValueType::kObject) {
    out.Add(InvalidError(PathChild(at, "type"), json::value(ToString(items.type)),
                         "must be a scalar type if parent array's x-kubernetes-list-type is map"));
  }
  const bool required =
      std::ranges::find(items.checks.required, key) != items.checks.required.end();
  if (!required && !field.default_value) {
    out.Add(RequiredError(PathChild(at, "default"),
                          because + "must have a default or be a required property"));
  }
  if (field.nullable)
    out.Add(ForbiddenError(PathChild(at, "nullable"), because + "cannot be nullable"));
}

void CheckKeys(const Schema& schema, const std::string& path, Findings& out) {
  const std::string at = PathChild(path, "x-kubernetes-list-map-keys");
  if (schema.list_map_keys.empty()) {
    out.Add(RequiredError(at, "must not be empty if x-kubernetes-list-type is map"));
  }
  if (!schema.items) return;
  const std::string items = PathChild(path, "items");
  if (schema.items->type != ValueType::kObject) {
    out.Add(InvalidError(PathChild(items, "type"), json::value(ToString(schema.items->type)),
                         "must be object if parent array's x-kubernetes-list-type is map"));
    return;
  }
  std::set<std::string> seen;
  const json::value names = json::array(schema.list_map_keys.begin(), schema.list_map_keys.end());
  for (const auto& key : schema.list_map_keys) {
    if (!schema.items->properties.contains(key)) {
      out.Add(InvalidError(at, names, "entries must all be names of item properties"));
    }
    if (!seen.insert(key).second) {
      out.Add(InvalidError(at, names, "must not contain duplicate entries"));
    }
    CheckKey(*schema.items, key, items, out);
  }
}

void CheckList(const Schema& schema, const std::string& path, Findings& out) {
  const std::string at = PathChild(path, "x-kubernetes-list-type");
  if (!schema.list_map_keys.empty() && schema.list_type != ListType::kMap) {
    const std::string text = "must be map if x-kubernetes-list-map-keys is non-empty";
    out.Add(schema.list_type ? InvalidError(at, json::value(ToString(*schema.list_type)), text)
                             : RequiredError(at, text));
  }
  if (!schema.list_type) return;
  RequireType(schema, ValueType::kArray, path, "x-kubernetes-list-type", out);
  if (*schema.list_type == ListType::kAtomic) return;
  const std::string items = PathChild(path, "items");
  if (schema.items && schema.items->nullable) {
    out.Add(ForbiddenError(PathChild(items, "nullable"),
                           "cannot be nullable when x-kubernetes-list-type is " +
                               std::string(ToString(*schema.list_type))));
  }
  if (*schema.list_type == ListType::kMap) CheckKeys(schema, path, out);
  if (*schema.list_type == ListType::kSet && schema.items) CheckSetItems(*schema.items, items, out);
}

bool IsBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

void CheckMessage(const ValidationRule& rule, const std::string& path, Findings& out) {
  const std::string at = PathChild(path, "message");
  if (IsBlank(rule.rule)) {
    out.Add(RequiredError(PathChild(path, "rule"), "rule is not specified"));
  } else if (!rule.message.empty() && IsBlank(rule.message)) {
    out.Add(InvalidError(at, json::value(rule.message), "must be non-empty if specified"));
  } else if (Trimmed(rule.message).contains('\n')) {
    out.Add(InvalidError(at, json::value(rule.message), "must not contain line breaks"));
  } else if (Trimmed(rule.rule).contains('\n') && IsBlank(rule.message)) {
    out.Add(RequiredError(at, "message must be specified if rule contains line breaks"));
  }
}

void CheckRule(const ValidationRule& rule, const std::string& path, Findings& out) {
  CheckMessage(rule, path, out);
  if (!rule.message_expression.empty() && IsBlank(rule.message_expression)) {
    out.Add(RequiredError(PathChild(path, "messageExpression"),
                          "messageExpression must be non-empty if specified"));
  }
  static const std::vector<std::string> kReasons = {"FieldValueDuplicate", "FieldValueForbidden",
                                                    "FieldValueInvalid", "FieldValueRequired"};
  if (!rule.reason.empty() && std::ranges::find(kReasons, rule.reason) == kReasons.end()) {
    out.Add(NotSupportedError(PathChild(path, "reason"), json::value(rule.reason), kReasons));
  }
  const std::string at = PathChild(path, "fieldPath");
  if (!rule.field_path.empty() && IsBlank(rule.field_path)) {
    out.Add(InvalidError(at, json::value(rule.field_path), "must be non-empty if specified"));
  }
  if (rule.field_path.contains('\n')) {
    out.Add(InvalidError(at, json::value(rule.field_path), "must not contain line breaks"));
  }
}

}  // namespace

void CheckCollections(const Schema& schema, const std::string& path, Findings& out) {
  if (schema.checks.unique_items) {
    out.Add(ForbiddenError(
        PathChild(path, "uniqueItems"),
        "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
  }
  const bool restricts =
      schema.additional_kind == Additional::kTyped || schema.additional_kind == Additional::kNone;
  if (restricts && !schema.properties.empty()) {
    out.Add(ForbiddenError(PathChild(path, "additionalProperties"),
                           "additionalProperties and properties are mutual exclusive"));
  }
  if (schema.map_type) RequireType(schema, ValueType::kObject, path, "x-kubernetes-map-type", out);
  CheckList(schema, path, out);
}

void CheckRules(const Schema& schema, const std::string& path, Findings& out) {
  for (std::size_t i = 0; i < schema.rules.size(); ++i) {
    CheckRule(schema.rules[i], PathIndex(PathChild(path, "x-kubernetes-validations"), i), out);
  }
}

}  // namespace millwright::kube
