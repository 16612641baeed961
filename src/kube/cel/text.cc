#include "kube/cel/text.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

#include "kube/api/typed_text.h"

namespace millwright::kube::cel {

namespace {

// The length of the character at the front; 1 for a byte that begins none.
std::size_t LengthOf(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  std::size_t length = 1;
  if (lead >= 0xC2 && lead < 0xE0) length = 2;
  if (lead >= 0xE0 && lead < 0xF0) length = 3;
  if (lead >= 0xF0 && lead < 0xF5) length = 4;
  if (length > text.size()) return 1;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 1;
  }
  return length;
}

bool TakeDigits(std::string_view& text, std::size_t count, int& number) {
  if (text.size() < count) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + count, number);
  if (error != std::errc() || end != text.data() + count || text[0] == '-') return false;
  text.remove_prefix(count);
  return true;
}

bool Take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

Failure NoTime(std::string_view text) {
  return Wrong(fmt::format("parsing time {} failed", QuotedText(text)));
}

bool TakeDay(std::string_view& text, std::chrono::sys_days& day) {
  int year = 0;
  int month = 0;
  int number = 0;
  const bool read = TakeDigits(text, 4, year) && Take(text, '-') && TakeDigits(text, 2, month) &&
                    Take(text, '-') && TakeDigits(text, 2, number);
  if (!read) return false;
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(number)));
  if (!date.ok() || year < 1) return false;
  day = std::chrono::sys_days(date);
  return true;
}

bool TakeFraction(std::string_view& text, std::int32_t& nanos) {
  if (!Take(text, '.') && !Take(text, ',')) return true;
  std::int32_t scale = 100'000'000;
  std::size_t count = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    nanos += (text[0] - '0') * scale;
    scale /= 10;
    ++count;
    text.remove_prefix(1);
  }
  return count > 0;
}

bool TakeOffset(std::string_view& text, int& seconds) {
  if (Take(text, 'Z') || Take(text, 'z')) return true;
  const bool minus = text.starts_with('-');
  if (!Take(text, '+') && !Take(text, '-')) return false;
  int hours = 0;
  int minutes = 0;
  const bool read = TakeDigits(text, 2, hours) && Take(text, ':') && TakeDigits(text, 2, minutes);
  if (!read || hours > 23 || minutes > 59) return false;
  seconds = (hours * 3600 + minutes * 60) * (minus ? -1 : 1);
  return true;
}

// Without zeros at the end.
std::string FractionText(std::int64_t nanos) {
  if (nanos == 0) return "";
  std::string text = fmt::format(".{:09}", nanos);
  while (text.ends_with('0')) text.pop_back();
  return text;
}

}  // namespace

std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(LengthOf(text));
    ++count;
  }
  return count;
}

std::vector<std::string_view> CharactersOf(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    characters.push_back(text.substr(0, LengthOf(text)));
    text.remove_prefix(characters.back().size());
  }
  return characters;
}

void AppendCharacter(std::string& text, char32_t character) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0U | (character >> 6U));
    put(0x80U | (character & 0x3FU));
  } else if (character < 0x10000) {
    put(0xE0U | (character >> 12U));
    put(0x80U | ((character >> 6U) & 0x3FU));
    put(0x80U | (character & 0x3FU));
  } else {
    put(0xF0U | (character >> 18U));
    put(0x80U | ((character >> 12U) & 0x3FU));
    put(0x80U | ((character >> 6U) & 0x3FU));
    put(0x80U | (character & 0x3FU));
  }
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = LengthOf(text);
    if (length == 1 && static_cast<unsigned char>(text[0]) >= 0x80) return false;
    text.remove_prefix(length);
  }
  return true;
}

Result<Timestamp> ParseTimestamp(std::string_view text) {
  std::string_view rest = text;
  std::chrono::sys_days day;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int offset = 0;
  Timestamp time;
  const bool read = TakeDay(rest, day) && (Take(rest, 'T') || Take(rest, 't')) &&
                    TakeDigits(rest, 2, hour) && Take(rest, ':') && TakeDigits(rest, 2, minute) &&
                    Take(rest, ':') && TakeDigits(rest, 2, second) &&
                    TakeFraction(rest, time.nanos) && TakeOffset(rest, offset) && rest.empty();
  if (!read || hour > 23 || minute > 59 || second > 59) return NoTime(text);
  time.seconds = std::int64_t{day.time_since_epoch().count()} * 86400 + hour * 3600 + minute * 60 +
                 second - offset;
  return time;
}

Result<Timestamp> ParseDate(std::string_view text) {
  std::string_view rest = text;
  std::chrono::sys_days day;
  if (!TakeDay(rest, day) || !rest.empty()) return NoTime(text);
  return Timestamp{.seconds = std::int64_t{day.time_since_epoch().count()} * 86400};
}

std::string TimestampText(const Timestamp& time) {
  const std::chrono::sys_seconds at{std::chrono::seconds(time.seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::int64_t second = (at - day).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     second / 3600, second / 60 % 60, second % 60, FractionText(time.nanos));
}

std::string DurationText(std::int64_t nanos) {
  const bool minus = nanos < 0;
  const std::uint64_t size =
      minus ? ~static_cast<std::uint64_t>(nanos) + 1 : static_cast<std::uint64_t>(nanos);
  return fmt::format("{}{}{}s", minus ? "-" : "", size / 1'000'000'000,
                     FractionText(static_cast<std::int64_t>(size % 1'000'000'000)));
}

std::string Shown(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull: return "null";
    case Kind::kBool: return value.As<bool>() ? "true" : "false";
    case Kind::kInt: return std::to_string(value.As<std::int64_t>());
    case Kind::kUint: return std::to_string(value.As<std::uint64_t>());
    case Kind::kDouble: return FloatText(value.As<double>());
    case Kind::kString: return value.text();
    case Kind::kDuration: return DurationText(value.As<DurationValue>().nanos);
    case Kind::kTimestamp: return TimestampText(value.As<Timestamp>());
    case Kind::kType: return value.As<TypeName>().name;
    case Kind::kQuantity: return value.As<Quantity>().ToString();
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
    case Kind::kOptional:
    case Kind::kUrl:
    case Kind::kIp:
    case Kind::kCidr:
    case Kind::kSemver:
    case Kind::kFormat:
    case Kind::kOpaque:
    case Kind::kObject:
    case Kind::kDyn:
    case Kind::kParam: break;
  }
  return std::string(NameOf(value.kind()));
}

}  // namespace millwright::kube::cel
