// The formats of strings that a kube-apiserver checks.
#pragma once

#include <string_view>

namespace millwright::kube {

// False for what a server ignores: unknown names, and names of number formats. Dashes do not count,
// so "date-time" and "datetime" are one.
bool IsStringFormat(std::string_view name);

// Whether the text has that format. Any text has an unknown one.
bool HasFormat(std::string_view text, std::string_view name);

}  // namespace millwright::kube
