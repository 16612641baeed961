// One line of a watch stream.
#pragma once

#include <functional>

#include "kube/api/object.h"
#include "kube/projection/json_reader.h"

namespace millwright::kube {

enum class EventType { kAdded, kModified, kDeleted, kBookmark, kError };

// Reads events; keeps its memory from one to the next.
class EventParser {
 public:
  using Visit = std::function<Result<void>(EventType, JsonObject)>;

  // Calls `visit` with the event's object, which is valid only during the call.
  Result<void> Parse(simdjson::padded_string_view line, const Visit& visit);

 private:
  simdjson::ondemand::parser parser_;
};

struct Bookmark {
  ResourceVersion resource_version;
  bool ends_initial_events = false;
};

Result<Bookmark> ReadBookmark(JsonObject object);

// The Status that an error event carries.
Error ReadErrorEvent(JsonObject object);

}  // namespace millwright::kube
