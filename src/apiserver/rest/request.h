// What a request is about: which resource, which object, what to do with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/url.h"

namespace millwright::apiserver {

// The place a path names. The API server's own paths (/version, /apis) are not about resources.
struct Place {
  std::string group;
  std::string version;
  std::string resource;  // plural
  std::string namespace_;
  std::string name;
  std::string subresource;

  friend bool operator==(const Place&, const Place&) = default;
};

// None if the path is not one of a resource: too short, too long, or elsewhere.
std::optional<Place> PlaceOf(const net::Target& target);

// Whether a GET is to go on with what happens later.
bool IsWatch(const net::Target& target);

// The verb as RBAC knows it; empty for a method that no resource has.
std::string_view VerbOf(std::string_view method, const Place& place, bool watch);

}  // namespace millwright::apiserver
