// Finds what cannot work in an expression before there is any value.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kube/cel/ast.h"
#include "kube/cel/source.h"
#include "kube/cel/type.h"

namespace millwright::kube::cel {

// The variables that an expression may use.
using Variables = std::map<std::string, TypePtr, std::less<>>;

struct Checked {
  TypePtr type;
  std::set<std::string> used;  // of the variables
  std::string unsupported;     // why the expression cannot be run although it is right
};

Checked Check(const Expr& expr, const Variables& variables, std::vector<Issue>& issues);

}  // namespace millwright::kube::cel
