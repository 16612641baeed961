#include "controllers/contract/shared/belonging.h"

#include <boost/json/value_from.hpp>

#include <algorithm>

#include "dialects/capi/names.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
namespace capi = dialects::capi;

namespace {

std::string_view Lookup(const kube::Labels& texts, std::string_view key) {
  const auto found = texts.find(key);
  return found == texts.end() ? std::string_view() : std::string_view(found->second);
}

bool IsOwnedBy(const capi::Header& object, const capi::ClusterRecord& cluster) {
  return std::ranges::any_of(object.owners, [&](const kube::OwnerReference& owner) {
    return owner.uid == cluster.meta.uid && owner.api_version == capi::kApiVersion;
  });
}

// Entries of the same object in another version, or of one that was there before it, are replaced.
json::array WithCluster(const capi::Header& object, const capi::ClusterRecord& cluster) {
  std::vector<kube::OwnerReference> owners = object.owners;
  std::erase_if(owners, [&](const kube::OwnerReference& owner) {
    return owner.kind == capi::kClusterKind && owner.name == cluster.meta.key.name &&
           owner.api_version.starts_with(capi::kGroup);
  });
  owners.push_back({.api_version = std::string(capi::kApiVersion),
                    .kind = std::string(capi::kClusterKind),
                    .name = cluster.meta.key.name,
                    .uid = cluster.meta.uid,
                    .controller = {},
                    .block_owner_deletion = {}});
  return OwnersJson(owners);
}

}  // namespace

json::array OwnersJson(const std::vector<kube::OwnerReference>& owners) {
  json::array list;
  for (const kube::OwnerReference& owner : owners) {
    list.push_back(kube::EncodeOwnerReference(owner));
  }
  return list;
}

json::object ClusterMarks(const capi::Header& object, const capi::ClusterRecord& cluster,
                          bool owned) {
  json::object metadata;
  if (Label(object, capi::labels::kCluster) != cluster.meta.key.name) {
    metadata["labels"] = {{std::string(capi::labels::kCluster), cluster.meta.key.name}};
  }
  if (owned && !IsOwnedBy(object, cluster)) {
    metadata["ownerReferences"] = WithCluster(object, cluster);
  }
  if (metadata.empty()) return {};
  return {{"metadata", std::move(metadata)}};
}

json::object TemplateMarks(const capi::Reference& reference, const capi::Header& object,
                           const capi::ClusterRecord& cluster) {
  if (!reference.kind.ends_with(capi::kTemplateSuffix)) return {};
  if (IsOwnedBy(object, cluster)) return {};
  return {{"metadata", {{"ownerReferences", WithCluster(object, cluster)}}}};
}

json::object SelectorMarks(const kube::Labels& selector, const kube::Labels& template_labels,
                           const std::string& cluster) {
  const json::object label{{std::string(capi::labels::kCluster), cluster}};
  json::object spec;
  if (Lookup(selector, capi::labels::kCluster) != cluster) {
    spec["selector"] = {{"matchLabels", label}};
  }
  if (Lookup(template_labels, capi::labels::kCluster) != cluster) {
    spec["template"] = {{"metadata", {{"labels", label}}}};
  }
  if (spec.empty()) return {};
  return {{"spec", std::move(spec)}};
}

void AddFinalizers(json::object& patch, const std::optional<std::vector<std::string>>& finalizers) {
  if (!finalizers) return;
  json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  metadata.as_object()["finalizers"] = json::value_from(*finalizers);
}

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, end);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

std::string JoinList(std::vector<std::string> names) {
  std::ranges::sort(names);
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    text += name;
  }
  return text;
}

std::string_view Annotation(const capi::Header& object, std::string_view key) {
  return Lookup(object.annotations, key);
}

std::string_view Label(const capi::Header& object, std::string_view key) {
  return Lookup(object.labels, key);
}

}  // namespace millwright::controllers::contract
