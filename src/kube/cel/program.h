// A CEL expression, compiled once and run often.
//
//   const auto program = Program::Compile("self.min <= self.max", {{"self", type}});
//   program->Run({{"self", value}}, budget);
//
// The language is that of Kubernetes' validation rules: CEL with its standard functions, strings,
// lists, sets, optional values, two-variable macros, and Kubernetes' own for quantities, URLs,
// addresses, versions and formats. Left out: messages, names of time zones, authorization.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "kube/cel/checker.h"
#include "kube/cel/evaluator.h"

namespace millwright::kube::cel {

class Program {
 public:
  // Fails with kInvalid and a text as CEL prints it: "ERROR: <input>:1:6: undefined field 'x'...".
  static Result<Program> Compile(std::string_view source, const Variables& variables);

  const Type& type() const { return *type_; }
  // Why it can only fail although it is right; empty if it can be run.
  const std::string& unsupported() const { return unsupported_; }
  bool Uses(const std::string& variable) const { return used_.contains(variable); }

  // The values that variables have must be of their types.
  Result<Value> Run(const Activation& variables, Budget& budget) const {
    return Evaluate(*expr_, variables, budget);
  }

 private:
  Program(ExprPtr expr, Checked checked)
      : expr_(std::move(expr)),
        type_(std::move(checked.type)),
        used_(std::move(checked.used)),
        unsupported_(std::move(checked.unsupported)) {}

  ExprPtr expr_;
  TypePtr type_;
  std::set<std::string> used_;
  std::string unsupported_;
};

}  // namespace millwright::kube::cel
