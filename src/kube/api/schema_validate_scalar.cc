#include "kube/api/schema_validate_scalar.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "kube/api/schema_format.h"
#include "kube/api/typed_text.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

// Whole numbers that JSON carries without loss.
bool IsSafeInteger(double number) {
  constexpr double kMaxSafe = 9007199254740991.0;
  return std::floor(number) == number && std::abs(number) <= kMaxSafe;
}

// Go has no larger integers than int64, so the server sees these as floating-point numbers.
bool IsHugeUnsigned(const json::value& value) {
  return value.is_uint64() &&
         value.get_uint64() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

std::string_view TypeName(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "boolean";
    case json::kind::int64: return "integer";
    case json::kind::uint64: return IsHugeUnsigned(value) ? "number" : "integer";
    case json::kind::double_: return "number";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
  }
  return "";
}

bool IsInteger(const json::value& value) {
  if (value.is_double()) return IsSafeInteger(value.get_double());
  return value.is_number() && !IsHugeUnsigned(value);
}

bool HasType(const Schema& schema, const json::value& value) {
  if (schema.int_or_string) return value.is_string() || IsInteger(value);
  switch (schema.type) {
    case ValueType::kAny: return true;
    case ValueType::kObject: return value.is_object();
    case ValueType::kArray: return value.is_array();
    case ValueType::kString: return value.is_string();
    case ValueType::kInteger: return IsInteger(value);
    case ValueType::kNumber: return value.is_number();
    case ValueType::kBoolean: return value.is_bool();
  }
  return true;
}

FieldError WrongType(const std::string& path, std::string_view want, std::string_view have) {
  FieldError error =
      InvalidError(path, json::value(have),
                   fmt::format("{} in body must be of type {}: {}", path, want, QuotedText(have)));
  error.type = FieldErrorType::kTypeInvalid;
  return error;
}

std::string_view TypeText(const Schema& schema) {
  return schema.int_or_string ? "integer,string" : ToString(schema.type);
}

// The name of the format that Go gives to a value.
std::string_view ValueFormat(const json::value& value) {
  if (!value.is_number()) return "";
  return TypeName(value) == "integer" ? "int64" : "float64";
}

// A bound prints as the kind of number that it was compared with.
std::string BoundText(double bound, const json::value& number) {
  const bool whole = number.is_int64() && IsSafeInteger(bound);
  return whole ? std::to_string(static_cast<std::int64_t>(bound)) : FloatText(bound);
}

class NumberCheck {
 public:
  NumberCheck(const Schema& schema, const json::value& number, const std::string& path)
      : schema_(schema), number_(number), path_(path) {}

  Findings Run();

 private:
  void Range(double number, std::string_view what);
  void Multiple(double factor);
  void Minimum(double bound);
  void Maximum(double bound);
  void Violates(std::string_view what, double bound) {
    out_.Add(InvalidError(
        path_, number_,
        fmt::format("{} in body should be {} {}", path_, what, BoundText(bound, number_))));
  }

  const Schema& schema_;
  const json::value& number_;
  const std::string& path_;
  Findings out_;
};

// Whether a number fits the format of the type. Bounds have to fit, too.
void NumberCheck::Range(double number, std::string_view what) {
  const std::string_view format = EffectiveFormat(schema_);
  const double magnitude = std::abs(number);
  bool fits = true;
  if (schema_.type == ValueType::kInteger) {
    constexpr double kInt64 = 9223372036854775808.0;
    const double limit = format == "int32" ? 2147483648.0 : kInt64;
    // The largest number of all is one that a double rounds up.
    const bool largest = limit == kInt64 && number == kInt64 && number_.is_int64() &&
                         static_cast<double>(number_.get_int64()) == number;
    fits = std::floor(number) == number && number >= -limit && (number < limit || largest);
  } else if (format == "float") {
    fits = magnitude <= static_cast<double>(std::numeric_limits<float>::max());
  }
  if (fits) return;
  const std::string kind =
      format.empty() ? "(default format)" : fmt::format("with format {}", format);
  out_.Add(GeneralError(fmt::format("{} value must be of type {} {} in {}", what,
                                    ToString(schema_.type), kind, path_)));
}

void NumberCheck::Multiple(double factor) {
  Range(factor, "MultipleOf");
  if (factor <= 0) {
    out_.Add(InvalidError(path_, number_,
                          fmt::format("factor MultipleOf declared for {} must be positive: {}",
                                      path_, BoundText(factor, number_))));
    return;
  }
  const bool exact = IsSafeInteger(factor) && number_.is_int64();
  const bool multiple = exact ? number_.get_int64() % static_cast<std::int64_t>(factor) == 0
                              : IsSafeInteger(number_.to_number<double>() / factor);
  if (!multiple) Violates("a multiple of", factor);
}

