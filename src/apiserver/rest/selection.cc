#include "apiserver/rest/selection.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

bool IsMetaField(std::string_view path) {
  return path == "metadata.name" || path == "metadata.namespace";
}

const SelectableField* FindField(const Resource& resource, std::string_view path) {
  const auto found = std::ranges::find(resource.selectable_fields, path, &SelectableField::path);
  return found == resource.selectable_fields.end() ? nullptr : &*found;
}

std::string TextAt(const json::value& object, std::string_view path) {
  const json::value* found = kube::Find(object, path);
  if (found == nullptr || found->is_null()) return {};
  if (found->is_string()) return std::string(found->get_string());
  return json::serialize(*found);
}

}  // namespace

kube::Labels LabelsOf(const json::value& object) {
  kube::Labels labels;
  const json::object* members = kube::GetObject(object, "metadata.labels");
  if (members == nullptr) return labels;
  for (const auto& [key, value] : *members) {
    if (value.is_string()) labels.emplace(key, std::string(value.get_string()));
  }
  return labels;
}

Result<Selection> Selection::Of(const Resource& resource, const ListOptions& options) {
  for (const kube::FieldRequirement& requirement : options.fields.requirements()) {
    if (IsMetaField(requirement.path) || FindField(resource, requirement.path) != nullptr) continue;
    return BadRequest(resource.custom
                          ? fmt::format("field label not supported: {}", requirement.path)
                          : fmt::format("Unable to find \"{}\" that match label selector \"{}\", "
                                        "field selector \"{}\": field label not supported: {}",
                                        resource.Gvr().ToString(), options.labels.ToString(),
                                        options.fields.ToString(), requirement.path));
  }
  Selection selection;
  selection.resource_ = &resource;
  selection.labels_ = options.labels;
  selection.fields_ = options.fields;
  return selection;
}

bool Selection::Matches(const json::value& object) const {
  if (!labels_.IsEverything() && !labels_.Matches(LabelsOf(object))) return false;
  return fields_.Matches([&](std::string_view path) {
    const SelectableField* field = IsMetaField(path) ? nullptr : FindField(*resource_, path);
    if (field == nullptr) return TextAt(object, path);
    std::string text = field->read_from.empty() ? TextAt(object, path) : std::string();
    for (const std::string& place : field->read_from) {
      if (text.empty()) text = TextAt(object, place);
    }
    return text.empty() ? field->absent : text;
  });
}

bool Selection::Matches(const Record& record) const {
  if (IsEverything()) return true;
  return Matches(json::parse(record.value));
}

}  // namespace millwright::apiserver
