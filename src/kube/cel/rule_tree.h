// The rules of a schema, where they stand in it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kube/api/schema.h"
#include "kube/cel/compiled_rule.h"

namespace millwright::kube::cel {

// Only the parts of the schema that have rules, or lead to some.
struct RuleNode {
  const Schema* schema = nullptr;
  std::vector<CompiledRule> rules;
  std::map<std::string, std::unique_ptr<RuleNode>, std::less<>> properties;
  std::unique_ptr<RuleNode> additional;
  std::unique_ptr<RuleNode> items;
};

struct RuleTree {
  SchemaPtr schema;  // what the nodes point into
  std::unique_ptr<RuleNode> root;
};

bool HasRules(const Schema& schema);

// Of a whole resource. Rules that cannot be compiled are in it, with their errors.
RuleTree CompileRules(const Schema& schema);

}  // namespace millwright::kube::cel
