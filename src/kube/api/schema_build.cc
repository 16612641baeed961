#include "kube/api/schema_build.h"

#include <memory>

namespace millwright::kube {

namespace {

Schema Typed(ValueType type) {
  Schema schema;
  schema.type = type;
  return schema;
}

Schema ListOf(Schema item, ListType type) {
  Schema schema = Typed(ValueType::kArray);
  schema.items = std::make_shared<const Schema>(std::move(item));
  schema.list_type = type;
  return schema;
}

}  // namespace

Schema StringSchema(std::string_view format) {
  Schema schema = Typed(ValueType::kString);
  schema.checks.format = format;
  return schema;
}

Schema IntegerSchema(std::string_view format) {
  Schema schema = Typed(ValueType::kInteger);
  schema.checks.format = format;
  return schema;
}

Schema NumberSchema() { return Typed(ValueType::kNumber); }

Schema BooleanSchema() { return Typed(ValueType::kBoolean); }

Schema IntOrStringSchema() {
  Schema schema;
  schema.int_or_string = true;
  return schema;
}

Schema OpaqueSchema() {
  Schema schema = Typed(ValueType::kObject);
  schema.preserve_unknown_fields = true;
  return schema;
}

Schema ObjectSchema(SchemaFields fields) {
  Schema schema = Typed(ValueType::kObject);
  for (const auto& [name, field] : fields) {
    schema.properties.emplace(name, std::make_shared<const Schema>(field));
  }
  return schema;
}

Schema MapSchema(Schema value) {
  Schema schema = Typed(ValueType::kObject);
  schema.additional_kind = Additional::kTyped;
  schema.additional = std::make_shared<const Schema>(std::move(value));
  return schema;
}

Schema ListSchema(Schema item) { return ListOf(std::move(item), ListType::kAtomic); }

Schema SetSchema(Schema item) { return ListOf(std::move(item), ListType::kSet); }

Schema ListMapSchema(Schema item, std::vector<std::string> keys) {
  Schema schema = ListOf(std::move(item), ListType::kMap);
  schema.list_map_keys = std::move(keys);
  return schema;
}

Schema Atomic(Schema object) {
  object.map_type = MapType::kAtomic;
  return object;
}

Schema Described(Schema schema, std::string_view description) {
  schema.description = description;
  return schema;
}

Schema Requiring(Schema object, std::vector<std::string> fields) {
  object.checks.required = std::move(fields);
  return object;
}

Schema WithDefault(Schema schema, boost::json::value value) {
  schema.default_value = std::move(value);
  return schema;
}

}  // namespace millwright::kube
