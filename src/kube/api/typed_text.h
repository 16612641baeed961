// Texts as Go prints them, because the messages of a kube-apiserver and the keys in managedFields
// are made by Go and compared by programs.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace millwright::kube {

// Go's %q: "a\"b\n".
std::string QuotedText(std::string_view text);

// Go's %v of a float64: 0.5, 1e+06.
std::string FloatText(double number);

// encoding/json: compact, keys sorted, and < > & escaped.
std::string JsonText(const boost::json::value& value);

// The value as a path element or a field error shows it: strings quoted, numbers and booleans
// plain, everything else as JSON.
std::string ValueText(const boost::json::value& value);

}  // namespace millwright::kube
