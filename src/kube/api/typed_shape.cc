#include "kube/api/typed_shape.h"

#include <boost/json.hpp>

#include "kube/api/schema_object_meta.h"

namespace millwright::kube {

namespace json = boost::json;

Shape Shape::OfResource(const Schema* schema) {
  if (schema == nullptr) return Untyped();
  return Shape(schema, true, schema->preserve_unknown_fields);
}

Shape Shape::Child(const Schema& schema) const {
  return Shape(&schema, schema.embedded_resource, preserve_ || schema.preserve_unknown_fields);
}

Form Shape::ListForm() const {
  const bool merged =
      schema_ != nullptr && schema_->list_type && *schema_->list_type != ListType::kAtomic;
  return merged ? Form::kList : Form::kAtomic;
}

Form Shape::MapForm() const {
  const bool whole = schema_ != nullptr && schema_->map_type == MapType::kAtomic;
  return whole ? Form::kAtomic : Form::kMap;
}

Form Shape::FormOf(const json::value& value) const {
  switch (schema_ == nullptr ? ValueType::kAny : schema_->type) {
    case ValueType::kObject: return MapForm();
    case ValueType::kArray: return ListForm();
    case ValueType::kString:
    case ValueType::kInteger:
    case ValueType::kNumber:
    case ValueType::kBoolean: return Form::kScalar;
    case ValueType::kAny: break;
  }
  if (value.is_array()) return ListForm();
  return value.is_object() || value.is_null() ? MapForm() : Form::kScalar;
}

bool Shape::IsAtomic() const {
  if (schema_ == nullptr) return false;
  if (schema_->type == ValueType::kArray) return ListForm() == Form::kAtomic;
  return schema_->type == ValueType::kObject && MapForm() == Form::kAtomic;
}

std::optional<Shape> Shape::Field(std::string_view name) const {
  if (schema_ == nullptr) return Untyped();
  if (is_resource_ && IsResourceField(name)) {
    return Child(name == "metadata" ? ObjectMetaSchema() : TypeMetaSchema());
  }
  if (const Schema* field = schema_->Field(name)) return Child(*field);
  switch (schema_->additional_kind) {
    case Additional::kAny: return Untyped();
    case Additional::kNone:
    case Additional::kTyped: return std::nullopt;
    case Additional::kUnsaid: break;
  }
  // An object of which nothing at all is said is free-form.
  const bool free_form = schema_->properties.empty() && !is_resource_;
  if (preserve_ || free_form) return Untyped();
  return std::nullopt;
}

bool Shape::Declares(std::string_view name) const {
  if (schema_ == nullptr) return false;
  return (is_resource_ && IsResourceField(name)) || schema_->properties.contains(name);
}

Shape Shape::Item() const {
  return schema_ == nullptr || !schema_->items ? Untyped() : Child(*schema_->items);
}

const std::vector<std::string>& Shape::keys() const {
  static const std::vector<std::string> kNone;
  return schema_ == nullptr ? kNone : schema_->list_map_keys;
}

const json::value* Shape::KeyDefault(const std::string& key) const {
  if (schema_ == nullptr || !schema_->items) return nullptr;
  const auto found = schema_->items->properties.find(key);
  const bool has = found != schema_->items->properties.end() && found->second->default_value;
  return has ? &*found->second->default_value : nullptr;
}

}  // namespace millwright::kube
