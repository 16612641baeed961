// Columns of text for a terminal.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millwright::cli {

// How something is, so that the eye finds trouble first.
enum class Mood { kPlain, kFine, kBusy, kBad };

struct Cell {
  std::string text;
  Mood mood = Mood::kPlain;

  friend bool operator==(const Cell&, const Cell&) = default;
};

struct TableStyle {
  bool colour = false;
  std::size_t width = 0;  // longer lines are cut; 0: they are not
  std::string_view indent = "";
};

// How many places a text takes on a terminal, as far as names and our own lines need it.
std::size_t TextWidth(std::string_view text);

// "1 machine", "2 machines".
std::string Plural(std::int64_t count, std::string_view noun);

// One line a row, columns two blanks apart. Line breaks within a cell become blanks.
std::string RenderTable(std::span<const std::vector<Cell>> rows, const TableStyle& style);

}  // namespace millwright::cli
