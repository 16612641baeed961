// Workload clusters over the network.
#pragma once

#include "base/clock.h"
#include "controllers/contract/shared/remote_dialer.h"
#include "kube/config/client_config.h"
#include "kube/connect/connection.h"

namespace millwright::controllers::contract {

// What a kubeconfig from a secret comes down to. It was written by whoever may write secrets, so
// it may neither run programs nor name files of this computer.
Result<kube::ClientConfig> ReadSecretKubeconfig(const std::string& text);

class KubeDialer final : public RemoteDialer {
 public:
  // `self` and `within`: the pod that we are and how it reaches its own server, if known.
  KubeDialer(Executor executor, Clock& clock, kube::ConnectionOptions options,
             std::optional<OwnPod> self = std::nullopt,
             std::optional<kube::ClientConfig> within = std::nullopt)
      : executor_(std::move(executor)),
        clock_(clock),
        options_(std::move(options)),
        self_(std::move(self)),
        within_(std::move(within)) {}

  Result<std::unique_ptr<RemoteConnection>> Dial(const std::string& kubeconfig) override;
  std::optional<OwnPod> own_pod() const override;
  Result<std::unique_ptr<RemoteConnection>> DialFromWithin(const std::string& kubeconfig) override;

 private:
  Result<std::unique_ptr<RemoteConnection>> Open(const kube::ClientConfig& config);

  const Executor executor_;
  Clock& clock_;
  const kube::ConnectionOptions options_;
  const std::optional<OwnPod> self_;
  const std::optional<kube::ClientConfig> within_;
};

}  // namespace millwright::controllers::contract
