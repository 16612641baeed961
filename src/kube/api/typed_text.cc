#include "kube/api/typed_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>

namespace millwright::kube {

namespace json = boost::json;

namespace {

struct Rune {
  std::uint32_t code = 0;
  std::size_t size = 1;
  bool valid = false;
};

// How many bytes the lead byte announces; zero when it cannot lead.
std::size_t RuneSize(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

Rune ReadRune(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = RuneSize(lead);
  if (size == 0 || text.size() < size) return {.code = lead};
  std::uint32_t code = size == 1 ? lead : lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) return {.code = lead};
    code = code << 6 | (next & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kSmallest[size] || code > 0x10FFFF || surrogate) return {.code = lead};
  return {.code = code, .size = size, .valid = true};
}

// Go asks its Unicode tables; these are the ranges that occur in practice and are not printable.
bool IsPrintable(std::uint32_t code) {
  if (code < 0x7F) return code >= 0x20;
  struct Range {
    std::uint32_t first, last;
  };
  static constexpr Range kHidden[] = {
      {0x7F, 0xA0},     {0xAD, 0xAD},     {0x2000, 0x200F},   {0x2028, 0x202F},
      {0x205F, 0x206F}, {0x3000, 0x3000}, {0xE000, 0xF8FF},   {0xFEFF, 0xFEFF},
      {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF}, {0xF0000, 0x10FFFF},
  };
  return std::ranges::none_of(
      kHidden, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

std::optional<char> ShortEscape(std::uint32_t code) {
  switch (code) {
    case '\a': return 'a';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\v': return 'v';
    case '"': return '"';
    case '\\': return '\\';
    default: return std::nullopt;
  }
}

void AppendQuoted(const Rune& rune, std::string_view bytes, std::string& out) {
  if (!rune.valid) {
    out += fmt::format("\\x{:02x}", rune.code);
  } else if (const auto escape = ShortEscape(rune.code)) {
    out += '\\';
    out += *escape;
  } else if (IsPrintable(rune.code)) {
    out += bytes;
  } else if (rune.code < 0x80) {
    out += fmt::format("\\x{:02x}", rune.code);
  } else if (rune.code < 0x10000) {
    out += fmt::format("\\u{:04x}", rune.code);
  } else {
    out += fmt::format("\\U{:08x}", rune.code);
  }
}

// The shortest digits that read back as the same number, and the power of ten of the first one.
struct Digits {
  bool negative = false;
  std::string text;
  int exponent = 0;
};

Digits ShortestDigits(double number) {
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer.data(), end);
  Digits digits;
  const std::size_t e = text.find('e');
  for (const char c : text.substr(0, e)) {
    if (c == '-') digits.negative = true;
    if (c >= '0' && c <= '9') digits.text += c;
  }
  const std::string_view exponent = text.substr(text[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), digits.exponent);
  return digits;
}

std::string Scientific(const Digits& digits, int exponent_width) {
  std::string out = digits.negative ? "-" : "";
  out += digits.text[0];
  if (digits.text.size() > 1) out += "." + digits.text.substr(1);
  out += fmt::format("e{}{:0{}}", digits.exponent < 0 ? '-' : '+', std::abs(digits.exponent),
                     exponent_width);
  return out;
}

std::string Positional(const Digits& digits) {
  std::string out = digits.negative ? "-" : "";
  const int point = digits.exponent + 1;
  const auto size = static_cast<int>(digits.text.size());
  if (point <= 0)
    return out + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits.text;
  if (point >= size)
    return out + digits.text + std::string(static_cast<std::size_t>(point - size), '0');
  const auto split = static_cast<std::size_t>(point);
  return out + digits.text.substr(0, split) + "." + digits.text.substr(split);
}

// encoding/json follows JavaScript and not %v: plain up to 1e21, and e-7 where %v has e-07.
std::string JsonNumber(double number) {
  const Digits digits = ShortestDigits(number);
  const bool plain = number == 0 || (digits.exponent >= -6 && digits.exponent < 21);
  return plain ? Positional(digits) : Scientific(digits, digits.exponent < 0 ? 1 : 2);
}

// Beyond what JSON asks for: what HTML and JavaScript would trip over (U+2028 and U+2029 end a line
// there).
bool IsEscapedInJson(std::uint32_t code) {
  return code < 0x20 || code == '<' || code == '>' || code == '&' || code == 0x2028 ||
         code == 0x2029;
}

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  while (!text.empty()) {
    const Rune rune = ReadRune(text);
    const auto escape =
        rune.code == '\a' || rune.code == '\v' ? std::nullopt : ShortEscape(rune.code);
    if (!rune.valid) {
      out += "\\ufffd";
    } else if (escape) {
      out += '\\';
      out += *escape;
    } else if (IsEscapedInJson(rune.code)) {
      out += fmt::format("\\u{:04x}", rune.code);
    } else {
      out += text.substr(0, rune.size);
    }
    text.remove_prefix(rune.size);
  }
  out += '"';
}

void AppendJson(const json::value& value, std::string& out);

void AppendList(const json::array& list, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ',';
    AppendJson(list[i], out);
  }
  out += ']';
}

void AppendObject(const json::object& object, std::string& out) {
  std::vector<const json::key_value_pair*> members;
  members.reserve(object.size());
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members, {}, [](const auto* member) { return member->key(); });
  out += '{';
  bool first = true;
  for (const auto* member : members) {
    if (!first) out += ',';
    first = false;
    AppendJsonString(member->key(), out);
    out += ':';
    AppendJson(member->value(), out);
  }
  out += '}';
}

void AppendJson(const json::value& value, std::string& out) {
  switch (value.kind()) {
    case json::kind::null: out += "null"; break;
    case json::kind::bool_: out += value.get_bool() ? "true" : "false"; break;
    case json::kind::int64: out += std::to_string(value.get_int64()); break;
    case json::kind::uint64: out += std::to_string(value.get_uint64()); break;
    case json::kind::double_: out += JsonNumber(value.get_double()); break;
    case json::kind::string: AppendJsonString(value.get_string(), out); break;
    case json::kind::array: AppendList(value.get_array(), out); break;
    case json::kind::object: AppendObject(value.get_object(), out); break;
  }
}

}  // namespace

std::string QuotedText(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const Rune rune = ReadRune(text);
    AppendQuoted(rune, text.substr(0, rune.size), out);
    text.remove_prefix(rune.size);
  }
  return out + '"';
}

std::string FloatText(double number) {
  if (!std::isfinite(number)) return std::isnan(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
  const Digits digits = ShortestDigits(number);
  const bool plain = number == 0 || (digits.exponent >= -4 && digits.exponent < 6);
  return plain ? Positional(digits) : Scientific(digits, 2);
}

std::string JsonText(const json::value& value) {
  std::string out;
  AppendJson(value, out);
  return out;
}

std::string ValueText(const json::value& value) {
  if (const auto* text = value.if_string()) return QuotedText(*text);
  if (const auto* number = value.if_double()) return FloatText(*number);
  // Go has no integers of this size and holds them as floating-point numbers.
  if (const auto* number = value.if_uint64(); number != nullptr && *number > INT64_MAX) {
    return FloatText(static_cast<double>(*number));
  }
  return JsonText(value);
}

}  // namespace millwright::kube
