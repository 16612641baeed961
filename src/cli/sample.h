// Three machines of this computer, for whoever wants to see it work.
#pragma once

#include <string>

#include "kube/client/client.h"

namespace millwright::cli {

// A secret, a class and a deployment of three local machines that join the server at `url`. What is
// there already stays as it is, so that nobody's changes are undone.
Task<Result<void>> CreateSample(kube::Client& client, std::string url, std::string ca_pem);

}  // namespace millwright::cli
