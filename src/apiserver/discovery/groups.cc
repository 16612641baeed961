#include "apiserver/discovery/groups.h"

#include <boost/json.hpp>

#include "apiserver/discovery/digest.h"
#include "apiserver/resources/subresources.h"
#include "kube/api/group_version.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

json::object VersionEntry(const Registry::Group& group, const Registry::Version& version) {
  return {{"groupVersion", kube::ApiVersion(group.name, version.name)}, {"version", version.name}};
}

// The fields that a group has wherever it stands.
void DescribeGroup(const Registry::Group& group, json::object& document) {
  document["name"] = group.name;
  json::array versions;
  for (const Registry::Version& version : group.versions) {
    versions.push_back(VersionEntry(group, version));
  }
  document["versions"] = std::move(versions);
  document["preferredVersion"] = VersionEntry(group, group.versions.front());
}

json::object ResourceEntry(const Resource& resource) {
  json::object entry{{"name", resource.plural},
                     {"singularName", resource.singular},
                     {"namespaced", resource.namespaced},
                     {"kind", resource.kind.kind},
                     {"verbs", json::value_from(resource.verbs)}};
  if (!resource.short_names.empty()) entry["shortNames"] = json::value_from(resource.short_names);
  if (!resource.categories.empty()) entry["categories"] = json::value_from(resource.categories);
  // What is never stored (reviews) cannot be listed.
  if (resource.Allows("list")) {
    entry["storageVersionHash"] =
        StorageVersionHash({resource.kind.group, resource.storage_version, resource.kind.kind});
  }
  return entry;
}

json::object SubresourceEntry(const Resource& resource, const Subresource& sub) {
  json::object entry{{"name", resource.plural + "/" + sub.name},
                     {"singularName", ""},
                     {"namespaced", resource.namespaced}};
  if (sub.kind.ApiVersion() != resource.kind.ApiVersion()) {
    entry["group"] = sub.kind.group;
    entry["version"] = sub.kind.version;
  }
  entry["kind"] = sub.kind.kind;
  entry["verbs"] = json::value_from(sub.verbs);
  return entry;
}

}  // namespace

json::object CoreVersionsDocument(const Registry& registry, std::string_view address) {
  json::array versions;
  if (const Registry::Group* core = registry.FindGroup("")) {
    for (const Registry::Version& version : core->versions) versions.emplace_back(version.name);
  }
  return {{"kind", "APIVersions"},
          {"versions", std::move(versions)},
          {"serverAddressByClientCIDRs",
           json::array{json::object{{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", address}}}}};
}

json::object GroupListDocument(const Registry& registry) {
  json::array groups;
  for (const Registry::Group& group : registry.groups()) {
    if (group.name.empty()) continue;  // the core group has its own place
    json::object entry;
    DescribeGroup(group, entry);
    groups.push_back(std::move(entry));
  }
  return {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
}

json::object GroupDocument(const Registry::Group& group) {
  json::object document{{"kind", "APIGroup"}, {"apiVersion", "v1"}};
  DescribeGroup(group, document);
  return document;
}

json::object ResourceListDocument(std::string_view group, const Registry::Version& version) {
  json::array resources;
  for (const auto& [plural, resource] : version.resources) {
    resources.push_back(ResourceEntry(*resource));
    for (const Subresource& sub : SubresourcesOf(*resource)) {
      resources.push_back(SubresourceEntry(*resource, sub));
    }
  }
  json::object document{{"kind", "APIResourceList"}};
  // The oldest group of all never said so.
  if (!group.empty()) document["apiVersion"] = "v1";
  document["groupVersion"] = kube::ApiVersion(group, version.name);
  document["resources"] = std::move(resources);
  return document;
}

}  // namespace millwright::apiserver
