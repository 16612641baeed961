#include "cli/age.h"

#include <fmt/format.h>

#include <algorithm>

namespace millwright::cli {

namespace {

// "3m4s", and "3m" where there is nothing left over.
std::string Pair(std::int64_t large, char large_unit, std::int64_t small, char small_unit) {
  return small == 0 ? fmt::format("{}{}", large, large_unit)
                    : fmt::format("{}{}{}{}", large, large_unit, small, small_unit);
}

}  // namespace

std::string ShortAge(Duration age) {
  const std::int64_t seconds =
      std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(age).count());
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  if (seconds < 2 * 60) return fmt::format("{}s", seconds);
  if (minutes < 10) return Pair(minutes, 'm', seconds % 60, 's');
  if (hours < 3) return fmt::format("{}m", minutes);
  if (hours < 8) return Pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return Pair(days, 'd', hours % 24, 'h');
  if (days < 2 * 365) return fmt::format("{}d", days);
  if (days < 8 * 365) return Pair(days / 365, 'y', days % 365, 'd');
  return fmt::format("{}y", days / 365);
}

std::string AgeSince(WallTime then, WallTime now) {
  return then == WallTime() ? "<unknown>" : ShortAge(now - then);
}

}  // namespace millwright::cli
