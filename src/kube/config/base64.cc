#include "kube/config/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace millwright::kube {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t kNoDigit = 0xFF;

constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}();

}  // namespace

std::string EncodeBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    const std::size_t digits = std::min<std::size_t>(bytes.size() - at, 3) + 1;
    for (std::size_t i = 0; i < 4; ++i) {
      text += i < digits ? kAlphabet[group >> (18 - 6 * i) & 0x3FU] : '=';
    }
  }
  return text;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    const std::uint8_t digit = kDigits[static_cast<unsigned char>(c)];
    const bool is_padding = c == '=';
    // Padding ends the text and stands only for the last two digits of a group.
    if (is_padding ? digits % 4 < 2 : digit == kNoDigit || padding > 0) return std::nullopt;
    group = group << 6 | (is_padding ? 0U : digit);
    padding += is_padding ? 1 : 0;
    if (++digits % 4 != 0) continue;
    for (std::size_t i = 0; i + padding < 3; ++i) {
      bytes += static_cast<char>(group >> (16 - 8 * i) & 0xFFU);
    }
    group = 0;
  }
  return digits % 4 == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

}  // namespace millwright::kube
