#include "kube/cel/format_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kube/api/typed_text.h"
#include "kube/cel/text.h"

namespace millwright::kube::cel {

namespace {

constexpr int kMaxPrecision = 1000;
constexpr int kMaxDepth = 100;

Failure Unsuitable(char verb, const Value& value) {
  static const std::map<char, std::string_view> kWants = {
      {'s',
       "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
       "types, "
       "durations, and timestamps"},
      {'d', "decimal clause can only be used on integers"},
      {'b', "only integers and bools can be formatted as binary"},
      {'o', "octal clause can only be used on integers"},
      {'x', "only integers, byte buffers, and strings can be formatted as hex"},
      {'X', "only integers, byte buffers, and strings can be formatted as hex"},
      {'e', "scientific clause can only be used on doubles"},
      {'f', "fixed-point clause can only be used on doubles"}};
  return Wrong(fmt::format("error during formatting: {}, was given {}", kWants.at(verb),
                           NameOf(value.kind())));
}

Result<std::string> AsText(const Value& value, Budget& budget, int depth = 0);

Result<std::string> ListText(const List& list, Budget& budget, int depth) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    TRY(const Value item, list.At(i));
    TRY(const std::string part, AsText(item, budget, depth + 1));
    text += (i == 0 ? "" : ", ") + part;
  }
  return text + "]";
}

