// The token of an Authorization header, and how tokens are compared.
#pragma once

#include <optional>
#include <string_view>

#include "net/http.h"

namespace millwright::apiserver {

// None if the request shows no bearer token. A view into the headers.
std::optional<std::string_view> BearerTokenOf(const net::Headers& headers);

// Takes as long whether the first byte differs or the last.
bool SecretsEqual(std::string_view a, std::string_view b);

}  // namespace millwright::apiserver
