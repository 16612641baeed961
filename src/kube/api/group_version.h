// Kinds and resources, and where they live under the API server's root.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::kube {

// "apps/v1", or "v1" for the core group, whose name is empty.
std::string ApiVersion(std::string_view group, std::string_view version);

struct GroupVersionKind {
  std::string group;
  std::string version;
  std::string kind;

  std::string ApiVersion() const { return kube::ApiVersion(group, version); }

  // "apps/v1/Deployment".
  std::string ToString() const { return ApiVersion() + "/" + kind; }

  friend auto operator<=>(const GroupVersionKind&, const GroupVersionKind&) = default;
};

// From the apiVersion and kind of an object. Fails with kInvalid.
Result<GroupVersionKind> ParseGroupVersionKind(std::string_view api_version, std::string_view kind);

struct GroupVersionResource {
  std::string group;
  std::string version;
  std::string resource;  // plural, as in URLs: "machinedeployments"

  std::string ApiVersion() const { return kube::ApiVersion(group, version); }

  // "apps/v1/deployments".
  std::string ToString() const { return ApiVersion() + "/" + resource; }

  friend auto operator<=>(const GroupVersionResource&, const GroupVersionResource&) = default;
};

// "apps/v1/deployments" or "v1/nodes". Fails with kInvalid.
Result<GroupVersionResource> ParseGroupVersionResource(std::string_view text);

// The URL path of a resource's objects, of one object if there is a name, or of its subresource:
// "/api/v1/namespaces/x/pods/y/status", "/apis/apps/v1/deployments". Without a namespace it is that
// of all namespaces, or of the cluster. Every part is percent-encoded, so that no name can lead
// elsewhere.
std::string ResourcePath(const GroupVersionResource& resource, std::string_view namespace_ = {},
                         std::string_view name = {}, std::string_view subresource = {});

// One part of a URL path; leaves letters, digits and -._~$&+=:@ as they are, and encodes "." and
// ".." whole.
std::string EncodePathSegment(std::string_view segment);

}  // namespace millwright::kube

template <>
struct std::hash<millwright::kube::GroupVersionResource> {
  std::size_t operator()(const millwright::kube::GroupVersionResource& resource) const noexcept {
    return std::hash<std::string>{}(resource.ToString());
  }
};
