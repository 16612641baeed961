#include "kube/yaml/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace millwright::kube::yaml {

namespace json = boost::json;

namespace {

// The shortest decimal that reads back as the same number, without sign: 0.<digits> * 10^point.
struct Decimal {
  std::string digits;
  int point = 0;
};

template <class Float>
Decimal ShortestDecimal(Float number) {
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                          std::abs(number), std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');
  Decimal decimal;
  for (const char c : text.substr(0, e)) {
    if (c != '.') decimal.digits += c;
  }
  std::string_view exponent = text.substr(e + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.point);
  ++decimal.point;
  return decimal;
}

std::string WithExponent(const Decimal& decimal) {
  std::string text = decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1) text += "." + decimal.digits.substr(1);
  const int exponent = decimal.point - 1;
  const std::string digits = std::to_string(std::abs(exponent));
  text += exponent < 0 ? "e-" : "e+";
  if (digits.size() < 2) text += '0';
  return text + digits;
}

std::string WithoutExponent(const Decimal& decimal) {
  const auto size = static_cast<int>(decimal.digits.size());
  if (decimal.point <= 0) {
    return "0." + std::string(static_cast<std::size_t>(-decimal.point), '0') + decimal.digits;
  }
  if (decimal.point >= size) {
    return decimal.digits + std::string(static_cast<std::size_t>(decimal.point - size), '0');
  }
  const auto point = static_cast<std::size_t>(decimal.point);
  return decimal.digits.substr(0, point) + "." + decimal.digits.substr(point);
}

template <class Float>
std::string GoFloatText(Float number) {
  if (std::isnan(number)) return ".nan";
  const std::string sign = std::signbit(number) ? "-" : "";
  if (std::isinf(number)) return sign + ".inf";
  if (number == 0) return sign + "0";
  const Decimal decimal = ShortestDecimal(number);
  const int exponent = decimal.point - 1;
  const bool scientific = exponent < -4 || exponent >= 6;
  return sign + (scientific ? WithExponent(decimal) : WithoutExponent(decimal));
}

std::optional<json::value> ParseInteger(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t number = 0;
  if (std::from_chars(text.data(), end, number).ec == std::errc{}) return number;
  std::uint64_t large = 0;
  if (text[0] != '-' && std::from_chars(text.data(), end, large).ec == std::errc{}) return large;
  return std::nullopt;
}

}  // namespace

std::string FloatText(double number) { return GoFloatText(number); }

std::string FloatText(float number) { return GoFloatText(number); }

json::value NumberValue(double number) {
  // encoding/json writes an exponent from here on, which no reader takes for an integer.
  constexpr double kWrittenOut = 1e21;
  if (std::trunc(number) != number || std::abs(number) >= kWrittenOut) return number;
  const std::string digits = number == 0 ? "0" : WithoutExponent(ShortestDecimal(number));
  const auto integer = ParseInteger(std::signbit(number) ? "-" + digits : digits);
  return integer ? *integer : json::value(number);
}

}  // namespace millwright::kube::yaml
