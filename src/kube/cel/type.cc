#include "kube/cel/type.h"

#include <fmt/format.h>

#include <array>

namespace millwright::kube::cel {

namespace {

TypePtr Make(Kind kind, std::vector<TypePtr> params) {
  return std::make_shared<const Type>(Type{.kind = kind, .params = std::move(params)});
}

// Null may stand for what could also be absent.
bool TakesNull(Kind kind) {
  return kind == Kind::kObject || kind == Kind::kDuration || kind == Kind::kTimestamp ||
         kind == Kind::kOptional || kind == Kind::kQuantity || kind == Kind::kUrl ||
         kind == Kind::kIp || kind == Kind::kCidr || kind == Kind::kSemver || kind == Kind::kFormat;
}

bool Bind(const std::string& name, const TypePtr& given, Bindings& bindings) {
  const auto bound = bindings.find(name);
  if (bound == bindings.end()) {
    bindings.emplace(name, given);
    return true;
  }
  Bindings none;
  if (IsAssignable(bound->second, given, none)) {
    // What is dynamic in one place and known in another is dynamic.
    if (given->kind == Kind::kDyn) bound->second = given;
    return true;
  }
  if (!IsAssignable(given, bound->second, none)) return false;
  bound->second = given;
  return true;
}

}  // namespace

const TypePtr& SimpleType(Kind kind) {
  static const auto kTypes = [] {
    std::array<TypePtr, static_cast<std::size_t>(Kind::kParam) + 1> types;
    for (std::size_t i = 0; i < types.size(); ++i) {
      types[i] = std::make_shared<const Type>(Type{.kind = static_cast<Kind>(i)});
    }
    return types;
  }();
  return kTypes[static_cast<std::size_t>(kind)];
}

TypePtr ListOf(TypePtr item) { return Make(Kind::kList, {std::move(item)}); }
TypePtr MapOf(TypePtr key, TypePtr value) {
  return Make(Kind::kMap, {std::move(key), std::move(value)});
}
TypePtr OptionalOf(TypePtr value) { return Make(Kind::kOptional, {std::move(value)}); }
TypePtr TypeOf(TypePtr type) { return Make(Kind::kType, {std::move(type)}); }

std::string ToString(const Type& type) {
  if (type.kind == Kind::kNull) return "null";
  if (type.kind == Kind::kDuration) return "duration";
  if (type.kind == Kind::kTimestamp) return "timestamp";
  if (type.kind == Kind::kParam) return type.name;
  if (type.kind == Kind::kObject) return type.name.empty() ? "object" : type.name;
  if (type.params.empty()) return std::string(NameOf(type.kind));
  std::string params;
  for (const TypePtr& param : type.params) {
    params += (params.empty() ? "" : ", ") + ToString(*param);
  }
  return fmt::format("{}({})", NameOf(type.kind), params);
}

bool IsAssignable(const TypePtr& wanted, const TypePtr& given, Bindings& bindings) {
  if (wanted->kind == Kind::kParam) return Bind(wanted->name, given, bindings);
  if (wanted->kind == Kind::kDyn || given->kind == Kind::kDyn) return true;
  if (given->kind == Kind::kNull) return wanted->kind == Kind::kNull || TakesNull(wanted->kind);
  if (wanted->kind == Kind::kNull) return TakesNull(given->kind);
  if (wanted->kind != given->kind) return false;
  if (wanted->kind == Kind::kObject) return wanted == given || wanted->fields == given->fields;
  if (wanted->kind == Kind::kType) return true;
  for (std::size_t i = 0; i < wanted->params.size() && i < given->params.size(); ++i) {
    if (!IsAssignable(wanted->params[i], given->params[i], bindings)) return false;
  }
  return true;
}

bool IsAssignable(const TypePtr& wanted, const TypePtr& given) {
  Bindings none;
  return IsAssignable(wanted, given, none);
}

TypePtr Substitute(const TypePtr& type, const Bindings& bindings) {
  if (type->kind == Kind::kParam) {
    const auto bound = bindings.find(type->name);
    return bound == bindings.end() ? SimpleType(Kind::kDyn) : bound->second;
  }
  if (type->params.empty()) return type;
  Type copy = *type;
  for (TypePtr& param : copy.params) param = Substitute(param, bindings);
  return std::make_shared<const Type>(std::move(copy));
}

TypePtr Common(const TypePtr& a, const TypePtr& b) {
  if (a->kind == Kind::kDyn || b->kind == Kind::kDyn) return SimpleType(Kind::kDyn);
  if (IsAssignable(a, b)) return a->kind == Kind::kNull ? b : a;
  return nullptr;
}

}  // namespace millwright::kube::cel
