// Which cluster to talk to when nobody has spelled it out.
#pragma once

#include <string>

#include "base/result.h"
#include "kube/config/client_config.h"
#include "kube/config/kubeconfig.h"
#include "kube/config/surroundings.h"

namespace millwright::kube {

struct LoadOptions {
  std::string kubeconfig{};  // --kubeconfig: this file and no other
  std::string context{};     // --context: instead of the current one
};

// The first of these that there is:
//   1. the file of --kubeconfig;
//   2. the files of $KUBECONFIG, laid over each other (missing ones are skipped, not all of them);
//   3. the service account of the pod we run in, unless --context asks for a kubeconfig;
//   4. ~/.kube/config.
// If there is none, kNotFound with everything that was tried.
Result<ClientConfig> LoadClientConfig(const LoadOptions& options, const Surroundings& surroundings);

// The kubeconfig of 1, 2 or 4 as it stands, for showing its contexts.
Result<Kubeconfig> LoadKubeconfig(const LoadOptions& options, const Surroundings& surroundings);

}  // namespace millwright::kube
