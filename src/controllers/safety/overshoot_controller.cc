#include "controllers/safety/overshoot_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/shared/pace.h"
#include "core/rollout/limits.h"

namespace millwright::controllers {

using core::FreezeAct;
using dialects::DeploymentRecord;
using dialects::MachineRecord;
using dialects::SetRecord;
using kube::ObjectKey;
using kube::Requeue;

namespace {

// For so long a set that a person let go may try to come down by itself.
constexpr Duration kSpared = std::chrono::minutes(1);

// Until the cache has seen what we wrote: not every change of an object wakes us.
constexpr Duration kSoon = std::chrono::milliseconds(500);

bool IsFrozen(const SetRecord& set) { return set.core.frozen || set.shows_frozen; }

bool SameForUs(const SetRecord& a, const SetRecord& b) {
  return a.core.replicas == b.core.replicas && a.core.frozen == b.core.frozen &&
         a.shows_frozen == b.shows_frozen && a.unfreeze_asked == b.unfreeze_asked &&
         a.owner == b.owner && a.core.deleting == b.core.deleting;
}

bool SameForUs(const DeploymentRecord& a, const DeploymentRecord& b) {
  return a.core.replicas == b.core.replicas && a.core.max_surge == b.core.max_surge &&
         a.core.strategy == b.core.strategy && a.frozen == b.frozen &&
         a.shows_frozen == b.shows_frozen && a.unfreeze_asked == b.unfreeze_asked;
}

}  // namespace

OvershootController::OvershootController(Surroundings& s, Caches& caches)
    : surroundings_(s),
      caches_(caches),
      log_(s.log.For("controllers.overshoot")),
      sets_(s.control, s.dialect.kinds().set.resource, caches.sets.guard()),
      deployments_(s.control, s.dialect.kinds().deployment.resource, caches.deployments.guard()),
      set_controller_(s.executor, s.clock, log_, {.name = "overshoot-set"},
                      [this](ObjectKey key) { return LookAtSet(std::move(key)); }),
      deployment_controller_(s.executor, s.clock, log_, {.name = "overshoot-deployment"},
                             [this](ObjectKey key) { return LookAtDeployment(std::move(key)); }),
      tasks_(s.executor) {
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    if (before != nullptr && after != nullptr && before->owner == after->owner) return;
    for (const MachineRecord* machine : {before, after}) {
      if (machine == nullptr || !machine->owner) continue;
      set_controller_.queue().Add({machine->meta.key.namespace_, machine->owner->name});
    }
  });
  caches_.sets.OnChange([this](const SetRecord* before, const SetRecord* after) {
    if (after == nullptr) spared_.erase(before->meta.uid);
    if (before != nullptr && after != nullptr && SameForUs(*before, *after)) return;
    for (const SetRecord* set : {before, after}) {
      if (set != nullptr) Wake(*set);
    }
  });
  caches_.deployments.OnChange(
      [this](const DeploymentRecord* before, const DeploymentRecord* after) {
        if (after == nullptr || (before != nullptr && SameForUs(*before, *after))) return;
        deployment_controller_.queue().Add(after->meta.key);
        for (const SetRecord* set : caches_.sets_by_owner.Find(after->meta.uid.str())) {
          set_controller_.queue().Add(set->meta.key);
        }
      });
}

Task<void> OvershootController::Run() {
  tasks_.Spawn([this] { return deployment_controller_.Run(); });
  co_await set_controller_.Run();
  tasks_.Cancel();
  co_await tasks_.Join();
}

void OvershootController::Wake(const SetRecord& set) {
  set_controller_.queue().Add(set.meta.key);
  if (set.owner) deployment_controller_.queue().Add({set.meta.key.namespace_, set.owner->name});
}

core::OvershootView OvershootController::ViewOf(const SetRecord& set) const {
  const auto& owned = caches_.machines_by_owner.Find(set.meta.uid.str());
  core::OvershootView view{.machines = static_cast<int>(owned.size()),
                           .set_replicas = set.core.replicas,
                           .frozen = set.core.frozen,
                           .unfreeze_asked = set.unfreeze_asked};
  if (set.owner) {
    const DeploymentRecord* deployment =
        caches_.deployments.store().Find({set.meta.key.namespace_, set.owner->name});
    if (deployment != nullptr) {
      view.deployment_replicas = deployment->core.replicas;
      view.surge = core::ResolveLimits(deployment->core).surge;
    }
  }
  // Which of them it selects matters only if all of them would be too many, or if it is frozen.
  const bool fits =
      core::DecideFreeze(view, surroundings_.settings.overshoot) == FreezeAct::kNothing;
  if (fits && !IsFrozen(set)) return view;
  view.machines = static_cast<int>(std::ranges::count_if(
      owned, [&](const MachineRecord* machine) { return Matches(set.selector, machine->labels); }));
  return view;
}

