// From one type to another.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/time.h"
#include "kube/api/typed_text.h"
#include "kube/cel/functions.h"
#include "kube/cel/text.h"

namespace millwright::kube::cel {

namespace {

using Int = std::int64_t;
using Uint = std::uint64_t;

Failure Overflow() { return Wrong("integer overflow"); }
Failure UnsignedOverflow() { return Wrong("unsigned integer overflow"); }

Failure NotConvertible(std::string_view text, Kind to) {
  return Wrong(fmt::format("type conversion error from '{}' to '{}'", text, NameOf(to)));
}

template <class Number>
bool ParseWhole(std::string_view text, Number& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('+')) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Result<Value> Same(Arguments a, Budget&) { return a[0]; }

Result<Value> IntOfUint(Arguments a, Budget&) {
  const Uint number = a[0].As<Uint>();
  if (number > static_cast<Uint>(std::numeric_limits<Int>::max())) return Overflow();
  return Value(static_cast<Int>(number));
}
Result<Value> IntOfDouble(Arguments a, Budget&) {
  const double number = a[0].As<double>();
  if (!(number > -9223372036854775808.0 && number < 9223372036854775808.0)) return Overflow();
  return Value(static_cast<Int>(number));
}
Result<Value> IntOfText(Arguments a, Budget&) {
  Int number = 0;
  if (!ParseWhole(a[0].text(), number)) return NotConvertible("string", Kind::kInt);
  return Value(number);
}
Result<Value> IntOfTime(Arguments a, Budget&) { return Value(a[0].As<Timestamp>().seconds); }
Result<Value> IntOfDuration(Arguments a, Budget&) { return Value(a[0].As<DurationValue>().nanos); }

Result<Value> UintOfInt(Arguments a, Budget&) {
  if (a[0].As<Int>() < 0) return UnsignedOverflow();
  return Value(static_cast<Uint>(a[0].As<Int>()));
}
Result<Value> UintOfDouble(Arguments a, Budget&) {
  const double number = a[0].As<double>();
  if (!(number >= 0 && number < 18446744073709551616.0)) return UnsignedOverflow();
  return Value(static_cast<Uint>(number));
}
Result<Value> UintOfText(Arguments a, Budget&) {
  Uint number = 0;
  if (!ParseWhole(a[0].text(), number)) return NotConvertible("string", Kind::kUint);
  return Value(number);
}

Result<Value> DoubleOfInt(Arguments a, Budget&) {
  return Value(static_cast<double>(a[0].As<Int>()));
}
Result<Value> DoubleOfUint(Arguments a, Budget&) {
  return Value(static_cast<double>(a[0].As<Uint>()));
}
Result<Value> DoubleOfText(Arguments a, Budget&) {
  double number = 0;
  if (!ParseWhole(a[0].text(), number)) return NotConvertible("string", Kind::kDouble);
  return Value(number);
}

Result<Value> TextOf(Arguments a, Budget&) { return Value(Shown(a[0])); }
Result<Value> TextOfBytes(Arguments a, Budget& budget) {
  const std::string& bytes = a[0].As<Bytes>().data;
  CHECK_OK(budget.SpendOn(bytes.size()));
  if (!IsUtf8(bytes)) return Wrong("invalid UTF-8 in bytes, cannot convert to string");
  return Value(bytes);
}
Result<Value> BytesOfText(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  return Value(Bytes{a[0].text()});
}

Result<Value> BoolOfText(Arguments a, Budget&) {
  const std::string& text = a[0].text();
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return Value(true);
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return Value(false);
  }
  return NotConvertible("string", Kind::kBool);
}

Result<Value> DurationOfText(Arguments a, Budget&) {
  const auto duration = ParseDuration(a[0].text());
  if (!duration) return NotConvertible("string", Kind::kDuration);
  return Value(DurationValue{duration->count()});
}
Result<Value> DurationOfInt(Arguments a, Budget&) { return Value(DurationValue{a[0].As<Int>()}); }
Result<Value> TimeOfText(Arguments a, Budget&) {
  const auto time = ParseTimestamp(a[0].text());
  if (!time) return NotConvertible("string", Kind::kTimestamp);
  return Value(*time);
}
Result<Value> TimeOfInt(Arguments a, Budget&) {
  const Int seconds = a[0].As<Int>();
  if (seconds < -62'135'596'800 || seconds > 253'402'300'799) return Wrong("timestamp overflow");
  return Value(Timestamp{.seconds = seconds});
}

Result<Value> TypeOfValue(Arguments a, Budget&) {
  return Value(TypeName{std::string(NameOf(a[0].kind()))});
}

}  // namespace

std::span<const Declaration> ConversionDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"bool(bool) -> bool", &Same},
      {"bool(string) -> bool", &BoolOfText},
      {"int(int) -> int", &Same},
      {"int(uint) -> int", &IntOfUint},
      {"int(double) -> int", &IntOfDouble},
      {"int(string) -> int", &IntOfText},
      {"int(timestamp) -> int", &IntOfTime},
      {"int(duration) -> int", &IntOfDuration},
      {"uint(uint) -> uint", &Same},
      {"uint(int) -> uint", &UintOfInt},
      {"uint(double) -> uint", &UintOfDouble},
      {"uint(string) -> uint", &UintOfText},
      {"double(double) -> double", &Same},
      {"double(int) -> double", &DoubleOfInt},
      {"double(uint) -> double", &DoubleOfUint},
      {"double(string) -> double", &DoubleOfText},
      {"string(string) -> string", &Same},
      {"string(bool) -> string", &TextOf},
      {"string(int) -> string", &TextOf},
      {"string(uint) -> string", &TextOf},
      {"string(double) -> string", &TextOf},
      {"string(duration) -> string", &TextOf},
      {"string(timestamp) -> string", &TextOf},
      {"string(bytes) -> string", &TextOfBytes},
      {"bytes(bytes) -> bytes", &Same},
      {"bytes(string) -> bytes", &BytesOfText},
      {"duration(duration) -> duration", &Same},
      {"duration(string) -> duration", &DurationOfText},
      {"duration(int) -> duration", &DurationOfInt},
      {"timestamp(timestamp) -> timestamp", &Same},
      {"timestamp(string) -> timestamp", &TimeOfText},
      {"timestamp(int) -> timestamp", &TimeOfInt},
      {"dyn(A) -> dyn", &Same},
      {"type(A) -> type", &TypeOfValue},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
