#include "kube/api/schema_format_time.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <string>

#include <re2/re2.h>

namespace millwright::kube {

namespace {

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

bool IsUnit(std::string unit) {
  static constexpr std::array<std::string_view, 26> kUnits = {
      "ns",  "nano",  "nanosecond", "us",          "µs",  "micro", "microsecond",
      "ms",  "milli", "millis",     "millisecond", "s",   "sec",   "second",
      "m",   "min",   "minute",     "h",           "hr",  "hour",  "d",
      "day", "w",     "wk",         "week",        "secs"};
  std::ranges::transform(unit, unit.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::ranges::find(kUnits, unit) != kUnits.end()) return true;
  const bool plural = unit.ends_with('s') && unit.size() > 2;
  return plural && std::ranges::find(kUnits, unit.substr(0, unit.size() - 1)) != kUnits.end();
}

}  // namespace

bool IsDate(std::string_view text) {
  static const RE2 kPattern(R"((\d{4})-(\d{2})-(\d{2}))");
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (!RE2::FullMatch(Piece(text), kPattern, &year, &month, &day)) return false;
  return std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(month),
                                     std::chrono::day(day))
      .ok();
}

bool IsDateTime(std::string_view text) {
  constexpr std::size_t kDateSize = 10;
  if (text.size() <= kDateSize || (text[kDateSize] != 'T' && text[kDateSize] != 't')) return false;
  if (!IsDate(text.substr(0, kDateSize))) return false;
  static const RE2 kPattern(R"(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:[zZ]|[+-]\d{2}:\d{2}))");
  return RE2::FullMatch(Piece(text.substr(kDateSize + 1)), kPattern);
}

bool IsDuration(std::string_view text) {
  static const RE2 kGo(R"([-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+))");
  if (RE2::FullMatch(Piece(text), kGo)) return true;
  static const RE2 kWritten(R"((\d+)\s*([A-Za-zµ]+))");
  re2::StringPiece rest = Piece(text);
  re2::StringPiece number;
  std::string unit;
  bool any = false;
  while (RE2::FindAndConsume(&rest, kWritten, &number, &unit)) {
    if (!IsUnit(unit)) return false;
    any = true;
  }
  return any;
}

}  // namespace millwright::kube
