// What the server does of its own accord, through the same endpoints as everybody.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/rest/call.h"
#include "apiserver/rest/change.h"
#include "apiserver/rest/remove.h"

namespace millwright::apiserver {

User ServerUser();

// A call about one object, by the server itself. `controller` is who shows in managedFields.
Call CallOf(const ResourcePtr& resource, std::string_view namespace_, std::string_view name,
            std::string_view controller);

// Where a key of the store lies: "/apps/deployments/ns/name" or "/core/nodes/name".
struct KeyParts {
  std::string_view group;  // "core" for the group without a name
  std::string_view resource;
  std::string_view namespace_;  // empty for objects of the cluster
  std::string_view name;
};
KeyParts PartsOf(std::string_view key);

// The resource that serves a stored object, in its preferred version; null if it is served no more.
ResourcePtr ResourceOfKey(const Registry& registry, const KeyParts& parts);

}  // namespace millwright::apiserver
