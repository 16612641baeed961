#include "apiserver/rest/json_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include <boost/json.hpp>

#include "apiserver/rest/json_path_steps.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// A column is a line or two; what is longer is somebody's joke.
constexpr std::size_t kMaxText = 4096;
constexpr int kMaxDepth = 16;

Failure Wrong(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

bool IsTerminator(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '.' || c == ',' || c == '[' ||
         c == ']' || c == '$' || c == '@' || c == '{' || c == '}';
}

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

template <class T>
bool ParseWhole(std::string_view text, T& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

class Parser {
 public:
  Parser(std::string_view text, int depth) : text_(text), depth_(depth) {}

  Result<JsonPathSteps> Parse() {
    if (depth_ > kMaxDepth) return Wrong("the path is nested too deep");
    while (at_ < text_.size()) CHECK_OK(ParseStep());
    return std::move(steps_);
  }

 private:
  template <class Step>
  void Add(Step step) {
    steps_.push_back(std::make_shared<const JsonPath::Step>(JsonPath::Step{std::move(step)}));
  }

  bool Ahead(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  Result<void> ParseStep() {
    if (Ahead("[?(")) return ParseFilter();
    if (Ahead("..")) return ParseDescend();
    const char c = text_[at_];
    switch (c) {
      case ' ':
      case '@':
      case '$': ++at_; return Ok();
      case '[': return ParseBracket();
      case '"':
      case '\'': return ParseQuoted(c);
      case '.': ++at_; return ParseField();
      default: break;
    }
    if (c == '+' || c == '-' || (c >= '0' && c <= '9')) return ParseNumber();
    return ParseWord();
  }

  Result<void> ParseField() {
    std::string name;
    while (at_ < text_.size() && !IsTerminator(text_[at_])) {
      if (text_[at_] == '\\' && ++at_ == text_.size()) break;
      name += text_[at_++];
    }
    if (name == "*") {
      Add(WildcardStep{});
    } else {
      Add(FieldStep{std::move(name)});
    }
    return Ok();
  }

  Result<void> ParseDescend() {
    if (!steps_.empty() && std::holds_alternative<DescendStep>(steps_.back()->what)) {
      return Wrong("invalid multiple recursive descent");
    }
    at_ += 2;
    Add(DescendStep{});
    if (at_ < text_.size() && !IsTerminator(text_[at_])) return ParseField();
    return Ok();
  }

  Result<void> ParseQuoted(char quote) {
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == quote) {
        ++at_;
        Add(LiteralStep{json::value(value)});
        return Ok();
      }
      if (c == '\\' && at_ + 1 < text_.size()) c = text_[++at_];
      value += c;
    }
    return Wrong("unterminated quoted string");
  }

  Result<void> ParseNumber() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && (text_[at_] == '.' || (text_[at_] >= '0' && text_[at_] <= '9'))) {
      ++at_;
    }
    const std::string_view digits = text_.substr(begin, at_ - begin);
    std::int64_t whole = 0;
    double real = 0;
    if (ParseWhole(digits, whole)) {
      Add(LiteralStep{json::value(whole)});
    } else if (ParseWhole(digits, real)) {
      Add(LiteralStep{json::value(real)});
    } else {
      return Wrong(fmt::format("cannot parse number {}", digits));
    }
    return Ok();
  }

  Result<void> ParseWord() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !IsTerminator(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word != "true" && word != "false") {
      return Wrong(fmt::format("unrecognized identifier {}", word));
    }
    Add(LiteralStep{json::value(word == "true")});
    return Ok();
  }

  Result<void> ParseBracket() {
    const auto end = text_.find(']', at_);
    if (end == std::string_view::npos) return Wrong("unterminated array");
    std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (inside.contains(',')) return ParseUnion(inside);
    if (inside.size() >= 2 && inside.front() == '\'' && inside.back() == '\'') {
      const std::string key = "." + std::string(inside.substr(1, inside.size() - 2));
      TRY(JsonPathSteps steps, Parser(key, depth_ + 1).Parse());
      std::ranges::move(steps, std::back_inserter(steps_));
      return Ok();
    }
    return ParseSlice(inside == "*" ? ":" : inside);
  }

  Result<void> ParseUnion(std::string_view inside) {
    UnionStep parts;
    while (true) {
      const auto comma = inside.find(',');
      const std::string part = "[" + std::string(Trimmed(inside.substr(0, comma))) + "]";
      TRY(JsonPathSteps steps, Parser(part, depth_ + 1).Parse());
      parts.parts.push_back(std::move(steps));
      if (comma == std::string_view::npos) break;
      inside.remove_prefix(comma + 1);
    }
    Add(std::move(parts));
    return Ok();
  }

  Result<void> ParseSlice(std::string_view inside) {
    SliceStep slice;
    slice.single = !inside.contains(':');
    std::optional<std::int64_t>* const numbers[] = {&slice.begin, &slice.end, &slice.step};
    for (std::optional<std::int64_t>* number : numbers) {
      const auto colon = inside.find(':');
      const std::string_view digits = inside.substr(0, colon);
      std::int64_t value = 0;
      if (!digits.empty()) {
        if (digits.starts_with('+') || !ParseWhole(digits, value)) {
          return Wrong(fmt::format("invalid array index {}", digits));
        }
        *number = value;
      }
      if (colon == std::string_view::npos) {
        Add(slice);
        return Ok();
      }
      inside.remove_prefix(colon + 1);
    }
    return Wrong(fmt::format("invalid array index {}", inside));
  }

  Result<void> ParseFilter() {
    at_ += 3;
    const std::size_t begin = at_;
    char quote = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != 0) {
        if (c == '\\') {
          ++at_;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == ')') {
        break;
      }
    }
    if (at_ >= text_.size()) return Wrong("unterminated filter");
    const std::string_view inside = text_.substr(begin, at_ - begin);
    if (++at_ >= text_.size() || text_[at_] != ']') return Wrong("unclosed array expect ]");
    ++at_;
    return AddFilter(inside);
  }

  Result<void> AddFilter(std::string_view inside) {
    const auto sign = inside.find_first_of("!<>=");
    FilterStep filter;
    TRY(filter.left, Parser(inside.substr(0, sign), depth_ + 1).Parse());
    if (sign != std::string_view::npos) {
      const auto rest = inside.find_first_not_of("!<>=", sign);
      if (sign == 0 || rest == std::string_view::npos) {
        return Wrong("a filter compares two sides");
      }
      filter.compare = inside.substr(sign, rest - sign);
      constexpr std::string_view kSigns[] = {"==", "!=", "<", ">", "<=", ">="};
      if (std::ranges::find(kSigns, filter.compare) == std::end(kSigns)) {
        return Wrong("unrecognized filter operator " + filter.compare);
      }
      TRY(filter.right, Parser(inside.substr(rest), depth_ + 1).Parse());
    }
    Add(std::move(filter));
    return Ok();
  }

  std::string_view text_;
  int depth_;
  std::size_t at_ = 0;
  JsonPathSteps steps_;
};

}  // namespace

Result<JsonPath> JsonPath::Parse(std::string_view text) {
  if (text.size() > kMaxText) return Wrong("the path is too long");
  TRY(JsonPathSteps steps, Parser(text, 0).Parse());
  return JsonPath(std::move(steps));
}

}  // namespace millwright::apiserver
