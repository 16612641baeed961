// The kinds of types and values in CEL, with the libraries that Kubernetes adds to it.
#pragma once

#include <string_view>

namespace millwright::kube::cel {

enum class Kind {
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kList,
  kMap,
  kDuration,
  kTimestamp,
  kType,
  kOptional,
  kQuantity,
  kUrl,
  kIp,
  kCidr,
  kSemver,
  kFormat,
  kOpaque,  // data without a schema: can be compared, nothing else
  // Of types only.
  kObject,  // a map with known fields, when it is a value
  kDyn,
  kParam,  // in signatures: A, B
};

// As CEL prints the type: "int", "list", "google.protobuf.Duration".
std::string_view NameOf(Kind kind);

}  // namespace millwright::kube::cel
