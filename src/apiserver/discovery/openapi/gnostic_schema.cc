#include "apiserver/discovery/openapi/gnostic_schema.h"

#include <algorithm>
#include <array>

#include <boost/json.hpp>

namespace millwright::apiserver::openapi {

namespace json = boost::json;

namespace {

enum class Shape { kText, kFlag, kNumber, kDouble, kTexts, kAny, kAnys, kSchemas };

struct SchemaField {
  std::string_view name;  // in JSON
  std::uint32_t number;
  Shape shape;
};

constexpr std::array kSchemaFields = {
    SchemaField{"$ref", 1, Shape::kText},
    SchemaField{"format", 2, Shape::kText},
    SchemaField{"title", 3, Shape::kText},
    SchemaField{"description", 4, Shape::kText},
    SchemaField{"default", 5, Shape::kAny},
    SchemaField{"multipleOf", 6, Shape::kDouble},
    SchemaField{"maximum", 7, Shape::kDouble},
    SchemaField{"exclusiveMaximum", 8, Shape::kFlag},
    SchemaField{"minimum", 9, Shape::kDouble},
    SchemaField{"exclusiveMinimum", 10, Shape::kFlag},
    SchemaField{"maxLength", 11, Shape::kNumber},
    SchemaField{"minLength", 12, Shape::kNumber},
    SchemaField{"pattern", 13, Shape::kText},
    SchemaField{"maxItems", 14, Shape::kNumber},
    SchemaField{"minItems", 15, Shape::kNumber},
    SchemaField{"uniqueItems", 16, Shape::kFlag},
    SchemaField{"maxProperties", 17, Shape::kNumber},
    SchemaField{"minProperties", 18, Shape::kNumber},
    SchemaField{"required", 19, Shape::kTexts},
    SchemaField{"enum", 20, Shape::kAnys},
    SchemaField{"allOf", 24, Shape::kSchemas},
    SchemaField{"example", 30, Shape::kAny},
};

// Those that have messages of their own.
enum : std::uint32_t {
  kAdditionalProperties = 21,
  kType = 22,
  kItems = 23,
  kProperties = 25,
  kVendorExtension = 31,
};

void Put(const SchemaField& field, const json::value& value, ProtobufWriter& message) {
  switch (field.shape) {
    case Shape::kText: message.Text(field.number, value.as_string()); break;
    case Shape::kFlag: message.Flag(field.number, value.as_bool()); break;
    case Shape::kNumber: message.Number(field.number, value.to_number<std::int64_t>()); break;
    case Shape::kDouble: message.Double(field.number, value.to_number<double>()); break;
    case Shape::kAny: message.Message(field.number, AnyMessage(value)); break;
    case Shape::kTexts:
      for (const json::value& one : value.as_array()) message.Item(field.number, one.as_string());
      break;
    case Shape::kAnys:
      for (const json::value& one : value.as_array()) {
        message.Message(field.number, AnyMessage(one));
      }
      break;
    case Shape::kSchemas:
      for (const json::value& one : value.as_array()) {
        message.Message(field.number, SchemaMessage(one.as_object()));
      }
      break;
  }
}

ProtobufWriter AdditionalPropertiesItem(const json::value& value) {
  ProtobufWriter item;
  if (value.is_object()) {
    item.Message(1, SchemaMessage(value.get_object()));
  } else {
    item.Flag(2, value.as_bool());
  }
  return item;
}

}  // namespace

ProtobufWriter Named(std::string_view name, const ProtobufWriter& value) {
  ProtobufWriter named;
  named.Text(1, name);
  named.Message(2, value);
  return named;
}

ProtobufWriter AnyMessage(const json::value& value) {
  constexpr std::uint32_t kYaml = 2;
  ProtobufWriter any;
  any.Text(kYaml, json::serialize(value) + "\n");  // JSON is YAML
  return any;
}

void AddVendorExtensions(const json::object& document, std::uint32_t field,
                         ProtobufWriter& message) {
  for (const auto& [name, value] : document) {
    if (name.starts_with("x-")) message.Message(field, Named(name, AnyMessage(value)));
  }
}

std::string_view StringOf(const json::object& document, std::string_view name) {
  const json::value* value = document.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

bool FlagOf(const json::object& document, std::string_view name) {
  const json::value* value = document.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

ProtobufWriter SchemaMessage(const json::object& schema) {
  ProtobufWriter message;
  for (const auto& [name, value] : schema) {
    const auto field = std::ranges::find(kSchemaFields, std::string_view(name), &SchemaField::name);
    if (field != kSchemaFields.end()) Put(*field, value, message);
  }
  if (const json::value* additional = schema.if_contains("additionalProperties")) {
    message.Message(kAdditionalProperties, AdditionalPropertiesItem(*additional));
  }
  if (const std::string_view type = StringOf(schema, "type"); !type.empty()) {
    ProtobufWriter item;
    item.Item(1, type);
    message.Message(kType, item);
  }
  if (const json::value* items = schema.if_contains("items")) {
    ProtobufWriter item;
    item.Message(1, SchemaMessage(items->as_object()));
    message.Message(kItems, item);
  }
  if (const json::value* properties = schema.if_contains("properties")) {
    ProtobufWriter all;
    for (const auto& [name, property] : properties->as_object()) {
      all.Message(1, Named(name, SchemaMessage(property.as_object())));
    }
    message.Message(kProperties, all);
  }
  AddVendorExtensions(schema, kVendorExtension, message);
  return message;
}

}  // namespace millwright::apiserver::openapi
