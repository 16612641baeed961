// The text of an expression, and what is wrong where in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millwright::kube::cel {

struct Issue {
  int offset = 0;  // in characters
  std::string message;
};

// As CEL prints them: the place, the message, the line, and a mark under the place.
std::string IssuesText(std::string_view source, const std::vector<Issue>& issues);

}  // namespace millwright::kube::cel
