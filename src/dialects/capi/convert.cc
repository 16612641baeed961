#include "dialects/capi/convert.h"

#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include <vector>

#include "dialects/capi/convert_forms.h"
#include "dialects/capi/convert_table.h"
#include "dialects/capi/json_path.h"
#include "dialects/capi/names.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::capi {

namespace json = boost::json;

namespace {

struct Placed {
  std::string_view path;
  json::value value;
};

Result<const KindPairs*> PairsFor(const json::object& object) {
  const std::string_view kind = TextAtPath(object, "kind");
  const KindPairs* pairs = PairsOf(kind);
  if (pairs == nullptr) {
    return Fail(ErrorKind::kInvalid, fmt::format("kind \"{}\" is not converted here", kind));
  }
  return pairs;
}

void PutAll(json::object& object, std::vector<Placed> placed) {
  for (Placed& each : placed) PutPath(object, each.path, std::move(each.value));
}

// What the object is about: metadata is the same in both versions.
std::string DataOf(const json::object& object) {
  json::object data;
  for (const std::string_view part : {"spec", "status"}) {
    if (const json::value* value = object.if_contains(part)) data[part] = *value;
  }
  return json::serialize(data);
}

void Annotate(json::object& object, std::string_view data) {
  json::value* annotations = FindPath(object, "metadata.annotations");
  if (annotations == nullptr || !annotations->is_object()) {
    PutPath(object, "metadata.annotations", json::object());
    annotations = FindPath(object, "metadata.annotations");
  }
  annotations->get_object()[annotations::kConversionData] = data;
}

// Takes the annotation off. Data that cannot be read is as good as none: the object itself counts.
json::object TakeData(json::object& object) {
  json::value* annotations = FindPath(object, "metadata.annotations");
  if (annotations == nullptr || !annotations->is_object()) return {};
  const json::value* data = annotations->get_object().if_contains(annotations::kConversionData);
  if (data == nullptr) return {};
  const auto parsed =
      data->is_string() ? kube::ParseJson(data->get_string()) : Result<json::value>(json::value());
  annotations->get_object().erase(annotations::kConversionData);
  DropIfEmpty(object, "metadata.annotations");
  return parsed && parsed->is_object() ? parsed->get_object() : json::object();
}

}  // namespace

Result<json::object> ToOld(json::object object, const VersionOf& version_of) {
  TRY(const KindPairs* pairs, PairsFor(object));
  const std::string namespace_(TextAtPath(object, "metadata.namespace"));
  const DownContext context{namespace_, version_of};
  const std::string data = pairs->restores ? DataOf(object) : std::string();
  std::vector<Placed> placed;
  for (const FieldPair& field : pairs->fields) {
    const auto value = TakePath(object, field.now);
    if (!value || field.old.empty()) continue;
    auto converted = ValueToOld(field.form, *value, context);
    if (!converted) return Failure(std::move(converted).error().Wrap(field.now));
    if (*converted) placed.push_back({field.old, **std::move(converted)});
  }
  PutAll(object, std::move(placed));
  if (pairs->restores) Annotate(object, data);
  object["apiVersion"] = kOldApiVersion;
  return object;
}

Result<json::object> ToNew(json::object object) {
  TRY(const KindPairs* pairs, PairsFor(object));
  const json::object data = TakeData(object);
  for (const std::string_view path : pairs->gone) TakePath(object, path);
  std::vector<Placed> placed;
  for (const FieldPair& field : pairs->fields) {
    const json::value* restored = FindPath(data, field.now);
    if (field.old.empty()) {
      if (restored != nullptr) placed.push_back({field.now, *restored});
      continue;
    }
    const auto value = TakePath(object, field.old);
    auto converted = ValueToNew(field.form, value ? &*value : nullptr, restored);
    if (!converted) return Failure(std::move(converted).error().Wrap(field.old));
    if (*converted) placed.push_back({field.now, **std::move(converted)});
  }
  PutAll(object, std::move(placed));
  for (const std::string_view path : pairs->containers) DropIfEmpty(object, path);
  object["apiVersion"] = kApiVersion;
  return object;
}

}  // namespace millwright::dialects::capi
