// Gets from a deployment's wish to sets of the right sizes, step by step.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "controllers/deployment/node_marker.h"
#include "controllers/shared/caches.h"
#include "controllers/shared/object_writer.h"
#include "core/stepwise/in_place.h"
#include "core/stepwise/plan.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers {

class DeploymentController {
 public:
  DeploymentController(Surroundings& surroundings, Caches& caches);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  // One pass over one deployment: what was seen, and what is to be written. Copies, because the
  // caches change at each wait.
  struct Pass {
    dialects::DeploymentRecord deployment;
    std::vector<dialects::SetRecord> sets;  // the current one first, then the oldest first
    core::stepwise::Scene scene;
    std::optional<WallTime> look_again;
    std::map<std::string, dialects::SetWish> wishes;  // by the set's name
    std::optional<dialects::NewSet> new_set;
    std::optional<core::stepwise::InPlaceStep> in_place;
    std::optional<core::Progress> progress;
    bool moved = false;  // sizes change in this pass, so nothing is complete
    std::optional<int> collision_count;

    bool has_current() const { return scene.current.has_value(); }
    const dialects::SetRecord* Find(const std::string& name) const;
  };

  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  bool IsBehind(const dialects::DeploymentRecord& deployment);
  std::size_t CountMachines(const Pass& pass) const;
  Task<Result<void>> Claim(const dialects::DeploymentRecord& deployment);
  Pass Look(const dialects::DeploymentRecord& deployment) const;
  Task<Result<bool>> NameVictims(const Pass& pass);
  Task<Result<kube::Requeue>> Finish(const Pass& pass);
  Task<Result<bool>> RollBack(const Pass& pass);
  void PlanScale(Pass& pass) const;
  void PlanRollOut(Pass& pass) const;
  void PlanNewSet(Pass& pass, int replicas) const;
  void FollowDeployment(Pass& pass) const;

  // ---- Machines that are changed and not replaced (deployment_in_place.cc)
  bool UpdatesInPlace(const Pass& pass) const;
  bool CanUpdateInPlace(const Pass& pass);
  bool IsBehindInPlace(const Pass& pass);
  void PlanInPlace(Pass& pass) const;
  std::vector<core::Machine> ObserveAll(const Pass& pass) const;
  // Before sizes are written: machines change sets.
  Task<Result<void>> Transfer(const Pass& pass);
  // After that: marks on nodes, and on machines that arrived.
  Task<Result<void>> MarkUpdates(const Pass& pass);
  Task<Result<void>> MarkNode(std::string node, dialects::UpdateMark mark);
  Task<Result<void>> Settle(kube::ObjectKey machine);

  void Size(Pass& pass, const std::string& set, int replicas) const;
  void SizeWithNotes(Pass& pass, const core::Resize& resize) const;
  Task<Result<void>> WriteSets(Pass& pass);
  Task<Result<void>> MakeSet(Pass& pass);
  Task<Result<void>> ForgetOldSets(const Pass& pass);
  Task<Result<std::optional<WallTime>>> Report(const Pass& pass);
  // Until when not to say it again: somebody else undid it just now.
  std::optional<WallTime> Undone(const Pass& pass, const core::DeploymentCounts& counts) const;
  // That its spec makes no sense; its machines are left alone.
  Task<Result<void>> ReportProblem(const dialects::DeploymentRecord& deployment);
  dialects::DeploymentReport Summarize(const Pass& pass) const;
  core::DeploymentCounts Count(const Pass& pass) const;
  bool IsComplete(const Pass& pass) const;
  void Tell(const dialects::DeploymentRecord& deployment, kube::EventSeverity severity,
            std::string reason, std::string message);
  void Wake(const dialects::SetRecord& set);
  void WakeOwnerOf(const dialects::MachineRecord& machine);
  void OnNode(const dialects::NodeRecord* before, const dialects::NodeRecord* after);

  Surroundings& surroundings_;
  Caches& caches_;
  Logger log_;
  ObjectWriter deployments_;
  ObjectWriter sets_;
  ObjectWriter machines_;
  NodeMarker marker_;
  std::unordered_map<Uid, kube::ObjectKey> created_;  // the set that each deployment made last
  struct Said {
    core::DeploymentCounts counts;
    WallTime when{};
  };
  std::unordered_map<Uid, Said> said_;                // of each deployment, last
  std::unordered_map<Uid, std::int64_t> complained_;  // about that generation
  kube::Controller controller_;
};

}  // namespace millwright::controllers
