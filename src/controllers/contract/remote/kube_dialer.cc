#include "controllers/contract/remote/kube_dialer.h"

#include "kube/config/kubeconfig.h"

namespace millwright::controllers::contract {

namespace {

class KubeConnection final : public RemoteConnection {
 public:
  explicit KubeConnection(std::unique_ptr<kube::Connection> connection)
      : connection_(std::move(connection)) {}

  kube::Client& client() override { return connection_->client(); }
  net::Http& http() override { return connection_->http(); }

 private:
  std::unique_ptr<kube::Connection> connection_;
};

Result<void> CheckUser(const std::string& name, const kube::KubeconfigUser& user) {
  const auto refuse = [&name](const char* what) -> Result<void> {
    return Fail(ErrorKind::kInvalid, "user " + name + " of the kubeconfig has " + what +
                                         ", which is not accepted from a secret");
  };
  if (user.exec) return refuse("exec");
  if (!user.auth_provider.empty()) return refuse("auth-provider");
  if (!user.client_certificate.empty() || !user.client_key.empty() || !user.token_file.empty()) {
    return refuse("the name of a file");
  }
  return {};
}

}  // namespace

Result<kube::ClientConfig> ReadSecretKubeconfig(const std::string& text) {
  TRY(const kube::Kubeconfig config, kube::ParseKubeconfig(text, "kubeconfig"));
  for (const auto& [name, user] : config.users) CHECK_OK(CheckUser(name, user));
  for (const auto& [name, cluster] : config.clusters) {
    if (!cluster.certificate_authority.empty()) {
      return Fail(ErrorKind::kInvalid, "cluster " + name +
                                           " of the kubeconfig has the name of a file, which is "
                                           "not accepted from a secret");
    }
  }
  return kube::Resolve(config);
}

Result<std::unique_ptr<RemoteConnection>> KubeDialer::Dial(const std::string& kubeconfig) {
  TRY(const kube::ClientConfig config, ReadSecretKubeconfig(kubeconfig));
  return Open(config);
}

std::optional<OwnPod> KubeDialer::own_pod() const { return within_ ? self_ : std::nullopt; }

Result<std::unique_ptr<RemoteConnection>> KubeDialer::DialFromWithin(
    const std::string& kubeconfig) {
  TRY(kube::ClientConfig config, ReadSecretKubeconfig(kubeconfig));
  config.server = within_->server;
  config.tls.ca = within_->tls.ca;
  config.tls.server_name = within_->tls.server_name;
  return Open(config);
}

Result<std::unique_ptr<RemoteConnection>> KubeDialer::Open(const kube::ClientConfig& config) {
  TRY(auto connection, kube::Connection::Make(executor_, clock_, config, options_));
  return std::make_unique<KubeConnection>(std::move(connection));
}

}  // namespace millwright::controllers::contract
