#include "apiserver/builtin/schema.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "apiserver/builtin/table.h"
#include "kube/api/schema_build.h"

namespace millwright::apiserver {

using builtin::Field;
using builtin::Type;
using builtin::TypeShape;
using kube::Schema;
using kube::SchemaPtr;

namespace {

// From what a type's name begins with to what OpenAPI writes instead.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kDefinitionPrefixes = {{
    {"meta.v1.", "io.k8s.apimachinery.pkg.apis.meta.v1."},
    {"resource.", "io.k8s.apimachinery.pkg.api.resource."},
    {"intstr.", "io.k8s.apimachinery.pkg.util.intstr."},
    {"runtime.", "io.k8s.apimachinery.pkg.runtime."},
    {"apiextensions.", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions."},
    {"apiregistration.", "io.k8s.kube-aggregator.pkg.apis.apiregistration."},
}};

std::string DefinitionName(std::string_view type_name) {
  for (const auto& [prefix, written] : kDefinitionPrefixes) {
    if (type_name.starts_with(prefix)) {
      return std::string(written) + std::string(type_name.substr(prefix.size()));
    }
  }
  return "io.k8s.api." + std::string(type_name);
}

// Structs and special types are definitions; aliases, lists and maps are not.
bool IsDefinition(const Type& type) {
  switch (type.shape) {
    case TypeShape::kStruct:
    case TypeShape::kTime:
    case TypeShape::kMicroTime:
    case TypeShape::kDuration:
    case TypeShape::kQuantity:
    case TypeShape::kIntOrString:
    case TypeShape::kRawExtension:
    case TypeShape::kFieldsV1:
    case TypeShape::kJson:
    case TypeShape::kSchemaOrArray:
    case TypeShape::kSchemaOrBool:
    case TypeShape::kSchemaOrStrings: return true;
    case TypeShape::kString:
    case TypeShape::kBool:
    case TypeShape::kInt32:
    case TypeShape::kInt64:
    case TypeShape::kDouble:
    case TypeShape::kBytes:
    case TypeShape::kPointer:
    case TypeShape::kList:
    case TypeShape::kMap: return false;
  }
  return false;
}

// Go writes a time that is not set as null.
Schema TimeSchema() {
  Schema schema = kube::StringSchema("date-time");
  schema.nullable = true;
  return schema;
}

Schema AnythingSchema() {
  Schema schema;
  schema.preserve_unknown_fields = true;
  return schema;
}

bool SaysMore(const Field& field) {
  return field.list_type || field.map_type || !field.choices.empty() ||
         !field.item_choices.empty() || field.default_value;
}

std::vector<boost::json::value> Choices(const std::vector<std::string_view>& names) {
  std::vector<boost::json::value> values;
  for (const auto name : names) {
    std::string text(name);
    std::ranges::replace(text, '_', ' ');
    values.emplace_back(std::move(text));
  }
  return values;
}

// Builds schemas once and keeps them.
class Schemas {
 public:
  SchemaPtr Of(const Type& type) {
    if (const auto building = building_.find(&type); building != building_.end()) {
      return {SchemaPtr(), building->second};  // no owner, or it would own itself
    }
    const auto built = built_.find(&type);
    return built != built_.end() ? built->second : Build(type);
  }

  std::string NameOf(const Schema& schema) const {
    const auto found = names_.find(&schema);
    return found == names_.end() ? "" : DefinitionName(found->second);
  }

  std::mutex& mutex() { return mutex_; }

 private:
  SchemaPtr Build(const Type& type) {
    // Go's pointers only say that a value can be absent, and aliases only give names.
    if (type.shape == TypeShape::kPointer) return Of(*type.element);
    auto schema = std::make_shared<Schema>();
    building_.emplace(&type, schema.get());
    Fill(type, *schema);
    building_.erase(&type);
    if (IsDefinition(type)) names_.emplace(schema.get(), type.name);
    return built_.emplace(&type, std::move(schema)).first->second;
  }

