// Empties nodes of workload clusters before their machines go: pods in waves, then volumes. The
// pods of a node are watched only while some of them have to go.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/task_group.h"
#include "controllers/contract/drain/drain_words.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/shared/surroundings.h"
#include "controllers/drain/budget_watch.h"
#include "controllers/drain/pod_record.h"
#include "controllers/drain/temporary_cache.h"

namespace millwright::controllers::contract {

struct DrainOrder {
  kube::ObjectKey machine;
  Uid uid;  // of the machine
  std::shared_ptr<RemoteCluster> remote;
  std::string node;
  std::vector<capi::DrainRuleRecord> rules;  // those that concern the machine, by name
  WallTime started{};
  bool announced = true;  // everybody can see that it has begun: pods may be evicted
};

struct DrainLook {
  bool done = false;
  bool unannounced = false;            // nothing was done, because nobody can see it yet
  std::string message;                 // for people, if it is not done
  std::optional<Duration> look_again;  // besides the changes that wake the machine
};

class NodeDrains {
 public:
  using WakeMachine = std::function<void(const kube::ObjectKey& machine)>;

  NodeDrains(Surroundings& surroundings, WakeMachine wake);
  ~NodeDrains();

  // Each looks once and does what is to be done now. One look of a machine at a time.
  Task<Result<DrainLook>> LookAtPods(DrainOrder order);
  Task<Result<DrainLook>> LookAtVolumes(DrainOrder order);

  // The machine is gone, or is past all this.
  void Forget(const Uid& machine);

  // Runs until cancelled: watches that live longer than one look.
  Task<void> Run();

 private:
  // A pod with the name of who made it: a DaemonSet may be gone.
  struct DrainPod : PodRecord {
    std::string controller_name;
    friend bool operator==(const DrainPod&, const DrainPod&) = default;
  };
  using DrainPods = std::vector<DrainPod>;
  using PodCache = TemporaryCache<DrainPod>;
  using DaemonSets = std::map<kube::ObjectKey, bool>;  // whether they exist
  struct Session;
  struct Attachments;
  struct Judged {
    std::vector<core::Pod> pods;
    std::vector<core::PodVerdict> verdicts;
  };

  static Result<DrainPod> ReadDrainPod(kube::JsonObject object);

  std::shared_ptr<Session> FindSession(const DrainOrder& order) const;
  std::shared_ptr<Session> SessionFor(const DrainOrder& order);
  Task<Result<DrainPods>> WaitListed(std::shared_ptr<Session> session);
  // The session's, with what it found out before.
  Task<Result<Judged>> Judge(std::shared_ptr<Session> session, DrainOrder order, bool unreachable);
  Task<Result<Judged>> Judge(DrainPods pods, DaemonSets& daemon_sets, DrainOrder order,
                             bool unreachable);
  Task<Result<void>> FindDaemonSets(kube::Client& client, const DrainPods& pods,
                                    DaemonSets& daemon_sets);
  Task<bool> HasNothingToDrain(DrainOrder order, bool unreachable);
  static Task<Result<DrainLook>> MakeSureItIsGone(DrainOrder order);
  Task<Result<std::map<std::string, kube::Labels>>> ListNamespaces(kube::Client& client);
  // Who did not go, and why; of these, whom a budget keeps.
  struct Kept {
    Refusals refusals;
    std::vector<kube::ObjectKey> by_budgets;
  };
  Task<Kept> Evict(kube::Client& client, std::vector<core::Pod> pods, bool unreachable);
  Task<void> EvictSome(kube::Client& client, std::vector<core::Pod>& pods, bool unreachable,
                       SteadyTime deadline, Kept& kept);
  Task<void> AwaitBudgets(DrainOrder order, std::vector<kube::ObjectKey> pods);
  Task<Result<core::VolumeScene>> Observe(DrainOrder order, RemoteNode node);
  void WakeWhenDetached(const DrainOrder& order);
  void TellDetached(const RemoteCluster* remote, const std::string& node);

  Surroundings& surroundings_;
  Logger log_;
  const WakeMachine wake_;
  std::map<Uid, std::shared_ptr<Session>> sessions_;
  // One watch of a cluster's volumes while anybody waits for one.
  std::map<const RemoteCluster*, std::shared_ptr<Attachments>> attachments_;
  // One watch of a cluster's budgets while any pod waits for the leave of one.
  std::map<const RemoteCluster*, std::shared_ptr<BudgetWatch>> budgets_;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers::contract
