// The tokens of an expression.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/cel/source.h"
#include "kube/cel/value.h"

namespace millwright::kube::cel {

struct Token {
  enum class Kind { kEnd, kName, kQuotedName, kLiteral, kSign };

  Kind kind = Kind::kEnd;
  int offset = 0;          // in characters
  std::string text;        // as written; of a number without what comes behind its digits
  Value value;             // of a literal
  bool negatable = false;  // a literal that a minus may belong to
};

// The last token is kEnd. What cannot be read is an issue, and is left out.
std::vector<Token> Tokenize(std::string_view source, std::vector<Issue>& issues);

// The value of a whole number with its sign; none if it is too large.
std::optional<Value> WholeNumber(std::string_view text, bool negative);

}  // namespace millwright::kube::cel
