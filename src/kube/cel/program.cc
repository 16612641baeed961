#include "kube/cel/program.h"

#include "kube/cel/parser.h"

namespace millwright::kube::cel {

Result<Program> Program::Compile(std::string_view source, const Variables& variables) {
  std::vector<Issue> issues;
  ExprPtr expr = Parse(source, issues);
  if (!expr) return Wrong(IssuesText(source, issues));
  Checked checked = Check(*expr, variables, issues);
  if (!issues.empty()) return Wrong(IssuesText(source, issues));
  return Program(std::move(expr), std::move(checked));
}

}  // namespace millwright::kube::cel
