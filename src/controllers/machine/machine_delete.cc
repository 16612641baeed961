// From the wish to be rid of a machine to its end. Stages that take no time are not shown: each
// would be a write that nobody can read before the next.
#include <fmt/format.h>

#include <algorithm>

#include "controllers/machine/machine_controller.h"

namespace millwright::controllers {

using core::DeletionAction;
using core::DeletionStage;
using dialects::MachineRecord;
using dialects::MachineReport;
using dialects::NodeRecord;
using dialects::OperationState;
using kube::Requeue;

namespace {

// Since when a condition has not been as it should; none: it is.
std::optional<WallTime> BadSince(const dialects::ConditionList& conditions, std::string_view type,
                                 std::string_view good) {
  const auto condition = conditions.Find(type);
  if (!condition || condition->status == good) return std::nullopt;
  return condition->since;
}

// Whether a person has to mend the class before its cloud can be asked anything.
bool IsNonsense(const Result<ResolvedClass>& of) {
  if (!of) return of.error().kind() == ErrorKind::kInvalid;
  return !of->cloud->Validate(*of->instance_class).has_value();
}

}  // namespace

core::DeletionView MachineController::DeletionViewOf(const MachineRecord& machine) const {
  const NodeRecord* node = caches_.FindNode(machine.node);
  const auto& conditions = node != nullptr ? node->conditions : machine.conditions;
  return {
      .has_finalizer = !With(machine.finalizers.get(), surroundings_.dialect.names().finalizer),
      .phase = machine.core.phase,
      .stage = machine.stage,
      .expects_node = surroundings_.expects_nodes(),
      .has_node_name = !machine.node.empty(),
      .node_exists = node != nullptr,
      .has_instance = !machine.instance.empty(),
      .class_exists = classes_.StateOf(machine.class_name) != core::ClassState::kMissing,
      .deleting_since = sightings_.DeletingSince(machine),
      .drain_limit = machine.limits().drain.value_or(surroundings_.settings.drain),
      .forced_by_user = machine.forced_deletion,
      .node_not_ready_since = BadSince(conditions, "Ready", "True"),
      .disk_read_only_since = BadSince(conditions, "ReadonlyFilesystem", "False"),
      .attached_volumes = node != nullptr ? static_cast<int>(node->attached_volumes.size()) : 0};
}

Task<Result<Requeue>> MachineController::Remove(MachineRecord machine) {
  // Each turn is a stage further, or ends the pass.
  for (;;) {
    core::DeletionView view = DeletionViewOf(machine);
    std::vector<kube::Meta> attachments;
    if (machine.stage == DeletionStage::kReleaseVolumes && view.attached_volumes > 0) {
      CO_TRY(attachments, co_await LiveAttachments(machine.node));
      view.live_attachments = static_cast<int>(attachments.size());
    }
    const core::DeletionPlan plan = core::PlanDeletion(view, surroundings_.clock.Now());
    switch (plan.action) {
      case DeletionAction::kNothing: co_return Requeue::WhenChanged();
      case DeletionAction::kWait: co_return After(plan.retry);
      case DeletionAction::kBegin: {
        const bool skips = machine.node.empty() || !surroundings_.expects_nodes();
        CO_CHECK(co_await Show(
            machine, {.what = MachineReport::What::kDeletion,
                      .phase = core::Phase::kDeleting,
                      .stage = skips ? DeletionStage::kFindNode : DeletionStage::kDrain}));
        break;
      }
      case DeletionAction::kAdvance: machine.stage = plan.stage; break;
      case DeletionAction::kLookForNode: {
        CO_TRY(const auto found, co_await LookForNode(machine));
        if (found && !found->empty()) {
          auto patch = surroundings_.dialect.Recorded(machine, machine.instance, *found);
          CO_TRY(machine.meta.resource_version,
                 co_await machines_.Patch(machine.meta, std::move(patch)));
          machine.node = *found;
        }
        if (!found) {
          co_return co_await StayAt(machine, DeletionStage::kFindNode, OperationState::kFailed,
                                    "the cloud cannot say which node is the machine's",
                                    After(core::Retry::kShort));
        }
        machine.stage = DeletionStage::kDrain;
        break;
      }
      case DeletionAction::kDrain: {
        bool over = false;
        CO_TRY(const Requeue next, co_await Drain(machine, plan.force, over));
        if (!over) co_return next;
        break;
      }
      case DeletionAction::kReleaseVolumes:
        co_return co_await ReleaseVolumes(machine, attachments, After(plan.retry));
      case DeletionAction::kRemoveInstance: {
        auto resolved = co_await classes_.ResolveToRemove(machine.class_name);
        // A class that no cloud understands never made anything.
        if (machine.instance.empty() && IsNonsense(resolved)) {
          machine.stage = DeletionStage::kRemoveNode;
          break;
        }
        if (!resolved) {
          co_return co_await StayAt(machine, DeletionStage::kRemoveInstance,
                                    OperationState::kFailed, resolved.error().message(),
                                    After(core::Retry::kMedium));
        }
        const auto removed =
            co_await resolved->cloud->Remove(resolved->instance_class, IdentityOf(machine));
        const core::StageOutcome outcome =
            core::AfterRemoval(removed ? core::CloudCode::kOk : providers::CodeOf(removed.error()));
        if (outcome.failed) {
          Tell(machine, kube::EventSeverity::kWarning, "FailedDelete", removed.error().message());
          co_return co_await StayAt(machine, outcome.stage, OperationState::kFailed,
                                    removed.error().message(), After(outcome.retry));
        }
        machine.stage = outcome.stage;
        break;
      }
      case DeletionAction::kRemoveNode: {
        const auto removed = co_await RemoveNode(machine);
        if (!removed) {
          co_return co_await StayAt(machine, DeletionStage::kRemoveNode, OperationState::kFailed,
                                    removed.error().message(), After(core::Retry::kShort));
        }
        machine.stage = DeletionStage::kLetGo;
        break;
      }
      case DeletionAction::kRemoveFinalizer:
        ForgetDrain(machine.meta.uid);
        if (tokens_) CO_CHECK(co_await tokens_->Drop(machine.meta.uid, machine.meta.key.name));
        CO_CHECK(co_await machines_.RemoveFinalizer(machine.meta, machine.finalizers.get(),
                                                    surroundings_.dialect.names().finalizer));
        if (const MachineRecord* seen = caches_.machines.store().Find(machine.meta.key);
            seen != nullptr && seen->meta.uid == machine.meta.uid) {
          let_go_.insert(machine.meta.uid);
        }
        co_return Requeue::WhenChanged();
      case DeletionAction::kReportMissingClass: {
        std::string problem =
            fmt::format("{}: its instance {} cannot be removed without it; create the class again",
                        classes_.ProblemOf(machine.class_name), machine.instance);
        if (machine.operation.description.view().find(problem) == std::string::npos) {
          Tell(machine, kube::EventSeverity::kWarning, "MachineBlocked", problem);
        }
        co_return co_await StayAt(machine, DeletionStage::kRemoveInstance, OperationState::kFailed,
                                  std::move(problem), Requeue::WhenChanged());
      }
    }
  }
}

// The pass ends here, and says where it stands.
Task<Result<Requeue>> MachineController::StayAt(MachineRecord& machine, DeletionStage stage,
                                                OperationState state, std::string message,
                                                Requeue requeue) {
  CO_CHECK(co_await Show(machine, {.what = MachineReport::What::kDeletion,
                                   .phase = core::Phase::kDeleting,
                                   .message = std::move(message),
                                   .stage = stage,
                                   .state = state}));
  co_return requeue;
}

core::DrainRules MachineController::DrainRulesFor(const MachineRecord& machine,
                                                  core::Force force) const {
  const Settings& settings = surroundings_.settings;
  const Duration limit = machine.limits().drain.value_or(settings.drain);
  core::DrainRules rules{.forced = force != core::Force::kNone,
                         .detach = settings.volume_detach,
                         .reattach = settings.volume_reattach,
                         .limit = limit};
  rules.max_attempts = core::MaxAttempts(
      machine.limits().evict_retries.value_or(settings.evict_retries), limit, rules.retry_refused);
  if (force == core::Force::kUser || force == core::Force::kTimeOver) {
    rules.limit = std::chrono::minutes(1);
    rules.max_attempts = 1;
  }
  return rules;
}

Task<Result<Requeue>> MachineController::Drain(MachineRecord& machine, core::Force force,
                                               bool& drained) {
  const bool forced = force != core::Force::kNone;
  const auto announced = co_await AnnounceEnd(machine);
  if (!announced && !forced) {
    co_return co_await StayAt(machine, DeletionStage::kDrain, OperationState::kFailed,
                              announced.error().message(), After(core::Retry::kShort));
  }
  const auto look = co_await drainer_.Look({.machine = machine.meta.key,
                                            .machine_uid = machine.meta.uid,
                                            .node = machine.node,
                                            .rules = DrainRulesFor(machine, force)});
  const bool done = look && look->state == core::DrainState::kDone;
  const bool over = look && look->state == core::DrainState::kTimeOver;
  if (done || forced || over) {
    ForgetDrain(machine.meta.uid);
    machine.stage = core::AfterDrain(done, force).stage;
    drained = done || forced;
    if (drained) co_return Requeue::WhenChanged();
  }
  const bool blocked = look && look->state == core::DrainState::kBlocked;
  std::string message = look ? look->message : look.error().message();
  // The limit of the whole drain is what turns it into one by force.
  const WallTime force_at = sightings_.DeletingSince(machine) +
                            machine.limits().drain.value_or(surroundings_.settings.drain);
  WallTime next = force_at + std::chrono::milliseconds(1);
  if (look && look->look_again) next = std::min(next, *look->look_again);
  if (!look) next = surroundings_.clock.Now() + surroundings_.settings.retry.short_time;
  const Requeue requeue = Requeue::After(
      std::max<Duration>(next - surroundings_.clock.Now(), std::chrono::milliseconds(1)));
  // A drain that just takes its time says nothing new at each pod.
  if (look && !blocked && machine.stage == DeletionStage::kDrain) co_return requeue;
  // Nor does one that has said this before: where another text stands now, a second leader put it
  // there, and the two would answer each other without end.
  const auto said = drain_said_.find(machine.meta.uid.str());
  if (machine.stage == DeletionStage::kDrain && said != drain_said_.end() &&
      said->second == message) {
    co_return requeue;
  }
  CO_CHECK(co_await StayAt(machine, DeletionStage::kDrain,
                           !look || blocked ? OperationState::kFailed : OperationState::kProcessing,
                           message, requeue));
  drain_said_.insert_or_assign(machine.meta.uid.str(), std::move(message));
  co_return requeue;
}

void MachineController::ForgetDrain(const Uid& machine) {
  drainer_.Forget(machine);
  drain_said_.erase(machine.str());
}

// The node says that it goes, and takes no more pods.
Task<Result<void>> MachineController::AnnounceEnd(const MachineRecord& machine) {
  const NodeRecord* node = caches_.FindNode(machine.node);
  if (node == nullptr) co_return Ok();
  const kube::Meta meta = node->meta;
  const bool cordoned = node->unschedulable;
  const core::GoingBecause why =
      core::ReasonToGo(machine.phase_before_deletion.value_or(core::Phase::kRunning));
  core::Condition condition = surroundings_.dialect.GoingCondition(why);
  const auto said = node->conditions.Find(condition.type);
  if (!said || said->status != "True") {
    condition.since = surroundings_.clock.Now();
    CO_CHECK(co_await nodes_->SetCondition(meta, std::move(condition), surroundings_.clock.Now()));
  }
  if (cordoned) co_return Ok();
  // Its version is a newer one now; that nobody uncordons at this moment need not be checked.
  co_return co_await nodes_->Cordon(meta);
}

// The node's name, an empty one if there is none; nothing if that cannot be known now.
Task<Result<std::optional<std::string>>> MachineController::LookForNode(
    const MachineRecord& machine) {
  const std::string& label = surroundings_.dialect.names().node_machine_label;
  for (const NodeRecord& node : caches_.nodes->store().objects()) {
    if (node.labels.Get(label) == machine.meta.key.name) {
      co_return node.meta.key.name;
    }
  }
  auto resolved = co_await classes_.ResolveToRemove(machine.class_name);
  // Without its class nobody can be asked; a later stage says so.
  if (!resolved || IsNonsense(resolved)) co_return std::string();
  const auto found = co_await resolved->cloud->Get(resolved->instance_class, IdentityOf(machine));
  if (found) co_return found->node;
  const core::StageOutcome outcome = core::AfterNodeLookup(providers::CodeOf(found.error()));
  if (outcome.failed) co_return std::optional<std::string>();
  co_return std::string();
}

Task<Result<void>> MachineController::RemoveNode(const MachineRecord& machine) {
  const NodeRecord* node = caches_.FindNode(machine.node);
  if (node == nullptr) co_return Ok();
  const kube::Meta meta = node->meta;
  std::vector<std::string> finalizers = node->finalizers.get();
  const std::string& ours = surroundings_.dialect.names().node_finalizer;
  // Marked for deletion first: without its finalizer and unmarked, nothing would remember that it
  // is to go.
  CO_CHECK(co_await nodes_->Delete(meta));
  if (!Without(finalizers, ours)) co_return Ok();
  co_return co_await nodes_->LetGo(meta, ours, std::move(finalizers));
}

}  // namespace millwright::controllers
