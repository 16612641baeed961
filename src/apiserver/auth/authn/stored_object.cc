#include "apiserver/auth/authn/stored_object.h"

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

std::optional<boost::json::value> FindStored(const Stored& stored, std::string_view plural,
                                             std::string_view namespace_, std::string_view name) {
  const ResourcePtr resource = stored.registry.Find("", "v1", plural);
  if (!resource) return std::nullopt;
  const RecordPtr record = stored.store.Get(StorageKey(*resource, namespace_, name));
  if (!record) return std::nullopt;
  auto object = kube::ParseJson(record->value);
  if (!object) return std::nullopt;
  return *std::move(object);
}

}  // namespace millwright::apiserver
