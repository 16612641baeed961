// The two forms of OpenAPI that clients ask for.
#pragma once

#include <string>
#include <string_view>

namespace millwright::apiserver::openapi {

enum class Dialect { kV2, kV3 };

// How a document refers to one of its definitions.
inline std::string Reference(Dialect dialect, std::string_view definition) {
  return (dialect == Dialect::kV2 ? "#/definitions/" : "#/components/schemas/") +
         std::string(definition);
}

}  // namespace millwright::apiserver::openapi
