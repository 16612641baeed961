#include "kube/api/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "kube/api/label_match.h"
#include "kube/api/names.h"

namespace millwright::kube {
namespace {

using Operator = LabelRequirement::Operator;

std::optional<int64_t> ToNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool ComparesNumbers(Operator op) {
  return op == Operator::kGreaterThan || op == Operator::kLessThan;
}

// What is wrong with the number of values, or nothing.
std::string_view WrongCount(Operator op, size_t count) {
  switch (op) {
    case Operator::kIn:
    case Operator::kNotIn: return count == 0 ? "needs at least one value" : "";
    case Operator::kExists:
    case Operator::kDoesNotExist: return count != 0 ? "takes no values" : "";
    case Operator::kEquals:
    case Operator::kDoubleEquals:
    case Operator::kNotEquals:
    case Operator::kGreaterThan:
    case Operator::kLessThan: return count != 1 ? "takes exactly one value" : "";
  }
  return "has an unknown operator";
}

Failure Invalid(std::string_view key, std::string_view why) {
  return Fail(ErrorKind::kInvalid, fmt::format("label requirement on '{}': {}", key, why));
}

// Requirements on the same key keep their order. (std::stable_sort of libstdc++ 12 calls a
// deprecated function, which our warnings refuse.)
std::vector<LabelRequirement> SortedByKey(std::vector<LabelRequirement> requirements) {
  std::vector<std::pair<std::string_view, size_t>> order;
  order.reserve(requirements.size());
  for (const LabelRequirement& requirement : requirements)
    order.emplace_back(requirement.key, order.size());
  std::ranges::sort(order);
  std::vector<LabelRequirement> sorted;
  sorted.reserve(order.size());
  for (const auto& [key, index] : order) sorted.push_back(std::move(requirements[index]));
  return sorted;
}

}  // namespace

Result<LabelRequirement> MakeLabelRequirement(std::string key, Operator op,
                                              std::vector<std::string> values) {
  const Complaints about_key = CheckQualifiedName(key);
  if (!about_key.empty()) return Invalid(key, about_key.front());
  const std::string_view wrong_count = WrongCount(op, values.size());
  if (!wrong_count.empty()) return Invalid(key, wrong_count);
  for (const std::string& value : values) {
    const Complaints about_value = CheckLabelValue(value);
    if (!about_value.empty())
      return Invalid(key, fmt::format("'{}': {}", value, about_value.front()));
    if (ComparesNumbers(op) && !ToNumber(value)) {
      return Invalid(key, fmt::format("'{}': > and < compare whole numbers", value));
    }
  }
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return LabelRequirement{std::move(key), op, std::move(values)};
}

bool LabelRequirement::Matches(const Labels& labels) const {
  const auto label = labels.find(key);
  return Holds(
      *this, label == labels.end() ? std::nullopt : std::optional<std::string_view>(label->second));
}

bool Holds(const LabelRequirement& requirement, std::optional<std::string_view> value) {
  const std::vector<std::string>& values = requirement.values;
  const bool present = value.has_value();
  const auto is_listed = [&] {
    return present && std::ranges::binary_search(values, *value, std::less<>());
  };
  const auto compare = [&](auto holds) {
    const auto number = present ? ToNumber(*value) : std::nullopt;
    return number && holds(*number, *ToNumber(values.front()));
  };
  switch (requirement.op) {
    case Operator::kEquals:
    case Operator::kDoubleEquals:
    case Operator::kIn: return is_listed();
    case Operator::kNotEquals:
    case Operator::kNotIn: return !is_listed();
    case Operator::kExists: return present;
    case Operator::kDoesNotExist: return !present;
    case Operator::kGreaterThan: return compare(std::greater());
    case Operator::kLessThan: return compare(std::less());
  }
  return false;
}

std::string LabelRequirement::ToString() const {
  switch (op) {
    case Operator::kEquals: return fmt::format("{}={}", key, values.front());
    case Operator::kDoubleEquals: return fmt::format("{}=={}", key, values.front());
    case Operator::kNotEquals: return fmt::format("{}!={}", key, values.front());
    case Operator::kIn: return fmt::format("{} in ({})", key, fmt::join(values, ","));
    case Operator::kNotIn: return fmt::format("{} notin ({})", key, fmt::join(values, ","));
    case Operator::kExists: return key;
    case Operator::kDoesNotExist: return "!" + key;
    case Operator::kGreaterThan: return fmt::format("{}>{}", key, values.front());
    case Operator::kLessThan: return fmt::format("{}<{}", key, values.front());
  }
  return key;
}

LabelSelector::LabelSelector(std::vector<LabelRequirement> requirements)
    : requirements_(SortedByKey(std::move(requirements))) {}

LabelSelector LabelSelector::Nothing() {
  LabelSelector selector;
  selector.nothing_ = true;
  return selector;
}

bool LabelSelector::Matches(const Labels& labels) const {
  return !nothing_ && std::ranges::all_of(requirements_, [&labels](const auto& requirement) {
    return requirement.Matches(labels);
  });
}

std::string LabelSelector::ToString() const {
  std::string text;
  for (const LabelRequirement& requirement : requirements_) {
    if (!text.empty()) text += ',';
    text += requirement.ToString();
  }
  return text;
}

}  // namespace millwright::kube
