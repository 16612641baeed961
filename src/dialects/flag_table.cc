#include "dialects/flag_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace millwright::dialects {

namespace {

template <class Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The spellings of Go's strconv.ParseBool.
std::optional<bool> ParseSwitch(std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

bool Fits(FlagType type, const std::string& text) {
  switch (type) {
    case FlagType::kText: return true;
    case FlagType::kWhole: return ParseNumber<std::int64_t>(text).has_value();
    case FlagType::kReal: return ParseNumber<double>(text).has_value();
    case FlagType::kSwitch: return ParseSwitch(text).has_value();
    case FlagType::kDuration: return ParseDuration(text).has_value();
  }
  return false;
}

struct Word {
  std::string name;
  std::optional<std::string> value;
};

// None for what is no flag.
std::optional<Word> ReadWord(std::string_view text) {
  if (!text.starts_with('-')) return std::nullopt;
  text.remove_prefix(text.starts_with("--") ? 2 : 1);
  const std::size_t equals = text.find('=');
  if (text.empty() || equals == 0) return std::nullopt;
  Word word{.name = NormalFlagName(text.substr(0, equals))};
  if (equals != std::string_view::npos) word.value = text.substr(equals + 1);
  return word;
}

}  // namespace

std::string_view ToString(FlagType type) {
  switch (type) {
    case FlagType::kText: return "text";
    case FlagType::kWhole: return "whole number";
    case FlagType::kReal: return "number";
    case FlagType::kSwitch: return "true or false";
    case FlagType::kDuration: return "duration";
  }
  return "";
}

std::string NormalFlagName(std::string_view name) {
  std::string normal(name);
  std::ranges::replace(normal, '_', '-');
  return normal;
}

const FlagValues::Value& FlagValues::At(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error(fmt::format("no flag '{}'", name));
  return found->second;
}

const std::string& FlagValues::Text(std::string_view name) const { return At(name).text; }

std::int64_t FlagValues::Whole(std::string_view name) const {
  return ParseNumber<std::int64_t>(Text(name)).value();
}

double FlagValues::Real(std::string_view name) const {
  return ParseNumber<double>(Text(name)).value();
}

bool FlagValues::Switch(std::string_view name) const { return ParseSwitch(Text(name)).value(); }

Duration FlagValues::Time(std::string_view name) const { return ParseDuration(Text(name)).value(); }

const std::vector<std::string>& FlagValues::All(std::string_view name) const {
  return At(name).all;
}

bool FlagValues::WasGiven(std::string_view name) const { return At(name).given; }

Result<FlagValues> ParseFlags(std::span<const Flag> flags, std::span<const std::string> words) {
  FlagValues values;
  for (const Flag& flag : flags) {
    values.values_.insert_or_assign(std::string(flag.name),
                                    FlagValues::Value{.text = std::string(flag.fallback)});
  }
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::optional<Word> word = ReadWord(words[at]);
    if (!word) {
      return Fail(ErrorKind::kInvalid, fmt::format("'{}' is not a flag", words[at]));
    }
    const auto flag = std::ranges::find(flags, word->name, &Flag::name);
    if (flag == flags.end()) {
      return Fail(ErrorKind::kInvalid, fmt::format("there is no flag --{}", word->name));
    }
    if (!word->value && flag->type == FlagType::kSwitch) word->value = "true";
    if (!word->value && at + 1 < words.size()) word->value = words[++at];
    if (!word->value) {
      return Fail(ErrorKind::kInvalid, fmt::format("--{} needs a value", word->name));
    }
    if (!Fits(flag->type, *word->value)) {
      return Fail(ErrorKind::kInvalid, fmt::format("--{}: '{}' is not a {}", word->name,
                                                   *word->value, ToString(flag->type)));
    }
    FlagValues::Value& value = values.values_.find(word->name)->second;
    value.text = *word->value;
    value.given = true;
    value.all.push_back(*std::move(word->value));
  }
  for (const Flag& flag : flags) {
    if (flag.ignored && values.WasGiven(flag.name)) values.ignored_.emplace_back(flag.name);
  }
  return values;
}

SplitWords Split(std::span<const Flag> flags, std::span<const std::string> words) {
  SplitWords split;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::optional<Word> word = ReadWord(words[at]);
    const auto flag = word ? std::ranges::find(flags, word->name, &Flag::name) : flags.end();
    if (flag == flags.end()) {
      split.others.push_back(words[at]);
      continue;
    }
    split.known.push_back(words[at]);
    const bool follows = !word->value && flag->type != FlagType::kSwitch && at + 1 < words.size();
    if (follows) split.known.push_back(words[++at]);
  }
  return split;
}

}  // namespace millwright::dialects
