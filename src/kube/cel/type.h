// Types of expressions, as far as they are known before any value is.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kube/cel/kind.h"

namespace millwright::kube::cel {

struct Type;
using TypePtr = std::shared_ptr<const Type>;

struct Type {
  Kind kind = Kind::kDyn;
  std::vector<TypePtr> params = {};            // list: item; map: key, value; optional: value
  std::string name = {};                       // of a parameter, or of an object
  std::map<std::string, TypePtr> fields = {};  // of an object, as expressions write them
};

// Types without parameters are always the same.
const TypePtr& SimpleType(Kind kind);
TypePtr ListOf(TypePtr item);
TypePtr MapOf(TypePtr key, TypePtr value);
TypePtr OptionalOf(TypePtr value);
TypePtr TypeOf(TypePtr type);  // of a type, when it is used as a value

// "list(int)", "map(string, dyn)".
std::string ToString(const Type& type);

// What the parameters of a signature stand for in one call.
using Bindings = std::map<std::string, TypePtr>;

// Whether a value of one type can be where the other is wanted. What is dynamic can be anything.
// Parameters in `wanted` are bound.
bool IsAssignable(const TypePtr& wanted, const TypePtr& given, Bindings& bindings);
bool IsAssignable(const TypePtr& wanted, const TypePtr& given);

// The type with its parameters replaced; those that are not bound are dynamic.
TypePtr Substitute(const TypePtr& type, const Bindings& bindings);

// The type of a value that may be of one or the other; null if nothing fits both.
TypePtr Common(const TypePtr& a, const TypePtr& b);

}  // namespace millwright::kube::cel
