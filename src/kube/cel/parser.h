// From the text of an expression to its tree, macros expanded.
#pragma once

#include <string_view>
#include <vector>

#include "kube/cel/ast.h"
#include "kube/cel/source.h"

namespace millwright::kube::cel {

// Null if there are issues.
ExprPtr Parse(std::string_view source, std::vector<Issue>& issues);

}  // namespace millwright::kube::cel
