#include "apiserver/builtin/defaults.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "apiserver/builtin/default_rules.h"
#include "apiserver/builtin/table.h"
#include "kube/api/quantity.h"

namespace millwright::apiserver {

namespace json = boost::json;

using builtin::Field;
using builtin::Type;
using builtin::TypeShape;

namespace {

// What is done for one struct type.
struct TypeDefaults {
  std::vector<std::pair<const Field*, json::value>> values;
  void (*rule)(json::object&) = nullptr;
};

// Resources are counted in thousandths; finer requests are rounded up.
void RoundResources(json::object& resources) {
  for (auto& resource : resources) {
    const auto* text = resource.value().if_string();
    if (text == nullptr || !(text->ends_with('n') || text->ends_with('u'))) continue;
    const auto amount = kube::ParseQuantity(*text);
    if (!amount) continue;
    resource.value() = kube::Quantity::FromMilli(amount->MilliValue(), amount->format()).ToString();
  }
}

// A pointer that points at nothing of worth is still set.
bool IsMissing(const Field& field, const json::value* value) {
  if (value == nullptr || value->is_null()) return true;
  if (field.type->shape == TypeShape::kPointer) return false;
  if (value->is_string()) return value->get_string().empty();
  return value->is_int64() && value->get_int64() == 0;
}

class Defaults {
 public:
  explicit Defaults(const builtin::Table& table) {
    for (const auto& value : builtin::DefaultValues()) {
      const Type* type = table.Find(value.type);
      by_type_[type].values.emplace_back(type->Find(value.field),
                                         json::parse(json::string_view(value.value)));
    }
    for (const auto& rule : builtin::DefaultRules()) {
      by_type_[table.Find(rule.type)].rule = rule.apply;
    }
    for (const auto& kind : table.kinds()) FindReach(*table.Find(kind));
  }

  void Apply(const Type& type, json::value& value) const {
    if (type.shape == TypeShape::kPointer) return Apply(*type.element, value);
    if (!Reaches(type)) return;
    if (auto* object = value.if_object()) {
      if (type.shape == TypeShape::kStruct) return ApplyToStruct(type, *object);
      if (type.name == kResourceList) return RoundResources(*object);
      for (auto& member : *object) Apply(*type.element, member.value());
    } else if (auto* list = value.if_array(); list != nullptr && type.shape == TypeShape::kList) {
      for (auto& item : *list) Apply(*type.element, item);
    }
  }

 private:
  static constexpr std::string_view kResourceList = "core.v1.ResourceList";

  void ApplyToStruct(const Type& type, json::object& object) const {
    ApplyOwn(type, object);
    for (const auto& field : type.fields) {
      if (field.inlined) {
        ApplyToStruct(*field.type, object);
      } else if (json::value* value = object.if_contains(field.name)) {
        Apply(*field.type, *value);
      }
    }
  }

  void ApplyOwn(const Type& type, json::object& object) const {
    for (const auto& field : type.fields) {
      if (!field.default_value) continue;
      if (IsMissing(field, object.if_contains(field.name))) {
        object[field.name] = *field.default_value;
      }
    }
    const auto found = by_type_.find(&type);
    if (found == by_type_.end()) return;
    for (const auto& [field, value] : found->second.values) {
      if (IsMissing(*field, object.if_contains(field->name))) object[field->name] = value;
    }
    if (found->second.rule != nullptr) found->second.rule(object);
  }

  // Most objects are mostly made of types without any default below them; these are not walked.
  bool Reaches(const Type& type) const {
    const auto found = reach_.find(&type);
    return found != reach_.end() && found->second;
  }

  bool FindReach(const Type& type) {
    if (type.shape == TypeShape::kPointer) return FindReach(*type.element);
    const auto [known, fresh] = reach_.emplace(&type, false);
    if (!fresh) return known->second;
    bool reaches = by_type_.contains(&type) || type.name == kResourceList;
    if (type.element != nullptr) reaches |= FindReach(*type.element);
    for (const auto& field : type.fields) {
      reaches |= FindReach(*field.type) || field.default_value.has_value();
    }
    reach_[&type] = reaches;
    return reaches;
  }

  std::unordered_map<const Type*, TypeDefaults> by_type_;
  std::unordered_map<const Type*, bool> reach_;
};

}  // namespace

void ApplyBuiltinDefaults(const kube::GroupVersionKind& kind, json::value& object) {
  static const Defaults kDefaults(builtin::BuiltinTable());
  const Type* type = builtin::BuiltinTable().Find(kind);
  if (type == nullptr || !object.is_object()) return;
  kDefaults.Apply(*type, object);
}

}  // namespace millwright::apiserver
