#include "kube/api/schema_format_net.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <ranges>
#include <string>

#include <re2/re2.h>

namespace millwright::kube {

namespace {

bool FullMatch(std::string_view text, const RE2& pattern) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

bool IsNumberUpTo(std::string_view digits, unsigned limit) {
  unsigned number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return failed == std::errc() && end == digits.data() + digits.size() && number <= limit;
}

bool IsDottedQuad(std::string_view text) {
  int parts = 0;
  for (const auto part : std::views::split(text, '.')) {
    if (!IsNumberUpTo(std::string_view(part), 255)) return false;
    ++parts;
  }
  return parts == 4;
}

bool IsColonHex(std::string_view text) {
  in6_addr address{};
  return text.contains(':') && inet_pton(AF_INET6, std::string(text).c_str(), &address) == 1;
}

bool HasValidEscapes(std::string_view text) {
  static const RE2 kPattern("(?s)(?:[^%]|%[0-9A-Fa-f]{2})*");
  return FullMatch(text, kPattern);
}

bool IsAuthority(std::string_view authority) {
  const std::size_t at = authority.rfind('@');
  const std::string_view host = at == std::string_view::npos ? authority : authority.substr(at + 1);
  static const RE2 kHost(
      R"((?:\[[^\[\]]*\]|(?:[-A-Za-z0-9_.~!$&'()*+,;=<>"]|[^\x00-\x7f]|%(?:[89A-Fa-f][0-9A-Fa-f]|25))*)(?::\d*)?)");
  static const RE2 kUser(R"((?:[-A-Za-z0-9._:~!$&'()*+,;=%@]|[^\x00-\x7f])*)");
  if (!FullMatch(host, kHost)) return false;
  if (at == std::string_view::npos) return true;
  const std::string_view user = authority.substr(0, at);
  return FullMatch(user, kUser) && HasValidEscapes(user);
}

// What follows the scheme, or all of it when there is none; none when the scheme is malformed.
std::optional<std::string_view> AfterScheme(std::string_view text) {
  if (text.starts_with(':')) return std::nullopt;
  static const RE2 kScheme("([A-Za-z][-A-Za-z0-9+.]*):");
  re2::StringPiece rest(text.data(), text.size());
  if (!RE2::Consume(&rest, kScheme)) return text;
  return std::string_view(rest.data(), rest.size());
}

}  // namespace

bool IsIpv4(std::string_view text) {
  return IsDottedQuad(text) || (text.contains('.') && IsColonHex(text));
}

bool IsIpv6(std::string_view text) { return IsColonHex(text); }

bool IsCidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view address = text.substr(0, slash);
  const std::string_view bits = text.substr(slash + 1);
  if (IsDottedQuad(address)) return IsNumberUpTo(bits, 32);
  return IsColonHex(address) && IsNumberUpTo(bits, 128);
}

bool IsMac(std::string_view text) {
  static const RE2 kOctets(
      "(?:[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5}|(?::[0-9A-Fa-f]{2}){7}|"
      "(?:-[0-9A-Fa-f]{2}){7}|(?::[0-9A-Fa-f]{2}){19}|(?:-[0-9A-Fa-f]{2}){19}))");
  static const RE2 kDotted(
      R"([0-9A-Fa-f]{4}(?:(?:\.[0-9A-Fa-f]{4}){2}|(?:\.[0-9A-Fa-f]{4}){3}|(?:\.[0-9A-Fa-f]{4}){9}))");
  return FullMatch(text, kOctets) || FullMatch(text, kDotted);
}

bool IsRequestUri(std::string_view text) {
  const bool has_control =
      std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (text.empty() || has_control) return false;
  if (text == "*") return true;
  const auto after = AfterScheme(text);
  if (!after) return false;
  const bool has_scheme = after->size() != text.size();
  std::string_view rest = after->substr(0, after->find('?'));
  if (!rest.starts_with('/')) return has_scheme;  // "mailto:a", kept as it is
  if (has_scheme && rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::size_t slash = rest.find('/');
    if (!IsAuthority(rest.substr(0, slash))) return false;
    rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash);
  }
  return HasValidEscapes(rest);
}

bool IsHostname(std::string_view text) {
  // A name of one label may have a dash only after its first character: odd, but so the server has
  // it. No counts in the expressions: with classes this large they would need megabytes.
  static const RE2 kOneLabel(R"([a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]*)");
  static const RE2 kLabel(
      R"([a-zA-Z0-9\p{S}\p{L}](?:[-a-zA-Z0-9\p{S}\p{L}]*[a-zA-Z0-9\p{S}\p{L}])?)");
  static const RE2 kLastLabel(R"([a-zA-Z\p{L}][a-zA-Z\p{L}]+)");
  constexpr std::size_t kMaxLabel = 63;
  constexpr std::size_t kMaxName = 255;
  if (text.size() > kMaxName) return false;
  const std::size_t last = text.rfind('.');
  for (const auto part : std::views::split(text, '.')) {
    const std::string_view label(part);
    const bool is_last = label.data() + label.size() == text.data() + text.size();
    const RE2& pattern = last == std::string_view::npos ? kOneLabel : is_last ? kLastLabel : kLabel;
    if (label.size() > kMaxLabel || !FullMatch(label, pattern)) return false;
  }
  return !text.empty();
}

bool IsEmail(std::string_view text) {
  // RFC 5322 with at most one comment, at the end; letters of any alphabet, as RFC 6532 allows.
  static const std::string kAtom = R"((?:[-A-Za-z0-9!#$%&'*+/=?^_`{|}~]|[^\x00-\x7f])+)";
  static const std::string kQuoted = R"("(?:[^"\\\x00-\x1f]|\\[ -~])*")";
  static const std::string kDots = kAtom + R"((?:\.)" + kAtom + ")*";
  static const std::string kAddress =
      "(?:" + kDots + "|" + kQuoted + ")@(?:" + kDots + R"(|\[[^\[\]\\]*\]))";
  static const RE2 kPattern("[ \\t]*(?:" + kAddress + "|(?:(?:" + kAtom + "|[.]|" + kQuoted +
                            ")[ \\t]*)*<" + kAddress + ">)[ \\t]*(?:\\([^()\\\\]*\\)[ \\t]*)?");
  return FullMatch(text, kPattern);
}

}  // namespace millwright::kube
