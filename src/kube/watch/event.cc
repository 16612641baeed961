#include "kube/watch/event.h"

#include "kube/api/status.h"

namespace millwright::kube {

namespace {

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

Result<EventType> TypeOf(std::string_view text) {
  if (text == "ADDED") return EventType::kAdded;
  if (text == "MODIFIED") return EventType::kModified;
  if (text == "DELETED") return EventType::kDeleted;
  if (text == "BOOKMARK") return EventType::kBookmark;
  if (text == "ERROR") return EventType::kError;
  return Fail(ErrorKind::kInvalid, "unknown watch event type");
}

}  // namespace

Result<void> EventParser::Parse(simdjson::padded_string_view line, const Visit& visit) {
  simdjson::ondemand::document document;
  if (const auto code = parser_.iterate(line).get(document)) return Failure(JsonError(code));
  std::string_view type_text;
  if (document["type"].get_string().get(type_text)) {
    return Fail(ErrorKind::kInvalid, "not a watch event: it has no type");
  }
  TRY(const EventType type, TypeOf(type_text));
  JsonObject object;
  if (document["object"].get_object().get(object)) {
    return Fail(ErrorKind::kInvalid, "not a watch event: it has no object");
  }
  return visit(type, object);
}

Result<Bookmark> ReadBookmark(JsonObject object) {
  Bookmark bookmark;
  std::map<std::string, std::string> annotations;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key != "metadata") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      if (name == "resourceVersion") return ReadInto(field, bookmark.resource_version);
      if (name == "annotations") return ReadInto(field, annotations);
      return {};
    });
  }));
  const auto it = annotations.find(std::string(kInitialEventsEnd));
  bookmark.ends_initial_events = it != annotations.end() && it->second == "true";
  return bookmark;
}

Error ReadErrorEvent(JsonObject object) {
  std::string_view raw;
  if (const auto code = object.raw_json().get(raw)) return JsonError(code);
  // The code is the Status's own; 500 stands for one that has none.
  return ErrorFrom(ParseStatus(500, raw));
}

}  // namespace millwright::kube
