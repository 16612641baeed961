// A whole cluster of Cluster API to begin with: its machines are of this
// computer, and join the server that they are declared on.
#pragma once

#include <string>

#include "kube/client/client.h"

namespace millwright::cli {

struct CapiSample {
  std::string url;         // where machines find the server
  std::string ca_pem;      // its authority
  std::string kubeconfig;  // with which the controllers come to the cluster
};

// Three machines. What is there already stays as it is, but for addresses.
Task<Result<void>> CreateCapiSample(kube::Client& client, CapiSample sample);

}  // namespace millwright::cli
