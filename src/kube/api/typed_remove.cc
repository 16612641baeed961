#include "kube/api/typed_remove.h"

#include <boost/json.hpp>

#include "kube/api/typed_items.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

json::value WithoutFields(const Shape& shape, const json::object& object, const FieldSet& fields) {
  json::object out;
  for (const auto& field : object) {
    const FieldSet* node = fields.Find(PathElement::Field(field.key()));
    if (node == nullptr) {
      out[field.key()] = field.value();
    } else if (!node->is_member()) {
      const Shape below = shape.Field(field.key()).value_or(Shape::Untyped());
      out[field.key()] = Without(below, field.value(), *node);
    }
  }
  return out;
}

json::value WithoutItems(const Shape& shape, const json::array& list, const FieldSet& fields) {
  json::array out;
  for (const auto& item : list) {
    const auto element = ItemElement(shape, item);
    const FieldSet* node = element ? fields.Find(*element) : nullptr;
    if (node == nullptr) {
      out.push_back(item);
    } else if (!node->is_member()) {
      out.push_back(Without(shape.Item(), item, *node));
    }
  }
  return out;
}

}  // namespace

json::value Without(const Shape& shape, const json::value& value, const FieldSet& fields) {
  switch (shape.FormOf(value)) {
    case Form::kScalar:
    case Form::kAtomic: return value;
    case Form::kMap:
      if (const auto* object = value.if_object()) return WithoutFields(shape, *object, fields);
      return value;
    case Form::kList:
      if (const auto* list = value.if_array()) return WithoutItems(shape, *list, fields);
      return value;
  }
  return value;
}

}  // namespace millwright::kube
