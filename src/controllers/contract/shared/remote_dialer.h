// The port to workload clusters: a kubeconfig becomes a way to talk to its cluster. For real over
// the network; in tests and simulation to a server in the same process.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "kube/client/client.h"

namespace millwright::controllers::contract {

// Requests that are under way when it goes end with an error.
class RemoteConnection {
 public:
  virtual ~RemoteConnection() = default;

  virtual kube::Client& client() = 0;
};

class RemoteDialer {
 public:
  virtual ~RemoteDialer() = default;

  // Sends nothing yet. kInvalid for a kubeconfig that is not understood or not accepted.
  virtual Result<std::unique_ptr<RemoteConnection>> Dial(const std::string& kubeconfig) = 0;
};

}  // namespace millwright::controllers::contract