Task<Result<Requeue>> OvershootController::LookAtSet(ObjectKey key) {
  const SetRecord* found = caches_.sets.store().Find(key);
  if (found == nullptr || found->core.deleting) co_return Requeue::WhenChanged();
  if (caches_.sets.guard().IsBehind(key)) co_return Requeue::After(kSoon);
  const SetRecord set = *found;
  core::OvershootView view = ViewOf(set);
  FreezeAct act = core::DecideFreeze(view, surroundings_.settings.overshoot);
  // Only the condition is left of an earlier freeze, or all that is missing of one is the label.
  if (act == FreezeAct::kNothing && set.shows_frozen != set.core.frozen) {
    view.frozen = true;
    act = core::DecideFreeze(view, surroundings_.settings.overshoot);
    if (act == FreezeAct::kNothing && set.core.frozen) act = FreezeAct::kFreeze;
  }
  switch (act) {
    case FreezeAct::kNothing: break;
    case FreezeAct::kFreeze: {
      const auto spared = spared_.find(set.meta.uid);
      const WallTime now = surroundings_.clock.Now();
      if (spared != spared_.end() && now < spared->second) {
        co_return Requeue::After(spared->second - now);
      }
      CO_CHECK(co_await Freeze(
          set, fmt::format("The set has {} machines, far more than it may have", view.machines)));
      break;
    }
    case FreezeAct::kUnfreeze:
      if (set.unfreeze_asked) {
        spared_.insert_or_assign(set.meta.uid, surroundings_.clock.Now() + kSpared);
      }
      CO_CHECK(co_await Unfreeze(set));
      break;
  }
  co_return Requeue::WhenChanged().Resting(
      RestAfter(static_cast<std::size_t>(view.machines), kCloudPace));
}

Task<Result<void>> OvershootController::Freeze(SetRecord set, std::string message) {
  const bool news = !set.core.frozen;
  auto shown = surroundings_.dialect.SetFrozenStatus(set, true, message, surroundings_.clock.Now());
  CO_TRY(set.meta.resource_version, co_await sets_.Patch(set.meta, std::move(shown), "status"));
  auto held = surroundings_.dialect.SetFrozen(set, true);
  CO_CHECK(co_await sets_.Patch(set.meta, std::move(held)));
  if (news) Tell(set, "FrozeMachineSet", std::move(message));
  co_return Ok();
}

Task<Result<void>> OvershootController::Unfreeze(SetRecord set) {
  const bool news = IsFrozen(set);
  // The label goes last: without it nothing would remember that the condition is to go.
  auto shown = surroundings_.dialect.SetFrozenStatus(set, false, {}, surroundings_.clock.Now());
  CO_TRY(set.meta.resource_version, co_await sets_.Patch(set.meta, std::move(shown), "status"));
  auto held = surroundings_.dialect.SetFrozen(set, false);
  CO_CHECK(co_await sets_.Patch(set.meta, std::move(held)));
  if (news) Tell(set, "UnfrozeMachineSet", "The set may make machines again");
  co_return Ok();
}

// A person who lets a deployment go means all its sets. True: something was written.
Task<Result<bool>> OvershootController::HandOnWish(const DeploymentRecord& deployment) {
  std::vector<std::pair<kube::Meta, boost::json::object>> patches;
  for (const SetRecord* set : caches_.sets_by_owner.Find(deployment.meta.uid.str())) {
    if (set->unfreeze_asked || !IsFrozen(*set)) continue;
    patches.emplace_back(set->meta, surroundings_.dialect.UnfreezeAsked(*set));
  }
  for (auto& [set, patch] : patches) CO_CHECK(co_await sets_.Patch(set, std::move(patch)));
  co_return !patches.empty();
}

Task<Result<Requeue>> OvershootController::LookAtDeployment(ObjectKey key) {
  const DeploymentRecord* found = caches_.deployments.store().Find(key);
  if (found == nullptr || found->meta.deleting_since) co_return Requeue::WhenChanged();
  DeploymentRecord deployment = *found;
  bool behind = caches_.deployments.guard().IsBehind(key);
  bool any_frozen = false;
  for (const SetRecord* set : caches_.sets_by_owner.Find(deployment.meta.uid.str())) {
    behind = behind || caches_.sets.guard().IsBehind(set->meta.key);
    any_frozen = any_frozen || (IsFrozen(*set) && !set->unfreeze_asked);
  }
  if (behind) co_return Requeue::After(kSoon);
  if (deployment.unfreeze_asked) {
    CO_TRY(const bool handed_on, co_await HandOnWish(deployment));
    if (handed_on) co_return Requeue::WhenChanged();
    any_frozen = false;
  }
  const bool right = any_frozen ? deployment.frozen && deployment.shows_frozen
                                : !deployment.frozen && !deployment.shows_frozen;
  if (right && !deployment.unfreeze_asked) co_return Requeue::WhenChanged();
  const bool half = deployment.frozen != deployment.shows_frozen;
  auto shown = surroundings_.dialect.DeploymentFrozenStatus(deployment, any_frozen, half,
                                                            surroundings_.clock.Now());
  CO_TRY(deployment.meta.resource_version,
         co_await deployments_.Patch(deployment.meta, std::move(shown), "status"));
  auto held = surroundings_.dialect.DeploymentFrozen(deployment, any_frozen);
  CO_CHECK(co_await deployments_.Patch(deployment.meta, std::move(held)));
  co_return Requeue::WhenChanged();
}

void OvershootController::Tell(const SetRecord& set, std::string reason, std::string message) {
  const kube::GroupVersionKind& kind = surroundings_.dialect.kinds().set.kind;
  surroundings_.events.Record({.about = {kind.ApiVersion(), kind.kind, set.meta.key, set.meta.uid},
                               .severity = kube::EventSeverity::kNormal,
                               .reason = std::move(reason),
                               .message = std::move(message)});
}

}  // namespace millwright::controllers
