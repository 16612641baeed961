#include "kube/projection/list.h"

namespace millwright::kube {

namespace {

Result<void> ReadInto(JsonValue value, ListMeta& meta) {
  return ForEachField(value, [&](std::string_view key, JsonValue field) -> Result<void> {
    if (key == "resourceVersion") return kube::ReadInto(field, meta.resource_version);
    if (key == "continue") return kube::ReadInto(field, meta.continue_token);
    return {};
  });
}

Result<void> VisitItem(JsonValue item, const std::function<Result<void>(JsonObject)>& visit) {
  JsonObject object;
  if (const auto code = item.get_object().get(object)) return Failure(JsonError(code));
  return visit(object);
}

}  // namespace

Result<ListMeta> ForEachListItem(std::string list_text,
                                 const std::function<Result<void>(JsonObject)>& visit) {
  simdjson::ondemand::parser parser;
  list_text.reserve(list_text.size() + simdjson::SIMDJSON_PADDING);
  const simdjson::padded_string_view padded(list_text);
  simdjson::ondemand::document document;
  if (const auto code = parser.iterate(padded).get(document)) return Failure(JsonError(code));
  JsonObject list;
  if (const auto code = document.get_object().get(list)) return Failure(JsonError(code));
  ListMeta meta;
  CHECK_OK(ForEachField(list, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadInto(value, meta);
    if (key != "items") return {};
    return ForEachItem(value, [&](JsonValue item) { return VisitItem(item, visit); });
  }));
  return meta;
}

}  // namespace millwright::kube
