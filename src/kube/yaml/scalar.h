// What a YAML scalar means: the resolver of Go's yaml.v2, on which sigs.k8s.io/yaml stands.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::kube::yaml {

// The tag in its long form ("tag:yaml.org,2002:int"), empty if there is none.
struct Scalar {
  std::string_view text{};
  std::string_view tag{};
  bool plain = true;  // not quoted and not a block
};

// The value as JSON. Fails, without showing the text, if an explicit tag does not fit or JSON has
// no such value (infinity, not a number, binary).
Result<boost::json::value> ResolveScalar(const Scalar& scalar);

// The scalar as a key of a JSON object: numbers and booleans in Go's spelling; null cannot be one.
Result<std::string> ResolveKey(const Scalar& scalar);

// Whether text written plainly would be read as something other than itself, or (timestamps, base
// 60) is by other YAML readers.
bool IsAmbiguous(std::string_view text);

}  // namespace millwright::kube::yaml
