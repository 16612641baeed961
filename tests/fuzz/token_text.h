// Text that is nearly what a parser expects, so that a fuzzer soon gets past the first brace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace millwright::fuzz {

// The bytes as they are if the first is even; else each below 128 stands for one of the tokens, and
// each above for the character 128 below it.
inline std::string TokenText(const std::uint8_t* data, std::size_t size,
                             std::span<const std::string_view> tokens) {
  if (size == 0) return "";
  const std::span<const std::uint8_t> bytes(data + 1, size - 1);
  if (data[0] % 2 == 0) return {bytes.begin(), bytes.end()};
  std::string text;
  for (const std::uint8_t byte : bytes) {
    if (byte < 128) {
      text += tokens[byte % tokens.size()];
    } else {
      text += static_cast<char>(byte - 128);
    }
  }
  return text;
}

}  // namespace millwright::fuzz
