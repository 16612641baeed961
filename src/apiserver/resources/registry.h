// Every kind that the server serves now: the built-in ones, and those of CustomResourceDefinitions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resources/resource.h"

namespace millwright::apiserver {

class Registry {
 public:
  // One version of a group, its resources by plural name.
  struct Version {
    std::string name;
    std::map<std::string, ResourcePtr, std::less<>> resources;
  };
  struct Group {
    std::string name;
    std::vector<Version> versions;  // the preferred one first
  };

  // In place of one with the same group, version and plural name.
  void Add(ResourcePtr resource);
  // All versions of a kind; groups and versions without kinds go too.
  void Remove(std::string_view group, std::string_view plural);

  // Null if it is not served.
  ResourcePtr Find(std::string_view group, std::string_view version, std::string_view plural) const;
  // By kind, in that version.
  ResourcePtr FindKind(const kube::GroupVersionKind& kind) const;
  const Group* FindGroup(std::string_view group) const;
  const Version* FindVersion(std::string_view group, std::string_view version) const;

  // The core group first, then in the order of Add.
  const std::vector<Group>& groups() const { return groups_; }

  // Every resource once, in its preferred version.
  std::vector<ResourcePtr> Preferred() const;

  // Grows with every change: what was made of the registry can be kept while it stays the same.
  std::uint64_t changes() const { return changes_; }

 private:
  std::vector<Group> groups_;
  std::uint64_t changes_ = 0;
};

// The order of versions that Kubernetes prefers: v2, v1, v2beta1, v1beta2, v1alpha1, others.
bool IsPreferredVersion(std::string_view a, std::string_view b);

}  // namespace millwright::apiserver
