#include "kube/api/schema_pattern.h"

#include <utility>

#include <re2/re2.h>

namespace millwright::kube {

namespace {

// Go 1.22 took over the (?<name>...) spelling of named groups; our RE2 only knows (?P<name>...).
// Nothing else begins with "(?<" in this language, so the rewrite is safe outside of literals.
std::string WithNamedGroups(std::string_view text) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      out += text.substr(i, 2);
      ++i;
      continue;
    }
    if (text[i] == '[') in_class = true;
    if (text[i] == ']') in_class = false;
    const bool group = !in_class && text.substr(i, 3) == "(?<";
    out += group ? std::string_view("(?P<") : text.substr(i, 1);
    if (group) i += 2;
  }
  return out;
}

// \C matches a single byte; Go has it not, since it could split a character.
bool HasByteEscape(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '\\') continue;
    if (text[i + 1] == 'C') return true;
    ++i;
  }
  return false;
}

// What Go says about a broken expression; people look the words up.
std::string GoError(const RE2& broken) {
  std::string_view words = "invalid expression";
  switch (broken.error_code()) {
    case RE2::ErrorBadEscape: words = "invalid escape sequence"; break;
    case RE2::ErrorBadCharClass:
    case RE2::ErrorBadCharRange: words = "invalid character class range"; break;
    case RE2::ErrorMissingBracket: words = "missing closing ]"; break;
    case RE2::ErrorMissingParen: words = "missing closing )"; break;
    case RE2::ErrorUnexpectedParen: words = "unexpected )"; break;
    case RE2::ErrorTrailingBackslash: words = "trailing backslash at end of expression"; break;
    case RE2::ErrorRepeatArgument: words = "missing argument to repetition operator"; break;
    case RE2::ErrorRepeatSize: words = "invalid repeat count"; break;
    case RE2::ErrorRepeatOp: words = "invalid nested repetition operator"; break;
    case RE2::ErrorBadPerlOp: words = "invalid or unsupported Perl syntax"; break;
    case RE2::ErrorBadUTF8: words = "invalid UTF-8"; break;
    case RE2::ErrorBadNamedCapture: words = "invalid named capture"; break;
    case RE2::ErrorPatternTooLarge: words = "expression too large"; break;
    case RE2::NoError:
    case RE2::ErrorInternal: break;
  }
  return "error parsing regexp: " + std::string(words) + ": `" + broken.error_arg() + "`";
}

}  // namespace

Result<Pattern> Pattern::Compile(std::string_view text) {
  RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_shared<const RE2>(WithNamedGroups(text), options);
  if (!compiled->ok()) return Fail(ErrorKind::kInvalid, GoError(*compiled));
  if (HasByteEscape(text))
    return Fail(ErrorKind::kInvalid, "error parsing regexp: invalid escape sequence: `\\C`");
  return Pattern(std::string(text), std::move(compiled));
}

bool Pattern::Matches(std::string_view subject) const {
  return RE2::PartialMatch(re2::StringPiece(subject.data(), subject.size()), *compiled_);
}

}  // namespace millwright::kube
