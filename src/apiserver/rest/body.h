// Request bodies: from JSON, YAML or protobuf to a tree, within limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/rest/call.h"
#include "apiserver/rest/options.h"

namespace millwright::apiserver {

// As etcd's limit on a request, which Kubernetes inherits.
inline constexpr std::size_t kMaxObjectBytes = std::size_t{3} << 20U;

// What strict validation found; depending on the request these are errors, warnings or nothing.
using StrictFindings = std::vector<std::string>;

// The object of a create or update. Fails with 400 or 415.
Result<boost::json::value> DecodeObject(const Services& services, const Call& call,
                                        StrictFindings& findings);

// The optional body of a delete; null if there is none.
Result<boost::json::value> DecodeOptionalBody(const Services& services, const Call& call);

// A text in JSON, or YAML if it is one of apply's.
Result<boost::json::value> DecodeText(std::string_view text, bool yaml, StrictFindings& findings);

// Turns findings into what the request asked for: a failure, warnings, or nothing.
Result<void> JudgeFindings(const StrictFindings& findings, FieldValidation validation,
                           std::vector<std::string>& warnings);

}  // namespace millwright::apiserver
