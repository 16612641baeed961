// Acting as somebody else, for those who may: the Impersonate-* headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/auth/authz/authorizer.h"
#include "net/http.h"

namespace millwright::apiserver {

// The user that a request is to be answered for: its own if it asks for no other. Each part of the
// other's identity must be allowed by itself: 403. 400 for parts without a name.
Result<User> Impersonate(const User& user, const net::Headers& headers, Authorizer& authorizer);

// The groups that every service account of a namespace is in.
std::vector<std::string> ServiceAccountGroups(std::string_view namespace_);

struct ServiceAccountName {
  std::string namespace_;
  std::string name;
};
// None if the user is no service account.
std::optional<ServiceAccountName> ParseServiceAccountUser(std::string_view user);

}  // namespace millwright::apiserver
