// Calls that stand for something else.
#pragma once

#include <string>
#include <vector>

#include "kube/cel/ast.h"
#include "kube/cel/source.h"

namespace millwright::kube::cel {

// A call as it was read; `target` is null for one that is not of a member.
struct CallText {
  int offset = 0;
  std::string function;
  ExprPtr target;
  std::vector<ExprPtr> arguments;
};

// Null if it is no macro, or a wrong one, which is an issue.
ExprPtr ExpandMacro(const CallText& call, std::vector<Issue>& issues);

}  // namespace millwright::kube::cel
