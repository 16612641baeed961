#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/shared/calendar.h"

#include <algorithm>

#include "base/base64.h"
#include "kube/api/json_text.h"

namespace millwright::controllers::contract {

namespace {

constexpr Duration kAtOnce = std::chrono::milliseconds(1);
// A silence is told when it is longer than its grace, not when it is as long.
constexpr Duration kLonger = std::chrono::seconds(1);
const kube::GroupVersionResource kPods{"", "v1", "pods"};

}  // namespace

kube::ObjectKey KubeconfigSecretOf(const kube::ObjectKey& cluster) {
  return {cluster.namespace_, cluster.name + "-kubeconfig"};
}

RemoteCluster::RemoteCluster(Surroundings& s, std::unique_ptr<RemoteConnection> connection,
                             capi::Reader& reader)
    : connection_(std::move(connection)),
      node_reader_(reader.texts()),
      nodes_(s.executor, connection_->client(), s.clock, s.random, s.log.For("contract.nodes"),
             {.resource = kNodes},
             [this, &reader](kube::JsonObject node) {
               return ReadRemoteNode(node, node_reader_, reader);
             }),
      nodes_by_provider_id_(nodes_.AddIndex([](const RemoteNode& node, auto& keys) {
        if (!node.provider_id.empty()) keys.push_back(node.provider_id);
      })) {}

const RemoteNode* RemoteCluster::FindNode(const std::string& name) const {
  return nodes_.store().Find({.namespace_ = {}, .name = name});
}

// What is known of one Cluster's connection. Shared with its task, which may outlive the Cluster
// by a moment.
struct RemoteClusters::Link {
  Link(const Executor& executor, kube::ObjectKey key) : key(std::move(key)), changed(executor) {}

