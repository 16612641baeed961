#include "apiserver/housekeeping/owner_graph.h"

#include <algorithm>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

std::vector<Owner> OwnersOf(std::string_view text) {
  std::vector<Owner> owners;
  if (!text.contains("\"ownerReferences\":[")) return owners;
  const json::value object = json::parse(text);
  const json::array* references = kube::GetArray(object, "metadata.ownerReferences");
  if (references == nullptr) return owners;
  for (const json::value& reference : *references) {
    owners.push_back({.api_version = std::string(kube::GetString(reference, "apiVersion")),
                      .kind = std::string(kube::GetString(reference, "kind")),
                      .name = std::string(kube::GetString(reference, "name")),
                      .uid = std::string(kube::GetString(reference, "uid")),
                      .blocks = kube::GetBool(reference, "blockOwnerDeletion")});
  }
  return owners;
}

bool OwnerGraph::Set(const std::string& key, std::vector<Owner> owners) {
  const auto known = owners_.find(key);
  if (known == owners_.end() ? owners.empty() : known->second == owners) return false;
  if (known != owners_.end()) {
    for (const Owner& owner : known->second) {
      const auto at = dependents_.find(owner.uid);
      if (at == dependents_.end()) continue;
      at->second.erase(key);
      if (at->second.empty()) dependents_.erase(at);
    }
    owners_.erase(known);
  }
  for (const Owner& owner : owners) dependents_[owner.uid].insert(key);
  if (!owners.empty()) owners_[key] = std::move(owners);
  return true;
}

std::vector<std::string> OwnerGraph::Dependents(const std::string& uid) const {
  const auto found = dependents_.find(uid);
  if (found == dependents_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

bool OwnerGraph::IsBlocked(const std::string& uid) const {
  return std::ranges::any_of(Dependents(uid), [&](const std::string& key) {
    return std::ranges::any_of(
        OwnersAt(key), [&](const Owner& owner) { return owner.uid == uid && owner.blocks; });
  });
}

const std::vector<Owner>& OwnerGraph::OwnersAt(const std::string& key) const {
  static const std::vector<Owner> kNone;
  const auto found = owners_.find(key);
  return found == owners_.end() ? kNone : found->second;
}

}  // namespace millwright::apiserver
