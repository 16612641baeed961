#include "kube/cel/compiled_rule.h"

#include <utility>

#include "kube/cel/field_path.h"

namespace millwright::kube::cel {

namespace {

void CompileMessage(CompiledRule& rule, const Variables& variables) {
  auto program = Program::Compile(rule.said.message_expression, variables);
  if (!program) {
    rule.message_error = "messageExpression compilation failed: " + program.error().message();
  } else if (program->type().kind != Kind::kString) {
    rule.message_error = "messageExpression must evaluate to a string";
  } else {
    rule.message_program = *std::move(program);
  }
}

}  // namespace

CompiledRule CompileRule(const ValidationRule& said, const Schema& schema, const TypePtr& type) {
  CompiledRule rule{.said = said};
  if (!type) {
    rule.error = "failed to convert to declType for CEL validation rules";
    return rule;
  }
  const bool optional = rule.HasOptionalOldSelf();
  const Variables variables = {{"self", type}, {"oldSelf", optional ? OptionalOf(type) : type}};
  auto program = Program::Compile(said.rule, variables);
  if (!program) {
    rule.error = "compilation failed: " + program.error().message();
    return rule;
  }
  if (program->type().kind != Kind::kBool) {
    rule.error = "cel expression must evaluate to a bool";
    return rule;
  }
  rule.program = *std::move(program);
  if (!said.message_expression.empty()) CompileMessage(rule, variables);
  if (!said.field_path.empty()) {
    rule.field_path = NormalizeFieldPath(schema, said.field_path).value_or("");
  }
  return rule;
}

}  // namespace millwright::kube::cel
