#include "kube/api/schema.h"

namespace millwright::kube {

const Schema* Schema::Field(std::string_view name) const {
  const auto found = properties.find(name);
  return found != properties.end() ? found->second.get() : additional.get();
}

std::string_view ToString(ValueType type) {
  switch (type) {
    case ValueType::kAny: return "";
    case ValueType::kObject: return "object";
    case ValueType::kArray: return "array";
    case ValueType::kString: return "string";
    case ValueType::kInteger: return "integer";
    case ValueType::kNumber: return "number";
    case ValueType::kBoolean: return "boolean";
  }
  return "";
}

std::string_view ToString(ListType type) {
  switch (type) {
    case ListType::kAtomic: return "atomic";
    case ListType::kSet: return "set";
    case ListType::kMap: return "map";
  }
  return "";
}

std::string_view ToString(MapType type) {
  switch (type) {
    case MapType::kGranular: return "granular";
    case MapType::kAtomic: return "atomic";
  }
  return "";
}

bool IsResourceField(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

}  // namespace millwright::kube
