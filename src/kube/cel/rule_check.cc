#include "kube/cel/rule_check.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "kube/api/typed_text.h"
#include "kube/cel/field_path.h"
#include "kube/cel/rule_judge.h"
#include "kube/cel/rule_tree.h"

namespace millwright::kube::cel {

namespace json = boost::json;

namespace {

std::string RulePath(const std::string& path, std::size_t index, std::string_view field) {
  return PathChild(PathIndex(PathChild(path, "x-kubernetes-validations"), index), field);
}

// As Go writes the type inside of the server.
std::string ShownRule(const ValidationRule& rule) {
  const auto text = [](const std::string& value) { return JsonText(json::value(value)); };
  const std::string old_self =
      rule.optional_old_self ? (*rule.optional_old_self ? "true" : "false") : "null";
  return fmt::format(
      R"({{"Rule":{},"Message":{},"MessageExpression":{},"Reason":{},"FieldPath":{},)"
      R"("OptionalOldSelf":{}}})",
      text(rule.rule), text(rule.message), text(rule.message_expression),
      rule.reason.empty() ? "null" : text(rule.reason), text(rule.field_path), old_self);
}

// Calls `visit(node, path, list)` for all nodes; `list` is the path of the nearest list around it
// whose items have no identity, if there is one.
template <class Visit>
void ForEachNode(const RuleNode& node, const std::string& path, const std::string& list,
                 const Visit& visit) {
  visit(node, path, list);
  for (const auto& [name, inner] : node.properties) {
    ForEachNode(*inner, PathKey(PathChild(path, "properties"), name), list, visit);
  }
  if (node.additional) {
    ForEachNode(*node.additional, PathChild(path, "additionalProperties"), list, visit);
  }
  if (node.items) {
    const bool keyed = node.schema->list_type == ListType::kMap;
    ForEachNode(*node.items, PathChild(path, "items"), keyed ? list : path, visit);
  }
}

void CheckOldSelf(const CompiledRule& rule, const std::string& path, std::size_t index,
                  const std::string& list, std::vector<FieldError>& errors) {
  if (rule.UsesOldSelf() && !list.empty()) {
    errors.push_back(InvalidError(
        RulePath(path, index, "rule"), json::value(rule.said.rule),
        "oldSelf cannot be used on the uncorrelatable portion of the schema within " + list));
  }
  if (!rule.UsesOldSelf() && rule.said.optional_old_self) {
    errors.push_back(InvalidError(RulePath(path, index, "optionalOldSelf"),
                                  json::value(*rule.said.optional_old_self),
                                  "may not be set if oldSelf is not used in rule"));
  }
}

void CheckNode(const RuleNode& node, const std::string& path, const std::string& list,
               std::vector<FieldError>& errors) {
  for (std::size_t i = 0; i < node.rules.size(); ++i) {
    const CompiledRule& rule = node.rules[i];
    const auto refuse = [&](std::string_view field, const std::string& why) {
      if (why.empty()) return;
      errors.push_back({.type = FieldErrorType::kInvalid,
                        .field = RulePath(path, i, field),
                        .bad_value = ShownRule(rule.said),
                        .detail = why});
    };
    refuse("rule", rule.error);
    refuse("messageExpression", rule.message_error);
    CheckOldSelf(rule, path, i, list, errors);
  }
}

void CheckDefault(const RuleNode& node, const std::string& path, std::vector<FieldError>& errors) {
  if (!node.schema->default_value) return;
  for (FieldError& error :
       JudgeDefault(node, *node.schema->default_value, PathChild(path, "default"))) {
    errors.push_back(std::move(error));
  }
}

void CheckFieldPaths(const RuleNode& node, const std::string& path,
                     std::vector<FieldError>& errors) {
  for (std::size_t i = 0; i < node.rules.size(); ++i) {
    const std::string& said = node.rules[i].said.field_path;
    if (said.empty() || NormalizeFieldPath(*node.schema, said)) continue;
    errors.push_back(
        InvalidError(RulePath(path, i, "fieldPath"), json::value(said), "must be a valid path"));
  }
}

}  // namespace

std::vector<FieldError> CheckRules(const Schema& schema, const std::string& path) {
  std::vector<FieldError> errors;
  const RuleTree tree = CompileRules(schema);
  if (!tree.root) return errors;
  ForEachNode(*tree.root, path, "",
              [&](const RuleNode& node, const std::string& at, const std::string&) {
                CheckDefault(node, at, errors);
                CheckFieldPaths(node, at, errors);
              });
  if (!errors.empty()) return errors;
  ForEachNode(*tree.root, path, "",
              [&](const RuleNode& node, const std::string& at, const std::string& list) {
                CheckNode(node, at, list, errors);
              });
  return errors;
}

std::vector<FieldError> UnsupportedRules(const Schema& schema, const std::string& path) {
  std::vector<FieldError> found;
  const RuleTree tree = CompileRules(schema);
  if (!tree.root) return found;
  ForEachNode(*tree.root, path, "",
              [&](const RuleNode& node, const std::string& at, const std::string&) {
                for (std::size_t i = 0; i < node.rules.size(); ++i) {
                  const auto& program = node.rules[i].program;
                  if (!program || program->unsupported().empty()) continue;
                  found.push_back(InvalidError(RulePath(at, i, "rule"),
                                               json::value(node.rules[i].said.rule),
                                               program->unsupported()));
                }
              });
  return found;
}

}  // namespace millwright::kube::cel
