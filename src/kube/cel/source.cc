#include "kube/cel/source.h"

#include <fmt/format.h>

#include <map>

#include "kube/cel/text.h"

namespace millwright::kube::cel {

namespace {

constexpr std::size_t kMaxSnippet = 16'384;

struct Place {
  int line = 1;
  int column = 0;
  std::string_view text;  // of the line
};

Place PlaceOf(std::string_view source, int offset) {
  Place place;
  std::size_t begin = 0;
  std::size_t at = 0;
  for (const std::string_view character : CharactersOf(source)) {
    if (offset-- == 0) break;
    at += character.size();
    ++place.column;
    if (character != "\n") continue;
    ++place.line;
    place.column = 0;
    begin = at;
  }
  place.text = source.substr(begin, source.substr(begin).find('\n'));
  return place;
}

std::string IssueText(std::string_view source, const Issue& issue) {
  const Place place = PlaceOf(source, issue.offset);
  std::string text =
      fmt::format("ERROR: <input>:{}:{}: {}", place.line, place.column + 1, issue.message);
  if (place.text.size() > kMaxSnippet) return text;
  std::string line(place.text);
  for (char& c : line) c = c == '\t' ? ' ' : c;
  std::string mark;
  for (const std::string_view character : CharactersOf(line)) {
    if (static_cast<int>(CountCharacters(mark)) == place.column) break;
    mark += character.size() > 1 ? "．" : ".";
  }
  return fmt::format("{}\n | {}\n | {}^", text, line, mark);
}

}  // namespace

std::string IssuesText(std::string_view source, const std::vector<Issue>& issues) {
  std::multimap<int, const Issue*> sorted;
  for (const Issue& issue : issues) sorted.emplace(issue.offset, &issue);
  std::string text;
  for (const auto& [offset, issue] : sorted) {
    text += (text.empty() ? "" : "\n") + IssueText(source, *issue);
  }
  return text;
}

}  // namespace millwright::kube::cel
