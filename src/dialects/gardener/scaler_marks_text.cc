#include "dialects/gardener/scaler_marks_text.h"

#include <optional>

namespace millwright::dialects::gardener {
namespace {

std::optional<core::ScalerMark> ParseMark(std::string_view entry, WallTime fallback) {
  const size_t tilde = entry.find('~');
  const std::string name(entry.substr(0, tilde));
  if (name.empty()) return std::nullopt;
  if (tilde == std::string_view::npos) return core::ScalerMark{name, fallback};
  // A second tilde makes the time unreadable, and so the entry.
  const auto time = ParseTime(entry.substr(tilde + 1));
  if (!time) return std::nullopt;
  return core::ScalerMark{name, *time};
}

}  // namespace

ScalerMarks ParseScalerMarks(std::string_view text, WallTime fallback) {
  ScalerMarks read;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (auto mark = ParseMark(text.substr(begin, end - begin), fallback)) {
      read.marks.push_back(*std::move(mark));
    }
    begin = end + 1;
  }
  read.untidy = ScalerMarksText(read.marks) != text;
  return read;
}

std::string ScalerMarksText(std::span<const core::ScalerMark> marks) {
  std::string text;
  for (const core::ScalerMark& mark : marks) {
    if (!text.empty()) text += ',';
    text.append(mark.machine).append("~").append(FormatTime(mark.at));
  }
  return text;
}

}  // namespace millwright::dialects::gardener
