// Paths into JSON trees (RFC 6901): "/spec/containers/0/name".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/result.h"

namespace millwright::kube {

// The unescaped parts of a pointer; none of them for the whole document.
using JsonPointer = std::vector<std::string>;

// "~0" stands for '~' and "~1" for '/'. Fails with kInvalid.
Result<JsonPointer> ParseJsonPointer(std::string_view text);

std::string FormatJsonPointer(const JsonPointer& pointer);

// The index that a part means in a list, if it is a plain number below `size`.
std::optional<size_t> ListIndex(std::string_view part, size_t size);

// What the first `depth` parts lead to, or null.
boost::json::value* FindPointer(boost::json::value& root, const JsonPointer& pointer, size_t depth);

}  // namespace millwright::kube
