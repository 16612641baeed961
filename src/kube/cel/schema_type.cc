#include "kube/cel/schema_type.h"

#include <memory>
#include <utility>

#include "kube/cel/field_name.h"

namespace millwright::kube::cel {

namespace {

SchemaPtr PlainText() {
  Schema schema;
  schema.type = ValueType::kString;
  return std::make_shared<const Schema>(std::move(schema));
}

bool HasField(const Schema& schema, std::string_view name, ValueType type) {
  const auto found = schema.properties.find(name);
  return found != schema.properties.end() && found->second->type == type;
}

bool SaysResourceFields(const Schema& schema) {
  if (!HasField(schema, "kind", ValueType::kString)) return false;
  if (!HasField(schema, "apiVersion", ValueType::kString)) return false;
  if (!HasField(schema, "metadata", ValueType::kObject)) return false;
  const Schema& metadata = *schema.properties.find("metadata")->second;
  return HasField(metadata, "name", ValueType::kString) &&
         HasField(metadata, "generateName", ValueType::kString);
}

void AddResourceFields(Schema& schema) {
  if (SaysResourceFields(schema)) return;
  Schema metadata;
  metadata.type = ValueType::kObject;
  metadata.properties = {{"name", PlainText()}, {"generateName", PlainText()}};
  schema.properties.insert_or_assign("kind", PlainText());
  schema.properties.insert_or_assign("apiVersion", PlainText());
  schema.properties.insert_or_assign("metadata", std::make_shared<const Schema>(metadata));
}

void Replace(SchemaPtr& part) {
  if (part) part = ForRules(*part, part->embedded_resource);
}

TypePtr TypeOfText(const std::string& format) {
  if (format == "byte") return SimpleType(Kind::kBytes);
  if (format == "duration") return SimpleType(Kind::kDuration);
  if (format == "date" || format == "date-time") return SimpleType(Kind::kTimestamp);
  return SimpleType(Kind::kString);
}

TypePtr TypeOfObject(const Schema& schema, const std::string& name) {
  if (schema.additional_kind == Additional::kTyped) {
    TypePtr value = TypeOfSchema(*schema.additional, name + ".@elem");
    return value ? MapOf(SimpleType(Kind::kString), std::move(value)) : nullptr;
  }
  Type type{.kind = Kind::kObject, .name = name};
  for (const auto& [field, part] : schema.properties) {
    const auto escaped = EscapeField(field);
    if (!escaped) continue;
    if (TypePtr inner = TypeOfSchema(*part, name + "." + *escaped)) {
      type.fields.emplace(*escaped, std::move(inner));
    }
  }
  return std::make_shared<const Type>(std::move(type));
}

}  // namespace

SchemaPtr ForRules(const Schema& schema, bool is_resource) {
  Schema copy = schema;
  for (auto& [name, part] : copy.properties) Replace(part);
  Replace(copy.additional);
  Replace(copy.items);
  if (is_resource) AddResourceFields(copy);
  return std::make_shared<const Schema>(std::move(copy));
}

TypePtr TypeOfSchema(const Schema& schema, const std::string& name) {
  if (schema.int_or_string) return SimpleType(Kind::kDyn);
  switch (schema.type) {
    case ValueType::kAny: return nullptr;
    case ValueType::kObject: return TypeOfObject(schema, name);
    case ValueType::kArray: {
      TypePtr item = schema.items ? TypeOfSchema(*schema.items, name + ".@idx") : nullptr;
      return item ? ListOf(std::move(item)) : nullptr;
    }
    case ValueType::kString: return TypeOfText(schema.checks.format);
    case ValueType::kInteger: return SimpleType(Kind::kInt);
    case ValueType::kNumber: return SimpleType(Kind::kDouble);
    case ValueType::kBoolean: return SimpleType(Kind::kBool);
  }
  return nullptr;
}

}  // namespace millwright::kube::cel
