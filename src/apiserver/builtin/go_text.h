// The texts of Go types with an encoding of their own, each in its one way of writing.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/string.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"

namespace millwright::apiserver::builtin {

// "PodSpec" of "core.v1.PodSpec".
std::string_view ShortTypeName(std::string_view name);

// As Go prints a type: "[]v1.Container" for "[]core.v1.Container".
std::string GoTypeText(std::string_view name);

// Each fails with kInvalid in Go's words.
Result<void> CanonicalBytes(boost::json::string& text);
Result<void> CanonicalTime(boost::json::string& text, bool micro);
Result<void> CanonicalDuration(boost::json::string& text);
// A quantity may come as a number, too; null is 0.
Result<void> CanonicalQuantity(boost::json::value& value);

}  // namespace millwright::apiserver::builtin
