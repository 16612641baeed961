// What a class of local machines may say. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::providers {

// What the node says that it has; nothing here is enforced. Empty: what this computer has.
struct LocalSpec {
  std::string cpu = {};     // "2", "500m"
  std::string memory = {};  // "4Gi"
  std::string pods = {};    // "110"
  std::map<std::string, std::string> labels = {};

  friend bool operator==(const LocalSpec&, const LocalSpec&) = default;
};

// From the JSON text of a provider spec; an empty text is an empty spec. kInvalid, naming the
// field: a field that is not known is a mistake, not an extension.
Result<LocalSpec> ParseLocalSpec(std::string_view provider_spec);

}  // namespace millwright::providers
