#include "kube/projection/meta.h"

namespace millwright::kube {

Result<void> ReadMetaField(std::string_view key, JsonValue value, Meta& meta) {
  if (key == "name") return ReadInto(value, meta.key.name);
  if (key == "namespace") return ReadInto(value, meta.key.namespace_);
  if (key == "resourceVersion") return ReadInto(value, meta.resource_version);
  if (key == "generation") return ReadInto(value, meta.generation);
  if (key == "deletionTimestamp") return ReadInto(value, meta.deleting_since);
  if (key == "uid") return ReadInto(value, meta.uid);
  return {};
}

Result<void> ReadInto(JsonValue value, Meta& meta) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) {
    return ReadMetaField(key, field, meta);
  });
}

Result<Meta> ReadObjectMeta(std::string_view object_text) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(object_text);
  simdjson::ondemand::document document;
  if (const auto code = parser.iterate(padded).get(document)) return Failure(JsonError(code));
  JsonObject object;
  if (const auto code = document.get_object().get(object)) return Failure(JsonError(code));
  Meta meta;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    return key == "metadata" ? ReadInto(value, meta) : Result<void>();
  }));
  return meta;
}

}  // namespace millwright::kube
