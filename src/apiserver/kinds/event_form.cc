#include "apiserver/kinds/event_form.h"

#include <utility>

#include <boost/json.hpp>

#include "apiserver/builtin/normalize.h"
#include "kube/api/group_version.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

struct Field {
  std::string_view core;
  std::string_view events;
};

// All other fields have one name.
constexpr Field kFields[] = {
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
};

void Rename(json::object& object, std::string_view from, std::string_view to) {
  const auto found = object.find(from);
  if (found == object.end()) return;
  json::value value = std::move(found->value());
  object.erase(found);
  object[to] = std::move(value);
}

class EventFormConverter final : public Converter {
 public:
  Task<Result<std::vector<json::value>>> Convert(std::vector<json::value> objects,
                                                 std::string api_version) override {
    for (json::value& object : objects) object = EventIn(api_version, std::move(object));
    co_return objects;
  }
};

}  // namespace

json::value EventIn(std::string_view api_version, json::value event) {
  if (!event.is_object() || kube::GetString(event, "apiVersion") == api_version) return event;
  json::object& object = event.get_object();
  const bool to_core = api_version == "v1";
  for (const auto& [core, events] : kFields) {
    Rename(object, to_core ? events : core, to_core ? core : events);
  }
  object["apiVersion"] = api_version;
  // Which fields are written though they say nothing differs too.
  const auto kind = kube::ParseGroupVersionKind(api_version, "Event");
  if (kind) static_cast<void>(NormalizeBuiltin(*kind, event));
  return event;
}

std::shared_ptr<Converter> EventConverter() { return std::make_shared<EventFormConverter>(); }

}  // namespace millwright::apiserver
