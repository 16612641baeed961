// Times and durations.
#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include "kube/cel/functions.h"
#include "kube/cel/times.h"

namespace millwright::kube::cel {

namespace {

constexpr std::int64_t kBillion = 1'000'000'000;
constexpr std::int64_t kFirst = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t kLast = 253'402'300'799;   // 9999-12-31T23:59:59Z

Failure DurationOverflow() { return Wrong("duration overflow"); }
Failure TimeOverflow() { return Wrong("timestamp overflow"); }

std::int64_t Nanos(const Value& value) { return value.As<DurationValue>().nanos; }

Result<Value> Moved(const Timestamp& time, std::int64_t nanos, int direction) {
  const __int128 all = static_cast<__int128>(time.seconds) * kBillion + time.nanos +
                       static_cast<__int128>(nanos) * direction;
  __int128 seconds = all / kBillion;
  auto rest = static_cast<std::int32_t>(all % kBillion);
  if (rest < 0) {
    rest += static_cast<std::int32_t>(kBillion);
    --seconds;
  }
  if (seconds < kFirst || seconds > kLast) return TimeOverflow();
  return Value(Timestamp{.seconds = static_cast<std::int64_t>(seconds), .nanos = rest});
}

Result<std::int64_t> OffsetOf(Arguments a) {
  if (a.size() < 2) return 0;
  const auto offset = FindOffset(a[1].text());
  if (!offset) return Wrong(fmt::format("unknown time zone {}", a[1].text()));
  return *offset;
}

struct Calendar {
  std::chrono::year_month_day date;
  std::chrono::sys_days day;
  std::int64_t second = 0;  // of the day
};

Result<Calendar> CalendarOf(Arguments a) {
  TRY(const std::int64_t offset, OffsetOf(a));
  const std::chrono::sys_seconds at{std::chrono::seconds(a[0].As<Timestamp>().seconds + offset)};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  return Calendar{.date = day, .day = day, .second = (at - day).count()};
}

enum class Part {
  kYear,
  kMonth,
  kDayOfYear,
  kDayOfMonth,
  kDate,
  kWeekday,
  kHours,
  kMinutes,
  kSeconds
};

std::int64_t PartOf(const Calendar& at, Part part) {
  const auto day = static_cast<std::int64_t>(static_cast<unsigned>(at.date.day()));
  switch (part) {
    case Part::kYear: return static_cast<int>(at.date.year());
    case Part::kMonth: return static_cast<std::int64_t>(static_cast<unsigned>(at.date.month())) - 1;
    case Part::kDayOfYear: {
      const std::chrono::sys_days first =
          at.date.year() / std::chrono::January / std::chrono::day(1);
      return (at.day - first).count();
    }
    case Part::kDayOfMonth: return day - 1;
    case Part::kDate: return day;
    case Part::kWeekday:
      return static_cast<std::int64_t>(std::chrono::weekday(at.day).c_encoding());
    case Part::kHours: return at.second / 3600;
    case Part::kMinutes: return at.second / 60 % 60;
    case Part::kSeconds: return at.second % 60;
  }
  return 0;
}

template <Part kPart>
Result<Value> Get(Arguments a, Budget&) {
  TRY(const Calendar at, CalendarOf(a));
  return Value(PartOf(at, kPart));
}

Result<Value> GetMilliseconds(Arguments a, Budget&) {
  return Value(std::int64_t{a[0].As<Timestamp>().nanos / 1'000'000});
}

template <std::int64_t kUnit>
Result<Value> GetDuration(Arguments a, Budget&) {
  return Value(Nanos(a[0]) / kUnit);
}

}  // namespace

std::optional<std::int64_t> FindOffset(std::string_view zone) {
  if (zone.empty() || zone == "UTC" || zone == "Etc/UTC" || zone == "GMT") return 0;
  const bool minus = zone.starts_with('-');
  if (minus || zone.starts_with('+')) zone.remove_prefix(1);
  int hours = 0;
  int minutes = 0;
  const auto colon = zone.find(':');
  const char* end = zone.data() + zone.size();
  const bool read = colon != std::string_view::npos &&
                    std::from_chars(zone.data(), zone.data() + colon, hours).ec == std::errc() &&
                    std::from_chars(zone.data() + colon + 1, end, minutes).ec == std::errc();
  if (!read || hours < 0 || minutes < 0 || hours > 23 || minutes > 59) return std::nullopt;
  return (minus ? -1 : 1) * (hours * 3600 + minutes * 60);
}

Result<Value> AddDurations(Arguments a, Budget&) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(Nanos(a[0]), Nanos(a[1]), &sum)) return DurationOverflow();
  return Value(DurationValue{sum});
}

