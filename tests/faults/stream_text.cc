#include "tests/faults/stream_text.h"

namespace millwright::faults {

std::vector<std::string_view> WholeLines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string EachLineTwice(std::string_view piece, std::string& tail) {
  tail += piece;
  std::string doubled;
  std::size_t whole = 0;
  for (const std::string_view line : WholeLines(tail)) {
    doubled.append(line).append(line);
    whole += line.size();
  }
  tail.erase(0, whole);
  return doubled;
}

}  // namespace millwright::faults
