#include "dialects/capi/convert_forms.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/time.h"
#include "dialects/capi/names.h"
#include "kube/api/group_version.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::capi {

namespace json = boost::json;
using Converted = std::optional<json::value>;

namespace {

bool IsZero(const json::value& value) {
  if (const json::string* text = value.if_string()) return text->empty();
  if (const json::array* items = value.if_array()) return items->empty();
  return value == json::value(0) || value == json::value(false);
}

std::int64_t InField(std::int64_t seconds) {
  using Limits = std::numeric_limits<std::int32_t>;
  return std::clamp<std::int64_t>(seconds, Limits::min(), Limits::max());
}

Result<json::value> DurationOf(const json::value& seconds) {
  const std::int64_t* number = seconds.if_int64();
  if (number == nullptr) return Fail(ErrorKind::kInvalid, "is not a whole number");
  return json::value(FormatDuration(std::chrono::seconds(InField(*number))));
}

// Whole seconds, as many as the field can have.
Result<json::value> SecondsOf(const json::value& duration) {
  const json::string* text = duration.if_string();
  if (text == nullptr) return Fail(ErrorKind::kInvalid, "is not text");
  TRY(const Duration parsed, ParseDuration(*text));
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(parsed).count();
  return json::value(InField(seconds));
}

json::object OldReference(const json::value& reference, const DownContext& context) {
  const std::string_view group = kube::GetString(reference, "apiGroup");
  const std::string_view kind = kube::GetString(reference, "kind");
  const auto version = context.version_of(group, kind);
  return {{"apiVersion", kube::ApiVersion(group, version.value_or(std::string(kOldVersion)))},
          {"kind", kind},
          {"name", kube::GetString(reference, "name")},
          {"namespace", context.namespace_}};
}

Converted NewReference(const json::value& reference) {
  std::string_view group = kube::GetString(reference, "apiVersion");
  const size_t slash = group.find('/');
  group = slash != std::string_view::npos ? group.substr(0, slash) : std::string_view();
  const std::string_view kind = kube::GetString(reference, "kind");
  const std::string_view name = kube::GetString(reference, "name");
  if (group.empty() && kind.empty() && name.empty()) return std::nullopt;
  return json::object{{"apiGroup", group}, {"kind", kind}, {"name", name}};
}

json::object Picked(const json::value& object, std::initializer_list<std::string_view> names) {
  json::object picked;
  for (const std::string_view name : names) {
    const json::value* value = kube::Find(object, name);
    if (value != nullptr && !value->is_null()) picked[name] = *value;
  }
  return picked;
}

// The items of a list with one of their fields renamed and converted.
Result<json::value> TimedList(const json::value& list, std::string_view from, std::string_view to,
                              Result<json::value> (*convert)(const json::value&)) {
  const json::array* items = list.if_array();
  if (items == nullptr) return Fail(ErrorKind::kInvalid, "is not a list");
  json::array converted;
  for (const json::value& item : *items) {
    json::object& written = converted.emplace_back(Picked(item, {"type", "status"})).get_object();
    const json::value* time = kube::Find(item, from);
    if (time == nullptr || time->is_null()) continue;
    auto value = convert(*time);
    if (!value) return Failure(std::move(value).error().Wrap(from));
    written[to] = *std::move(value);
  }
  return json::value(std::move(converted));
}

json::object DomainMap(const json::value& list) {
  json::object map;
  if (!list.is_array()) return map;
  for (const json::value& domain : list.get_array()) {
    map[kube::GetString(domain, "name")] = Picked(domain, {"attributes", "controlPlane"});
  }
  return map;
}

json::array DomainList(const json::value& map) {
  std::map<std::string_view, const json::value*> by_name;
  if (map.is_object()) {
    for (const auto& [name, domain] : map.get_object()) by_name.emplace(name, &domain);
  }
  json::array list;
  for (const auto& [name, domain] : by_name) {
    json::object item = Picked(*domain, {"attributes", "controlPlane"});
    item["name"] = name;
    list.push_back(std::move(item));
  }
  return list;
}

Converted UnlessZero(json::value value) {
  return IsZero(value) ? std::nullopt : Converted(std::move(value));
}

// Of old, a zero may mean that nothing was said: it is kept only if we know that it was said.
Converted UnlessUnsaid(const json::value* value, const json::value* restored) {
  if (value != nullptr && !IsZero(*value)) return *value;
  if (restored != nullptr && IsZero(*restored)) return *restored;
  return std::nullopt;
}

}  // namespace

Result<Converted> ValueToOld(Form form, const json::value& value, const DownContext& context) {
  switch (form) {
    case Form::kSame:
    case Form::kTruth:
    case Form::kCount: return value;
    case Form::kNotZero: return UnlessZero(value);
    case Form::kSeconds: return DurationOf(value);
    case Form::kReference: return OldReference(value, context);
    case Form::kTemplateRef: {
      json::object reference = Picked(value, {"apiVersion", "kind", "name"});
      reference["namespace"] = context.namespace_;
      return reference;
    }
    case Form::kNode:
      return json::object{
          {"apiVersion", "v1"}, {"kind", "Node"}, {"name", kube::GetString(value, "name")}};
    case Form::kPhase: return value == "Updating" ? json::value("Running") : value;
    case Form::kTimedList: return TimedList(value, "timeoutSeconds", "timeout", &DurationOf);
    case Form::kFailureDomains: return DomainMap(value);
  }
  return std::nullopt;
}

Result<Converted> ValueToNew(Form form, const json::value* value, const json::value* restored) {
  if (form == Form::kTruth || form == Form::kCount) return UnlessUnsaid(value, restored);
  if (form == Form::kPhase && restored != nullptr) return *restored;
  if (value == nullptr) return std::nullopt;
  switch (form) {
    case Form::kNotZero: return UnlessZero(*value);
    case Form::kSeconds: return SecondsOf(*value);
    case Form::kReference: return NewReference(*value);
    case Form::kTemplateRef: {
      json::object reference = Picked(*value, {"apiVersion", "kind", "name"});
      return reference.empty() ? Converted() : Converted(std::move(reference));
    }
    case Form::kNode: {
      json::object node = Picked(*value, {"name"});
      return node.empty() ? Converted() : Converted(std::move(node));
    }
    case Form::kTimedList: {
      TRY(json::value list, TimedList(*value, "timeout", "timeoutSeconds", &SecondsOf));
      return UnlessZero(std::move(list));
    }
    case Form::kFailureDomains: return UnlessZero(DomainList(*value));
    case Form::kSame:
    case Form::kTruth:
    case Form::kCount:
    case Form::kPhase: return *value;
  }
  return std::nullopt;
}

}  // namespace millwright::dialects::capi
