// Request bodies in application/vnd.kubernetes.protobuf.
#pragma once

#include <string_view>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::apiserver {

// Whether the body says of itself that it is such a one.
bool IsProtobuf(std::string_view body);

// The object in the JSON that the same client would have sent. Unknown fields are skipped, as every
// reader of protobuf does. Fails with kInvalid if the bytes are malformed, too deep or expand
// beyond measure, or if the kind is none of ours.
Result<boost::json::value> DecodeProtobuf(std::string_view body);

}  // namespace millwright::apiserver
