#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kube/api/labels.h"

namespace millwright::kube {
namespace {

using Operator = LabelRequirement::Operator;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kSymbolChars = "=!(),><";
constexpr std::string_view kEnd;  // the token after the last

// Splits into symbols, words and kEnd. "in" and "notin" are words: their place makes them
// operators.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { Advance(); }

  std::string_view token() const { return token_; }
  bool IsWord() const {
    return !token_.empty() && kSymbolChars.find(token_.front()) == kSymbolChars.npos;
  }

  std::string_view Take() {
    const std::string_view taken = token_;
    Advance();
    return taken;
  }

  bool TakeIf(std::string_view wanted) {
    if (token_ != wanted) return false;
    Advance();
    return true;
  }

  Failure Unexpected(std::string_view wanted) const {
    const std::string met = token_.empty() ? "the end" : fmt::format("'{}'", token_);
    return Fail(ErrorKind::kInvalid,
                fmt::format("label selector '{}': found {} at offset {}, expected {}", text_, met,
                            offset_ - token_.size(), wanted));
  }

 private:
  void Advance() {
    offset_ = std::min(text_.find_first_not_of(kBlanks, offset_), text_.size());
    token_ = text_.substr(offset_, TokenLength(text_.substr(offset_)));
    offset_ += token_.size();
  }

  static size_t TokenLength(std::string_view rest) {
    if (rest.empty()) return 0;
    if (rest.starts_with("==") || rest.starts_with("!=")) return 2;
    if (kSymbolChars.find(rest.front()) != kSymbolChars.npos) return 1;
    return std::min(rest.find_first_of(" \t\r\n=!(),><"), rest.size());
  }

  std::string_view text_;
  size_t offset_ = 0;  // just past the token
  std::string_view token_;
};

struct Symbol {
  std::string_view text;
  Operator op;
};

constexpr std::array<Symbol, 7> kOperators = {{
    {"=", Operator::kEquals},
    {"==", Operator::kDoubleEquals},
    {"!=", Operator::kNotEquals},
    {"in", Operator::kIn},
    {"notin", Operator::kNotIn},
    {">", Operator::kGreaterThan},
    {"<", Operator::kLessThan},
}};

std::optional<Operator> TakeOperator(Lexer& lexer) {
  for (const Symbol& symbol : kOperators) {
    if (lexer.TakeIf(symbol.text)) return symbol.op;
  }
  return std::nullopt;
}

// "(a,b)". What is missing between commas or parentheses is the empty value.
Result<std::vector<std::string>> TakeValueList(Lexer& lexer) {
  if (!lexer.TakeIf("(")) return lexer.Unexpected("'('");
  std::vector<std::string> values;
  do {
    values.emplace_back(lexer.IsWord() ? lexer.Take() : std::string_view());
  } while (lexer.TakeIf(","));
  if (!lexer.TakeIf(")")) return lexer.Unexpected("',' or ')'");
  return values;
}

Result<std::vector<std::string>> TakeValues(Lexer& lexer, Operator op) {
  if (op == Operator::kIn || op == Operator::kNotIn) return TakeValueList(lexer);
  if (lexer.token() == kEnd || lexer.token() == ",") return std::vector<std::string>{""};
  if (!lexer.IsWord()) return lexer.Unexpected("a value");
  return std::vector<std::string>{std::string(lexer.Take())};
}

Result<LabelRequirement> TakeRequirement(Lexer& lexer) {
  const bool absent = lexer.TakeIf("!");
  if (!lexer.IsWord()) return lexer.Unexpected(absent ? "a key" : "'!' or a key");
  std::string key(lexer.Take());
  if (absent) return MakeLabelRequirement(std::move(key), Operator::kDoesNotExist, {});
  if (lexer.token() == kEnd || lexer.token() == ",") {
    return MakeLabelRequirement(std::move(key), Operator::kExists, {});
  }
  const auto op = TakeOperator(lexer);
  if (!op) return lexer.Unexpected("one of = == != in notin > <");
  TRY(auto values, TakeValues(lexer, *op));
  return MakeLabelRequirement(std::move(key), *op, std::move(values));
}

}  // namespace

Result<LabelSelector> ParseLabelSelector(std::string_view text) {
  Lexer lexer(text);
  if (lexer.token() == kEnd) return LabelSelector::Everything();
  std::vector<LabelRequirement> requirements;
  do {
    TRY(auto requirement, TakeRequirement(lexer));
    requirements.push_back(std::move(requirement));
  } while (lexer.TakeIf(","));
  if (lexer.token() != kEnd) return lexer.Unexpected("',' or the end");
  return LabelSelector(std::move(requirements));
}

}  // namespace millwright::kube
