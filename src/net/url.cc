#include "net/url.h"

#include <algorithm>
#include <cctype>

namespace millwright::net {

namespace {

bool IsUnreserved(unsigned char c) {
  return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '~';
}

bool HasControls(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

// The digit's value, or -1.
int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Calls `use` with each piece between separators; there is always at least one.
template <class F>
Result<void> ForEachPiece(std::string_view text, char separator, F use) {
  while (true) {
    const auto end = text.find(separator);
    CHECK_OK(use(text.substr(0, end)));
    if (end == std::string_view::npos) return Ok();
    text.remove_prefix(end + 1);
  }
}

// In a query, unlike in a path, a plus sign stands for a blank.
Result<std::string> DecodeQueryText(std::string_view text) {
  std::string blanks(text);
  std::ranges::replace(blanks, '+', ' ');
  return PercentDecode(blanks);
}

Result<std::vector<std::string>> ParsePath(std::string_view path) {
  std::vector<std::string> segments;
  path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return segments;
  CHECK_OK(ForEachPiece(path, '/', [&](std::string_view piece) -> Result<void> {
    TRY(std::string segment, PercentDecode(piece));
    if (HasControls(segment)) {
      return Fail(ErrorKind::kInvalid, "control character in the path");
    }
    segments.push_back(std::move(segment));
    return Ok();
  }));
  return segments;
}

Result<std::vector<QueryParameter>> ParseQuery(std::string_view text) {
  std::vector<QueryParameter> query;
  CHECK_OK(ForEachPiece(text, '&', [&](std::string_view piece) -> Result<void> {
    if (piece.empty()) return Ok();
    const auto equals = std::min(piece.find('='), piece.size());
    TRY(std::string key, DecodeQueryText(piece.substr(0, equals)));
    TRY(std::string value, DecodeQueryText(piece.substr(std::min(equals + 1, piece.size()))));
    query.push_back({std::move(key), std::move(value)});
    return Ok();
  }));
  return query;
}

// Drops scheme and host of a whole URL, as proxies' clients send it.
std::string_view WithoutHost(std::string_view text) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!text.starts_with(scheme)) continue;
    text.remove_prefix(scheme.size());
    text.remove_prefix(std::min(text.find_first_of("/?"), text.size()));
    break;
  }
  return text;
}

}  // namespace

std::optional<std::string_view> Target::Find(std::string_view key) const {
  const auto found = std::ranges::find(query, key, &QueryParameter::key);
  if (found == query.end()) return std::nullopt;
  return found->value;
}

Result<Target> ParseTarget(std::string_view text) {
  if (HasControls(text) || text.contains(' ')) {
    return Fail(ErrorKind::kInvalid, "blank or control character in the request target");
  }
  if (text.contains('#')) return Fail(ErrorKind::kInvalid, "fragment in the request target");
  const std::string_view local = WithoutHost(text);
  const bool whole_url = local.size() != text.size();
  const auto question = std::min(local.find('?'), local.size());
  const std::string_view path = local.substr(0, question);
  Target target;
  if (path.starts_with('/')) {
    TRY(target.segments, ParsePath(path));
  } else if (!whole_url || !path.empty()) {
    return Fail(ErrorKind::kInvalid, "request target is not a path");
  }
  if (question < local.size()) {
    TRY(target.query, ParseQuery(local.substr(question + 1)));
  }
  return target;
}

std::string FormatTarget(const Target& target) {
  std::string text;
  for (const std::string& segment : target.segments) text += "/" + PercentEncode(segment);
  if (text.empty()) text = "/";
  char separator = '?';
  for (const QueryParameter& parameter : target.query) {
    text += separator + PercentEncode(parameter.key) + "=" + PercentEncode(parameter.value);
    separator = '&';
  }
  return text;
}

std::string PercentEncode(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (IsUnreserved(byte)) {
      encoded += c;
    } else {
      encoded += {'%', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
    }
  }
  return encoded;
}

Result<std::string> PercentDecode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const int high = i + 1 < text.size() ? HexValue(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? HexValue(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      return Fail(ErrorKind::kInvalid, "bad percent escape in \"" + std::string(text) + "\"");
    }
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

}  // namespace millwright::net
