#include "kube/cel/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "kube/cel/text.h"

namespace millwright::kube::cel {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHex(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Lexer {
 public:
  Lexer(std::string_view source, std::vector<Issue>& issues) : source_(source), issues_(issues) {}

  std::vector<Token> Run() {
    std::vector<Token> tokens;
    while (true) {
      SkipBlanks();
      CountOffset();
      Token token;
      token.offset = offset_;
      if (at_ >= source_.size()) {
        tokens.push_back(
            {.kind = Token::Kind::kEnd, .offset = offset_, .text = "<EOF>", .value = {}});
        return tokens;
      }
      if (Read(token)) tokens.push_back(std::move(token));
    }
  }

 private:
  std::string_view Rest() const { return source_.substr(at_); }
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  // How many characters lie before at_.
  void CountOffset() {
    offset_ += static_cast<int>(CountCharacters(source_.substr(counted_, at_ - counted_)));
    counted_ = at_;
  }

  // For what lies between `begin` and at_; reading goes on behind it.
  bool Unreadable(std::size_t begin) {
    return Complain(fmt::format("Syntax error: token recognition error at: '{}'",
                                source_.substr(begin, at_ - begin)));
  }

  bool Complain(std::string message) {
    issues_.push_back({.offset = offset_, .message = std::move(message)});
    return false;
  }

  void SkipBlanks() {
    while (at_ < source_.size()) {
      const char c = Peek();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f') {
        ++at_;
      } else if (Rest().starts_with("//")) {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else {
        return;
      }
    }
  }

  bool Read(Token& token) {
    const char c = Peek();
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) return ReadNumber(token);
    if (c == '"' || c == '\'') return ReadText(token, false, false);
    if (IsLetter(c)) return ReadWord(token);
    if (c == '`') return ReadQuotedName(token);
    return ReadSign(token);
  }

  bool ReadSign(Token& token) {
    static constexpr std::string_view kSigns[] = {"==", "!=", "<=", ">=", "&&", "||", "<", ">",
                                                  "[",  "]",  "{",  "}",  "(",  ")",  ".", ",",
                                                  "-",  "!",  "?",  ":",  "+",  "*",  "/", "%"};
    for (const std::string_view sign : kSigns) {
      if (!Rest().starts_with(sign)) continue;
      token.kind = Token::Kind::kSign;
      token.text = sign;
      at_ += sign.size();
      return true;
    }
    const std::size_t begin = at_;
    at_ += CharactersOf(Rest()).front().size();
    return Unreadable(begin);
  }

  bool ReadWord(Token& token) {
    // Letters before a quote say what kind of text it is.
    bool raw = false;
    bool bytes = false;
    std::size_t ahead = 0;
    if (Peek() == 'b' || Peek() == 'B') bytes = ++ahead > 0;
    if (Peek(ahead) == 'r' || Peek(ahead) == 'R') raw = ++ahead > 0;
    const char quote = Peek(ahead);
    if (ahead > 0 && (quote == '"' || quote == '\'')) {
      at_ += ahead;
      return ReadText(token, raw, bytes);
    }
    const std::size_t begin = at_;
    while (IsLetter(Peek()) || IsDigit(Peek())) ++at_;
    const std::string_view word = source_.substr(begin, at_ - begin);
    token.text = word;
    token.kind = Token::Kind::kName;
    if (word == "in") token.kind = Token::Kind::kSign;
    if (word == "true" || word == "false") {
      token.kind = Token::Kind::kLiteral;
      token.value = word == "true";
    }
    if (word == "null") {
      token.kind = Token::Kind::kLiteral;
      token.value = Null{};
    }
    return true;
  }

  bool ReadQuotedName(Token& token) {
    const auto end = source_.find('`', at_ + 1);
    if (end == std::string_view::npos || end == at_ + 1) {
      ++at_;
      return Unreadable(at_ - 1);
    }
    token.kind = Token::Kind::kQuotedName;
    token.text = source_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  bool ReadNumber(Token& token) {
    const std::size_t begin = at_;
    token.kind = Token::Kind::kLiteral;
    token.negatable = true;
    bool real = false;
    if (Peek() == '0' && Peek(1) == 'x' && IsHex(Peek(2))) {
      at_ += 2;
      while (IsHex(Peek())) ++at_;
    } else {
      while (IsDigit(Peek())) ++at_;
      if (Peek() == '.' && IsDigit(Peek(1))) {
        real = true;
        ++at_;
        while (IsDigit(Peek())) ++at_;
      }
      const std::size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 2 : 1;
      if ((Peek() == 'e' || Peek() == 'E') && IsDigit(Peek(sign))) {
        real = true;
        at_ += sign;
        while (IsDigit(Peek())) ++at_;
      }
    }
    token.text = source_.substr(begin, at_ - begin);
    if (real) return ReadReal(token);
    if (Peek() == 'u' || Peek() == 'U') {
      ++at_;
      return ReadUint(token);
    }
    // The value waits for its sign: the smallest number has no positive counterpart.
    return true;
  }

  bool ReadReal(Token& token) {
    double number = 0;
    const std::string_view text = token.text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      return Complain("invalid double literal");
    }
    token.value = number;
    return true;
  }

  bool ReadUint(Token& token) {
    std::string_view text = token.text;
    const bool hex = text.starts_with("0x");
    if (hex) text.remove_prefix(2);
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
    if (error != std::errc()) return Complain("invalid uint literal");
    token.value = number;
    token.negatable = false;
    return true;
  }

  bool ReadText(Token& token, bool raw, bool bytes) {
    const std::size_t begin = at_;
    const char c = Peek();
    const std::string three(3, c);
    const std::string quote = Rest().starts_with(three) ? three : std::string(1, c);
    at_ += quote.size();
    std::string text;
    while (!Rest().starts_with(quote)) {
      if (at_ >= source_.size() || (quote.size() == 1 && (Peek() == '\n' || Peek() == '\r'))) {
        return Unreadable(begin);
      }
      if (Peek() == '\\' && !raw) {
        if (!ReadEscape(text, bytes)) return Unreadable(begin);
      } else {
        text += source_[at_++];
      }
    }
    at_ += quote.size();
    token.kind = Token::Kind::kLiteral;
    token.text = source_.substr(begin, at_ - begin);
    if (bytes) {
      token.value = Bytes{std::move(text)};
    } else {
      token.value = std::move(text);
    }
    return true;
  }

  bool ReadEscape(std::string& text, bool bytes) {
    static constexpr std::string_view kNames = "abfnrtv\"'\\?`";
    static constexpr std::string_view kCodes = "\a\b\f\n\r\t\v\"'\\?`";
    ++at_;
    const char c = Peek();
    if (at_ < source_.size()) ++at_;
    if (const auto simple = kNames.find(c); c != '\0' && simple != std::string_view::npos) {
      text += kCodes[simple];
      return true;
    }
    if (c == 'x' || c == 'X') return ReadCode(text, 2, 16, bytes);
    if (c == 'u' && !bytes) return ReadCode(text, 4, 16, false);
    if (c == 'U' && !bytes) return ReadCode(text, 8, 16, false);
    if (c < '0' || c > '3') return false;
    --at_;
    return ReadCode(text, 3, 8, bytes);
  }

  bool ReadCode(std::string& text, std::size_t digits, int base, bool byte) {
    const std::string_view number = source_.substr(at_, digits);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), code, base);
    if (error != std::errc() || number.size() != digits || end != number.data() + digits) {
      return false;
    }
    at_ += digits;
    if (byte) {
      text += static_cast<char>(code);
      return true;
    }
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code > 0x10FFFF || surrogate) return false;
    AppendCharacter(text, code);
    return true;
  }

  std::string_view source_;
  std::vector<Issue>& issues_;
  std::size_t at_ = 0;
  std::size_t counted_ = 0;
  int offset_ = 0;
};

}  // namespace

std::vector<Token> Tokenize(std::string_view source, std::vector<Issue>& issues) {
  return Lexer(source, issues).Run();
}

std::optional<Value> WholeNumber(std::string_view text, bool negative) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 63U;
  if (number > kLargest || (number == kLargest && !negative)) return std::nullopt;
  // Two's complement makes the smallest number its own negative.
  const auto value = static_cast<std::int64_t>(negative ? ~number + 1 : number);
  return Value(value);
}

}  // namespace millwright::kube::cel
