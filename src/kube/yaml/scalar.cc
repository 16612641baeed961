#include "kube/yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>
#include <variant>

#include "kube/yaml/number.h"
#include "kube/yaml/timestamp.h"

namespace millwright::kube::yaml {

namespace json = boost::json;

namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

// Kept apart from json::value until the end: 1.0 is a float for a tag and for a key, 1 in JSON.
using Resolved =
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string_view>;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<Resolved> ResolveWord(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Word {
    std::string_view text;
    Resolved value;
  };
  static const std::array kWords = {
      Word{"", {}},
      Word{"~", {}},
      Word{"null", {}},
      Word{"Null", {}},
      Word{"NULL", {}},
      Word{"y", true},
      Word{"Y", true},
      Word{"yes", true},
      Word{"Yes", true},
      Word{"YES", true},
      Word{"true", true},
      Word{"True", true},
      Word{"TRUE", true},
      Word{"on", true},
      Word{"On", true},
      Word{"ON", true},
      Word{"n", false},
      Word{"N", false},
      Word{"no", false},
      Word{"No", false},
      Word{"NO", false},
      Word{"false", false},
      Word{"False", false},
      Word{"FALSE", false},
      Word{"off", false},
      Word{"Off", false},
      Word{"OFF", false},
      Word{".nan", std::nan("")},
      Word{".NaN", std::nan("")},
      Word{".NAN", std::nan("")},
      Word{".inf", kInfinity},
      Word{".Inf", kInfinity},
      Word{".INF", kInfinity},
      Word{"+.inf", kInfinity},
      Word{"+.Inf", kInfinity},
      Word{"+.INF", kInfinity},
      Word{"-.inf", -kInfinity},
      Word{"-.Inf", -kInfinity},
      Word{"-.INF", -kInfinity},
  };
  if (text.size() > 5) return std::nullopt;
  const auto* const word = std::ranges::find(kWords, text, &Word::text);
  if (word == kWords.end()) return std::nullopt;
  return word->value;
}

// The base that Go's ParseInt sees in the digits, and how many characters announce it.
std::pair<int, std::size_t> BaseOf(std::string_view digits) {
  if (digits.size() < 2 || digits[0] != '0') return {10, 0};
  switch (digits[1]) {
    case 'x':
    case 'X': return {16, 2};
    case 'o':
    case 'O': return {8, 2};
    case 'b':
    case 'B': return {2, 2};
    default: return {8, 1};
  }
}

std::optional<Resolved> ResolveInteger(std::string_view text) {
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(has_sign ? 1 : 0);
  const auto [base, prefix] = BaseOf(digits);
  digits.remove_prefix(prefix);
  std::uint64_t magnitude = 0;
  const char* const begin = std::to_address(digits.begin());
  const char* const end = begin + digits.size();
  const auto [stop, error] = std::from_chars(begin, end, magnitude, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;
  if (negative && magnitude <= kLimit)
    return static_cast<std::int64_t>(std::uint64_t{0} - magnitude);
  if (magnitude < kLimit) return static_cast<std::int64_t>(magnitude);
  // A sign is not allowed where only an unsigned number is large enough.
  if (has_sign) return std::nullopt;
  return magnitude;
}

std::string_view SkipDigits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, IsDigit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

// ^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$
bool LooksLikeFloat(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const bool whole = !SkipDigits(text).empty();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const bool fraction = !SkipDigits(text).empty();
    if (!whole && !fraction) return false;
  } else if (!whole) {
    return false;
  }
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !SkipDigits(text).empty() && text.empty();
}

std::optional<Resolved> ResolveFloat(const std::string& text) {
  if (!LooksLikeFloat(text)) return std::nullopt;
  const std::size_t start = text.starts_with('+') ? 1 : 0;  // from_chars does not know it
  double number = 0;
  const auto [stop, error] =
      std::from_chars(text.data() + start, text.data() + text.size(), number);
  if (error == std::errc::result_out_of_range) {
    // Too large stays text, as in Go; too small is a number next to zero.
    number = std::strtod(text.c_str(), nullptr);
    if (std::isinf(number)) return std::nullopt;
  }
  return number;
}

std::optional<Resolved> ResolveNumber(std::string_view text) {
  if (text.starts_with('.')) return ResolveFloat(std::string(text));
  if (!IsDigit(text[0]) && text[0] != '+' && text[0] != '-') return std::nullopt;
  std::string digits(text);
  std::erase(digits, '_');
  if (const auto integer = ResolveInteger(digits)) return integer;
  return ResolveFloat(digits);
}

Resolved ResolvePlain(std::string_view text) {
  if (const auto word = ResolveWord(text)) return *word;
  if (const auto number = ResolveNumber(text)) return *number;
  return text;
}

std::string_view TagOf(const Resolved& value) {
  static constexpr std::array<std::string_view, 6> kNames = {"null", "bool",  "int",
                                                             "int",  "float", "str"};
  return kNames[value.index()];
}

Result<Resolved> ResolveTagged(std::string_view text, std::string_view tag) {
  if (!tag.starts_with(kTagPrefix)) return Resolved(text);  // "!", or an application's own
  tag.remove_prefix(kTagPrefix.size());
  if (tag == "str") return Resolved(text);
  if (tag == "binary") {
    return Fail(ErrorKind::kInvalid,
                "!!binary is not supported; leave the tag out and the base64 text is passed on");
  }
  if (tag == "timestamp") {
    if (IsTimestamp(text)) return Resolved(text);
    return Fail(ErrorKind::kInvalid, "the value does not fit its tag !!timestamp");
  }
  if (tag != "null" && tag != "bool" && tag != "int" && tag != "float") return Resolved(text);
  Resolved value = ResolvePlain(text);
  if (TagOf(value) == tag) return value;
  if (const auto* integer = std::get_if<std::int64_t>(&value);
      integer != nullptr && tag == "float") {
    return Resolved(static_cast<double>(*integer));
  }
  return Fail(ErrorKind::kInvalid, "the value does not fit its tag !!" + std::string(tag));
}

json::value ToJson(std::monostate) { return nullptr; }
json::value ToJson(std::string_view text) { return json::string(text); }
template <class T>
json::value ToJson(T value) {
  return json::value(value);
}

// [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?, a number for YAML 1.1 readers that are not Go's.
bool IsBase60(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !IsDigit(text[0]) || !text.contains(':')) return false;
  return std::ranges::all_of(text,
                             [](char c) { return IsDigit(c) || c == '_' || c == ':' || c == '.'; });
}

