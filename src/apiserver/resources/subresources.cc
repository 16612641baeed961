#include "apiserver/resources/subresources.h"

#include <algorithm>

namespace millwright::apiserver {

namespace {

void AddUnlessThere(std::vector<Subresource>& all, Subresource one) {
  if (std::ranges::find(all, one.name, &Subresource::name) != all.end()) return;
  all.push_back(std::move(one));
}

}  // namespace

std::vector<Subresource> SubresourcesOf(const Resource& resource) {
  const std::vector<std::string> verbs = {"get", "patch", "update"};
  std::vector<Subresource> all;
  if (resource.has_status) {
    all.push_back({.name = "status", .kind = resource.kind, .verbs = verbs});
  }
  if (resource.scale) {
    all.push_back({.name = "scale", .kind = {"autoscaling", "v1", "Scale"}, .verbs = verbs});
  }
  for (const Subresource& other : resource.subresources) AddUnlessThere(all, other);
  // A kube-apiserver sorts those of its own kinds, and those of CustomResourceDefinitions not.
  if (!resource.custom) std::ranges::sort(all, {}, &Subresource::name);
  return all;
}

}  // namespace millwright::apiserver
