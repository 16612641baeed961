#include "apiserver/resources/registry.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace millwright::apiserver {

namespace {

// A version like v1beta2, taken apart.
struct ParsedVersion {
  int stability = -1;  // 2: v1, 1: beta, 0: alpha, -1: not of that form
  long major = 0;
  long minor = 0;
};

bool TakeNumber(std::string_view& text, long& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.starts_with('0') || number < 1) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

ParsedVersion ParseVersion(std::string_view text) {
  ParsedVersion version;
  if (!text.starts_with('v')) return {};
  text.remove_prefix(1);
  if (!TakeNumber(text, version.major)) return {};
  if (text.empty()) {
    version.stability = 2;
    return version;
  }
  const bool beta = text.starts_with("beta");
  if (!beta && !text.starts_with("alpha")) return {};
  text.remove_prefix(beta ? 4 : 5);
  if (!TakeNumber(text, version.minor) || !text.empty()) return {};
  version.stability = beta ? 1 : 0;
  return version;
}

}  // namespace

bool IsPreferredVersion(std::string_view a, std::string_view b) {
  const ParsedVersion x = ParseVersion(a);
  const ParsedVersion y = ParseVersion(b);
  if (x.stability < 0 && y.stability < 0) return a < b;
  return std::tie(x.stability, x.major, x.minor) > std::tie(y.stability, y.major, y.minor);
}

void Registry::Add(ResourcePtr resource) {
  ++changes_;
  const kube::GroupVersionKind& kind = resource->kind;
  auto group = std::ranges::find(groups_, kind.group, &Group::name);
  if (group == groups_.end()) {
    group = groups_.insert(kind.group.empty() ? groups_.begin() : groups_.end(),
                           {.name = kind.group, .versions = {}});
  }
  auto version = std::ranges::find(group->versions, kind.version, &Version::name);
  if (version == group->versions.end()) {
    const auto before = std::ranges::find_if(group->versions, [&](const Version& other) {
      return IsPreferredVersion(kind.version, other.name);
    });
    version = group->versions.insert(before, {.name = kind.version, .resources = {}});
  }
  version->resources[resource->plural] = std::move(resource);
}

void Registry::Remove(std::string_view group, std::string_view plural) {
  ++changes_;
  const auto found = std::ranges::find(groups_, group, &Group::name);
  if (found == groups_.end()) return;
  for (Version& version : found->versions) version.resources.erase(std::string(plural));
  std::erase_if(found->versions, [](const Version& version) { return version.resources.empty(); });
  if (found->versions.empty()) groups_.erase(found);
}

const Registry::Group* Registry::FindGroup(std::string_view group) const {
  const auto found = std::ranges::find(groups_, group, &Group::name);
  return found == groups_.end() ? nullptr : &*found;
}

const Registry::Version* Registry::FindVersion(std::string_view group,
                                               std::string_view version) const {
  const Group* in = FindGroup(group);
  if (in == nullptr) return nullptr;
  const auto found = std::ranges::find(in->versions, version, &Version::name);
  return found == in->versions.end() ? nullptr : &*found;
}

ResourcePtr Registry::Find(std::string_view group, std::string_view version,
                           std::string_view plural) const {
  const Version* in = FindVersion(group, version);
  if (in == nullptr) return nullptr;
  const auto found = in->resources.find(plural);
  return found == in->resources.end() ? nullptr : found->second;
}

ResourcePtr Registry::FindKind(const kube::GroupVersionKind& kind) const {
  const Version* in = FindVersion(kind.group, kind.version);
  if (in == nullptr) return nullptr;
  for (const auto& [plural, resource] : in->resources) {
    if (resource->kind.kind == kind.kind) return resource;
  }
  return nullptr;
}

std::vector<ResourcePtr> Registry::Preferred() const {
  std::vector<ResourcePtr> all;
  for (const Group& group : groups_) {
    std::vector<std::string_view> seen;
    for (const Version& version : group.versions) {
      for (const auto& [plural, resource] : version.resources) {
        if (std::ranges::find(seen, plural) != seen.end()) continue;
        seen.push_back(plural);
        all.push_back(resource);
      }
    }
  }
  return all;
}

}  // namespace millwright::apiserver
