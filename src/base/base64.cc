#include "base/base64.h"

#include <array>
#include <cstdint>

namespace millwright {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNone = 0xFF;

constexpr std::array<std::uint8_t, 256> MakeValues() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNone);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}

constexpr auto kValues = MakeValues();

bool IsLineBreak(char c) { return c == '\n' || c == '\r'; }

// The place of the first character from `at` that is no line break.
std::size_t SkipBreaks(std::string_view text, std::size_t at) {
  while (at < text.size() && IsLineBreak(text[at])) ++at;
  return at;
}

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t block = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      block = block << 8U | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= have ? kAlphabet[block >> (18U - 6U * k) & 63U] : '=';
    }
  }
  return text;
}

std::expected<std::string, std::size_t> DecodeBase64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t block = 0;
  std::size_t digits = 0;
  std::size_t at = SkipBreaks(text, 0);
  for (; at < text.size() && text[at] != '='; at = SkipBreaks(text, at + 1)) {
    const std::uint8_t value = kValues[static_cast<unsigned char>(text[at])];
    if (value == kNone) return std::unexpected(at);
    block = block << 6U | value;
    if (++digits < 4) continue;
    for (unsigned shift : {16U, 8U, 0U}) bytes += static_cast<char>(block >> shift & 0xFFU);
    block = 0;
    digits = 0;
  }
  if (at == text.size()) {
    if (digits != 0) return std::unexpected(text.size() - digits);
    return bytes;
  }
  // Padding completes the block and ends the text.
  if (digits < 2) return std::unexpected(at);
  std::size_t end = SkipBreaks(text, at + 1);
  if (digits == 2) {
    if (end == text.size() || text[end] != '=') return std::unexpected(end);
    end = SkipBreaks(text, end + 1);
  }
  if (end != text.size()) return std::unexpected(end);
  block <<= 6U * (4 - digits);
  bytes += static_cast<char>(block >> 16U & 0xFFU);
  if (digits == 3) bytes += static_cast<char>(block >> 8U & 0xFFU);
  return bytes;
}

}  // namespace millwright
