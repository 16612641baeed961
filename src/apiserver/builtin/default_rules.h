// Defaults of Go types: values for fields that are missing, and rules where that is not enough.
#pragma once

#include <span>
#include <string_view>

#include <boost/json/object.hpp>

namespace millwright::apiserver::builtin {

struct DefaultValue {
  std::string_view type;  // "core.v1.PodSpec"
  std::string_view field;
  std::string_view value;  // JSON
};

// Runs after the values of its type and before what lies within.
struct DefaultRule {
  std::string_view type;
  void (*apply)(boost::json::object& object);
};

std::span<const DefaultValue> DefaultValues();
std::span<const DefaultRule> DefaultRules();

}  // namespace millwright::apiserver::builtin
