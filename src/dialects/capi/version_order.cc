#include "dialects/capi/version_order.h"

#include <charconv>
#include <optional>
#include <tuple>

namespace millwright::dialects::capi {

namespace {

struct Parts {
  int major = 0;
  int stability = 0;  // 2 stable, 1 beta, 0 alpha
  int minor = 0;
};

std::optional<int> TakeNumber(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

std::optional<Parts> Parse(std::string_view text) {
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  const auto major = TakeNumber(text);
  if (!major) return std::nullopt;
  if (text.empty()) return Parts{*major, 2, 0};
  const bool beta = text.starts_with("beta");
  if (!beta && !text.starts_with("alpha")) return std::nullopt;
  text.remove_prefix(beta ? 4 : 5);
  const auto minor = TakeNumber(text);
  if (!minor || !text.empty()) return std::nullopt;
  return Parts{*major, beta ? 1 : 0, *minor};
}

}  // namespace

bool IsPreferredVersion(std::string_view a, std::string_view b) {
  const auto left = Parse(a);
  const auto right = Parse(b);
  if (!left || !right) return left || (!right && a < b);
  return std::tie(left->stability, left->major, left->minor) >
         std::tie(right->stability, right->major, right->minor);
}

}  // namespace millwright::dialects::capi
