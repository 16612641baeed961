// The port to workload clusters: a kubeconfig becomes a way to talk to its cluster. For real over
// the network; in tests and simulation to a server in the same process.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/id.h"
#include "base/result.h"
#include "kube/api/object_key.h"
#include "kube/client/client.h"
#include "net/http.h"

namespace millwright::controllers::contract {

// Requests that are under way when it goes end with an error.
class RemoteConnection {
 public:
  virtual ~RemoteConnection() = default;

  virtual kube::Client& client() = 0;
  virtual net::Http& http() = 0;
};

// The pod that we are.
struct OwnPod {
  kube::ObjectKey key;
  Uid uid;
};

class RemoteDialer {
 public:
  virtual ~RemoteDialer() = default;

  // Sends nothing yet. kInvalid for a kubeconfig that is not understood or not accepted.
  virtual Result<std::unique_ptr<RemoteConnection>> Dial(const std::string& kubeconfig) = 0;

  // None: we run in no pod that we know of.
  virtual std::optional<OwnPod> own_pod() const { return std::nullopt; }

  // The same credentials, on the way that pods have to the server of their own cluster.
  virtual Result<std::unique_ptr<RemoteConnection>> DialFromWithin(const std::string& kubeconfig) {
    return Dial(kubeconfig);
  }
};

}  // namespace millwright::controllers::contract
