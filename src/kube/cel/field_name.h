// Names of fields as expressions write them: "dash-ed" is dash__dash__ed, "namespace" is
// __namespace__.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millwright::kube::cel {

// Words that no name in an expression can be.
bool IsReservedWord(std::string_view word);

// None if no expression can write the name.
std::optional<std::string> EscapeField(std::string_view name);

// What EscapeField was given; text that it never gives comes back as it is.
std::string UnescapeField(std::string_view escaped);

}  // namespace millwright::kube::cel
