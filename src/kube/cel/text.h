// Texts by their characters, and values as texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kube/cel/value.h"

namespace millwright::kube::cel {

// Code points. Bytes that are not UTF-8 count as one each.
std::size_t CountCharacters(std::string_view text);
std::vector<std::string_view> CharactersOf(std::string_view text);
void AppendCharacter(std::string& text, char32_t character);
bool IsUtf8(std::string_view text);

// RFC 3339, for years that CEL knows.
Result<Timestamp> ParseTimestamp(std::string_view text);
std::string TimestampText(const Timestamp& time);
// "2006-01-02".
Result<Timestamp> ParseDate(std::string_view text);

// As string() gives it: seconds with a fraction, "1.5s".
std::string DurationText(std::int64_t nanos);

// For messages.
std::string Shown(const Value& value);

}  // namespace millwright::kube::cel
