// Base64 as in RFC 4648, section 4.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millwright::kube {

std::string EncodeBase64(std::string_view bytes);

// None if it is not base64. Line breaks are skipped, padding is required, as in Go.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace millwright::kube
