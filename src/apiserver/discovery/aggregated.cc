#include "apiserver/discovery/aggregated.h"

#include <string>

#include <boost/json.hpp>

#include "apiserver/resources/subresources.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// A kube-apiserver leaves group and version empty where they are those of the place, but for
// custom kinds.
json::object ResponseKind(const Resource& resource, const kube::GroupVersionKind& kind) {
  const bool elsewhere = kind.ApiVersion() != resource.kind.ApiVersion();
  const bool said = elsewhere || resource.custom;
  return {{"group", said ? kind.group : ""},
          {"version", said ? kind.version : ""},
          {"kind", kind.kind}};
}

json::object ResourceEntry(const Resource& resource) {
  json::object entry{{"resource", resource.plural},
                     {"responseKind", ResponseKind(resource, resource.kind)},
                     {"scope", resource.namespaced ? "Namespaced" : "Cluster"},
                     {"singularResource", resource.singular},
                     {"verbs", json::value_from(resource.verbs)}};
  if (!resource.short_names.empty()) entry["shortNames"] = json::value_from(resource.short_names);
  if (!resource.categories.empty()) entry["categories"] = json::value_from(resource.categories);
  json::array subresources;
  for (const Subresource& sub : SubresourcesOf(resource)) {
    subresources.push_back(json::object{{"subresource", sub.name},
                                        {"responseKind", ResponseKind(resource, sub.kind)},
                                        {"verbs", json::value_from(sub.verbs)}});
  }
  if (!subresources.empty()) entry["subresources"] = std::move(subresources);
  return entry;
}

json::object GroupEntry(const Registry::Group& group) {
  json::object metadata;
  if (!group.name.empty()) metadata["name"] = group.name;
  json::array versions;
  for (const Registry::Version& version : group.versions) {
    json::array resources;
    for (const auto& [plural, resource] : version.resources) {
      resources.push_back(ResourceEntry(*resource));
    }
    versions.push_back(json::object{
        {"version", version.name}, {"resources", std::move(resources)}, {"freshness", "Current"}});
  }
  return {{"metadata", std::move(metadata)}, {"versions", std::move(versions)}};
}

}  // namespace

json::object AggregatedDocument(const Registry& registry, AggregatedPart part,
                                std::string_view version) {
  json::array items;
  for (const Registry::Group& group : registry.groups()) {
    const bool core = group.name.empty();
    if (core == (part == AggregatedPart::kCore)) items.push_back(GroupEntry(group));
  }
  return {{"kind", "APIGroupDiscoveryList"},
          {"apiVersion", "apidiscovery.k8s.io/" + std::string(version)},
          {"metadata", json::object()},
          {"items", std::move(items)}};
}

}  // namespace millwright::apiserver
