// The messages of types that are a single value in JSON: times, quantities, raw JSON and so on.
#pragma once

#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/builtin/type.h"
#include "base/result.h"

namespace millwright::apiserver::builtin {

// Whether ReadSmallMessage reads types of that shape.
bool IsSmallMessage(TypeShape shape);

// The JSON of a message; null where Go would have a value that is not set.
Result<boost::json::value> ReadSmallMessage(TypeShape shape, std::string_view message);

}  // namespace millwright::apiserver::builtin
