// Bytes as tokens have them: base64 for URLs, without padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millwright::apiserver {

std::string EncodeBase64Url(std::string_view bytes);

// None for any other character, an impossible length, or bits that no byte has: two texts never
// mean the same bytes.
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace millwright::apiserver
