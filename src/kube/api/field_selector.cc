#include "kube/api/field_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace millwright::kube {
namespace {

constexpr std::string_view kEscaped = "\\,=";

std::string Escape(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (kEscaped.find(c) != kEscaped.npos) text += '\\';
    text += c;
  }
  return text;
}

Failure Invalid(std::string_view text, std::string_view why) {
  return Fail(ErrorKind::kInvalid, fmt::format("field selector '{}': {}", text, why));
}

Result<std::string> Unescape(std::string_view text) {
  std::string value;
  bool escaping = false;
  for (const char c : text) {
    const bool special = kEscaped.find(c) != kEscaped.npos;
    if (escaping && !special) return Invalid(text, fmt::format("'\\{}' is not an escape", c));
    if (!escaping && c == '\\') {
      escaping = true;
      continue;
    }
    if (!escaping && special)
      return Invalid(text, fmt::format("'{}' in a value must be written '\\{}'", c, c));
    value += c;
    escaping = false;
  }
  if (escaping) return Invalid(text, "it ends in '\\'");
  return value;
}

// The next term, up to a comma that is not escaped; leaves `rest` after that comma.
std::string_view TakeTerm(std::string_view& rest) {
  size_t end = 0;
  while (end < rest.size() && rest[end] != ',') end += rest[end] == '\\' ? 2 : 1;
  const std::string_view term = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return term;
}

Result<FieldRequirement> ParseTerm(std::string_view term) {
  // The first operator counts, and escapes before it do not: only values are escaped.
  size_t at = term.find('=');
  if (at == term.npos) return Invalid(term, "expected path=value or path!=value");
  const bool equal = at == 0 || term[at - 1] != '!';
  const std::string_view path = term.substr(0, equal ? at : at - 1);
  if (path.empty()) return Invalid(term, "the path is missing");
  if (equal && term.substr(at).starts_with("==")) ++at;
  TRY(auto value, Unescape(term.substr(at + 1)));
  return FieldRequirement{std::string(path), equal, std::move(value)};
}

}  // namespace

std::string FieldRequirement::ToString() const {
  return path + (equal ? "=" : "!=") + Escape(value);
}

FieldSelector::FieldSelector(std::vector<FieldRequirement> requirements)
    : requirements_(std::move(requirements)) {
  std::ranges::sort(requirements_, {}, &FieldRequirement::ToString);
}

bool FieldSelector::Matches(const Lookup& lookup) const {
  return std::ranges::all_of(requirements_, [&lookup](const FieldRequirement& requirement) {
    return (lookup(requirement.path) == requirement.value) == requirement.equal;
  });
}

const std::string* FieldSelector::RequiredValue(std::string_view path) const {
  const auto found =
      std::ranges::find_if(requirements_, [path](const FieldRequirement& requirement) {
        return requirement.equal && requirement.path == path;
      });
  return found == requirements_.end() ? nullptr : &found->value;
}

std::string FieldSelector::ToString() const {
  std::string text;
  for (const FieldRequirement& requirement : requirements_) {
    if (!text.empty()) text += ',';
    text += requirement.ToString();
  }
  return text;
}

Result<FieldSelector> ParseFieldSelector(std::string_view text) {
  std::vector<FieldRequirement> requirements;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view term = TakeTerm(rest);
    if (term.empty()) continue;  // Kubernetes overlooks stray commas
    TRY(auto requirement, ParseTerm(term));
    requirements.push_back(std::move(requirement));
  }
  return FieldSelector(std::move(requirements));
}

}  // namespace millwright::kube
