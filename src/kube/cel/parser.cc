#include "kube/cel/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kube/cel/field_name.h"
#include "kube/cel/functions.h"
#include "kube/cel/lexer.h"
#include "kube/cel/macros.h"

namespace millwright::kube::cel {

namespace {

// Every level of nesting costs stack here and wherever the tree is walked.
constexpr int kMaxDepth = 200;
constexpr std::size_t kMaxSource = 100'000;

// What an operand can begin with, in the words of CEL's grammar.
constexpr std::string_view kOperands =
    "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, "
    "BYTES, IDENTIFIER}";

class Parser {
 public:
  Parser(std::vector<Token> tokens, std::vector<Issue>& issues)
      : tokens_(std::move(tokens)), issues_(issues) {}

  ExprPtr Run() {
    ExprPtr expr = ParseExpr();
    if (expr) ExpectEnd();
    return issues_.empty() ? expr : nullptr;
  }

 private:
  const Token& Current() const { return tokens_[at_]; }
  bool Ahead(std::string_view sign) const {
    return Current().kind == Token::Kind::kSign && Current().text == sign;
  }
  bool Take(std::string_view sign) {
    if (!Ahead(sign)) return false;
    ++at_;
    return true;
  }

  ExprPtr Complain(int offset, std::string message) {
    if (issues_.empty()) issues_.push_back({.offset = offset, .message = std::move(message)});
    return nullptr;
  }
  // The tokens that stand for themselves are quoted, kinds of tokens are not.
  ExprPtr Unexpected(std::string_view expected) {
    return Complain(
        Current().offset,
        fmt::format("Syntax error: mismatched input '{}' expecting {}", Current().text, expected));
  }
  bool Expect(std::string_view sign) {
    if (Take(sign)) return true;
    // A text that would go on well without this token, or with one before it, is told so.
    const bool extra = at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == sign;
    const bool missing = Current().kind == Token::Kind::kEnd ||
                         (Current().kind == Token::Kind::kSign && !Ahead("(") && !Ahead("{"));
    if (extra) {
      Complain(Current().offset, fmt::format("Syntax error: extraneous input '{}' expecting '{}'",
                                             Current().text, sign));
    } else if (missing) {
      Complain(Current().offset,
               fmt::format("Syntax error: missing '{}' at '{}'", sign, Current().text));
    } else {
      Unexpected(fmt::format("'{}'", sign));
    }
    return false;
  }
  void ExpectEnd() {
    if (Current().kind == Token::Kind::kEnd) return;
    const bool extra = tokens_[at_ + 1].kind == Token::Kind::kEnd;
    Complain(Current().offset, fmt::format("Syntax error: {} input '{}' expecting <EOF>",
                                           extra ? "extraneous" : "mismatched", Current().text));
  }

  template <class Node>
  static ExprPtr Make(int offset, Node node) {
    return std::make_shared<const Expr>(Expr{.offset = offset, .node = std::move(node)});
  }
  static ExprPtr MakeCall(int offset, std::string function, std::vector<ExprPtr> arguments) {
    return Make(offset, Call{.function = std::move(function), .arguments = std::move(arguments)});
  }

  // Counts how deep the text is nested, for as long as it lives.
  class Deeper {
   public:
    explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    int& depth_;
  };

  ExprPtr ParseExpr() {
    const Deeper deeper(depth_);
    if (depth_ > kMaxDepth) {
      return Complain(Current().offset,
                      fmt::format("expression recursion limit exceeded: {}", kMaxDepth));
    }
    ExprPtr condition = ParseBinary(0);
    if (!condition) return nullptr;
    const int offset = Current().offset;
    if (!Take("?")) return condition;
    ExprPtr yes = ParseBinary(0);
    if (!yes || !Expect(":")) return nullptr;
    ExprPtr no = ParseExpr();
    if (!no) return nullptr;
    return MakeCall(offset, "_?_:_", {std::move(condition), std::move(yes), std::move(no)});
  }

