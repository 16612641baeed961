// The file by which clients find the server and show who they are.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/auth/pki/pki.h"
#include "base/result.h"

namespace millwright::apiserver {

// YAML with everything inside, and its one context chosen. It holds the identity's key: to be
// written with WritePrivateText. kInvalid if the address is no https URL.
Result<std::string> KubeconfigFor(std::string_view server_url, std::string_view ca_pem,
                                  const Identity& client);

}  // namespace millwright::apiserver
