#include "kube/cel/rule_tree.h"

#include <algorithm>

#include "kube/cel/schema_type.h"

namespace millwright::kube::cel {

namespace {

std::unique_ptr<RuleNode> CompileNode(const Schema& schema, const std::string& name) {
  if (!HasRules(schema)) return nullptr;
  auto node = std::make_unique<RuleNode>();
  node->schema = &schema;
  const TypePtr type = schema.rules.empty() ? nullptr : TypeOfSchema(schema, name);
  for (const ValidationRule& rule : schema.rules) {
    node->rules.push_back(CompileRule(rule, schema, type));
  }
  for (const auto& [field, part] : schema.properties) {
    if (auto inner = CompileNode(*part, name)) node->properties.emplace(field, std::move(inner));
  }
  if (schema.additional) node->additional = CompileNode(*schema.additional, name);
  if (schema.items) node->items = CompileNode(*schema.items, name);
  return node;
}

}  // namespace

bool HasRules(const Schema& schema) {
  if (!schema.rules.empty()) return true;
  if (schema.additional && HasRules(*schema.additional)) return true;
  if (schema.items && HasRules(*schema.items)) return true;
  return std::ranges::any_of(schema.properties,
                             [](const auto& property) { return HasRules(*property.second); });
}

RuleTree CompileRules(const Schema& schema) {
  if (!HasRules(schema)) return {};
  RuleTree tree{.schema = ForRules(schema, true), .root = nullptr};
  tree.root = CompileNode(*tree.schema, "selfType");
  return tree;
}

}  // namespace millwright::kube::cel