  // From the loosest to the tightest.
  static constexpr std::array<std::array<std::string_view, 7>, 5> kLevels = {
      {{"||"}, {"&&"}, {"<", "<=", ">=", ">", "==", "!=", "in"}, {"+", "-"}, {"*", "/", "%"}}};

  std::string_view TakeOperator(std::size_t level) {
    for (const std::string_view sign : kLevels[level]) {
      if (!sign.empty() && Take(sign)) return sign;
    }
    return {};
  }

  ExprPtr ParseBinary(std::size_t level) {
    if (level == kLevels.size()) return ParseUnary();
    ExprPtr left = ParseBinary(level + 1);
    int links = 0;
    while (left) {
      const int offset = Current().offset;
      const std::string_view sign = TakeOperator(level);
      if (sign.empty()) return left;
      // A long chain leans to the left, and is as deep as it is long.
      if (++links + depth_ > kMaxDepth) {
        return Complain(offset, fmt::format("expression recursion limit exceeded: {}", kMaxDepth));
      }
      ExprPtr right = ParseBinary(level + 1);
      if (!right) return nullptr;
      left = MakeCall(offset, sign == "in" ? "@in" : fmt::format("_{}_", sign),
                      {std::move(left), std::move(right)});
    }
    return nullptr;
  }

  ExprPtr ParseUnary() {
    const Deeper deeper(depth_);
    if (depth_ > kMaxDepth)
      return Complain(Current().offset, "expression recursion limit exceeded");
    const int offset = Current().offset;
    if (Take("!")) {
      ExprPtr operand = ParseUnary();
      return operand ? MakeCall(offset, "!_", {std::move(operand)}) : nullptr;
    }
    if (!Take("-")) return ParseMember();
    if (Current().kind == Token::Kind::kLiteral && Current().negatable) {
      return ParseMember(true, offset);
    }
    ExprPtr operand = ParseUnary();
    return operand ? MakeCall(offset, "-_", {std::move(operand)}) : nullptr;
  }

  ExprPtr ParseMember(bool negative = false, int offset = 0) {
    ExprPtr expr = negative ? ParseNumber(true, offset) : ParsePrimary();
    int links = 0;
    while (expr) {
      if (++links + depth_ > kMaxDepth) {
        return Complain(Current().offset,
                        fmt::format("expression recursion limit exceeded: {}", kMaxDepth));
      }
      if (Ahead(".")) {
        expr = ParseSelect(std::move(expr));
      } else if (Ahead("[")) {
        expr = ParseIndex(std::move(expr));
      } else {
        return expr;
      }
    }
    return nullptr;
  }

  ExprPtr ParseSelect(ExprPtr operand) {
    const int dot = Current().offset;
    ++at_;
    const bool optional = Take("?");
    const Token name = Current();
    if (name.kind == Token::Kind::kQuotedName) {
      return Complain(name.offset, "unsupported syntax: '`'");
    }
    if (name.kind != Token::Kind::kName) return Unexpected("IDENTIFIER");
    ++at_;
    const int open = Current().offset;
    if (!optional && Take("(")) {
      CallText call{
          .offset = open, .function = name.text, .target = std::move(operand), .arguments = {}};
      if (!ParseArguments(call.arguments)) return nullptr;
      return FinishCall(std::move(call));
    }
    return Make(dot,
                Select{.operand = std::move(operand), .field = name.text, .optional = optional});
  }

  ExprPtr ParseIndex(ExprPtr operand) {
    const int offset = Current().offset;
    ++at_;
    const bool optional = Take("?");
    ExprPtr index = ParseExpr();
    if (!index || !Expect("]")) return nullptr;
    return MakeCall(offset, optional ? "_[?_]" : "_[_]", {std::move(operand), std::move(index)});
  }

  bool ParseArguments(std::vector<ExprPtr>& arguments) {
    if (Take(")")) return true;
    do {
      ExprPtr argument = ParseExpr();
      if (!argument) return false;
      arguments.push_back(std::move(argument));
    } while (Take(","));
    return Expect(")");
  }