void NumberCheck::Minimum(double bound) {
  Range(bound, "Minimum boundary");
  const auto order = CompareValues(number_, json::value(bound));
  if (schema_.checks.exclusive_minimum) {
    if (order <= 0) Violates("greater than", bound);
  } else if (order < 0) {
    Violates("greater than or equal to", bound);
  }
}

void NumberCheck::Maximum(double bound) {
  Range(bound, "Maximum boundary");
  const auto order = CompareValues(number_, json::value(bound));
  if (schema_.checks.exclusive_maximum) {
    if (order >= 0) Violates("less than", bound);
  } else if (order > 0) {
    Violates("less than or equal to", bound);
  }
}

Findings NumberCheck::Run() {
  if (!schema_.int_or_string) Range(number_.to_number<double>(), "Checked");
  if (schema_.checks.multiple_of) Multiple(*schema_.checks.multiple_of);
  if (schema_.checks.minimum) Minimum(*schema_.checks.minimum);
  if (schema_.checks.maximum) Maximum(*schema_.checks.maximum);
  out_.passed = 1;
  return std::move(out_);
}

// Characters and not bytes; what follows the first byte of one does not count.
std::int64_t Length(std::string_view text) {
  std::int64_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80 ? 1 : 0;
  return count;
}

FieldError TooLong(const std::string& path, std::int64_t limit) {
  return {
      .type = FieldErrorType::kTooLong,
      .field = path,
      .detail = fmt::format("may not be more than {} {}", limit, limit == 1 ? "byte" : "bytes")};
}

}  // namespace

FieldError GeneralError(std::string text) {
  return InvalidError("", json::value(""), std::move(text));
}

std::string_view EffectiveFormat(const Schema& schema) {
  const std::string_view format = schema.checks.format;
  const bool texts =
      schema.int_or_string || schema.type == ValueType::kAny || schema.type == ValueType::kString;
  if (texts) return IsStringFormat(format) ? format : "";
  if (schema.type == ValueType::kInteger)
    return format == "int32" || format == "int64" ? format : "";
  if (schema.type == ValueType::kNumber)
    return format == "float" || format == "double" ? format : "";
  return "";
}

Findings CheckType(const Schema& schema, const json::value& value, const std::string& path) {
  Findings out;
  const std::string_view type = TypeText(schema);
  if (value.is_null()) {
    if (!type.empty() && !schema.nullable) out.Add(WrongType(path, type, "null"));
  } else if (!HasType(schema, value)) {
    const std::string_view format = EffectiveFormat(schema);
    // The server names formats instead of types where it can.
    const bool by_format = !format.empty() && !value.is_string() && !value.is_array();
    out.Add(by_format ? WrongType(path, format, ValueFormat(value))
                      : WrongType(path, type, TypeName(value)));
  }
  out.passed = out.ok() ? 1 : 0;
  return out;
}

Findings CheckNumber(const Schema& schema, const json::value& number, const std::string& path) {
  return NumberCheck(schema, number, path).Run();
}

// Only the first that fails is reported.
Findings CheckText(const ValueChecks& checks, std::string_view text, const std::string& path) {
  Findings out;
  const std::int64_t length = Length(text);
  if (checks.max_length && length > *checks.max_length) {
    out.Add(TooLong(path, *checks.max_length));
  } else if (checks.min_length && length < *checks.min_length) {
    out.Add(InvalidError(
        path, json::value(text),
        fmt::format("{} in body should be at least {} chars long", path, *checks.min_length)));
  } else if (checks.pattern && !checks.pattern->Matches(text)) {
    out.Add(
        InvalidError(path, json::value(text),
                     fmt::format("{} in body should match '{}'", path, checks.pattern->text())));
  }
  return out;
}

Findings CheckFormat(const Schema& schema, std::string_view text, const std::string& path) {
  Findings out;
  const std::string_view format = EffectiveFormat(schema);
  if (!format.empty() && !HasFormat(text, format)) out.Add(WrongType(path, format, text));
  return out;
}

Findings CheckEnum(const ValueChecks& checks, const json::value& value, const std::string& path) {
  Findings out;
  if (checks.enum_values.empty()) return out;
  std::vector<std::string> supported;
  for (const auto& choice : checks.enum_values) {
    // Null is no choice, even where the list has it: nullable does not help either.
    if (!value.is_null() && SameValue(choice, value)) return out;
    const auto* text = choice.if_string();
    supported.push_back(text != nullptr ? std::string(*text) : JsonText(choice));
  }
  out.Add(NotSupportedError(path, value, supported));
  return out;
}

}  // namespace millwright::kube