Result<Value> SubtractDurations(Arguments a, Budget&) {
  std::int64_t rest = 0;
  if (__builtin_sub_overflow(Nanos(a[0]), Nanos(a[1]), &rest)) return DurationOverflow();
  return Value(DurationValue{rest});
}

Result<Value> AddToTime(Arguments a, Budget&) {
  return Moved(a[0].As<Timestamp>(), Nanos(a[1]), 1);
}
Result<Value> AddToDuration(Arguments a, Budget&) {
  return Moved(a[1].As<Timestamp>(), Nanos(a[0]), 1);
}
Result<Value> SubtractFromTime(Arguments a, Budget&) {
  return Moved(a[0].As<Timestamp>(), Nanos(a[1]), -1);
}

Result<Value> TimeBetween(Arguments a, Budget&) {
  const Timestamp& x = a[0].As<Timestamp>();
  const Timestamp& y = a[1].As<Timestamp>();
  const __int128 nanos =
      static_cast<__int128>(x.seconds - y.seconds) * kBillion + (x.nanos - y.nanos);
  const bool fits = nanos <= std::numeric_limits<std::int64_t>::max() &&
                    nanos >= std::numeric_limits<std::int64_t>::min();
  if (!fits) return DurationOverflow();
  return Value(DurationValue{static_cast<std::int64_t>(nanos)});
}

std::span<const Declaration> TimeDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"timestamp.getFullYear() -> int", &Get<Part::kYear>},
      {"timestamp.getFullYear(string) -> int", &Get<Part::kYear>},
      {"timestamp.getMonth() -> int", &Get<Part::kMonth>},
      {"timestamp.getMonth(string) -> int", &Get<Part::kMonth>},
      {"timestamp.getDayOfYear() -> int", &Get<Part::kDayOfYear>},
      {"timestamp.getDayOfYear(string) -> int", &Get<Part::kDayOfYear>},
      {"timestamp.getDayOfMonth() -> int", &Get<Part::kDayOfMonth>},
      {"timestamp.getDayOfMonth(string) -> int", &Get<Part::kDayOfMonth>},
      {"timestamp.getDate() -> int", &Get<Part::kDate>},
      {"timestamp.getDate(string) -> int", &Get<Part::kDate>},
      {"timestamp.getDayOfWeek() -> int", &Get<Part::kWeekday>},
      {"timestamp.getDayOfWeek(string) -> int", &Get<Part::kWeekday>},
      {"timestamp.getHours() -> int", &Get<Part::kHours>},
      {"timestamp.getHours(string) -> int", &Get<Part::kHours>},
      {"timestamp.getMinutes() -> int", &Get<Part::kMinutes>},
      {"timestamp.getMinutes(string) -> int", &Get<Part::kMinutes>},
      {"timestamp.getSeconds() -> int", &Get<Part::kSeconds>},
      {"timestamp.getSeconds(string) -> int", &Get<Part::kSeconds>},
      {"timestamp.getMilliseconds() -> int", &GetMilliseconds},
      {"timestamp.getMilliseconds(string) -> int", &GetMilliseconds},
      {"duration.getHours() -> int", &GetDuration<3600 * kBillion>},
      {"duration.getMinutes() -> int", &GetDuration<60 * kBillion>},
      {"duration.getSeconds() -> int", &GetDuration<kBillion>},
      {"duration.getMilliseconds() -> int", &GetDuration<1'000'000>},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
