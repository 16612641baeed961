// One entry of x-kubernetes-validations, ready to run.
#pragma once

#include <optional>
#include <string>

#include "kube/api/schema.h"
#include "kube/cel/program.h"

namespace millwright::kube::cel {

struct CompiledRule {
  ValidationRule said;
  std::optional<Program> program;  // none if `error` says why
  std::optional<Program>
      message_program;  // none if it is not asked for, or `message_error` says why
  std::string error;
  std::string message_error;
  std::string field_path;  // below the value; empty: the value itself

  bool UsesOldSelf() const { return program && program->Uses("oldSelf"); }
  bool HasOptionalOldSelf() const { return said.optional_old_self.value_or(false); }
};

// `type` is that of the values the schema describes; null if expressions cannot touch them.
CompiledRule CompileRule(const ValidationRule& rule, const Schema& schema, const TypePtr& type);

}  // namespace millwright::kube::cel