  void Fill(const Type& type, Schema& schema) {
    switch (type.shape) {
      case TypeShape::kString: schema = kube::StringSchema(); break;
      case TypeShape::kBool: schema = kube::BooleanSchema(); break;
      case TypeShape::kInt32: schema = kube::IntegerSchema("int32"); break;
      case TypeShape::kInt64: schema = kube::IntegerSchema("int64"); break;
      case TypeShape::kDouble: schema = kube::NumberSchema(); break;
      case TypeShape::kBytes: schema = kube::StringSchema("byte"); break;
      case TypeShape::kStruct: FillStruct(type, schema); break;
      case TypeShape::kPointer: break;
      case TypeShape::kList:
        schema.type = kube::ValueType::kArray;
        schema.items = Of(*type.element);
        break;
      case TypeShape::kMap:
        schema.type = kube::ValueType::kObject;
        schema.additional_kind = kube::Additional::kTyped;
        schema.additional = Of(*type.element);
        break;
      case TypeShape::kTime:
      case TypeShape::kMicroTime: schema = TimeSchema(); break;
      case TypeShape::kDuration: schema = kube::StringSchema(); break;
      case TypeShape::kQuantity:
      case TypeShape::kIntOrString: schema = kube::IntOrStringSchema(); break;
      case TypeShape::kRawExtension:
      case TypeShape::kFieldsV1: schema = kube::OpaqueSchema(); break;
      case TypeShape::kJson:
      case TypeShape::kSchemaOrArray:
      case TypeShape::kSchemaOrBool:
      case TypeShape::kSchemaOrStrings: schema = AnythingSchema(); break;
    }
  }

  void FillStruct(const Type& type, Schema& schema) {
    schema.type = kube::ValueType::kObject;
    if (type.is_atomic) schema.map_type = kube::MapType::kAtomic;
    AddFields(type, schema);
  }

  void AddFields(const Type& type, Schema& schema) {
    for (const auto& field : type.fields) {
      if (field.inlined) {
        AddFields(*field.type, schema);
        continue;
      }
      schema.properties.emplace(field.name, OfField(field));
      if (field.required) schema.checks.required.emplace_back(field.name);
    }
  }

  SchemaPtr OfField(const Field& field) {
    SchemaPtr shared = Of(*field.type);
    if (!SaysMore(field)) return shared;
    auto schema = std::make_shared<Schema>(*shared);
    schema->list_type = field.list_type;
    schema->list_map_keys = {field.list_map_keys.begin(), field.list_map_keys.end()};
    if (field.map_type) schema->map_type = field.map_type;
    if (field.default_value) schema->default_value = *field.default_value;
    schema->checks.enum_values = Choices(field.choices);
    if (!field.item_choices.empty()) {
      auto item = std::make_shared<Schema>(*schema->items);
      item->checks.enum_values = Choices(field.item_choices);
      schema->items = std::move(item);
    }
    return schema;
  }

  std::mutex mutex_;
  std::map<const Type*, const Schema*> building_;
  std::map<const Type*, SchemaPtr> built_;
  std::map<const Schema*, std::string_view> names_;
};

Schemas& BuiltSoFar() {
  static Schemas schemas;
  return schemas;
}

}  // namespace

const std::vector<kube::GroupVersionKind>& BuiltinKinds() {
  return builtin::BuiltinTable().kinds();
}

SchemaPtr BuiltinSchema(const kube::GroupVersionKind& kind) {
  const Type* type = builtin::BuiltinTable().Find(kind);
  if (type == nullptr) return nullptr;
  const std::scoped_lock lock(BuiltSoFar().mutex());
  return BuiltSoFar().Of(*type);
}

std::string BuiltinDefinitionName(const Schema& part) {
  const std::scoped_lock lock(BuiltSoFar().mutex());
  return BuiltSoFar().NameOf(part);
}

}  // namespace millwright::apiserver
