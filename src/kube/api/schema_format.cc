#include "kube/api/schema_format.h"

#include <algorithm>
#include <array>
#include <string>

#include <re2/re2.h>

#include "kube/api/schema_format_net.h"
#include "kube/api/schema_format_time.h"

namespace millwright::kube {

namespace {

bool FullMatch(std::string_view text, const RE2& pattern) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

bool IsBase64(std::string_view text) {
  // Padded and not empty: that is what the server asks for.
  static const RE2 kPattern(
      "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})");
  return FullMatch(text, kPattern);
}

bool IsUuid(std::string_view text) {
  static const RE2 kPattern("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
  return FullMatch(text, kPattern);
}

// A UUID in which the version, and from version 4 on the variant, are as they should be.
bool IsUuidOf(std::string_view text, char version) {
  if (!IsUuid(text)) return false;
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != '-'; });
  return digits[12] == version &&
         (version == '3' || std::string_view("89abAB").contains(digits[16]));
}

bool IsUuid3(std::string_view text) { return IsUuidOf(text, '3'); }
bool IsUuid4(std::string_view text) { return IsUuidOf(text, '4'); }
bool IsUuid5(std::string_view text) { return IsUuidOf(text, '5'); }

bool IsShortName(std::string_view text) {
  static const RE2 kPattern("[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?");
  return FullMatch(text, kPattern);
}

bool IsLongName(std::string_view text) {
  static const RE2 kPattern(
      R"([a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*)");
  constexpr std::size_t kMaxName = 253;
  return text.size() <= kMaxName && FullMatch(text, kPattern);
}

bool IsAnything(std::string_view) { return true; }

struct Format {
  std::string_view name;
  bool (*check)(std::string_view);
};

constexpr std::array kFormats = {
    Format{"byte", IsBase64},
    Format{"cidr", IsCidr},
    Format{"date", IsDate},
    Format{"datetime", IsDateTime},
    Format{"duration", IsDuration},
    Format{"email", IsEmail},
    Format{"hostname", IsHostname},
    Format{"ipv4", IsIpv4},
    Format{"ipv6", IsIpv6},
    Format{"mac", IsMac},
    Format{"password", IsAnything},
    Format{"uri", IsRequestUri},
    Format{"uuid", IsUuid},
    Format{"uuid3", IsUuid3},
    Format{"uuid4", IsUuid4},
    Format{"uuid5", IsUuid5},
    Format{"k8sshortname", IsShortName},
    Format{"k8slongname", IsLongName},
};

const Format* Find(std::string_view name) {
  std::string plain;
  std::ranges::copy_if(name, std::back_inserter(plain), [](char c) { return c != '-'; });
  const auto found = std::ranges::find(kFormats, plain, &Format::name);
  return found == kFormats.end() ? nullptr : &*found;
}

}  // namespace

bool IsStringFormat(std::string_view name) { return Find(name) != nullptr; }

bool HasFormat(std::string_view text, std::string_view name) {
  const Format* format = Find(name);
  return format == nullptr || format->check(text);
}

}  // namespace millwright::kube
