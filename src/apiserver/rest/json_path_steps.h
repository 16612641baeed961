// The steps of a JSONPath.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/rest/json_path.h"

namespace millwright::apiserver {

using JsonPathSteps = std::vector<std::shared_ptr<const JsonPath::Step>>;

struct FieldStep {
  std::string name;
};
struct WildcardStep {};
struct DescendStep {};  // ..
struct SliceStep {
  std::optional<std::int64_t> begin;
  std::optional<std::int64_t> end;
  std::optional<std::int64_t> step;
  bool single = false;  // [n]: then the end is behind the beginning
};
struct UnionStep {
  std::vector<JsonPathSteps> parts;
};
struct LiteralStep {
  boost::json::value value;
};
struct FilterStep {
  JsonPathSteps left;
  std::string compare;  // "==", "<", ...; empty: the left side has to exist
  JsonPathSteps right = {};
};

struct JsonPath::Step {
  std::variant<FieldStep, WildcardStep, DescendStep, SliceStep, UnionStep, LiteralStep, FilterStep>
      what;
};

}  // namespace millwright::apiserver
