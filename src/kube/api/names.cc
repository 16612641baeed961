#include "kube/api/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace millwright::kube {
namespace {

constexpr size_t kMaxLabel = 63;       // RFC 1035, and Kubernetes holds label values to it as well
constexpr size_t kMaxSubdomain = 253;  // RFC 1123
constexpr size_t kMaxAnnotations = size_t{256} * 1024;
constexpr std::string_view kSuffixAlphabet = "bcdfghjklmnpqrstvwxz2456789";

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLowerAlphanumeric(char c) { return IsLower(c) || IsDigit(c); }
bool IsAlphanumeric(char c) { return IsLowerAlphanumeric(c) || (c >= 'A' && c <= 'Z'); }
bool IsNamePunctuation(char c) { return c == '-' || c == '_' || c == '.'; }

// Not empty, alphanumeric at both ends, and alphanumeric or '-' between.
bool IsDnsLabel(std::string_view text) {
  return !text.empty() && IsLowerAlphanumeric(text.front()) && IsLowerAlphanumeric(text.back()) &&
         std::ranges::all_of(text, [](char c) { return IsLowerAlphanumeric(c) || c == '-'; });
}

bool IsDnsSubdomain(std::string_view text) {
  for (;;) {
    const size_t dot = text.find('.');
    if (!IsDnsLabel(text.substr(0, dot))) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool IsNamePart(std::string_view text) {
  return !text.empty() && IsAlphanumeric(text.front()) && IsAlphanumeric(text.back()) &&
         std::ranges::all_of(text,
                             [](char c) { return IsAlphanumeric(c) || IsNamePunctuation(c); });
}

constexpr std::string_view kDns1123Label =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and "
    "end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation "
    "is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kDns1123Subdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation "
    "is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kDns1035Label =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic "
    "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used "
    "for "
    "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kNamePart =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kLabelValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
    "regex used for "
    "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

std::string NoMoreThan(size_t limit, std::string_view of_what) {
  return fmt::format("must be no more than {} {}", limit, of_what);
}

void CheckPrefixPart(std::string_view prefix, Complaints& complaints) {
  if (prefix.empty()) {
    complaints.emplace_back("prefix part must be non-empty");
    return;
  }
  for (const std::string& complaint : CheckDns1123Subdomain(prefix)) {
    complaints.push_back("prefix part " + complaint);
  }
}

}  // namespace

Complaints CheckDns1123Label(std::string_view name) {
  Complaints complaints;
  if (name.size() > kMaxLabel) complaints.push_back(NoMoreThan(kMaxLabel, "characters"));
  if (!IsDnsLabel(name)) {
    complaints.emplace_back(IsDnsSubdomain(name) ? "must not contain dots" : kDns1123Label);
  }
  return complaints;
}

Complaints CheckDns1123Subdomain(std::string_view name) {
  Complaints complaints;
  if (name.size() > kMaxSubdomain) complaints.push_back(NoMoreThan(kMaxSubdomain, "characters"));
  if (!IsDnsSubdomain(name)) complaints.emplace_back(kDns1123Subdomain);
  return complaints;
}

Complaints CheckDns1035Label(std::string_view name) {
  Complaints complaints;
  if (name.size() > kMaxLabel) complaints.push_back(NoMoreThan(kMaxLabel, "characters"));
  if (!IsDnsLabel(name) || !IsLower(name.front())) complaints.emplace_back(kDns1035Label);
  return complaints;
}

Complaints CheckQualifiedName(std::string_view name) {
  Complaints complaints;
  const size_t slash = name.find('/');
  std::string_view name_part = name;
  if (slash != name.npos) {
    name_part.remove_prefix(slash + 1);
    if (name_part.find('/') != name.npos) {
      complaints.push_back(
          fmt::format("a valid label key {} with an optional DNS subdomain prefix and '/' "
                      "(e.g. 'example.com/MyName')",
                      kNamePart));
      return complaints;
    }
    CheckPrefixPart(name.substr(0, slash), complaints);
  }
  if (name_part.empty()) complaints.emplace_back("name part must be non-empty");
  if (name_part.size() > kMaxLabel)
    complaints.push_back("name part " + NoMoreThan(kMaxLabel, "bytes"));
  if (!IsNamePart(name_part)) complaints.push_back(fmt::format("name part {}", kNamePart));
  return complaints;
}

Complaints CheckLabelValue(std::string_view value) {
  Complaints complaints;
  if (value.size() > kMaxLabel) complaints.push_back(NoMoreThan(kMaxLabel, "bytes"));
  if (!value.empty() && !IsNamePart(value)) complaints.emplace_back(kLabelValue);
  return complaints;
}

Complaints CheckPathSegment(std::string_view name) {
  Complaints complaints;
  if (name == "." || name == "..") complaints.push_back(fmt::format("may not be '{}'", name));
  for (const char c : {'/', '%'}) {
    if (name.find(c) != name.npos) complaints.push_back(fmt::format("may not contain '{}'", c));
  }
  return complaints;
}

Complaints CheckAnnotationKey(std::string_view key) {
  std::string lower(key);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return CheckQualifiedName(lower);
}

Complaints CheckAnnotationsSize(const Labels& annotations) {
  size_t size = 0;
  for (const auto& [key, value] : annotations) size += key.size() + value.size();
  if (size <= kMaxAnnotations) return {};
  return {fmt::format("may not be more than {} bytes", kMaxAnnotations)};
}

std::string RandomSuffix(const std::array<uint32_t, 5>& random) {
  std::string suffix;
  for (const uint32_t number : random) suffix += kSuffixAlphabet[number % kSuffixAlphabet.size()];
  return suffix;
}

std::string GenerateName(std::string_view base, std::string_view suffix) {
  suffix = suffix.substr(0, kMaxLabel);
  return std::string(base.substr(0, kMaxLabel - suffix.size())).append(suffix);
}

}  // namespace millwright::kube
