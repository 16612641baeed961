// What a pass over a deployment does to its sets.
#include <fmt/format.h>

#include <algorithm>

#include "controllers/deployment/deployment_controller.h"
#include "core/rollout/history.h"
#include "core/rollout/limits.h"
#include "core/rollout/revision.h"

namespace millwright::controllers {

namespace {

// What somebody else undid is said again after that.
constexpr Duration kBetweenQuarrels = std::chrono::seconds(5);

}  // namespace

using dialects::DeploymentRecord;
using dialects::SetRecord;
using dialects::SetWish;

void DeploymentController::Size(Pass& pass, const std::string& set, int replicas) const {
  pass.wishes[set].replicas = replicas;
  pass.moved = true;
}

// The current set has its deployment's settings, whatever else happens in this pass.
void DeploymentController::FollowDeployment(Pass& pass) const {
  if (!pass.has_current()) return;
  SetWish& wish = pass.wishes[pass.scene.current->name];
  wish.hand_down = true;
  wish.revision = core::NextRevision(pass.scene.current->revision, pass.scene.old);
}

void DeploymentController::PlanScale(Pass& pass) const {
  FollowDeployment(pass);
  const core::ScalingScene scene{.deployment = pass.scene.deployment,
                                 .current = pass.scene.current,
                                 .old = pass.scene.old,
                                 .reported_replicas = pass.deployment.seen.replicas};
  for (const core::Resize& resize : core::PlanScaling(scene, surroundings_.dialect.growth())) {
    Size(pass, resize.set, resize.replicas);
  }
  const int wished = pass.deployment.core.replicas;
  const int most = core::ResolveLimits(pass.deployment.core).MaxTotal(wished);
  for (const SetRecord& set : pass.sets) {
    const auto wish = pass.wishes.find(set.core.name);
    const bool grows = wish != pass.wishes.end() && wish->second.replicas.value_or(0) > 0;
    if (set.core.replicas == 0 && !grows) continue;
    pass.wishes[set.core.name].desired_note = wished;
    pass.wishes[set.core.name].max_note = most;
  }
}

void DeploymentController::PlanRollOut(Pass& pass) const {
  FollowDeployment(pass);
  const core::stepwise::Step step = pass.deployment.core.strategy == core::Strategy::kRecreate
                                        ? core::stepwise::PlanRecreate(pass.scene)
                                        : core::stepwise::PlanRollingUpdate(pass.scene);
  if (step.create_current) PlanNewSet(pass, *step.create_current);
  if (step.thaw_current) pass.wishes[pass.scene.current->name].creation_disabled = false;
  for (const core::Resize& resize : step.resize) SizeWithNotes(pass, resize);
}

void DeploymentController::PlanNewSet(Pass& pass, int replicas) const {
  const int wished = pass.deployment.core.replicas;
  pass.new_set = surroundings_.dialect.NameSet(pass.deployment);
  pass.new_set->replicas = replicas;
  pass.new_set->revision = core::NextRevision(0, pass.scene.old);
  pass.new_set->desired_note = wished;
  pass.new_set->max_note = core::ResolveLimits(pass.deployment.core).MaxTotal(wished);
  pass.moved = true;
}

void DeploymentController::SizeWithNotes(Pass& pass, const core::Resize& resize) const {
  const int wished = pass.deployment.core.replicas;
  Size(pass, resize.set, resize.replicas);
  pass.wishes[resize.set].desired_note = wished;
  pass.wishes[resize.set].max_note = core::ResolveLimits(pass.deployment.core).MaxTotal(wished);
}

Task<Result<void>> DeploymentController::WriteSets(Pass& pass) {
  if (pass.new_set) CO_CHECK(co_await MakeSet(pass));
  // A dialect may have something to change on any of them by itself.
  for (const SetRecord& set : pass.sets) pass.wishes.try_emplace(set.core.name);
  for (const auto& [name, wish] : pass.wishes) {
    const SetRecord& set = *pass.Find(name);
    auto patch = surroundings_.dialect.ChangedSet(pass.deployment, set, wish);
    CO_CHECK(co_await sets_.Patch(set.meta, std::move(patch)));
    if (!wish.replicas || *wish.replicas == set.core.replicas) continue;
    const bool up = *wish.replicas > set.core.replicas;
    Tell(pass.deployment, kube::EventSeverity::kNormal, "ScalingMachineSet",
         fmt::format("Scaled {} machine set {} to {}", up ? "up" : "down", name, *wish.replicas));
  }
  const auto current =
      pass.has_current() ? pass.wishes.find(pass.scene.current->name) : pass.wishes.end();
  const bool has_revision = current != pass.wishes.end() && current->second.revision;
  if (has_revision && *current->second.revision != pass.deployment.revision) {
    auto patch =
        surroundings_.dialect.DeploymentRevision(pass.deployment, *current->second.revision);
    CO_TRY(pass.deployment.meta.resource_version,
           co_await deployments_.Patch(pass.deployment.meta, std::move(patch)));
  }
  co_return Ok();
}

Task<Result<void>> DeploymentController::MakeSet(Pass& pass) {
  const dialects::NewSet& set = *pass.new_set;
  const kube::ObjectKey key{pass.deployment.meta.key.namespace_, set.name};
  auto made = co_await sets_.Create(key, surroundings_.dialect.NewSetBody(pass.deployment, set));
  if (made) {
    created_.insert_or_assign(pass.deployment.meta.uid, key);
    pass.progress = core::Progress{core::Progress::Status::kTrue,
                                   core::ProgressReason::kNewSetCreated, surroundings_.clock.Now()};
    if (set.replicas > 0) {
      Tell(pass.deployment, kube::EventSeverity::kNormal, "ScalingMachineSet",
           fmt::format("Scaled up machine set {} to {}", set.name, set.replicas));
    }
    co_return Ok();
  }
  if (made.error().kind() == ErrorKind::kAlreadyExists) {
    const SetRecord* other = caches_.sets.store().Find(key);
    const bool is_ours =
        other == nullptr || (other->owner && other->owner->uid == pass.deployment.meta.uid);
    // Ours and not seen yet, or somebody's who happens to have that name.
    if (is_ours && other == nullptr) {
      co_return Fail(ErrorKind::kUnavailable, "set " + set.name + " exists and is not seen yet");
    }
    pass.collision_count = pass.deployment.collision_count + 1;
    co_return Ok();
  }
  pass.progress = core::Progress{core::Progress::Status::kFalse,
                                 core::ProgressReason::kSetCreateError, surroundings_.clock.Now()};
  Tell(pass.deployment, kube::EventSeverity::kWarning, "MachineSetCreateError",
       "Failed to create new machine set: " + made.error().message());
  auto reported = co_await Report(pass);
  (void)reported;
  co_return made;
}

Task<Result<void>> DeploymentController::ForgetOldSets(const Pass& pass) {
  if (!pass.deployment.core.history_limit) co_return Ok();
  for (const std::string& name :
       core::SetsToForget(pass.scene.old, *pass.deployment.core.history_limit)) {
    CO_CHECK(co_await sets_.Delete(pass.Find(name)->meta));
  }
  co_return Ok();
}

core::DeploymentCounts DeploymentController::Count(const Pass& pass) const {
  core::DeploymentCounts counts;
  if (pass.has_current()) counts.updated = pass.scene.current->seen.replicas;
  for (const SetRecord& set : pass.sets) {
    counts.replicas += set.core.seen.replicas;
    counts.ready += set.core.seen.ready;
    counts.available += set.core.seen.available;
    counts.preserved_failed += set.core.seen.preserved_failed;
  }
  return counts;
}

bool DeploymentController::IsComplete(const Pass& pass) const {
  const bool current = std::ranges::all_of(
      pass.sets, [](const SetRecord& set) { return set.core.report_is_current; });
  return !pass.moved && pass.has_current() &&
         core::IsComplete(pass.deployment.core, Count(pass), current);
}

dialects::DeploymentReport DeploymentController::Summarize(const Pass& pass) const {
  dialects::DeploymentReport report{
      .counts = Count(pass),
      .progress = pass.progress,
      .available = core::IsAvailable(pass.deployment.core, Count(pass)),
      .failed = {},
      .collision_count = pass.collision_count.value_or(pass.deployment.collision_count),
      .observed_generation = pass.deployment.meta.generation};
  int wished = 0;
  for (const SetRecord& set : pass.sets) {
    wished += set.core.replicas;
    for (const dialects::MachineRecord* machine :
         caches_.machines_by_owner.Find(set.meta.uid.str())) {
      if (machine->operation.state != dialects::OperationState::kFailed) continue;
      const bool kept =
          machine->core.phase == core::Phase::kFailed && machine->core.preservation.until;
      if (kept) continue;
      report.failed.push_back({.name = machine->meta.key.name,
                               .instance = machine->instance,
                               .owner = set.core.name,
                               .operation = machine->operation});
    }
  }
  // Caches have no order; two leaders who list the same in different orders would correct each
  // other without end.
  std::ranges::sort(report.failed, {}, &dialects::FailedMachine::name);
  report.unavailable = std::max(wished - report.counts.available, 0);
  return report;
}

Task<Result<std::optional<WallTime>>> DeploymentController::Report(const Pass& pass) {
  std::optional<WallTime> look_again;
  dialects::DeploymentReport report = Summarize(pass);
  std::vector<const SetRecord*> sets;
  for (const SetRecord& set : pass.sets) sets.push_back(&set);
  if (!pass.deployment.core.paused && !pass.deployment.meta.deleting_since) {
    const core::ProgressPlan plan =
        core::PlanProgress(pass.deployment.core, pass.progress, pass.deployment.seen, report.counts,
                           surroundings_.clock.Now());
    report.progress = plan.progress;
    look_again = plan.look_again;
  }
  if (const auto until = Undone(pass, report.counts)) {
    co_return std::min(*until, look_again.value_or(WallTime::max()));
  }
  const WallTime now = surroundings_.clock.Now();
  auto patch = surroundings_.dialect.DeploymentStatus(pass.deployment, sets, report, now);
  if (patch.empty()) co_return look_again;
  CO_CHECK(co_await deployments_.Patch(pass.deployment.meta, std::move(patch), "status"));
  std::erase_if(said_,
                [&](const auto& said) { return now >= said.second.when + kBetweenQuarrels; });
  said_.insert_or_assign(pass.deployment.meta.uid, Said{.counts = report.counts, .when = now});
  co_return look_again;
}

// Two leaders at once (for a moment there may be) with caches of different age would else correct
// each other as fast as the API server answers.
std::optional<WallTime> DeploymentController::Undone(const Pass& pass,
                                                     const core::DeploymentCounts& counts) const {
  const auto said = said_.find(pass.deployment.meta.uid);
  if (said == said_.end() || said->second.counts != counts) return std::nullopt;
  const WallTime until = said->second.when + kBetweenQuarrels;
  const WallTime now = surroundings_.clock.Now();
  // A clock that was set back is no reason to be silent for longer.
  const bool recent = said->second.when <= now && now < until;
  return recent && pass.deployment.seen != counts ? std::optional(until) : std::nullopt;
}

Task<Result<void>> DeploymentController::ReportProblem(const DeploymentRecord& deployment) {
  const auto said = complained_.find(deployment.meta.uid);
  if (said != complained_.end() && said->second == deployment.meta.generation) co_return Ok();
  Pass pass = Look(deployment);
  // No set can be made of it, which is what upstream's clients know a word for.
  pass.progress = core::Progress{core::Progress::Status::kFalse,
                                 core::ProgressReason::kSetCreateError, surroundings_.clock.Now()};
  dialects::DeploymentReport report = Summarize(pass);
  report.progress_message = deployment.problem;
  std::vector<const SetRecord*> sets;
  for (const SetRecord& set : pass.sets) sets.push_back(&set);
  auto patch =
      surroundings_.dialect.DeploymentStatus(deployment, sets, report, surroundings_.clock.Now());
  CO_CHECK(co_await deployments_.Patch(deployment.meta, std::move(patch), "status"));
  complained_.insert_or_assign(deployment.meta.uid, deployment.meta.generation);
  Tell(deployment, kube::EventSeverity::kWarning, "InvalidSpec", deployment.problem);
  co_return Ok();
}

}  // namespace millwright::controllers
