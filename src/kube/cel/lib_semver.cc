// Versions such as 1.2.3-rc.1.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kube/api/typed_text.h"
#include "kube/cel/functions.h"

namespace millwright::kube::cel {

namespace {

bool IsNumeric(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool IsIdentifier(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

bool TakeNumber(std::string_view text, std::uint64_t& number) {
  if (!IsNumeric(text) || (text.size() > 1 && text[0] == '0')) return false;
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

std::vector<std::string> Parts(std::string_view text, char mark) {
  std::vector<std::string> parts;
  while (true) {
    const auto at = text.find(mark);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<Semver> ParseVersion(std::string_view text) {
  Semver version;
  if (const auto plus = text.find('+'); plus != std::string_view::npos) {
    version.build = text.substr(plus + 1);
    const auto parts = Parts(version.build, '.');
    if (!std::ranges::all_of(parts, IsIdentifier)) return std::nullopt;
    text = text.substr(0, plus);
  }
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    version.pre = Parts(text.substr(dash + 1), '.');
    for (const std::string& part : version.pre) {
      const bool zeros = IsNumeric(part) && part.size() > 1 && part[0] == '0';
      if (!IsIdentifier(part) || zeros) return std::nullopt;
    }
    text = text.substr(0, dash);
  }
  const auto numbers = Parts(text, '.');
  const bool read = numbers.size() == 3 && TakeNumber(numbers[0], version.major) &&
                    TakeNumber(numbers[1], version.minor) && TakeNumber(numbers[2], version.patch);
  if (!read) return std::nullopt;
  return version;
}

// Takes off a "v", fills up to three numbers, and drops zeros before them.
std::string Normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const auto end = text.find_first_of("-+");
  std::vector<std::string> numbers = Parts(text.substr(0, end), '.');
  for (std::string& number : numbers) {
    while (number.size() > 1 && number[0] == '0') number.erase(0, 1);
  }
  while (numbers.size() < 3) numbers.emplace_back("0");
  return fmt::format("{}{}", fmt::join(numbers, "."),
                     end == std::string_view::npos ? "" : text.substr(end));
}

int ComparePart(const std::string& a, const std::string& b) {
  const bool x = IsNumeric(a);
  const bool y = IsNumeric(b);
  if (x != y) return x ? -1 : 1;
  // Without zeros in front, the longer number is the larger.
  if (x && a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a < b ? -1 : (a == b ? 0 : 1);
}

int CompareVersions(const Semver& a, const Semver& b) {
  const auto order = std::tie(a.major, a.minor, a.patch) <=> std::tie(b.major, b.minor, b.patch);
  if (order != 0) return order < 0 ? -1 : 1;
  if (a.pre.empty() || b.pre.empty()) {
    return static_cast<int>(a.pre.empty()) - static_cast<int>(b.pre.empty());
  }
  for (std::size_t i = 0; i < std::min(a.pre.size(), b.pre.size()); ++i) {
    if (const int part = ComparePart(a.pre[i], b.pre[i]); part != 0) return part;
  }
  return a.pre.size() < b.pre.size() ? -1 : (a.pre.size() == b.pre.size() ? 0 : 1);
}

const Semver& Get(const Value& value) { return *value.As<std::shared_ptr<const Semver>>(); }

std::optional<Semver> Read(Arguments a) {
  const bool normalize = a.size() > 1 && a[1].As<bool>();
  return ParseVersion(normalize ? Normalized(a[0].text()) : a[0].text());
}

Result<Value> ToSemver(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  auto version = Read(a);
  if (!version) return Wrong(fmt::format("invalid semver {}", QuotedText(a[0].text())));
  return Value(std::shared_ptr<const Semver>(std::make_shared<Semver>(*std::move(version))));
}
Result<Value> IsSemver(Arguments a, Budget& budget) {
  CHECK_OK(budget.SpendOn(a[0].text().size()));
  return Value(Read(a).has_value());
}
Result<Value> IsGreater(Arguments a, Budget&) {
  return Value(CompareVersions(Get(a[0]), Get(a[1])) > 0);
}
Result<Value> IsLess(Arguments a, Budget&) {
  return Value(CompareVersions(Get(a[0]), Get(a[1])) < 0);
}
Result<Value> CompareTo(Arguments a, Budget&) {
  return Value(std::int64_t{CompareVersions(Get(a[0]), Get(a[1]))});
}
Result<Value> Major(Arguments a, Budget&) {
  return Value(static_cast<std::int64_t>(Get(a[0]).major));
}
Result<Value> Minor(Arguments a, Budget&) {
  return Value(static_cast<std::int64_t>(Get(a[0]).minor));
}
Result<Value> Patch(Arguments a, Budget&) {
  return Value(static_cast<std::int64_t>(Get(a[0]).patch));
}

}  // namespace

std::span<const Declaration> SemverDeclarations() {
  static constexpr Declaration kDeclarations[] = {
      {"semver(string) -> Semver", &ToSemver},
      {"semver(string, bool) -> Semver", &ToSemver},
      {"isSemver(string) -> bool", &IsSemver},
      {"isSemver(string, bool) -> bool", &IsSemver},
      {"Semver.isGreaterThan(Semver) -> bool", &IsGreater},
      {"Semver.isLessThan(Semver) -> bool", &IsLess},
      {"Semver.compareTo(Semver) -> int", &CompareTo},
      {"Semver.major() -> int", &Major},
      {"Semver.minor() -> int", &Minor},
      {"Semver.patch() -> int", &Patch},
  };
  return kDeclarations;
}

}  // namespace millwright::kube::cel
