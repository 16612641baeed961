// What a node may do: look after itself and the pods that run on it, and see what these need.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/auth/authz/access.h"
#include "apiserver/auth/authz/rbac_index.h"
#include "apiserver/store/store.h"

namespace millwright::apiserver {

// "a" for the user system:node:a of system:nodes; none for others.
std::optional<std::string> NodeNameOf(const User& user);

// Writes are let through where only their content tells whose they are: NodeRestrictionStep judges
// them. What is not allowed here may be by RBAC.
Decision AuthorizeNode(const Store& store, std::string_view node, const Access& access);

}  // namespace millwright::apiserver
