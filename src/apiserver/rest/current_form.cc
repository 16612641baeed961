#include "apiserver/rest/current_form.h"

#include <algorithm>
#include <memory>

#include <boost/json.hpp>

#include "apiserver/rest/change.h"
#include "apiserver/rest/failures.h"
#include "apiserver/rest/object_text.h"
#include "kube/api/json_text.h"
#include "kube/api/schema_default.h"
#include "kube/api/schema_prune.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

bool HasOldShape(const Resource& resource, const Record& record) {
  return resource.custom && record.mod_revision < resource.schema_since;
}

bool IsOfOtherVersion(const Resource& resource, const Record& record) {
  return resource.converter != nullptr &&
         !record.value.starts_with(R"({"apiVersion":")" + resource.kind.ApiVersion() + '"');
}

RecordPtr WithObject(const Record& record, const json::value& object) {
  Record changed = record;
  changed.value = WriteObject(object);
  return std::make_shared<const Record>(std::move(changed));
}

Task<Result<std::vector<json::value>>> Converted(const Resource& resource,
                                                 std::vector<json::value> objects,
                                                 std::string api_version) {
  auto converted = co_await resource.converter->Convert(std::move(objects), std::move(api_version));
  if (converted || converted.error().kind() == ErrorKind::kCancelled) co_return converted;
  co_return Refuse({.status = "Failure",
                    .message = converted.error().message(),
                    .reason = "",
                    .details = {},
                    .code = 500});
}

void Reshape(const Resource& resource, json::value& object) {
  const kube::SchemaPtr schema = resource.schema();
  if (!schema) return;
  // What the schema cannot be applied to is shown as it is.
  if (!kube::Prune(*schema, object)) return;
  (void)kube::ApplyDefaults(*schema, object);
}

}  // namespace

Task<Result<std::vector<RecordPtr>>> InCurrentForm(const Resource& resource,
                                                   std::vector<RecordPtr> records) {
  std::vector<std::size_t> places;
  std::vector<json::value> objects;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!IsOfOtherVersion(resource, *records[i])) continue;
    places.push_back(i);
    objects.push_back(json::parse(records[i]->value));
  }
  if (!places.empty()) {
    CO_TRY(objects, co_await Converted(resource, std::move(objects), resource.kind.ApiVersion()));
    for (std::size_t i = 0; i < places.size(); ++i) {
      records[places[i]] = WithObject(*records[places[i]], objects[i]);
    }
  }
  for (RecordPtr& record : records) {
    if (!HasOldShape(resource, *record)) continue;
    json::value object = json::parse(record->value);
    Reshape(resource, object);
    record = WithObject(*record, object);
  }
  co_return records;
}

Task<Result<RecordPtr>> InCurrentForm(const Resource& resource, RecordPtr record) {
  const bool good = !IsOfOtherVersion(resource, *record) && !HasOldShape(resource, *record);
  if (good) co_return record;
  CO_TRY(auto records, co_await InCurrentForm(resource, std::vector<RecordPtr>{std::move(record)}));
  co_return std::move(records.front());
}

Task<Result<json::value>> ForStorage(const Resource& resource, json::value object) {
  std::string version = StorageApiVersion(resource);
  if (!resource.converter || kube::GetString(object, "apiVersion") == version) {
    object.get_object()["apiVersion"] = version;
    co_return object;
  }
  std::vector<json::value> objects;
  objects.push_back(std::move(object));
  CO_TRY(objects, co_await Converted(resource, std::move(objects), std::move(version)));
  co_return std::move(objects.front());
}

}  // namespace millwright::apiserver
