// Selectors by field, as in "metadata.name=worker-1,status.phase!=Running".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace millwright::kube {

struct FieldRequirement {
  std::string path;
  bool equal = true;  // false for !=
  std::string value;

  std::string ToString() const;

  friend bool operator==(const FieldRequirement&, const FieldRequirement&) = default;
};

// Requirements that must all hold. By default there are none, and everything matches.
class FieldSelector {
 public:
  // What an object has at a path; empty if it has nothing there.
  using Lookup = std::function<std::string(std::string_view path)>;

  FieldSelector() = default;
  explicit FieldSelector(std::vector<FieldRequirement> requirements);

  bool Matches(const Lookup& lookup) const;

  bool IsEverything() const { return requirements_.empty(); }

  // In the order of the text, see ToString. A server that does not know one of the paths must
  // refuse the request, not ignore the requirement.
  const std::vector<FieldRequirement>& requirements() const { return requirements_; }

  // The value that `path` must have, or null if other values can match too: lets a server read one
  // object instead of all.
  const std::string* RequiredValue(std::string_view path) const;

  // The text for a fieldSelector query parameter, the same for the same requirements in any order.
  std::string ToString() const;

  friend bool operator==(const FieldSelector&, const FieldSelector&) = default;

 private:
  std::vector<FieldRequirement> requirements_;
};

// Values write '\', ',' and '=' as "\\", "\," and "\=". Fails with kInvalid.
Result<FieldSelector> ParseFieldSelector(std::string_view text);

}  // namespace millwright::kube
