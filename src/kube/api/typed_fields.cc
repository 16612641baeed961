#include "kube/api/typed_fields.h"

#include <utility>

#include <boost/json.hpp>

#include "kube/api/typed_items.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

struct Claimed {
  FieldSet below;
  bool self = false;  // the place itself is claimed
};

Claimed ClaimedBy(const Shape& shape, const json::value& value);

bool IsVoid(const json::value& value) {
  return value.is_null() || (value.is_object() && value.get_object().empty());
}

FieldSet ClaimedFields(const Shape& shape, const json::object& object) {
  FieldSet set;
  for (const auto& field : object) {
    const Shape below = shape.Field(field.key()).value_or(Shape::Untyped());
    Claimed claimed = ClaimedBy(below, field.value());
    const bool self = claimed.self || IsVoid(field.value()) || !shape.Declares(field.key());
    set.Put(PathElement::Field(field.key()), self, std::move(claimed.below));
  }
  return set;
}

// Items that share an identity cannot be told apart, so only the identity is claimed.
FieldSet ClaimedItems(const Shape& shape, const json::array& list) {
  FieldSet set;
  for (const auto& [element, items] : IndexItems(shape, &list).items) {
    FieldSet below = items.size() == 1 ? ClaimedBy(shape.Item(), *items[0]).below : FieldSet();
    set.Put(element, true, std::move(below));
  }
  return set;
}

Claimed ClaimedBy(const Shape& shape, const json::value& value) {
  switch (shape.FormOf(value)) {
    case Form::kScalar:
    case Form::kAtomic: return {{}, true};
    case Form::kMap:
      if (const auto* object = value.if_object()) return {ClaimedFields(shape, *object)};
      return {};
    case Form::kList:
      if (const auto* list = value.if_array()) return {ClaimedItems(shape, *list)};
      return {};
  }
  return {};
}

Shape ShapeBelow(const Shape& shape, const PathElement& element) {
  const std::string* name = element.field();
  return name == nullptr ? shape.Item() : shape.Field(*name).value_or(Shape::Untyped());
}

}  // namespace

FieldSet FieldsOf(const Shape& shape, const json::value& value) {
  return ClaimedBy(shape, value).below;
}

FieldSet WithDeclaredFields(const Shape& shape, const FieldSet& set) {
  FieldSet out;
  for (const auto& [element, node] : set.children()) {
    const bool declared = element.field() != nullptr && shape.Declares(*element.field());
    out.Put(element, node.is_member() || declared,
            WithDeclaredFields(ShapeBelow(shape, element), node));
  }
  return out;
}

FieldSet AdjustedTo(const Shape& shape, const FieldSet& set) {
  FieldSet out;
  for (const auto& [element, node] : set.children()) {
    const Shape below = ShapeBelow(shape, element);
    if (below.IsAtomic()) {
      out.Put(element, true, {});
    } else {
      out.Put(element, node.is_member(), AdjustedTo(below, node));
    }
  }
  return out;
}

}  // namespace millwright::kube
