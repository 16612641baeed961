// Strings and regular expressions.
#include <fmt/format.h>

#include <algorithm>

#include "kube/api/typed_text.h"
#include "kube/cel/format_text.h"
#include "kube/cel/functions.h"
#include "kube/cel/regex_cache.h"
#include "kube/cel/text.h"

namespace millwright::kube::cel {

namespace {

using Int = std::int64_t;

Result<Value> Contains(Arguments a, Budget& budget) {
  CHECK_OK(budget.Spend(a[0].text().size() * (a[1].text().size() / 10 + 1) / 10 + 1));
  return Value(a[0].text().contains(a[1].text()));
}
Result<Value> StartsWith(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[1].text().size()));
  return Value(a[0].text().starts_with(a[1].text()));
}
Result<Value> EndsWith(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[1].text().size()));
  return Value(a[0].text().ends_with(a[1].text()));
}

Result<void> SpendOnRegex(Arguments a, Budget& budget) {
  return budget.Spend((a[0].text().size() / 10 + 1) * (a[1].text().size() / 4 + 1));
}

Result<Value> Matches(Arguments a, Budget& budget) {
  CHECK_OK(SpendOnRegex(a, budget));
  TRY(const auto regex, CompileRegex(a[1].text()));
  return Value(re2::RE2::PartialMatch(a[0].text(), *regex));
}

// Up to so many matches, the whole of each.
Result<std::vector<Value>> FindSome(Arguments a, std::size_t most, Budget& budget) {
  CHECK_OK(SpendOnRegex(a, budget));
  TRY(const auto regex, CompileRegex(a[1].text()));
  const re2::StringPiece text(a[0].text());
  std::vector<Value> found;
  std::size_t at = 0;
  while (found.size() < most && at <= text.size()) {
    re2::StringPiece match;
    if (!regex->Match(text, at, text.size(), re2::RE2::UNANCHORED, &match, 1)) break;
    CHECK_OK(budget.Spend(1));
    const auto begin = static_cast<std::size_t>(match.data() - text.data());
    found.emplace_back(std::string(match.data(), match.size()));
    at = begin + std::max<std::size_t>(match.size(), 1);
  }
  return found;
}

Result<Value> Find(Arguments a, Budget& budget) {
  TRY(const auto found, FindSome(a, 1, budget));
  return found.empty() ? Value(std::string()) : found.front();
}
Result<Value> FindAll(Arguments a, Budget& budget) {
  Int most = a.size() > 2 ? a[2].As<Int>() : -1;
  if (most < 0) most = std::numeric_limits<Int>::max();
  TRY(auto found, FindSome(a.first(2), static_cast<std::size_t>(most), budget));
  return MakeList(std::move(found));
}

Result<Value> CharAt(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  const auto characters = CharactersOf(a[0].text());
  const Int index = a[1].As<Int>();
  if (index < 0 || index > static_cast<Int>(characters.size())) {
    return Wrong(fmt::format("index out of range: {}", index));
  }
  const auto at = static_cast<std::size_t>(index);
  return Value(at == characters.size() ? std::string() : std::string(characters[at]));
}

// Of characters, from an offset in characters; -1 if there is none.
Result<Value> IndexOf(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size() + a[1].text().size()));
  const auto characters = CharactersOf(a[0].text());
  const Int offset = a.size() > 2 ? a[2].As<Int>() : 0;
  if (offset < 0 || offset > static_cast<Int>(characters.size())) {
    return Wrong(fmt::format("index out of range: {}", offset));
  }
  std::size_t bytes = 0;
  for (Int i = 0; i < offset; ++i) bytes += characters[static_cast<std::size_t>(i)].size();
  const auto found = a[0].text().find(a[1].text(), bytes);
  if (found == std::string::npos) return Value(Int{-1});
  return Value(static_cast<Int>(CountCharacters(std::string_view(a[0].text()).substr(0, found))));
}

Result<Value> LastIndexOf(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size() + a[1].text().size()));
  const auto characters = CharactersOf(a[0].text());
  std::size_t bytes = std::string::npos;
  if (a.size() > 2) {
    const Int offset = a[2].As<Int>();
    if (offset < 0 || offset > static_cast<Int>(characters.size())) {
      return Wrong(fmt::format("index out of range: {}", offset));
    }
    bytes = 0;
    for (Int i = 0; i < offset; ++i) bytes += characters[static_cast<std::size_t>(i)].size();
  }
  const auto found = a[0].text().rfind(a[1].text(), bytes);
  if (found == std::string::npos) return Value(Int{-1});
  return Value(static_cast<Int>(CountCharacters(std::string_view(a[0].text()).substr(0, found))));
}

template <char kFrom, char kTo>
Result<Value> ChangeCase(Arguments a, Budget& budget) {
  std::string text = a[0].text();
  CHECK_OK(budget.SpendOn(text.size()));
  for (char& c : text) {
    if (c >= kFrom && c <= kFrom + 25) c = static_cast<char>(c - kFrom + kTo);
  }
  return Value(std::move(text));
}

Result<Value> Replace(Arguments a, Budget& budget) {
  const std::string& text = a[0].text();
  const std::string& what = a[1].text();
  const std::string& by = a[2].text();
  Int left = a.size() > 3 ? a[3].As<Int>() : -1;
  CHECK_OK(budget.SpendOn(text.size() * 2));
  std::string result;
  std::size_t at = 0;
  while (left != 0) {
    std::size_t found = text.find(what, at);
    // Nothing is found everywhere: before each character and at the end.
    if (what.empty() && at > 0) {
      found = at == text.size() + 1 ? std::string::npos : at;
    }
    if (found == std::string::npos || at > text.size()) break;
    CHECK_OK(budget.SpendOn(by.size()));
    result.append(text, at, found - at).append(by);
    at = found + what.size();
    if (what.empty()) {
      if (at < text.size()) {
        const std::size_t length =
            CharactersOf(std::string_view(text).substr(at, 4)).front().size();
        result.append(text, at, length);
        at += length;
      } else {
        at = text.size() + 1;
      }
    }
    --left;
  }
  if (at <= text.size()) result.append(text, at);
  return Value(std::move(result));
}

