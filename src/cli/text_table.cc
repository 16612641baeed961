#include "cli/text_table.h"

#include <algorithm>

namespace millwright::cli {

namespace {

constexpr std::string_view kGap = "  ";

bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string_view ColourOf(Mood mood) {
  switch (mood) {
    case Mood::kPlain: return "";
    case Mood::kFine: return "\x1b[32m";
    case Mood::kBusy: return "\x1b[33m";
    case Mood::kBad: return "\x1b[31m";
  }
  return "";
}

// The part of a text that fits into so many places.
std::string Fit(std::string text, std::size_t places) {
  std::ranges::replace(text, '\n', ' ');
  if (TextWidth(text) <= places) return text;
  std::size_t taken = 0;
  std::size_t end = 0;
  while (end < text.size() && (taken + 4 <= places || Continues(text[end]))) {
    if (!Continues(text[end])) ++taken;
    ++end;
  }
  while (end < text.size() && Continues(text[end])) ++end;
  return text.substr(0, end) + (places >= 3 ? "..." : "");
}

void Append(std::string& out, const Cell& cell, const std::string& text, const TableStyle& style) {
  const bool coloured = style.colour && cell.mood != Mood::kPlain && !text.empty();
  if (coloured) out += ColourOf(cell.mood);
  out += text;
  if (coloured) out += "\x1b[0m";
}

}  // namespace

std::size_t TextWidth(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !Continues(c); }));
}

std::string Plural(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string RenderTable(std::span<const std::vector<Cell>> rows, const TableStyle& style) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], TextWidth(row[i].text));
    }
  }
  std::string out;
  for (const auto& row : rows) {
    std::size_t used = style.indent.size();
    std::size_t blanks = 0;  // owed: none stand at the end of a line
    out += style.indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t room = style.width == 0              ? std::string::npos
                               : used + blanks < style.width ? style.width - used - blanks
                                                             : 0;
      const std::string text = Fit(row[i].text, room);
      const std::size_t taken = TextWidth(text);
      if (taken > 0) {
        out.append(blanks, ' ');
        used += blanks + taken;
        blanks = 0;
        Append(out, row[i], text, style);
      }
      blanks += widths[i] - std::min(widths[i], taken) + kGap.size();
    }
    out += '\n';
  }
  return out;
}

}  // namespace millwright::cli
