// The tokens by which new nodes come in: ID.SECRET, kept in Secrets of kube-system.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "apiserver/rest/admission.h"
#include "base/time.h"

namespace millwright::apiserver {

struct BootstrapToken {
  std::string_view id;
  std::string_view secret;
};

// None if the text does not have that form: six and sixteen of a-z and 0-9.
std::optional<BootstrapToken> ParseBootstrapToken(std::string_view token);

// Of the Secret that holds it.
std::string BootstrapSecretName(std::string_view id);

// Whoever shows this token, by the Secret of that name: none if it is not that token, has expired,
// or is not for this use.
std::optional<User> BootstrapUser(const BootstrapToken& token, const boost::json::value& secret,
                                  WallTime now);

}  // namespace millwright::apiserver
