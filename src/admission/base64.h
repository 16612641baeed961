// Bytes as JSON carries them.
#pragma once

#include <string>
#include <string_view>

namespace millwright::admission {

std::string EncodeBase64(std::string_view bytes);

}  // namespace millwright::admission
