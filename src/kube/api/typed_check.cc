#include "kube/api/typed_check.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/typed_items.h"
#include "kube/api/typed_text.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

constexpr std::size_t kMaxErrors = 100;

class Checker {
 public:
  explicit Checker(Duplicates duplicates) : duplicates_(duplicates) {}

  void Check(const Shape& shape, const json::value& value);
  Result<void> Outcome() const;

 private:
  void CheckScalar(const Shape& shape, const json::value& value);
  void CheckMap(const Shape& shape, const json::value& value);
  void CheckList(const Shape& shape, const json::value& value);
  void CheckItems(const Shape& shape, const json::array& items);
  void Report(const std::string& text) {
    if (errors_.size() < kMaxErrors) errors_.push_back(ToString(path_) + ": " + text);
  }

  Duplicates duplicates_;
  FieldPath path_;
  std::vector<std::string> errors_;
};

bool IsScalar(const json::value& value) { return !value.is_object() && !value.is_array(); }

// Go prints the value inside of the struct that holds it.
std::string GoValue(const json::value& value) {
  const auto* text = value.if_string();
  return "&{" + (text != nullptr ? std::string(*text) : JsonText(value)) + "}";
}

std::string GoType(const json::value& value) {
  if (value.is_object()) return "map[string]interface {}";
  if (value.is_array()) return "[]interface {}";
  return value.is_bool() ? "bool" : "string";
}

// Strings with a format are any scalar to a merge: only the schema proper looks at their text.
bool IsAnyScalar(const Schema& schema) {
  const std::string& format = schema.checks.format;
  return schema.type == ValueType::kString && !format.empty() && format != "byte";
}

void Checker::CheckScalar(const Shape& shape, const json::value& value) {
  const Schema* schema = shape.schema();
  if (schema == nullptr || schema->type == ValueType::kAny || value.is_null()) return;
  if (IsAnyScalar(*schema)) {
    if (!IsScalar(value)) Report("expected any scalar, got " + GoValue(value));
  } else if (schema->type == ValueType::kString) {
    if (!value.is_string()) {
      Report("expected string, got &value.valueUnstructured{Value:" + JsonText(value) + "}");
    }
  } else if (schema->type == ValueType::kBoolean) {
    if (!value.is_bool()) Report("expected boolean, got " + GoValue(value));
  } else if (!value.is_number()) {
    Report("expected numeric (int or float), got " + GoType(value));
  }
}

void Checker::CheckMap(const Shape& shape, const json::value& value) {
  const auto* object = value.if_object();
  if (object == nullptr) {
    if (!value.is_null()) Report("expected map, got " + GoValue(value));
    return;
  }
  for (const auto& field : *object) {
    path_.push_back(PathElement::Field(field.key()));
    if (const auto below = shape.Field(field.key())) {
      Check(*below, field.value());
    } else {
      Report("field not declared in schema");
    }
    path_.pop_back();
  }
}

void Checker::CheckItems(const Shape& shape, const json::array& items) {
  std::set<PathElement> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto element = ItemElement(shape, items[i]);
    if (!element) {
      Report("element " + std::to_string(i) + ": " + element.error().message());
      return;
    }
    if (!seen.insert(*element).second && duplicates_ == Duplicates::kRefused) {
      Report("duplicate entries for key " + element->ToString());
    }
    path_.push_back(*std::move(element));
    Check(shape.Item(), items[i]);
    path_.pop_back();
  }
}

void Checker::CheckList(const Shape& shape, const json::value& value) {
  const auto* items = value.if_array();
  if (items == nullptr) {
    if (!value.is_null()) Report("expected list, got " + GoValue(value));
    return;
  }
  if (shape.FormOf(value) == Form::kList) return CheckItems(shape, *items);
  for (std::size_t i = 0; i < items->size(); ++i) {
    path_.push_back(PathElement::Index(static_cast<std::int64_t>(i)));
    Check(shape.Item(), (*items)[i]);
    path_.pop_back();
  }
}

void Checker::Check(const Shape& shape, const json::value& value) {
  if (shape.schema() == nullptr) return;
  switch (shape.schema()->type) {
    case ValueType::kObject: return CheckMap(shape, value);
    case ValueType::kArray: return CheckList(shape, value);
    case ValueType::kString:
    case ValueType::kInteger:
    case ValueType::kNumber:
    case ValueType::kBoolean: return CheckScalar(shape, value);
    case ValueType::kAny: break;
  }
  if (value.is_object()) CheckMap(shape, value);
  if (value.is_array()) CheckList(shape, value);
}

Result<void> Checker::Outcome() const {
  if (errors_.empty()) return Ok();
  if (errors_.size() == 1) return Fail(ErrorKind::kInvalid, errors_[0]);
  std::string text = "errors:";
  for (const auto& error : errors_) text += "\n  " + error;
  return Fail(ErrorKind::kInvalid, std::move(text));
}

}  // namespace

Result<void> CheckShape(const Shape& shape, const json::value& value, Duplicates duplicates) {
  Checker checker(duplicates);
  checker.Check(shape, value);
  return checker.Outcome();
}

}  // namespace millwright::kube
