// Rolls a MachineDeployment's template out over its sets.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "controllers/contract/deployment/deployment_view.h"
#include "controllers/contract/external/externals.h"
#include "controllers/contract/shared/caches.h"
#include "controllers/shared/object_writer.h"
#include "dialects/capi/status/deployment_status.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::contract {

class DeploymentController {
 public:
  // Before the caches run.
  DeploymentController(Surroundings& surroundings, Caches& caches, Externals& externals);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  // What a pass works with. Copies: the caches may change at each wait.
  struct Pass {
    capi::DeploymentRecord deployment;
    capi::ClusterRecord cluster;
    std::vector<capi::SetRecord> sets;
    capi::DeploymentFacts facts;
    bool templates_known = true;  // they exist, or do not
    std::optional<WallTime> look_again;
    bool wrote = false;
    Result<void> result;

    // The first failure is what the pass returns.
    void Note(Result<void> step) {
      if (!step && result) result = std::move(step);
    }
  };

  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  Task<Result<kube::Requeue>> Look(kube::ObjectKey key);
  bool IsBehind(const capi::DeploymentRecord& deployment);
  std::vector<const capi::SetRecord*> FindSets(const capi::DeploymentRecord& deployment) const;
  std::vector<const capi::MachineRecord*> MachinesOf(
      const capi::DeploymentRecord& deployment) const;
  Task<Result<bool>> Prepare(const Pass& pass);
  Task<Result<bool>> Adopt(const capi::DeploymentRecord& deployment);
  Task<void> OwnTemplates(Pass& pass);
  Task<void> RollOut(Pass& pass);
  Task<void> WriteSets(Pass& pass, DeploymentPlan plan, capi::SetName fresh);
  Task<Result<kube::ResourceVersion>> Apply(const Pass& pass, kube::ObjectKey key,
                                            boost::json::object body);
  Task<void> WriteRevision(Pass& pass, std::string revision);
  // deployment_in_place.cc
  void DescribeMoves(const Pass& pass, DeploymentScene& scene) const;
  Task<Result<void>> AskAboutInPlace(Pass& pass, DeploymentScene& scene);
  Task<Result<bool>> CanUpdate(const Pass& pass, const capi::SetRecord& set);
  Task<Result<InPlaceObjects>> ObjectsOf(const capi::MachineTemplate& wish, kube::ObjectKey set);

  Task<void> Finish(Pass& pass);
  Task<void> CleanUp(Pass& pass, const capi::DeploymentStatus& status);
  Task<Result<kube::Requeue>> Report(Pass& pass);
  void Tell(const capi::DeploymentRecord& deployment, kube::EventSeverity severity,
            std::string reason, std::string message);
  void WakeOwnersOf(const capi::SetRecord& set);

  Surroundings& surroundings_;
  Caches& caches_;
  Externals& externals_;
  Logger log_;
  ObjectWriter deployments_;
  ObjectWriter sets_;
  std::unordered_map<Uid, std::vector<kube::ObjectKey>> created_;  // and not seen yet
  std::unordered_set<Uid> removed_;
  // What the extension said about the machines of a set: whether they can become such as the
  // template describes.
  struct CanBe {
    std::string template_text;
    bool can = false;
    SteadyTime until;
  };
  std::unordered_map<Uid, CanBe> can_update_;
  kube::Controller controller_;
};

}  // namespace millwright::controllers::contract
