// Short ways to write the rules of built-in roles.
#pragma once

#include <string_view>

#include "apiserver/auth/authz/policy_rule.h"

namespace millwright::apiserver {

inline constexpr std::string_view kRead = "get list watch";
inline constexpr std::string_view kWrite = "create update patch delete deletecollection";
inline constexpr std::string_view kReadWrite =
    "get list watch create update patch delete deletecollection";

// Words are separated by spaces; "core" is the group without a name.
PolicyRule OnResources(std::string_view verbs, std::string_view groups, std::string_view resources,
                       std::string_view names = {});
PolicyRule OnUrls(std::string_view verbs, std::string_view urls);
// What everybody needs who reports what happens.
PolicyRule WritesEvents();

}  // namespace millwright::apiserver
