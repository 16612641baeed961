// Finds unhealthy machines and asks whoever can replace them to do so.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controllers/contract/health/health_sightings.h"
#include "controllers/contract/health/health_view.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/shared/caches.h"
#include "controllers/shared/object_writer.h"
#include "dialects/capi/status/health_status.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::contract {

class HealthController {
 public:
  // Before the caches run.
  HealthController(Surroundings& surroundings, Caches& caches, RemoteClusters& remotes);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  // A machine as this pass judged it; a copy.
  struct Target {
    capi::MachineRecord machine;
    core::Verdict verdict;
  };

  struct Pass {
    capi::HealthCheckRecord check;
    capi::ClusterRecord cluster;
    std::vector<std::string> names;  // of all that it looks at
    int healthy = 0;
    std::vector<Target> decided;   // healthy or unhealthy
    bool newly_unhealthy = false;  // one more than was shown
    std::optional<Duration> check_again;
    core::Gate gate;
    // Of external remediation, by the names of machines.
    std::set<std::string> all_requests;
    std::set<std::string> requests;  // that are not going
    Result<void> result;

    void Note(Result<void> step) {
      if (!step && result) result = std::move(step);
    }
  };

  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  Task<Result<kube::Requeue>> Look(kube::ObjectKey key);
  Task<Result<bool>> Prepare(const Pass& pass);
  void JudgeAll(Pass& pass, const std::shared_ptr<RemoteCluster>& remote);
  static Task<void> DropOldViews(Pass& pass, RemoteCluster& remote);
  Task<void> WriteMachines(Pass& pass);
  Task<void> MarkHealthy(Pass& pass, Target& target);
  Task<void> MarkUnhealthy(Pass& pass, Target& target);
  Task<Result<kube::Requeue>> Report(Pass& pass);

  // external_remediation.cc
  static kube::GroupVersionResource RequestResource(const capi::HealthCheckRecord& check);
  Task<Result<void>> FindRequests(Pass& pass);
  Task<void> AskExternally(Pass& pass, const capi::MachineRecord& machine,
                           capi::MachineStatus& next);
  Task<Result<void>> CreateRequest(const Pass& pass, const capi::MachineRecord& machine,
                                   bool& template_missing);

  // What caches saw, for what is judged later.
  void Saw(const capi::MachineRecord* before, const capi::MachineRecord* after);
  void Saw(const kube::ObjectKey& cluster, const RemoteNode* before, const RemoteNode* after);
  template <class Record>
  bool IsNew(const Record* before, const Record* after);
  template <class Conditions>
  void NoteTurns(const Uid& object, const std::vector<capi::UnhealthyCondition>& checks,
                 const Conditions& before, const Conditions& after);

  void WakeChecksOf(const capi::MachineRecord& machine);
  void WakeChecksOf(const kube::ObjectKey& cluster);
  void Tell(std::string_view kind, const kube::Meta& about, kube::EventSeverity severity,
            std::string reason, std::string message);

  Surroundings& surroundings_;
  Caches& caches_;
  RemoteClusters& remotes_;
  Logger log_;
  HealthSightings sightings_;
  ObjectWriter checks_;
  ObjectWriter machines_;
  kube::Controller controller_;
};

}  // namespace millwright::controllers::contract