Result<Resolved> Resolve(const Scalar& scalar) {
  if (!scalar.tag.empty()) return ResolveTagged(scalar.text, scalar.tag);
  return scalar.plain ? ResolvePlain(scalar.text) : Resolved(scalar.text);
}

}  // namespace

Result<json::value> ResolveScalar(const Scalar& scalar) {
  TRY(const Resolved resolved, Resolve(scalar));
  if (const auto* number = std::get_if<double>(&resolved)) {
    if (std::isfinite(*number)) return NumberValue(*number);
    return Fail(ErrorKind::kInvalid, "infinity and not-a-number cannot be written in JSON");
  }
  return std::visit([](const auto& value) { return ToJson(value); }, resolved);
}

Result<std::string> ResolveKey(const Scalar& scalar) {
  TRY(const Resolved resolved, Resolve(scalar));
  if (const auto* text = std::get_if<std::string_view>(&resolved)) return std::string(*text);
  if (const auto* number = std::get_if<std::int64_t>(&resolved)) return std::to_string(*number);
  if (const auto* flag = std::get_if<bool>(&resolved)) return std::string(*flag ? "true" : "false");
  // sigs.k8s.io/yaml formats keys with the precision of 32 bits.
  if (const auto* number = std::get_if<double>(&resolved)) {
    return FloatText(static_cast<float>(*number));
  }
  if (std::holds_alternative<std::monostate>(resolved)) {
    return Fail(ErrorKind::kInvalid, "null cannot be a key; put quotes round it to use it as text");
  }
  return Fail(ErrorKind::kInvalid, "a number this large cannot be a key; put quotes round it");
}

bool IsAmbiguous(std::string_view text) {
  return !std::holds_alternative<std::string_view>(ResolvePlain(text)) || IsTimestamp(text) ||
         IsBase60(text);
}

}  // namespace millwright::kube::yaml
