// The clusters that machines join: one connection for each Cluster, kept while it answers. Nobody
// ever waits for one here: there is a connection, or there is none.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/signal.h"
#include "base/task_group.h"
#include "controllers/contract/remote/probe.h"
#include "controllers/contract/remote/remote_node.h"
#include "controllers/contract/shared/caches.h"
#include "kube/informer/informer.h"

namespace millwright::controllers::contract {

// A connection that stands, with the nodes of its cluster. Whoever holds it may go on using it
// after it was given up; requests fail then.
class RemoteCluster {
 public:
  RemoteCluster(Surroundings& surroundings, std::unique_ptr<RemoteConnection> connection,
                capi::Reader& reader);

  kube::Client& client() { return connection_->client(); }
  net::Http& http() { return connection_->http(); }
  kube::Informer<RemoteNode>& nodes() { return nodes_; }

  // Null if it is not there.
  const RemoteNode* FindNode(const std::string& name) const;
  const kube::IndexedObjects<RemoteNode>& NodesWithId(const std::string& provider_id) const {
    return nodes_by_provider_id_.Find(provider_id);
  }

 private:
  std::unique_ptr<RemoteConnection> connection_;
  dialects::NodeReader node_reader_;
  kube::Informer<RemoteNode> nodes_;
  const kube::Index<RemoteNode>& nodes_by_provider_id_;
};

// One connection, for whoever shows them.
struct LinkReport {
  kube::ObjectKey cluster;
  bool connected = false;
  RemoteHealth health;
  std::uint64_t succeeded = 0;  // probes so far
  std::uint64_t failed = 0;
};

class RemoteClusters {
 public:
  using Listener = std::function<void(const kube::ObjectKey& cluster)>;
  using NodeListener = std::function<void(const kube::ObjectKey& cluster, const RemoteNode* before,
                                          const RemoteNode* after)>;

  // Before the caches run: it listens to clusters and secrets.
  RemoteClusters(Surroundings& surroundings, Caches& caches);
  ~RemoteClusters();

  // All before Run.
  void OnConnection(Listener listener);  // connected, or no longer
  // Once, when nothing has succeeded for that long.
  void OnSilence(Duration grace, Listener listener);
  void OnNode(NodeListener listener);

  // Null: not connected. Its nodes are complete.
  std::shared_ptr<RemoteCluster> Find(const kube::ObjectKey& cluster) const;
  RemoteHealth HealthOf(const kube::ObjectKey& cluster) const;
  std::vector<LinkReport> Report() const;  // in no order

  // Runs until cancelled.
  Task<void> Run();

 private:
  struct Link;
  struct Silence {
    Duration grace;
    Listener listener;
  };

  void Follow(const capi::ClusterRecord* before, const capi::ClusterRecord* after);
  void Serve(const std::shared_ptr<Link>& link);
  Task<void> Live(std::shared_ptr<Link> link);
  Task<Duration> LiveOnce(std::shared_ptr<Link> link);
  Task<Result<std::shared_ptr<RemoteCluster>>> Connect(kube::ObjectKey cluster);
  Task<Result<std::string>> ReadKubeconfig(kube::ObjectKey cluster);
  Task<ProbeAnswer> Keep(std::shared_ptr<Link> link, std::shared_ptr<RemoteCluster> remote);
  Task<void> TellSynced(std::shared_ptr<Link> link, std::shared_ptr<RemoteCluster> remote);
  Task<Wake> Rest(Link& link, SteadyTime until);
  std::optional<SteadyTime> NextSilence(const Link& link) const;
  void TellSilences(Link& link);
  void Note(Link& link, ProbeAnswer answer);
  void TellConnection(const Link& link);

  Surroundings& surroundings_;
  Caches& caches_;
  Logger log_;
  std::vector<Listener> connection_listeners_;
  std::vector<Silence> silences_;
  std::vector<NodeListener> node_listeners_;
  std::unordered_map<kube::ObjectKey, std::shared_ptr<Link>> links_;
  bool running_ = false;
  TaskGroup tasks_;
};

// The secret with the kubeconfig of a cluster.
kube::ObjectKey KubeconfigSecretOf(const kube::ObjectKey& cluster);

}  // namespace millwright::controllers::contract
