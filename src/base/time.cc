#include "base/time.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

namespace millwright {
namespace {

using std::chrono::floor;

constexpr int64_t kNanosPerSecond = 1'000'000'000;

std::string FormatSeconds(std::chrono::sys_seconds time) {
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

Failure NotATime(std::string_view text) {
  return Fail(ErrorKind::kInvalid,
              fmt::format("'{}' is not an RFC 3339 time like 2006-01-02T15:04:05Z", text));
}

// Eats text from the front; every Take leaves the text alone when it does not match.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool TakeChar(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `width` digits making a number within [low, high].
  std::optional<int> TakeNumber(size_t width, int low, int high) {
    if (rest_.size() < width) return std::nullopt;
    int number = 0;
    for (const char c : rest_.substr(0, width)) {
      if (c < '0' || c > '9') return std::nullopt;
      number = number * 10 + (c - '0');
    }
    if (number < low || number > high) return std::nullopt;
    rest_.remove_prefix(width);
    return number;
  }

  std::string_view TakeDigits() {
    const size_t end = rest_.find_first_not_of("0123456789");
    const std::string_view digits = rest_.substr(0, end);
    rest_.remove_prefix(digits.size());
    return digits;
  }

  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::optional<std::chrono::sys_days> TakeDate(Scanner& scanner) {
  const auto year = scanner.TakeNumber(4, 0, 9999);
  if (!year || !scanner.TakeChar('-')) return std::nullopt;
  const auto month = scanner.TakeNumber(2, 1, 12);
  if (!month || !scanner.TakeChar('-')) return std::nullopt;
  const auto day = scanner.TakeNumber(2, 1, 31);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

// Leap seconds are refused, as in Go: no clock of ours can hold them.
std::optional<std::chrono::seconds> TakeTimeOfDay(Scanner& scanner) {
  const auto hour = scanner.TakeNumber(2, 0, 23);
  if (!hour || !scanner.TakeChar(':')) return std::nullopt;
  const auto minute = scanner.TakeNumber(2, 0, 59);
  if (!minute || !scanner.TakeChar(':')) return std::nullopt;
  const auto second = scanner.TakeNumber(2, 0, 59);
  if (!second) return std::nullopt;
  return std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second);
}

std::optional<Duration> TakeFraction(Scanner& scanner) {
  if (!scanner.TakeChar('.')) return Duration::zero();
  const std::string_view digits = scanner.TakeDigits();
  if (digits.empty()) return std::nullopt;
  int64_t nanos = 0;
  for (size_t place = 0; place < 9; ++place) {
    nanos = nanos * 10 + (place < digits.size() ? digits[place] - '0' : 0);
  }
  return Duration(nanos);
}

std::optional<std::chrono::minutes> TakeOffset(Scanner& scanner) {
  if (scanner.TakeChar('Z')) return std::chrono::minutes::zero();
  const bool east = scanner.TakeChar('+');
  if (!east && !scanner.TakeChar('-')) return std::nullopt;
  const auto hours = scanner.TakeNumber(2, 0, 23);
  if (!hours || !scanner.TakeChar(':')) return std::nullopt;
  const auto minutes = scanner.TakeNumber(2, 0, 59);
  if (!minutes) return std::nullopt;
  const auto offset = std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
  return east ? offset : -offset;
}

}  // namespace

std::string FormatTime(WallTime time) {
  return FormatSeconds(floor<std::chrono::seconds>(time)) + "Z";
}

std::string FormatMicroTime(WallTime time) {
  const auto seconds = floor<std::chrono::seconds>(time);
  const auto micros = floor<std::chrono::microseconds>(time) - seconds;
  return fmt::format("{}.{:06}Z", FormatSeconds(seconds), micros.count());
}

Result<WallTime> ParseTime(std::string_view text) {
  Scanner scanner(text);
  const auto date = TakeDate(scanner);
  if (!date || !scanner.TakeChar('T')) return NotATime(text);
  const auto time_of_day = TakeTimeOfDay(scanner);
  if (!time_of_day) return NotATime(text);
  const auto fraction = TakeFraction(scanner);
  if (!fraction) return NotATime(text);
  const auto offset = TakeOffset(scanner);
  if (!offset || !scanner.done()) return NotATime(text);

  const std::chrono::sys_seconds seconds = *date + *time_of_day - *offset;
  // Wide, because the earliest nanosecond belongs to a second that itself is out of range.
  const __int128 nanos =
      static_cast<__int128>(seconds.time_since_epoch().count()) * kNanosPerSecond +
      fraction->count();
  if (nanos < Duration::min().count() || nanos > Duration::max().count()) {
    return Fail(
        ErrorKind::kInvalid,
        fmt::format("'{}' is outside 1677-09-21 to 2262-04-11, all that we can hold", text));
  }
  return WallTime(Duration(static_cast<int64_t>(nanos)));
}

}  // namespace millwright
