// What one log line says, before it becomes text.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "base/id.h"
#include "base/log_level.h"
#include "base/result.h"
#include "base/time.h"

namespace millwright {

class SecretText;

// Takes a literal and nothing else, so that what varies goes into fields and lines can be searched
// for, counted and grouped by their message.
class LogMessage {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a message
  consteval LogMessage(const char* text) : text_(text) {}

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

// The name of a field: a literal of letters, digits, '_', '-' and '.', not one that each line has
// anyway. Checked by the compiler, so that no renderer has to quote or to resolve a clash.
class LogKey {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a key
  consteval LogKey(const char* text) : text_(text) {
    if (!IsGood(text_)) throw "not a good name for a log field";
  }

  std::string_view text() const { return text_; }

 private:
  static constexpr bool IsGood(std::string_view text) {
    if (text.empty() || text == "time" || text == "level" || text == "module" || text == "msg") {
      return false;
    }
    for (const char c : text) {
      const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
      if (!good) return false;
    }
    return true;
  }

  std::string_view text_;
};

// A type whose values have names, such as our enumerations.
template <class T>
concept Named = std::is_enum_v<T> && requires(T value) {
  { ToString(value) } -> std::same_as<std::string_view>;
};

// What a field can hold. Borrows text: to make one costs no more than a few stores, so that a call
// whose level is off costs next to nothing.
// NOLINTBEGIN(google-explicit-constructor): call sites list plain values
class LogValue {
 public:
  using Variant =
      std::variant<bool, std::int64_t, std::uint64_t, double, std::string_view, Duration, WallTime>;

  template <std::same_as<bool> T>  // a template, lest a pointer becomes a bool
  LogValue(T value) : value_(value) {}
  template <std::signed_integral T>
  LogValue(T value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  LogValue(T value) : value_(static_cast<std::uint64_t>(value)) {}
  template <std::floating_point T>
  LogValue(T value) : value_(static_cast<double>(value)) {}
  LogValue(const char* text) : value_(std::string_view(text == nullptr ? "" : text)) {}
  LogValue(std::string_view text) : value_(text) {}
  LogValue(const std::string& text) : value_(std::string_view(text)) {}
  template <class Rep, class Period>
  LogValue(std::chrono::duration<Rep, Period> duration)
      : value_(std::chrono::duration_cast<Duration>(duration)) {}
  LogValue(WallTime time) : value_(time) {}
  LogValue(const Error& error) : value_(std::string_view(error.message())) {}
  template <class Tag>
  LogValue(const Id<Tag>& id) : value_(std::string_view(id.str())) {}
  template <Named T>
  LogValue(T value) : value_(ToString(value)) {}
  LogValue(const SecretText&) = delete;
  LogValue(std::nullptr_t) = delete;

  const Variant& value() const { return value_; }

 private:
  Variant value_;
};
// NOLINTEND(google-explicit-constructor)

struct LogField {
  LogKey key;
  LogValue value;
};
static_assert(std::is_trivially_destructible_v<LogField>, "a field must not own anything");

// Borrows everything; a sink that keeps records renders them first.
struct LogRecord {
  WallTime time;
  LogLevel level = LogLevel::kInfo;
  std::string_view module;
  std::string_view message;
  std::span<const LogField> fields;
};

}  // namespace millwright
