// The parameters that requests have. Pure.
#pragma once

#include <span>
#include <string_view>

#include <boost/json/array.hpp>

#include "apiserver/discovery/openapi/dialect.h"

namespace millwright::apiserver::openapi {

struct Parameter {
  std::string_view name;
  std::string_view type;
  std::string_view description;
  bool in_path = false;
};

// Each of these has a fixed order, by name.
std::span<const Parameter> ListParameters();
std::span<const Parameter> GetParameters();    // of custom kinds
std::span<const Parameter> WriteParameters();  // create and update
std::span<const Parameter> PatchParameters();
std::span<const Parameter> DeleteParameters();
std::span<const Parameter> DeleteCollectionParameters();

// What every path has that is about one object or one namespace.
std::span<const Parameter> PathParameters(bool has_name, bool has_namespace);

boost::json::array ParametersDocument(std::span<const Parameter> parameters, Dialect dialect);

}  // namespace millwright::apiserver::openapi
