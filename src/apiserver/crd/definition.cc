#include "apiserver/crd/definition.h"

#include <algorithm>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

const json::array& VersionsOf(const json::value& crd) {
  static const json::array kNone;
  const json::array* versions = kube::GetArray(crd, "spec.versions");
  return versions == nullptr ? kNone : *versions;
}

std::string StorageVersionOf(const json::value& crd) {
  for (const json::value& version : VersionsOf(crd)) {
    if (kube::GetBool(version, "storage")) return std::string(kube::GetString(version, "name"));
  }
  return {};
}

std::vector<std::string> TextsAt(const json::value& value, std::string_view path) {
  std::vector<std::string> texts;
  const json::array* list = kube::GetArray(value, path);
  if (list == nullptr) return texts;
  for (const json::value& item : *list) {
    if (item.is_string()) texts.emplace_back(item.get_string());
  }
  return texts;
}

bool IsEnding(const json::value& object) {
  return !kube::GetString(object, "metadata.deletionTimestamp").empty();
}

bool HasFinalizer(const json::value& object, std::string_view name) {
  const auto finalizers = TextsAt(object, "metadata.finalizers");
  return std::ranges::find(finalizers, name) != finalizers.end();
}

}  // namespace millwright::apiserver
