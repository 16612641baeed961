#include "apiserver/rest/render.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/rest/table.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

json::value MetadataForm(const Resource& resource, const json::value& value,
                         std::string_view version) {
  const json::array* items = kube::GetArray(value, "items");
  if (items == nullptr || kube::GetString(value, "kind") != resource.list_kind) {
    return OnlyMetadata(value, version);
  }
  json::array partial;
  for (const json::value& item : *items) partial.push_back(OnlyMetadata(item, version));
  return json::object{{"kind", "PartialObjectMetadataList"},
                      {"apiVersion", fmt::format("meta.k8s.io/{}", version)},
                      {"metadata", value.at("metadata")},
                      {"items", std::move(partial)}};
}

}  // namespace

TableWishes TableWishesOf(const net::Target& target) {
  const auto include = target.Find("includeObject").value_or("");
  if (include == "None") return {.include = TableWishes::Include::kNone};
  if (include == "Object") return {.include = TableWishes::Include::kObject};
  return {};
}

std::string Render(const Output& output, const Resource& resource, std::string text,
                   const TableWishes& wishes, WallTime now) {
  if (output.form == Output::Form::kObject) return text;
  json::value value = json::parse(text);
  // Only lists of custom objects say that there is no more, and only in their own form.
  if (json::object* metadata = value.get_object()["metadata"].if_object()) {
    if (metadata->contains("continue") && metadata->at("continue") == "")
      metadata->erase("continue");
  }
  // The outcome of a delete, say, is not an object of the kind.
  if (kube::GetString(value, "kind") == "Status") return text;
  if (output.form == Output::Form::kMetadata) {
    return json::serialize(MetadataForm(resource, value, output.version));
  }
  return json::serialize(MakeTable(resource, value, wishes, output.version, now));
}

}  // namespace millwright::apiserver
