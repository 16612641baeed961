// Bytes as JSON has them, by the rules of Go's standard encoding: padded, line breaks ignored.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace millwright {

std::string EncodeBase64(std::string_view bytes);

// The bytes, or the place of the first character that cannot be.
std::expected<std::string, std::size_t> DecodeBase64(std::string_view text);

}  // namespace millwright
