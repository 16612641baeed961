#include "apiserver/resources/resource.h"

#include <algorithm>

namespace millwright::apiserver {

bool Resource::Allows(std::string_view verb) const {
  return std::ranges::find(verbs, verb) != verbs.end();
}

std::string StorageRoot(const Resource& resource) {
  const bool events = resource.kind.kind == "Event" && !resource.custom;
  if (events) return "/core/events/";
  const std::string& group = resource.kind.group;
  return "/" + (group.empty() ? std::string("core") : group) + "/" + resource.plural + "/";
}

std::string StorageScope(const Resource& resource, std::string_view namespace_) {
  std::string scope = StorageRoot(resource);
  if (!namespace_.empty()) scope.append(namespace_).append("/");
  return scope;
}

std::string StorageKey(const Resource& resource, std::string_view namespace_,
                       std::string_view name) {
  return StorageScope(resource, namespace_).append(name);
}

}  // namespace millwright::apiserver