Result<std::string> MapText(const Map& map, Budget& budget, int depth) {
  std::vector<std::string> entries;
  for (const Value& key : map.Keys()) {
    TRY(const auto value, map.Find(key));
    TRY(const std::string name, AsText(key, budget, depth + 1));
    TRY(const std::string part, AsText(value ? *value : Value(), budget, depth + 1));
    entries.push_back(name + ":" + part);
  }
  std::ranges::sort(entries);
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string PlainText(const Value& value) {
  const Bytes* bytes = value.If<Bytes>();
  return bytes != nullptr ? bytes->data : Shown(value);
}

// Inside of lists and maps, values are written so that their types can be told.
std::string InnerText(const Value& value) {
  const Kind kind = value.kind();
  const std::string text = PlainText(value);
  if (kind == Kind::kString) return QuotedText(text);
  if (kind == Kind::kBytes) return "b" + QuotedText(text);
  if (kind == Kind::kDouble) return fmt::format("{:f}", value.As<double>());
  if (kind == Kind::kDuration) return fmt::format("duration(\"{}\")", text);
  if (kind == Kind::kTimestamp) return fmt::format("timestamp(\"{}\")", text);
  return text;
}

bool HasText(const Value& value) {
  static constexpr Kind kTextless[] = {Kind::kOptional, Kind::kQuantity, Kind::kUrl,
                                       Kind::kIp,       Kind::kCidr,     Kind::kSemver,
                                       Kind::kFormat,   Kind::kOpaque};
  const Bytes* bytes = value.If<Bytes>();
  return std::ranges::find(kTextless, value.kind()) == std::end(kTextless) &&
         (bytes == nullptr || IsUtf8(bytes->data));
}

Result<std::string> AsText(const Value& value, Budget& budget, int depth) {
  CHECK_OK(budget.Spend(1));
  if (depth > kMaxDepth) return Wrong("value is nested too deep to be formatted");
  if (value.kind() == Kind::kList) return ListText(value.list(), budget, depth);
  if (value.kind() == Kind::kMap) return MapText(value.map(), budget, depth);
  if (!HasText(value)) return Unsuitable('s', value);
  std::string text = depth == 0 ? PlainText(value) : InnerText(value);
  CHECK_OK(budget.SpendOn(text.size()));
  return text;
}

Result<std::string> WholeText(char verb, const Value& value) {
  std::uint64_t number = 0;
  bool minus = false;
  if (const auto* whole = value.If<std::int64_t>()) {
    minus = *whole < 0;
    number = minus ? ~static_cast<std::uint64_t>(*whole) + 1 : static_cast<std::uint64_t>(*whole);
  } else if (const auto* natural = value.If<std::uint64_t>()) {
    number = *natural;
  } else if (const bool* truth = value.If<bool>(); truth != nullptr && verb == 'b') {
    number = *truth ? 1 : 0;
  } else {
    return Unsuitable(verb, value);
  }
  const char* sign = minus ? "-" : "";
  switch (verb) {
    case 'b': return fmt::format("{}{:b}", sign, number);
    case 'o': return fmt::format("{}{:o}", sign, number);
    case 'x': return fmt::format("{}{:x}", sign, number);
    case 'X': return fmt::format("{}{:X}", sign, number);
    default: return fmt::format("{}{}", sign, number);
  }
}

Result<std::string> HexText(char verb, const Value& value) {
  const std::string* text = value.If<std::string>();
  if (const Bytes* bytes = value.If<Bytes>()) text = &bytes->data;
  if (text == nullptr) return WholeText(verb, value);
  std::string hex;
  for (const char c : *text) {
    const auto byte = static_cast<unsigned char>(c);
    hex += verb == 'x' ? fmt::format("{:02x}", byte) : fmt::format("{:02X}", byte);
  }
  return hex;
}

// 1.234500×10⁰³: as Go prints numbers for people. Its precision is always the same.
std::string ScientificText(double number) {
  static constexpr std::string_view kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::string plain = fmt::format("{:e}", number);
  const auto at = plain.find('e');
  std::string text = plain.substr(0, at) + "×10";
  for (const char c : std::string_view(plain).substr(at + 1)) {
    if (c == '-') text += "⁻";
    if (c >= '0' && c <= '9') text += kRaised[c - '0'];
  }
  return text;
}

Result<std::string> RealText(char verb, const Value& value, int precision) {
  static constexpr std::string_view kNoNumbers[] = {"NaN", "Infinity", "-Infinity"};
  const std::string* text = value.If<std::string>();
  if (text != nullptr && std::ranges::find(kNoNumbers, *text) != std::end(kNoNumbers)) return *text;
  double number = 0;
  if (const double* real = value.If<double>()) {
    number = *real;
  } else if (const auto* whole = value.If<std::int64_t>()) {
    number = static_cast<double>(*whole);
  } else if (const auto* natural = value.If<std::uint64_t>()) {
    number = static_cast<double>(*natural);
  } else {
    return Unsuitable(verb, value);
  }
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  return verb == 'f' ? fmt::format("{:.{}f}", number, precision) : ScientificText(number);
}

Result<std::string> Formatted(char verb, const Value& value, int precision, Budget& budget) {
  switch (verb) {
    case 's': return AsText(value, budget);
    case 'd':
    case 'b':
    case 'o': return WholeText(verb, value);
    case 'x':
    case 'X': return HexText(verb, value);
    case 'f':
    case 'e': return RealText(verb, value, precision);
    default: return Wrong(fmt::format("unrecognized formatting clause \"{}\"", verb));
  }
}

}  // namespace

Result<std::string> FormatText(std::string_view pattern, const List& arguments, Budget& budget) {
  CHECK_OK(budget.SpendOn(pattern.size()));
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      text += pattern[i];
      continue;
    }
    if (++i >= pattern.size()) return Wrong("unexpected end of string");
    if (pattern[i] == '%') {
      text += '%';
      continue;
    }
    int precision = 6;
    if (pattern[i] == '.') {
      precision = 0;
      while (++i < pattern.size() && pattern[i] >= '0' && pattern[i] <= '9') {
        precision = std::min(precision * 10 + (pattern[i] - '0'), kMaxPrecision);
      }
      if (i >= pattern.size()) return Wrong("unexpected end of string");
    }
    if (next >= arguments.size()) return Wrong(fmt::format("index {} out of range", next));
    TRY(const Value argument, arguments.At(next++));
    TRY(const std::string part, Formatted(pattern[i], argument, precision, budget));
    CHECK_OK(budget.SpendOn(part.size()));
    text += part;
  }
  return text;
}

}  // namespace millwright::kube::cel
