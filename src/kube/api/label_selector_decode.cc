#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/labels.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;
using Operator = LabelRequirement::Operator;

Failure Invalid(std::string_view what) {
  return Fail(ErrorKind::kInvalid, fmt::format("label selector: {}", what));
}

// Absent and null mean the same in every optional field of Kubernetes.
const json::value* Present(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

struct Word {
  std::string_view text;
  Operator op;
};

constexpr std::array<Word, 4> kOperators = {{
    {"In", Operator::kIn},
    {"NotIn", Operator::kNotIn},
    {"Exists", Operator::kExists},
    {"DoesNotExist", Operator::kDoesNotExist},
}};

Result<Operator> DecodeOperator(const json::value* value) {
  const json::string* text = value == nullptr ? nullptr : value->if_string();
  for (const Word& word : kOperators) {
    if (text != nullptr && word.text == std::string_view(*text)) return word.op;
  }
  return Invalid("the operator must be In, NotIn, Exists or DoesNotExist");
}

Result<std::vector<std::string>> DecodeValues(const json::value* value) {
  std::vector<std::string> values;
  if (value == nullptr) return values;
  if (!value->is_array()) return Invalid("values must be a list");
  for (const json::value& item : value->get_array()) {
    if (!item.is_string()) return Invalid("values must be strings");
    values.emplace_back(item.get_string());
  }
  return values;
}

Result<void> DecodeMatchLabels(const json::value& value,
                               std::vector<LabelRequirement>& requirements) {
  if (!value.is_object()) return Invalid("matchLabels must be an object");
  for (const auto& [key, label] : value.get_object()) {
    if (!label.is_string()) return Invalid("matchLabels must hold strings");
    TRY(auto requirement,
        MakeLabelRequirement(key, Operator::kEquals, {std::string(label.get_string())}));
    requirements.push_back(std::move(requirement));
  }
  return Ok();
}

Result<LabelRequirement> DecodeExpression(const json::value& value) {
  if (!value.is_object()) return Invalid("a match expression must be an object");
  const json::object& expression = value.get_object();
  const json::value* key = Present(expression, "key");
  if (key == nullptr || !key->is_string()) return Invalid("a match expression must have a key");
  TRY(const Operator op, DecodeOperator(Present(expression, "operator")));
  TRY(auto values, DecodeValues(Present(expression, "values")));
  return MakeLabelRequirement(std::string(key->get_string()), op, std::move(values));
}

}  // namespace

Result<LabelSelector> DecodeLabelSelector(const json::value& selector) {
  if (selector.is_null()) return LabelSelector::Nothing();
  if (!selector.is_object()) return Invalid("it must be an object");
  std::vector<LabelRequirement> requirements;
  if (const json::value* labels = Present(selector.get_object(), "matchLabels")) {
    CHECK_OK(DecodeMatchLabels(*labels, requirements));
  }
  if (const json::value* expressions = Present(selector.get_object(), "matchExpressions")) {
    if (!expressions->is_array()) return Invalid("matchExpressions must be a list");
    for (const json::value& expression : expressions->get_array()) {
      TRY(auto requirement, DecodeExpression(expression));
      requirements.push_back(std::move(requirement));
    }
  }
  return LabelSelector(std::move(requirements));
}

}  // namespace millwright::kube
