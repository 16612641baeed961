#include "controllers/contract/shared/in_place_port.h"

#include <boost/json/object.hpp>

namespace millwright::controllers::contract {

namespace json = boost::json;

json::value ShownToExtensions(const json::value& object) {
  if (!object.is_object()) return nullptr;
  json::object shown;
  for (const char* key : {"apiVersion", "kind", "spec"}) {
    if (const json::value* value = object.as_object().if_contains(key)) shown[key] = *value;
  }
  const json::value* metadata = object.as_object().if_contains("metadata");
  if (metadata == nullptr || !metadata->is_object()) return shown;
  json::object kept;
  for (const char* key : {"name", "namespace", "labels", "annotations"}) {
    if (const json::value* value = metadata->as_object().if_contains(key)) kept[key] = *value;
  }
  shown["metadata"] = std::move(kept);
  return shown;
}

}  // namespace millwright::controllers::contract
