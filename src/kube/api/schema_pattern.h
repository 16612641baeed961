// Regular expressions of schemas. The language is Go's, which is RE2's.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace millwright::kube {

class Pattern {
 public:
  // Fails with kInvalid when Go would refuse the expression, or when it is too large to be wise.
  static Result<Pattern> Compile(std::string_view text);

  const std::string& text() const { return text_; }

  // Whether it matches anywhere in the string, as Go's MatchString does.
  bool Matches(std::string_view subject) const;

 private:
  Pattern(std::string text, std::shared_ptr<const re2::RE2> compiled)
      : text_(std::move(text)), compiled_(std::move(compiled)) {}

  std::string text_;
  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace millwright::kube
