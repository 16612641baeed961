// The bytes of kinds.txt.
#pragma once

#include <string_view>

namespace millwright::apiserver::builtin {

std::string_view KindsText();

}  // namespace millwright::apiserver::builtin
