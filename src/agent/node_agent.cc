#include "agent/node_agent.h"

#include <algorithm>

#include "agent/certificate_request.h"
#include "agent/pod_worker.h"
#include "agent/registration.h"
#include "kube/connect/connection.h"

namespace millwright::agent {

namespace {

constexpr Duration kFirstRetry = std::chrono::seconds(1);
constexpr Duration kSlowestRetry = std::chrono::seconds(30);
constexpr Duration kLongestNap = std::chrono::hours(1);

class NetworkSession final : public Session {
 public:
  explicit NetworkSession(std::unique_ptr<kube::Connection> connection)
      : connection_(std::move(connection)) {}
  kube::Client& client() override { return connection_->client(); }

 private:
  std::unique_ptr<kube::Connection> connection_;
};

Task<Result<std::string>> VersionOf(kube::Client& client) {
  CO_TRY(const std::string text, co_await client.GetPath("/version"));
  CO_TRY(const kube::ServerVersion version, kube::ParseServerVersion(text));
  co_return version.git_version;
}

}  // namespace

Connect ConnectOver(const Executor& executor, Clock& clock) {
  return [executor, &clock](const kube::ClientConfig& config) -> Result<std::unique_ptr<Session>> {
    TRY(auto connection, kube::Connection::Make(executor, clock, config,
                                                {.field_manager = "millwright-node-agent",
                                                 .user_agent = "millwright-node-agent"}));
    return std::make_unique<NetworkSession>(std::move(connection));
  };
}

Result<NodeFacts> NodeFor(NodeFacts node, const UserData& user_data) {
  if (node.name.empty()) node.name = user_data.node_name;
  if (node.name.empty()) {
    return Fail(ErrorKind::kInvalid, "the node has no name: use --name, or nodeName in user data");
  }
  node.labels.insert(user_data.labels.begin(), user_data.labels.end());
  node.taints = user_data.taints;
  return node;
}

Task<void> NodeAgent::Run() {
  Duration pause = kFirstRetry;
  while (!co_await IsCancelled()) {
    const auto lived = co_await Live();
    if (lived || lived.error().kind() == ErrorKind::kCancelled) continue;
    parts_.log.Warning("not in the cluster", {{"kind", ToString(lived.error().kind())},
                                              {"error", lived.error().message()}});
    co_await SleepFor(parts_.clock, pause);
    pause = std::min(pause * 2, kSlowestRetry);
  }
}

Task<Result<void>> NodeAgent::Live() {
  CO_CHECK(co_await Join());
  kube::ClientConfig config = ConfigForCluster();
  // By file: whoever sends requests looks at it now and then, and goes on with the next one.
  config.tls.client_cert.file = settings_.state.identity();
  config.tls.client_key.file = settings_.state.identity();
  CO_TRY(const auto session, parts_.connect(config));
  kube::Client& client = session->client();
  NodeFacts facts = settings_.node;
  CO_TRY(facts.version, co_await VersionOf(client));
  const std::string address = facts.address;
  Registration registration(parts_.executor, client, parts_.clock, parts_.random, parts_.log,
                            std::move(facts));
  const auto registered = co_await registration.Register();
  if (!registered && registered.error().kind() == ErrorKind::kUnauthenticated) {
    // Another cluster under the same address: what we have is worth nothing there.
    settings_.state.ForgetIdentity();
  }
  CO_CHECK(registered);
  parts_.log.Info("node registered", {{"node", settings_.node.name}});

  PodWorker pods(parts_.executor, client, parts_.clock, parts_.random, parts_.log,
                 settings_.node.name, address);
  TaskGroup tasks(parts_.executor);
  tasks.Spawn([&] { return registration.KeepAlive(); });
  tasks.Spawn([&] { return KeepIdentity(client); });
  // Also when the Node is gone: its pods still have nobody else.
  tasks.Spawn([&] { return pods.Run(); });
  co_await UntilCancelled();
  tasks.Cancel();
  co_await tasks.Join();
  co_return Ok();
}

kube::ClientConfig NodeAgent::ConfigForCluster() const {
  kube::ClientConfig config;
  config.origin = "user data";
  config.server = settings_.user_data.server;
  config.tls.ca.pem = settings_.user_data.ca_pem;
  return config;
}

std::optional<Validity> NodeAgent::ValidityOfIdentity() const {
  const auto identity = settings_.state.LoadIdentity();
  if (!identity) return std::nullopt;
  const auto validity = ValidityOf(identity->Reveal(), *identity);
  if (!validity || validity->ends <= parts_.clock.Now()) return std::nullopt;
  return *validity;
}

Task<Result<void>> NodeAgent::Join() {
  if (ValidityOfIdentity()) co_return Ok();
  kube::ClientConfig config = ConfigForCluster();
  config.credentials = kube::BearerToken{.token = settings_.user_data.token};
  CO_TRY(const auto session, parts_.connect(config));
  co_return co_await Obtain(session->client());
}

Task<Result<void>> NodeAgent::Obtain(kube::Client& client) {
  CO_TRY(const SecretText key, settings_.state.LoadOrMakeKey());
  auto request = MakeSigningRequest(key, settings_.node.name);
  // A key that cannot be read will not get better.
  if (!request) settings_.state.ForgetKey();
  CO_CHECK(request);
  auto issued = co_await ObtainCertificate(client, parts_.clock, parts_.random, parts_.log,
                                           *std::move(request), settings_.certificate_life);
  if (!issued && issued.error().kind() == ErrorKind::kPermission) {
    // A request that was refused stays so; another key makes another.
    settings_.state.ForgetKey();
  }
  CO_CHECK(issued);
  const auto validity = ValidityOf(*issued, key);
  if (!validity || validity->ends <= parts_.clock.Now()) {
    settings_.state.ForgetKey();
    co_return Fail(ErrorKind::kUnavailable, "the certificate that was issued is of no use");
  }
  CO_CHECK(settings_.state.SaveIdentity(*issued, key));
  co_return Ok();
}

Task<void> NodeAgent::KeepIdentity(kube::Client& client) {
  while (!co_await IsCancelled()) {
    const auto validity = ValidityOfIdentity();
    const WallTime now = parts_.clock.Now();
    const WallTime due = validity ? RenewalOf(*validity) : now;
    if (now < due) {
      // In steps, since the calendar may jump.
      co_await SleepFor(parts_.clock, std::min<Duration>(due - now, kLongestNap));
      continue;
    }
    const auto obtained = co_await Obtain(client);
    if (obtained) {
      parts_.log.Info("certificate renewed");
      continue;
    }
    if (obtained.error().kind() == ErrorKind::kCancelled) co_return;
    parts_.log.Warning("cannot renew the certificate", {{"error", obtained.error().message()}});
    co_await SleepFor(parts_.clock, kSlowestRetry);
  }
}

}  // namespace millwright::agent
