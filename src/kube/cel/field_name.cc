#include "kube/cel/field_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace millwright::kube::cel {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kEscapes = {
    {{"__", "__underscores__"}, {".", "__dot__"}, {"-", "__dash__"}, {"/", "__slash__"}}};

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The word inside of "__word__"; empty if the text is not of that form.
std::string_view Inside(std::string_view text) {
  const bool framed = text.size() > 4 && text.starts_with("__") && text.ends_with("__");
  return framed ? text.substr(2, text.size() - 4) : std::string_view();
}

}  // namespace

bool IsReservedWord(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "true",     "false",   "null", "in",        "as",     "break",  "const",
      "continue", "else",    "for",  "function",  "if",     "import", "let",
      "loop",     "package", "var",  "namespace", "return", "void",   "while"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

std::optional<std::string> EscapeField(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return std::nullopt;
  if (IsReservedWord(name)) return "__" + std::string(name) + "__";
  std::string escaped;
  while (!name.empty()) {
    const auto* found = std::ranges::find_if(
        kEscapes, [&](const auto& escape) { return name.starts_with(escape.first); });
    if (found != kEscapes.end()) {
      escaped += found->second;
      name.remove_prefix(found->first.size());
      continue;
    }
    if (!IsPlain(name[0])) return std::nullopt;
    escaped += name[0];
    name.remove_prefix(1);
  }
  return escaped;
}

std::string UnescapeField(std::string_view escaped) {
  if (const std::string_view word = Inside(escaped); IsReservedWord(word)) return std::string(word);
  std::string name;
  while (!escaped.empty()) {
    const auto* found = std::ranges::find_if(
        kEscapes, [&](const auto& escape) { return escaped.starts_with(escape.second); });
    if (found != kEscapes.end()) {
      name += found->first;
      escaped.remove_prefix(found->second.size());
    } else {
      name += escaped[0];
      escaped.remove_prefix(1);
    }
  }
  return name;
}

}  // namespace millwright::kube::cel
