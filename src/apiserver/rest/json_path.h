// The JSONPath of printer columns: .spec.nodes[0].name,
// .status.conditions[?(@.type=="Ready")].status
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::apiserver {

// Kubernetes' dialect, with its oddities: a dot in ['a.b'] separates fields too, unless it is
// escaped; a missing field is no error, an index out of bounds is one.
class JsonPath {
 public:
  // Without the braces that kubectl wants around it. Fails with kInvalid.
  static Result<JsonPath> Parse(std::string_view text);

  // All that it leads to, in order. They live as long as the root and the path. Fails with kInvalid
  // where an index or a filter does not fit what it is used on.
  Result<std::vector<const boost::json::value*>> Find(const boost::json::value& root) const;

  struct Step;

 private:
  explicit JsonPath(std::vector<std::shared_ptr<const Step>> steps) : steps_(std::move(steps)) {}

  std::vector<std::shared_ptr<const Step>> steps_;
};

}  // namespace millwright::apiserver
