#include "kube/api/schema_default.h"

#include <string>
#include <vector>

#include <boost/json.hpp>

#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

bool IsForbiddenNull(const json::value& value, const Schema* schema) {
  return value.is_null() && schema != nullptr && !schema->nullable;
}

void DropNulls(const Schema& schema, json::value& value);

void DropNullFields(const Schema& schema, json::object& object) {
  std::vector<std::string> names;
  for (auto& field : object) {
    const Schema* below = schema.Field(field.key());
    if (below == nullptr) continue;
    if (IsForbiddenNull(field.value(), below) && !below->default_value) {
      names.emplace_back(field.key());
    } else {
      DropNulls(*below, field.value());
    }
  }
  for (const auto& name : names) object.erase(name);
}

// Items stay: removing one would renumber the others.
void DropNulls(const Schema& schema, json::value& value) {
  if (auto* object = value.if_object()) {
    DropNullFields(schema, *object);
  } else if (auto* list = value.if_array(); list != nullptr && schema.items) {
    for (auto& item : *list) DropNulls(*schema.items, item);
  }
}

void Fill(const Schema& schema, json::value& value);

// A null in a map or a list, where only the schema of the values can have a default.
void Replace(const Schema& schema, json::value& value) {
  if (IsForbiddenNull(value, &schema) && schema.default_value) value = *schema.default_value;
}

void FillObject(const Schema& schema, json::object& object) {
  for (const auto& [name, property] : schema.properties) {
    if (!property->default_value) continue;
    const json::value* present = object.if_contains(name);
    if (present == nullptr || IsForbiddenNull(*present, property.get())) {
      object[name] = *property->default_value;
    }
  }
  for (auto& field : object) {
    const Schema* below = schema.Field(field.key());
    if (below == nullptr) continue;
    Replace(*below, field.value());
    Fill(*below, field.value());
  }
}

void Fill(const Schema& schema, json::value& value) {
  if (auto* object = value.if_object()) {
    FillObject(schema, *object);
  } else if (auto* list = value.if_array(); list != nullptr && schema.items) {
    for (auto& item : *list) {
      Replace(*schema.items, item);
      Fill(*schema.items, item);
    }
  }
}

}  // namespace

Result<void> ApplyDefaults(const Schema& schema, json::value& resource) {
  if (IsNestedTooDeep(resource)) return Fail(ErrorKind::kInvalid, "the object is nested too deep");
  DropNulls(schema, resource);
  Fill(schema, resource);
  return Ok();
}

}  // namespace millwright::kube
