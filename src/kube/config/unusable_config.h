// Tells what is wrong with our own configuration from what is wrong with the server.
#pragma once

#include "base/result.h"

namespace millwright::kube {

// Carried by errors about files that the configuration names and plugins that it runs: no server
// was asked.
class UnusableConfig final : public ErrorDetail {};

inline Error Unusable(Error error) {
  return std::move(error).WithDetail(std::make_shared<UnusableConfig>());
}

}  // namespace millwright::kube
