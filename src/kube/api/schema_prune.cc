#include "kube/api/schema_prune.h"

#include <algorithm>

#include <boost/json.hpp>

#include "kube/api/schema_error.h"
#include "kube/api/schema_object_meta.h"
#include "kube/api/typed_value.h"

namespace millwright::kube {

namespace json = boost::json;

namespace {

// `keep`: unknown fields stay.
void Walk(const Schema* schema, bool keep, json::value& value, const std::string& path,
          std::vector<std::string>& pruned);

void WalkChild(const Schema* schema, json::value& value, const std::string& path,
               std::vector<std::string>& pruned) {
  Walk(schema, schema != nullptr && schema->preserve_unknown_fields, value, path, pruned);
}

// Null is "not there" in metadata, and is the only way some clients can say it.
void DropNulls(json::object& metadata) {
  std::vector<std::string> names;
  for (const auto& field : metadata) {
    if (field.value().is_null()) names.emplace_back(field.key());
  }
  for (const auto& name : names) metadata.erase(name);
}

void WalkResourceField(std::string_view name, json::value& value, const std::string& path,
                       std::vector<std::string>& pruned) {
  auto* metadata = name == "metadata" ? value.if_object() : nullptr;
  if (metadata == nullptr) return;
  DropNulls(*metadata);
  WalkChild(&ObjectMetaSchema(), value, path, pruned);
}

void WalkObject(const Schema& schema, bool keep, json::object& object, const std::string& path,
                std::vector<std::string>& pruned) {
  std::vector<std::string> unknown;
  const bool is_resource = schema.embedded_resource || path.empty();
  for (auto& field : object) {
    const std::string_view name = field.key();
    const std::string child_path = PathChild(path, name);
    if (is_resource && IsResourceField(name)) {
      WalkResourceField(name, field.value(), child_path, pruned);
    } else if (schema.properties.contains(name) || schema.additional_kind != Additional::kUnsaid) {
      WalkChild(schema.Field(name), field.value(), child_path, pruned);
    } else if (!keep) {
      unknown.emplace_back(name);
      pruned.push_back(child_path);
    }
  }
  for (const auto& name : unknown) object.erase(name);
}

// What a list keeps, its items keep.
void WalkList(const Schema* schema, bool keep, json::array& list, const std::string& path,
              std::vector<std::string>& pruned) {
  const Schema* items = schema == nullptr ? nullptr : schema->items.get();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool keep_item = keep || (items != nullptr && items->preserve_unknown_fields);
    Walk(items, keep_item, list[i], PathIndex(path, i), pruned);
  }
}

void PruneAll(json::object& object, const std::string& path, std::vector<std::string>& pruned) {
  for (const auto& field : object) pruned.push_back(PathChild(path, field.key()));
  object.clear();
}

void Walk(const Schema* schema, bool keep, json::value& value, const std::string& path,
          std::vector<std::string>& pruned) {
  if (schema == nullptr && keep) return;
  if (auto* list = value.if_array()) {
    WalkList(schema, keep, *list, path, pruned);
  } else if (auto* object = value.if_object()) {
    if (schema == nullptr) {
      PruneAll(*object, path, pruned);
    } else {
      WalkObject(*schema, keep, *object, path, pruned);
    }
  }
}

}  // namespace

Result<std::vector<std::string>> Prune(const Schema& schema, json::value& resource) {
  if (IsNestedTooDeep(resource)) return Fail(ErrorKind::kInvalid, "the object is nested too deep");
  std::vector<std::string> pruned;
  if (auto* object = resource.if_object()) {
    WalkObject(schema, schema.preserve_unknown_fields, *object, "", pruned);
  }
  std::ranges::sort(pruned);
  return pruned;
}

std::vector<std::string> PruneValue(const Schema& schema, json::value& value,
                                    const std::string& path) {
  std::vector<std::string> pruned;
  WalkChild(&schema, value, path, pruned);
  std::ranges::sort(pruned);
  return pruned;
}

}  // namespace millwright::kube
