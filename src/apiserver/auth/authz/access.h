// What somebody wants to do, in the words of RBAC.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/rest/admission.h"
#include "apiserver/rest/request.h"
#include "base/result.h"

namespace millwright::apiserver {

struct Access {
  std::string verb;  // "list"; for a path, the method in lower case
  std::string group = {};
  std::string version = {};
  std::string resource = {};
  std::string subresource = {};
  std::string namespace_ = {};
  std::string name = {};
  // Not about a resource: "/healthz". The fields above but the verb are then empty.
  std::string path = {};
  // As it stands in the request; only nodes are judged by it.
  std::string field_selector = {};

  bool IsAboutResource() const { return path.empty(); }

  friend bool operator==(const Access&, const Access&) = default;
};

// Who selects one object by its name asks for that one.
Access AccessTo(std::string_view verb, const Place& place, std::string_view field_selector = {});
// Of a request to a path that is not one of a resource.
Access AccessToPath(std::string_view method, std::string_view path);

// 403 in Kubernetes' words: 'pods is forbidden: User "x" cannot list resource "pods" in API group
// "" in the namespace "default"'. The reason comes behind, if there is one.
Failure ForbiddenTo(const User& user, const Access& access, std::string_view reason = {});

}  // namespace millwright::apiserver
