#include "apiserver/housekeeping/self.h"

#include <algorithm>
#include <vector>

namespace millwright::apiserver {

User ServerUser() { return {.name = "system:apiserver", .uid = {}, .groups = {"system:masters"}}; }

Call CallOf(const ResourcePtr& resource, std::string_view namespace_, std::string_view name,
            std::string_view controller) {
  return {.resource = resource,
          .place = {.group = resource->kind.group,
                    .version = resource->kind.version,
                    .resource = resource->plural,
                    .namespace_ = std::string(namespace_),
                    .name = std::string(name),
                    .subresource = {}},
          .target = {},
          .method = {},
          .content_type = {},
          .user_agent = std::string(controller),
          .body = {},
          .output = {},
          .user = ServerUser()};
}

KeyParts PartsOf(std::string_view key) {
  std::vector<std::string_view> parts;
  std::size_t from = 1;
  while (from <= key.size()) {
    const auto slash = std::min(key.find('/', from), key.size());
    parts.push_back(key.substr(from, slash - from));
    from = slash + 1;
  }
  if (parts.size() == 4) return {parts[0], parts[1], parts[2], parts[3]};
  if (parts.size() == 3) return {parts[0], parts[1], "", parts[2]};
  return {};
}

ResourcePtr ResourceOfKey(const Registry& registry, const KeyParts& parts) {
  const std::string_view group = parts.group == "core" ? "" : parts.group;
  const Registry::Group* found = registry.FindGroup(group);
  if (found == nullptr) return nullptr;
  for (const Registry::Version& version : found->versions) {
    const auto resource = version.resources.find(parts.resource);
    if (resource != version.resources.end()) return resource->second;
  }
  return nullptr;
}

}  // namespace millwright::apiserver
