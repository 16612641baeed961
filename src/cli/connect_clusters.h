// From where a program's clusters are to clients of them.
#pragma once

#include <memory>

#include "cli/exit_code.h"
#include "cli/process.h"
#include "dialects/cluster_source.h"
#include "dialects/dialect.h"
#include "kube/connect/connection.h"

namespace millwright::cli {

// Says what was wrong, with what to do about it; the process ends with that code.
struct StartFailure {
  ExitCode code = ExitCode::kFailed;
  std::string message;
};

struct ConnectedClusters {
  std::unique_ptr<kube::Connection> control;
  std::unique_ptr<kube::Connection> other;  // the target, if it is another cluster
  bool joins = false;                       // machines join a cluster

  kube::Client* target() {
    if (!joins) return nullptr;
    return &(other ? *other : *control).client();
  }
};

// How a cluster is reached.
Result<kube::ClientConfig> ConfigOf(const dialects::ClusterSource& source);

// Waits a moment for servers that are not up yet.
Task<std::expected<ConnectedClusters, StartFailure>> ConnectClusters(
    Process process, dialects::Clusters clusters, kube::ConnectionOptions options);

// Whether the control cluster serves the dialect's kinds; waits a moment for those that were just
// defined.
Task<std::expected<void, StartFailure>> CheckKinds(Clock& clock, kube::Connection& control,
                                                   const dialects::Dialect& dialect);

}  // namespace millwright::cli
