// The value of an expression.
#pragma once

#include <map>
#include <string>

#include "kube/cel/ast.h"
#include "kube/cel/functions.h"

namespace millwright::kube::cel {

// The values of variables.
using Activation = std::map<std::string, Value, std::less<>>;

// Fails with kInvalid in the words of CEL, also when the budget is spent.
Result<Value> Evaluate(const Expr& expr, const Activation& variables, Budget& budget);

}  // namespace millwright::kube::cel