  const kube::ObjectKey key;
  bool wanted = false;  // its infrastructure is there, so there may be somebody to talk to
  bool gone = false;
  bool secret_changed = false;
  std::shared_ptr<RemoteCluster> connected;
  RemoteHealth health;
  std::optional<SteadyTime> answered;  // last
  std::uint64_t succeeded = 0;         // probes
  std::uint64_t failed = 0;
  std::vector<bool> silence_told;
  Signal changed;
};

RemoteClusters::RemoteClusters(Surroundings& surroundings, Caches& caches)
    : surroundings_(surroundings),
      caches_(caches),
      log_(surroundings.log.For("contract.remote")),
      tasks_(surroundings.executor) {
  caches_.clusters.OnChange([this](const capi::ClusterRecord* before,
                                   const capi::ClusterRecord* after) { Follow(before, after); });
  caches_.secrets.OnChange([this](const LabelledRecord*, const LabelledRecord* after) {
    if (after == nullptr) return;
    const auto label = after->labels.find(std::string(capi::labels::kCluster));
    if (label == after->labels.end()) return;
    const auto link = links_.find({after->meta.key.namespace_, label->second});
    if (link == links_.end() || after->meta.key != KubeconfigSecretOf(link->first)) return;
    link->second->secret_changed = true;
    link->second->changed.NotifyAll();
  });
}

RemoteClusters::~RemoteClusters() = default;

void RemoteClusters::OnConnection(Listener listener) {
  connection_listeners_.push_back(std::move(listener));
}
void RemoteClusters::OnSilence(Duration grace, Listener listener) {
  silences_.push_back({grace, std::move(listener)});
}
void RemoteClusters::OnNode(NodeListener listener) {
  node_listeners_.push_back(std::move(listener));
}

std::shared_ptr<RemoteCluster> RemoteClusters::Find(const kube::ObjectKey& cluster) const {
  const auto link = links_.find(cluster);
  return link == links_.end() ? nullptr : link->second->connected;
}

RemoteHealth RemoteClusters::HealthOf(const kube::ObjectKey& cluster) const {
  const auto link = links_.find(cluster);
  if (link == links_.end()) return {};
  RemoteHealth health = link->second->health;
  // How long ago that was must not depend on what the calendar said then.
  if (health.last_success) {
    health.last_success =
        AsCanBe(surroundings_.clock, *health.last_success, link->second->answered);
  }
  return health;
}

std::vector<LinkReport> RemoteClusters::Report() const {
  std::vector<LinkReport> reports;
  reports.reserve(links_.size());
  for (const auto& [key, link] : links_) {
    reports.push_back({.cluster = key,
                       .connected = link->connected != nullptr,
                       .health = link->health,
                       .succeeded = link->succeeded,
                       .failed = link->failed});
  }
  return reports;
}

void RemoteClusters::Follow(const capi::ClusterRecord* before, const capi::ClusterRecord* after) {
  const kube::ObjectKey key = (after != nullptr ? after : before)->meta.key;
  if (after == nullptr || !surroundings_.settings.Watches(after->labels)) {
    const auto link = links_.find(key);
    if (link == links_.end()) return;
    link->second->gone = true;
    link->second->changed.NotifyAll();
    links_.erase(link);
    return;
  }
  std::shared_ptr<Link>& link = links_[key];
  const bool is_new = link == nullptr;
  if (is_new) link = std::make_shared<Link>(surroundings_.executor, key);
  link->wanted = after->status.infrastructure_provisioned.value_or(false);
  link->changed.NotifyAll();
  if (is_new && running_) Serve(link);
}

void RemoteClusters::Serve(const std::shared_ptr<Link>& link) {
  tasks_.Spawn([this, link] { return Live(link); });
}

Task<void> RemoteClusters::Run() {
  running_ = true;
  for (const auto& [key, link] : links_) Serve(link);
  co_await UntilCancelled();
  running_ = false;
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<void> RemoteClusters::Live(std::shared_ptr<Link> link) {
  while (!link->gone) {
    if (!link->wanted) {
      if (co_await link->changed.Wait() == Wake::kCancelled) co_return;
      continue;
    }
    link->secret_changed = false;
    const Duration pause = co_await LiveOnce(link);
    const SteadyTime until = surroundings_.clock.Elapsed() + pause;
    while (!link->gone && !link->secret_changed && surroundings_.clock.Elapsed() < until) {
      if (co_await Rest(*link, until) == Wake::kCancelled) co_return;
    }
  }
}

// Connects and keeps the connection as long as it is good. Returns how long to wait before the
// next try.
Task<Duration> RemoteClusters::LiveOnce(std::shared_ptr<Link> link) {
  Result<std::shared_ptr<RemoteCluster>> remote = co_await Connect(link->key);
  if (!remote) {
    if (remote.error().kind() == ErrorKind::kCancelled) co_return kRetryConnect;
    Note(*link, ProbeAnswer::kFailed);
    log_.Warning("no connection to the cluster",
                 {{"cluster", link->key.ToString()}, {"error", remote.error().message()}});
    co_return kRetryConnect;
  }
  const ProbeAnswer first = co_await Probe((*remote)->http());
  Note(*link, first);
  if (first != ProbeAnswer::kWell) co_return kRetryConnect;

  (*remote)->nodes().OnChange(
      [this, key = link->key](const RemoteNode* before, const RemoteNode* after) {
        for (const NodeListener& listener : node_listeners_) listener(key, before, after);
      });
  TaskGroup tasks(surroundings_.executor);
  tasks.Spawn([nodes = &(*remote)->nodes()] { return nodes->Run(); });
  tasks.Spawn([this, link, remote = *remote] { return TellSynced(link, remote); });
  const ProbeAnswer last = co_await Keep(link, *remote);
  bool was_connected = std::exchange(link->connected, nullptr) != nullptr;
  tasks.Cancel();
  co_await tasks.Join();
  // The nodes may have become complete at the very end.
  was_connected |= std::exchange(link->connected, nullptr) != nullptr;
  if (was_connected) {
    log_.Warning("connection to the cluster given up", {{"cluster", link->key.ToString()}});
    TellConnection(*link);
  }
  co_return last == ProbeAnswer::kUnauthenticated ? kAtOnce : kRetryConnect;
}

Task<Result<std::string>> RemoteClusters::ReadKubeconfig(kube::ObjectKey cluster) {
  const kube::ObjectKey key = KubeconfigSecretOf(cluster);
  CO_TRY(const kube::Document secret, co_await surroundings_.management.Get(kSecrets, key));
  CO_TRY(const boost::json::value tree, secret.Tree());
  const std::string_view encoded = kube::GetString(tree, "data.value");
  if (encoded.empty()) {
    co_return Fail(ErrorKind::kInvalid, "secret " + key.ToString() + " has no key \"value\"");
  }
  auto kubeconfig = DecodeBase64(encoded);
  if (!kubeconfig) {
    co_return Fail(ErrorKind::kInvalid, "secret " + key.ToString() + " is not base64");
  }
  co_return *std::move(kubeconfig);
}

Task<Result<std::shared_ptr<RemoteCluster>>> RemoteClusters::Connect(kube::ObjectKey cluster) {
  CO_TRY(const std::string kubeconfig, co_await ReadKubeconfig(cluster));
  RemoteDialer& dialer = surroundings_.dialer;
  CO_TRY(std::unique_ptr<RemoteConnection> connection, dialer.Dial(kubeconfig));
  if (const std::optional<OwnPod> self = dialer.own_pod()) {
    CO_TRY(const auto pod, co_await connection->client().Find(kPods, self->key));
    std::optional<kube::Meta> found;
    if (pod) {
      CO_TRY(found, pod->ReadMeta());
    }
    if (IsSelf(*self, found)) {
      CO_TRY(connection, dialer.DialFromWithin(kubeconfig));
    }
  }
  co_return std::make_shared<RemoteCluster>(surroundings_, std::move(connection), caches_.reader());
}

Task<void> RemoteClusters::TellSynced(std::shared_ptr<Link> link,
                                      std::shared_ptr<RemoteCluster> remote) {
  if (co_await remote->nodes().WaitSynced() == Wake::kCancelled) co_return;
  link->connected = remote;
  log_.Info("connected to the cluster", {{"cluster", link->key.ToString()}});
  TellConnection(*link);
}

// Probes until it is over; returns the last answer.
Task<ProbeAnswer> RemoteClusters::Keep(std::shared_ptr<Link> link,
                                       std::shared_ptr<RemoteCluster> remote) {
  Clock& clock = surroundings_.clock;
  const SteadyTime give_up = clock.Elapsed() + kSyncPatience;
  SteadyTime next = clock.Elapsed() + kProbePeriod;
  while (!link->gone && link->wanted) {
    if (co_await Rest(*link, next) == Wake::kCancelled) break;
    if (clock.Elapsed() < next) continue;
    const ProbeAnswer answer = co_await Probe(remote->http());
    if (co_await IsCancelled()) break;
    Note(*link, answer);
    if (EndsConnection(link->health, answer)) co_return answer;
    if (link->connected == nullptr && clock.Elapsed() >= give_up) break;
    next = clock.Elapsed() + kProbePeriod;
  }
  co_return ProbeAnswer::kFailed;
}

// Until that time or a change; says in between who has been silent for too long.
Task<Wake> RemoteClusters::Rest(Link& link, SteadyTime until) {
  Clock& clock = surroundings_.clock;
  SteadyTime deadline = until;
  if (const auto silence = NextSilence(link)) deadline = std::min(deadline, *silence);
  const Wake why = co_await link.changed.WaitUntil(clock, deadline);
  if (why != Wake::kCancelled) TellSilences(link);
  co_return why;
}

std::optional<SteadyTime> RemoteClusters::NextSilence(const Link& link) const {
  std::optional<SteadyTime> next;
  if (!link.answered) return next;
  for (std::size_t i = 0; i < silences_.size(); ++i) {
    if (i < link.silence_told.size() && link.silence_told[i]) continue;
    const SteadyTime due = *link.answered + silences_[i].grace + kLonger;
    next = next ? std::min(*next, due) : due;
  }
  return next;
}

void RemoteClusters::TellSilences(Link& link) {
  if (!link.answered) return;
  link.silence_told.resize(silences_.size());
  const SteadyTime now = surroundings_.clock.Elapsed();
  for (std::size_t i = 0; i < silences_.size(); ++i) {
    if (link.silence_told[i] || now < *link.answered + silences_[i].grace + kLonger) continue;
    link.silence_told[i] = true;
    silences_[i].listener(link.key);
  }
}

void RemoteClusters::Note(Link& link, ProbeAnswer answer) {
  contract::Note(link.health, answer, surroundings_.clock.Now());
  ++(answer == ProbeAnswer::kWell ? link.succeeded : link.failed);
  if (answer != ProbeAnswer::kWell) return;
  link.answered = surroundings_.clock.Elapsed();
  link.silence_told.assign(silences_.size(), false);
}

void RemoteClusters::TellConnection(const Link& link) {
  for (const Listener& listener : connection_listeners_) listener(link.key);
}

}  // namespace millwright::controllers::contract