Result<Value> Split(Arguments a, Budget& budget) {
  const std::string_view text = a[0].text();
  const std::string_view mark = a[1].text();
  const Int most = a.size() > 2 ? a[2].As<Int>() : -1;
  CHECK_OK(budget.SpendOn(text.size() * 2));
  std::vector<Value> parts;
  if (most == 0) return MakeList({});
  if (mark.empty()) {
    const auto characters = CharactersOf(text);
    for (std::size_t i = 0; i < characters.size(); ++i) {
      CHECK_OK(budget.Spend(1));
      if (most > 0 && static_cast<Int>(i) == most - 1) {
        const auto begin = static_cast<std::size_t>(characters[i].data() - text.data());
        parts.emplace_back(std::string(text.substr(begin)));
        break;
      }
      parts.emplace_back(std::string(characters[i]));
    }
    return MakeList(std::move(parts));
  }
  std::size_t at = 0;
  while (most < 0 || static_cast<Int>(parts.size()) < most - 1) {
    const auto found = text.find(mark, at);
    if (found == std::string_view::npos) break;
    CHECK_OK(budget.Spend(1));
    parts.emplace_back(std::string(text.substr(at, found - at)));
    at = found + mark.size();
  }
  parts.emplace_back(std::string(text.substr(at)));
  return MakeList(std::move(parts));
}

Result<Value> Substring(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  const auto characters = CharactersOf(a[0].text());
  const auto size = static_cast<Int>(characters.size());
  const Int begin = a[1].As<Int>();
  const Int end = a.size() > 2 ? a[2].As<Int>() : size;
  if (begin < 0 || begin > size) return Wrong(fmt::format("index out of range: {}", begin));
  if (end < 0 || end > size) return Wrong(fmt::format("index out of range: {}", end));
  if (begin > end) {
    return Wrong(fmt::format("invalid substring range. start: {}, end: {}", begin, end));
  }
  std::string result;
  for (Int i = begin; i < end; ++i) result += characters[static_cast<std::size_t>(i)];
  return Value(std::move(result));
}

bool IsSpace(std::string_view character) {
  static constexpr std::string_view kSpaces[] = {
      " ",      "\t",     "\n",     "\v",     "\f",     "\r",     "\u0085", "\u00A0", "\u1680",
      "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
      "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};
  return std::ranges::find(kSpaces, character) != std::end(kSpaces);
}

Result<Value> Trim(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  std::string_view text = a[0].text();
  const auto characters = CharactersOf(text);
  for (const std::string_view character : characters) {
    if (!IsSpace(character)) break;
    text.remove_prefix(character.size());
  }
  for (auto it = characters.rbegin(); it != characters.rend() && !text.empty(); ++it) {
    if (!IsSpace(*it)) break;
    text.remove_suffix(it->size());
  }
  return Value(std::string(text));
}

Result<Value> Join(Arguments a, Budget& budget) {
  const List& list = a[0].list();
  const std::string mark = a.size() > 1 ? a[1].text() : std::string();
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    TRY(const Value item, list.At(i));
    const std::string* part = item.If<std::string>();
    if (part == nullptr) return NoSuchOverload();
    CHECK_OK(budget.SpendOn(part->size() + mark.size()));
    if (i > 0) text += mark;
    text += *part;
  }
  return Value(std::move(text));
}

Result<Value> Quote(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  return Value(QuotedText(a[0].text()));
}

Result<Value> Format(Arguments a, Budget& budget) {
  TRY(std::string text, FormatText(a[0].text(), a[1].list(), budget));
  return Value(std::move(text));
}

}  // namespace

std::span<const Declaration> TextDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"string.contains(string) -> bool", &Contains},
      {"string.startsWith(string) -> bool", &StartsWith},
      {"string.endsWith(string) -> bool", &EndsWith},
      {"string.matches(string) -> bool", &Matches},
      {"matches(string, string) -> bool", &Matches},
      {"string.find(string) -> string", &Find},
      {"string.findAll(string) -> list<string>", &FindAll},
      {"string.findAll(string, int) -> list<string>", &FindAll},
      {"string.charAt(int) -> string", &CharAt},
      {"string.indexOf(string) -> int", &IndexOf},
      {"string.indexOf(string, int) -> int", &IndexOf},
      {"string.lastIndexOf(string) -> int", &LastIndexOf},
      {"string.lastIndexOf(string, int) -> int", &LastIndexOf},
      {"string.lowerAscii() -> string", &ChangeCase<'A', 'a'>},
      {"string.upperAscii() -> string", &ChangeCase<'a', 'A'>},
      {"string.replace(string, string) -> string", &Replace},
      {"string.replace(string, string, int) -> string", &Replace},
      {"string.split(string) -> list<string>", &Split},
      {"string.split(string, int) -> list<string>", &Split},
      {"string.substring(int) -> string", &Substring},
      {"string.substring(int, int) -> string", &Substring},
      {"string.trim() -> string", &Trim},
      {"string.format(list<dyn>) -> string", &Format},
      {"list<string>.join() -> string", &Join},
      {"list<string>.join(string) -> string", &Join},
      {"strings.quote(string) -> string", &Quote},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
