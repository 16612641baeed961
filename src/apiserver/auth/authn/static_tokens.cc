#include "apiserver/auth/authn/static_tokens.h"

#include <fmt/format.h>

#include <ranges>
#include <string>

namespace millwright::apiserver {

namespace {

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The cells of a line; commas inside quotes do not count.
std::vector<std::string> Cells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  for (std::string& cell : cells) cell = std::string(Trimmed(cell));
  return cells;
}

}  // namespace

Result<std::vector<StaticToken>> ParseStaticTokens(std::string_view text) {
  std::vector<StaticToken> tokens;
  int number = 0;
  for (const auto part : std::views::split(text, '\n')) {
    ++number;
    const std::string_view line = Trimmed(std::string_view(part));
    if (line.empty()) continue;
    std::vector<std::string> cells = Cells(line);
    if (cells.size() < 3 || cells[0].empty() || cells[1].empty()) {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("line {}: a token, a user and a UID are needed, with commas between",
                              number));
    }
    StaticToken token{.token = SecretText(std::move(cells[0])),
                      .user = {.name = cells[1], .uid = cells[2]}};
    if (cells.size() > 3) {
      for (const auto group : std::views::split(cells[3], ',')) {
        const std::string_view name = Trimmed(std::string_view(group));
        if (!name.empty()) token.user.groups.emplace_back(name);
      }
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace millwright::apiserver
