// The agent of a local machine: joins its cluster as a kubelet would, and answers for a node on
// which nothing runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "agent/keys.h"
#include "agent/node_object.h"
#include "agent/state_folder.h"
#include "agent/user_data.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "kube/client/client.h"
#include "kube/config/client_config.h"

namespace millwright::agent {

// A way to the cluster as somebody: with the token first, with the certificate then.
class Session {
 public:
  virtual ~Session() = default;
  virtual kube::Client& client() = 0;
};
using Connect = std::function<Result<std::unique_ptr<Session>>(const kube::ClientConfig&)>;

// Over the network.
Connect ConnectOver(const Executor& executor, Clock& clock);

struct AgentParts {
  Executor executor;
  Clock& clock;
  Random& random;
  Logger log;
  Connect connect;
};

struct AgentSettings {
  UserData user_data;
  StateFolder state;
  NodeFacts node;                                 // without a version: that is the server's
  std::optional<Duration> certificate_life = {};  // to ask for; none: as the cluster likes
};

// Puts together what the flags and the user data say of the node; flags win. kInvalid without a
// name.
Result<NodeFacts> NodeFor(NodeFacts from_flags, const UserData& user_data);

class NodeAgent {
 public:
  NodeAgent(AgentParts parts, AgentSettings settings)
      : parts_(std::move(parts)), settings_(std::move(settings)) {}

  // Until it is cancelled. Whatever goes wrong is tried again: a machine has nobody to give up to.
  Task<void> Run();

 private:
  // One attempt from the beginning. Returns only if it has to be begun again.
  Task<Result<void>> Live();
  // Until there is an identity on disk that is good for now.
  Task<Result<void>> Join();
  std::optional<Validity> ValidityOfIdentity() const;
  // Asks for a certificate with that client, and puts it in force.
  Task<Result<void>> Obtain(kube::Client& client);
  // Puts another in force before the last one ends.
  Task<void> KeepIdentity(kube::Client& client);
  kube::ClientConfig ConfigForCluster() const;

  const AgentParts parts_;
  const AgentSettings settings_;
};

}  // namespace millwright::agent
