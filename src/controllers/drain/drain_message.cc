#include "controllers/drain/drain_message.h"

#include <fmt/format.h>

#include <algorithm>

namespace millwright::controllers {

namespace {

// More is not read, and has to fit into a status.
constexpr std::size_t kMostTroubles = 3;
constexpr std::size_t kLongestReason = 300;

std::string Shortened(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  if (text.size() <= kLongestReason) return text;
  std::size_t end = kLongestReason;
  // Not in the middle of a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string DescribeDrain(std::size_t pods_left, std::span<const PodTrouble> troubles) {
  std::string line;
  if (pods_left > 0) line = fmt::format("{} pod{} left", pods_left, pods_left == 1 ? "" : "s");
  for (const PodTrouble& trouble : troubles.first(std::min(troubles.size(), kMostTroubles))) {
    if (!line.empty()) line += "; ";
    line += trouble.key + ": " + Shortened(trouble.why);
  }
  if (troubles.size() > kMostTroubles) {
    line += fmt::format("; and {} more", troubles.size() - kMostTroubles);
  }
  return line;
}

}  // namespace millwright::controllers
