// Annotations that belong to one object and are not copied between a deployment and its sets.
#pragma once

#include <string_view>

namespace millwright::dialects::gardener {

bool IsCopied(std::string_view annotation);

}  // namespace millwright::dialects::gardener
