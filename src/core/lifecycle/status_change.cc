#include "core/lifecycle/status_change.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace millwright::core {
namespace {

using namespace std::chrono_literals;

constexpr Duration kStaleAfter = 30min;
constexpr double kAlike = 0.75;

// The fewest single-character edits that turn one text into the other.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

double Similarity(std::string_view a, std::string_view b) {
  if (a == b) return 1;
  const double mean = static_cast<double>(a.size() + b.size()) / 2;
  return 1 - static_cast<double>(EditDistance(a, b)) / mean;
}

bool IsWorthWriting(const ShownStatus& shown, const ShownStatus& next, WallTime now) {
  if (shown.stage != next.stage || shown.rest != next.rest) return true;
  for (const WallTime time : {shown.described_at, next.described_at}) {
    if (now - time >= kStaleAfter) return true;
  }
  return Similarity(shown.description, next.description) <= kAlike;
}

}  // namespace millwright::core
