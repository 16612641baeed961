// One step of a field path: a field, a list item by key, a set item by value, or a list item by
// index.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::kube {

// Ordered as managedFields are written: fields, then keys, then values, then indexes.
class PathElement {
 public:
  using Key = std::vector<std::pair<std::string, boost::json::value>>;

  static PathElement Field(std::string_view name) { return PathElement(std::string(name)); }
  // The key fields in any order; they are kept sorted by name.
  static PathElement Keyed(Key key);
  static PathElement Value(boost::json::value value);
  static PathElement Index(std::int64_t index) { return PathElement(index); }

  // The form used in FieldsV1 ("f:spec", "k:{\"name\":\"a\"}", "v:1", "i:0"). None when the kind
  // of element is one we do not know: a later version may have more, and they are to be skipped.
  static Result<std::optional<PathElement>> Decode(std::string_view text);
  std::string Encode() const;

  // The form used in messages: .spec, [name="a"], [=1], [0].
  std::string ToString() const;

  // The name if this is a field, else null.
  const std::string* field() const { return std::get_if<std::string>(&step_); }
  // The key fields if this is a list item by key, else null.
  const Key* key() const { return std::get_if<Key>(&step_); }

  friend std::weak_ordering operator<=>(const PathElement& a, const PathElement& b);
  friend bool operator==(const PathElement& a, const PathElement& b) { return (a <=> b) == 0; }

 private:
  using Step = std::variant<std::string, Key, boost::json::value, std::int64_t>;

  explicit PathElement(Step step) : step_(std::move(step)) {}

  Step step_;
};

using FieldPath = std::vector<PathElement>;

// ".spec.containers[name=\"a\"].image"
std::string ToString(const FieldPath& path);

}  // namespace millwright::kube