  // A macro, a function with a dot in its name, or a plain call.
  ExprPtr FinishCall(CallText call) {
    if (ExprPtr macro = ExpandMacro(call, issues_)) return macro;
    if (!issues_.empty()) return nullptr;
    if (call.target) {
      const Name* space = std::get_if<Name>(&call.target->node);
      const std::string qualified = space == nullptr ? "" : space->name + "." + call.function;
      if (space != nullptr && IsFunction(qualified)) {
        return MakeCall(call.offset, qualified, std::move(call.arguments));
      }
      call.arguments.insert(call.arguments.begin(), call.target);
    }
    return Make(call.offset, Call{.function = call.function,
                                  .member = call.target != nullptr,
                                  .arguments = std::move(call.arguments)});
  }

  ExprPtr ParsePrimary() {
    const Token token = Current();
    if (token.kind == Token::Kind::kLiteral) return ParseNumber(false, token.offset);
    if (Take("(")) {
      ExprPtr inner = ParseExpr();
      return inner && Expect(")") ? inner : nullptr;
    }
    if (Take("[")) return ParseList(token.offset);
    if (Take("{")) return ParseMap(token.offset);
    if (Ahead(".")) ++at_;  // a name from the root
    if (Current().kind != Token::Kind::kName) return Unexpected(kOperands);
    const Token name = Current();
    ++at_;
    const int open = Current().offset;
    if (Take("(")) {
      CallText call{.offset = open, .function = name.text, .target = nullptr, .arguments = {}};
      if (!ParseArguments(call.arguments)) return nullptr;
      return FinishCall(std::move(call));
    }
    if (IsReservedWord(name.text)) {
      return Complain(name.offset, "reserved identifier: " + name.text);
    }
    return Make(name.offset, Name{name.text});
  }

  ExprPtr ParseNumber(bool negative, int offset) {
    const Token token = Current();
    ++at_;
    if (!token.negatable) return Make(offset, Literal{token.value});
    if (const double* real = token.value.If<double>()) {
      return Make(offset, Literal{Value(negative ? -*real : *real)});
    }
    const auto whole = WholeNumber(token.text, negative);
    if (!whole) return Complain(token.offset, "invalid int literal");
    return Make(offset, Literal{*whole});
  }

  ExprPtr ParseList(int offset) {
    ListLiteral list;
    while (!Ahead("]")) {
      list.optional.push_back(Take("?"));
      ExprPtr item = ParseExpr();
      if (!item) return nullptr;
      list.items.push_back(std::move(item));
      if (!Take(",")) break;
    }
    return Expect("]") ? Make(offset, std::move(list)) : nullptr;
  }

  ExprPtr ParseMap(int offset) {
    MapLiteral map;
    while (!Ahead("}")) {
      MapLiteral::Entry entry;
      entry.optional = Take("?");
      entry.key = ParseExpr();
      if (!entry.key || !Expect(":")) return nullptr;
      entry.value = ParseExpr();
      if (!entry.value) return nullptr;
      map.entries.push_back(std::move(entry));
      if (!Take(",")) break;
    }
    return Expect("}") ? Make(offset, std::move(map)) : nullptr;
  }

  std::vector<Token> tokens_;
  std::vector<Issue>& issues_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

ExprPtr Parse(std::string_view source, std::vector<Issue>& issues) {
  if (source.size() > kMaxSource) {
    issues.push_back({.offset = 0,
                      .message = fmt::format("expression code point size exceeds limit: size: {}, "
                                             "limit {}",
                                             source.size(), kMaxSource)});
    return nullptr;
  }
  std::vector<Token> tokens = Tokenize(source, issues);
  std::vector<Issue> more;
  ExprPtr expr = Parser(std::move(tokens), more).Run();
  issues.insert(issues.end(), more.begin(), more.end());
  return issues.empty() ? expr : nullptr;
}

}  // namespace millwright::kube::cel
