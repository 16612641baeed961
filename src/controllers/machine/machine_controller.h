// A machine's whole life: its instance, its node, its health, its end.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "controllers/drain/drainer.h"
#include "controllers/machine/bootstrap_tokens.h"
#include "controllers/machine/class_source.h"
#include "controllers/machine/sightings.h"
#include "controllers/shared/caches.h"
#include "controllers/shared/node_writer.h"
#include "controllers/shared/object_writer.h"
#include "core/health/machine.h"
#include "core/lifecycle/create.h"
#include "core/lifecycle/deletion.h"
#include "core/lifecycle/in_place.h"
#include "core/preserve/plan.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers {

class MachineController {
 public:
  MachineController(Surroundings& surroundings, Caches& caches,
                    const providers::CloudRegistry& clouds);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run();
  kube::Controller& controller() { return controller_; }

  // While frozen, live machines are left alone: what is seen of their nodes may be false. Thawing
  // looks at all of them again, with their time begun anew.
  void Freeze() { frozen_ = true; }
  void Thaw();  // unwell machines are as if they were well until now
  bool frozen() const { return frozen_; }

 private:
  using Machine = dialects::MachineRecord;
  using Next = Result<kube::Requeue>;

  Task<Next> Reconcile(kube::ObjectKey key);
  kube::Requeue After(core::Retry retry) const;
  // Shows the report; the record's version follows, so that the pass can go on.
  Task<Result<void>> Show(Machine& machine, dialects::MachineReport report);
  Task<Next> Complain(Machine machine, std::string problem, core::Retry retry);

  // ---- Alive (machine_live.cc)
  Task<Next> Live(Machine machine);
  struct HealthOutcome {
    bool written = false;
    std::optional<WallTime> look_again;
  };
  struct HealthSight {
    core::HealthView view;
    std::optional<std::vector<core::Condition>>
        conditions;  // of the node, if the machine lacks them
    std::string update_failure;
  };
  HealthSight SightOf(const Machine& machine, const dialects::NodeRecord* node) const;
  core::HealthPlan PlanHealthOf(const Machine& machine, const HealthSight& sight, WallTime now);
  Task<Result<HealthOutcome>> FollowHealth(Machine& machine);
  core::HealthLimits LimitsOf(const Machine& machine) const;
  bool MayGiveUp(const Machine& machine);
  Task<Result<bool>> SyncNode(const Machine& machine);

  // ---- Kept on purpose (machine_preserve.cc), updated in place (machine_update.cc). These return
  // when to look again, if nothing happens before.
  using LookAgain = Result<std::optional<WallTime>>;
  Task<LookAgain> Preserve(Machine& machine);
  Task<LookAgain> PreserveNode(const Machine& machine, const core::PreservePlan& plan,
                               const core::PreserveView& view);
  core::PreserveView PreserveViewOf(const Machine& machine, const dialects::NodeRecord* node) const;
  Task<LookAgain> FollowUpdate(Machine& machine);
  Task<LookAgain> PrepareUpdate(Machine& machine, WallTime since);
  Task<Result<void>> SayUpdate(std::string node, core::UpdateStage stage, std::string failure = {});

  // ---- Its node (machine_node.cc)
  Task<Result<DrainLook>> EmptyNode(const Machine& machine, WallTime began);
  Task<Result<void>> Say(std::string node, core::Condition condition);
  // Until the cache has seen our last write to a node: its change wakes us before.
  static constexpr Duration kNodeSoon = std::chrono::seconds(1);

  // ---- Coming (machine_create.cc)
  Task<Next> Make(Machine machine);
  Task<Result<SecretText>> UserDataFor(const Machine& machine, const ResolvedClass& of);

  // ---- Going (machine_delete.cc)
  Task<Next> Remove(Machine machine);
  Task<Next> Drain(Machine& machine, core::Force force, bool& drained);
  void ForgetDrain(const Uid& machine);
  Task<Result<void>> AnnounceEnd(const Machine& machine);
  Task<Result<std::optional<std::string>>> LookForNode(const Machine& machine);
  Task<Result<void>> RemoveNode(const Machine& machine);
  core::DeletionView DeletionViewOf(const Machine& machine) const;
  // Volumes that are still attached to its node and that nobody detaches.
  Task<Result<std::vector<kube::Meta>>> LiveAttachments(std::string node);
  Task<Next> ReleaseVolumes(Machine& machine, const std::vector<kube::Meta>& attachments,
                            kube::Requeue requeue);
  core::DrainRules DrainRulesFor(const Machine& machine, core::Force force) const;
  Task<Next> StayAt(Machine& machine, core::DeletionStage stage, dialects::OperationState state,
                    std::string message, kube::Requeue requeue);

  void OnNode(const dialects::NodeRecord* before, const dialects::NodeRecord* after);
  void OnMachine(const Machine* before, const Machine* after);
  void Tell(const Machine& machine, kube::EventSeverity severity, std::string reason,
            std::string message);
  providers::MachineIdentity IdentityOf(const Machine& machine) const;
  std::string DeploymentOf(const Machine& machine) const;

  Surroundings& surroundings_;
  Caches& caches_;
  Logger log_;
  ClassSource classes_;
  Sightings sightings_;
  ObjectWriter machines_;
  std::optional<NodeWriter> nodes_;
  std::optional<BootstrapTokens> tokens_;
  const std::string update_condition_;  // of a node: how far its update in place has come
  bool frozen_ = false;
  std::unordered_set<kube::ObjectKey> reset_;  // unwell ones whose time begins anew, after a thaw

  // Unwell machines that wait for their turn to be given up, by deployment; and the one of each
  // that was given up last, until it is seen to be.
  std::unordered_map<std::string, std::set<kube::ObjectKey>> waiting_;
  std::unordered_map<std::string, kube::ObjectKey> given_up_;

  // Machines that we let go and still see: the answer to a last write names a version that was seen
  // before, so no guard tells.
  std::unordered_set<Uid> let_go_;

  kube::Controller controller_;
  Drainer drainer_;
  std::unordered_map<std::string, std::string> drain_said_;  // by UID: why a drain does not go on
  TaskGroup tasks_;
};

}  // namespace millwright::controllers
