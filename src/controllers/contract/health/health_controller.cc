#include "controllers/contract/health/health_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/contract/shared/belonging.h"
#include "controllers/contract/shared/old_view.h"
#include "controllers/contract/shared/resources.h"
#include "controllers/shared/calendar.h"
#include "dialects/capi/status/patch.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

using capi::HealthCheckRecord;
using capi::MachineRecord;
using kube::ObjectKey;
using kube::Requeue;
using Health = core::Verdict::Health;
namespace types = capi::types;

namespace {

// What is looked for lasts for many seconds, and a look may have to list requests.
constexpr Duration kRest = std::chrono::seconds(1);

bool SameForChecks(const MachineRecord& a, const MachineRecord& b) {
  return a.status.node == b.status.node && a.labels == b.labels && a.annotations == b.annotations &&
         a.status.conditions == b.status.conditions && a.deleting() == b.deleting();
}

std::string StatusOf(const capi::Conditions& conditions, std::string_view type) {
  const capi::Condition* found = capi::Find(conditions, type);
  return found != nullptr ? std::string(capi::ToString(found->status)) : std::string();
}

std::string StatusOf(const dialects::ConditionList& conditions, std::string_view type) {
  const auto found = conditions.Find(type);
  return found ? found->status.str() : std::string();
}

bool SameForChecks(const capi::ClusterRecord& a, const capi::ClusterRecord& b) {
  return a.paused == b.paused && a.status.conditions == b.status.conditions;
}

}  // namespace

HealthController::HealthController(Surroundings& s, Caches& caches, RemoteClusters& remotes)
    : surroundings_(s),
      caches_(caches),
      remotes_(remotes),
      log_(s.log.For("contract.health")),
      sightings_(s.clock),
      checks_(s.management, kHealthChecks, caches.health_checks.guard()),
      machines_(s.management, kMachines, caches.machines.guard()),
      controller_(s.executor, s.clock, log_,
                  {.name = "machinehealthcheck", .workers = s.settings.health_workers, .queue = {}},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  // Its own changes are few and somebody waits for them.
  caches_.health_checks.OnChange([this](const HealthCheckRecord*, const HealthCheckRecord* after) {
    if (after != nullptr) controller_.queue().Add(after->meta.key, kube::Priority::kUrgent);
  });
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    Saw(before, after);
    if (before != nullptr && after != nullptr && SameForChecks(*before, *after)) return;
    if (before != nullptr) WakeChecksOf(*before);
    if (after != nullptr) WakeChecksOf(*after);
  });
  caches_.clusters.OnChange(
      [this](const capi::ClusterRecord* before, const capi::ClusterRecord* after) {
        if (after == nullptr) return;
        if (before == nullptr || !SameForChecks(*before, *after)) WakeChecksOf(after->meta.key);
      });
  remotes_.OnConnection([this](const ObjectKey& cluster) { WakeChecksOf(cluster); });
  remotes_.OnNode(
      [this](const ObjectKey& cluster, const RemoteNode* before, const RemoteNode* after) {
        Saw(cluster, before, after);
        if (before != nullptr && after != nullptr && before->conditions == after->conditions) {
          return;
        }
        const std::string& name = (after != nullptr ? after : before)->meta.key.name;
        const auto& machines = caches_.machines_by_node.Find(NodeKey(cluster, name));
        // Of two machines with one node nobody can say whose it is.
        if (machines.size() == 1) WakeChecksOf(*machines.front());
      });
}

// Another of the same name is another one.
template <class Record>
bool HealthController::IsNew(const Record* before, const Record* after) {
  if (before != nullptr && (after == nullptr || before->meta.uid != after->meta.uid)) {
    sightings_.Gone(before->meta.uid);
    return after != nullptr;
  }
  return before == nullptr;
}

void HealthController::Saw(const MachineRecord* before, const MachineRecord* after) {
  const bool is_new = IsNew(before, after);
  if (after == nullptr) return;
  if (!after->status.node.empty()) {
    sightings_.Started(after->meta.uid);
  } else if (is_new && caches_.machines.synced()) {
    sightings_.Came(after->meta.uid);
  }
  if (is_new) return;
  for (const HealthCheckRecord* check :
       caches_.health_checks_by_cluster.Find(ClusterKey(ClusterOf(*after)))) {
    NoteTurns(after->meta.uid, check->machine_conditions, before->status.conditions,
              after->status.conditions);
  }
}

void HealthController::Saw(const ObjectKey& cluster, const RemoteNode* before,
                           const RemoteNode* after) {
  if (IsNew(before, after) || after == nullptr) return;
  for (const HealthCheckRecord* check :
       caches_.health_checks_by_cluster.Find(ClusterKey(cluster))) {
    NoteTurns(after->meta.uid, check->node_conditions, before->conditions, after->conditions);
  }
}

template <class Conditions>
void HealthController::NoteTurns(const Uid& object,
                                 const std::vector<capi::UnhealthyCondition>& checks,
                                 const Conditions& before, const Conditions& after) {
  for (const capi::UnhealthyCondition& check : checks) {
    const bool is_bad = StatusOf(after, check.type) == check.status;
    const bool was_bad = StatusOf(before, check.type) == check.status;
    if (is_bad && !was_bad) sightings_.TurnedBad(object, check.type);
    if (!is_bad && was_bad) sightings_.TurnedGood(object, check.type);
  }
}

void HealthController::WakeChecksOf(const MachineRecord& machine) {
  for (const HealthCheckRecord* check :
       caches_.health_checks_by_cluster.Find(ClusterKey(ClusterOf(machine)))) {
    if (check->selector_problem.empty() && check->selector.Matches(machine.labels)) {
      controller_.queue().Add(check->meta.key);
    }
  }
}

void HealthController::WakeChecksOf(const ObjectKey& cluster) {
  for (const HealthCheckRecord* check :
       caches_.health_checks_by_cluster.Find(ClusterKey(cluster))) {
    controller_.queue().Add(check->meta.key);
  }
}

Task<Result<Requeue>> HealthController::Reconcile(ObjectKey key) {
  controller_.queue().Rest(key, surroundings_.clock.Elapsed() + kRest);
  co_return co_await Look(key);
}

Task<Result<Requeue>> HealthController::Look(ObjectKey key) {
  const HealthCheckRecord* found = caches_.health_checks.store().Find(key);
  if (found == nullptr || found->deleting() || !surroundings_.settings.Watches(found->labels)) {
    co_return Requeue::WhenChanged();
  }
  if (caches_.health_checks.guard().IsBehind(key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  Pass pass{.check = *found};
  const capi::ClusterRecord* cluster = caches_.clusters.store().Find(ClusterOf(pass.check));
  if (cluster == nullptr) {
    co_return Fail(ErrorKind::kUnavailable,
                   fmt::format("cluster {} does not exist", pass.check.cluster));
  }
  pass.cluster = *cluster;
  CO_TRY(const bool prepared, co_await Prepare(pass));
  if (!prepared) co_return Requeue::WhenChanged();
  if (!pass.check.selector_problem.empty()) {
    co_return Fail(ErrorKind::kInvalid, pass.check.selector_problem);
  }
  CO_TRY(const core::GatePolicy policy, GateOf(pass.check));
  const bool initialized =
      capi::Is(pass.cluster.status.conditions, types::kControlPlaneInitialized, capi::Truth::kTrue);
  const std::shared_ptr<RemoteCluster> remote = remotes_.Find(pass.cluster.meta.key);
  // Nodes that nobody can look at say nothing about machines. The connection wakes us.
  if (initialized && remote == nullptr) co_return Requeue::WhenChanged();
  JudgeAll(pass, initialized ? remote : nullptr);
  if (remote != nullptr) co_await DropOldViews(pass, *remote);
  pass.gate = core::DecideGate(policy, static_cast<int>(pass.names.size()), pass.healthy);
  co_await WriteMachines(pass);
  co_return co_await Report(pass);
}

// False: something was written, or it is left alone.
Task<Result<bool>> HealthController::Prepare(const Pass& pass) {
  const HealthCheckRecord& check = pass.check;
  const capi::PausePlan pause =
      capi::PlanPause(pass.cluster.paused, check, capi::kHealthCheckKind, check.status.conditions);
  if (pause.write) {
    capi::HealthCheckStatus next = check.status;
    capi::Set(next.conditions, types::kPaused,
              capi::PausedShown(pass.cluster.paused, check, capi::kHealthCheckKind),
              check.meta.generation, surroundings_.clock.Now());
    CO_CHECK(co_await checks_.Patch(check.meta, capi::StatusPatch(check.status, next), "status"));
  }
  if (pause.paused || pause.write) co_return false;
  boost::json::object patch = ClusterMarks(check, pass.cluster, true);
  if (patch.empty()) co_return true;
  CO_CHECK(co_await checks_.Patch(check.meta, std::move(patch)));
  co_return false;
}

void HealthController::JudgeAll(Pass& pass, const std::shared_ptr<RemoteCluster>& remote) {
  const WallTime now = surroundings_.clock.Now();
  const core::Checks checks = ChecksOf(pass.check);
  for (const MachineRecord* machine :
       caches_.machines_by_cluster.Find(ClusterKey(pass.cluster.meta.key))) {
    if (!IsTarget(pass.check, *machine)) continue;
    pass.names.push_back(machine->meta.key.name);
    const RemoteNode* node = remote != nullptr && !machine->status.node.empty()
                                 ? remote->FindNode(machine->status.node)
                                 : nullptr;
    core::Verdict verdict = Judge({.machine = machine,
                                   .cluster = &pass.cluster,
                                   .nodes_known = remote != nullptr,
                                   .node = node},
                                  checks, sightings_, now);
    if (verdict.health == Health::kHealthy) ++pass.healthy;
    if (verdict.check_again) {
      pass.check_again =
          std::min(pass.check_again.value_or(*verdict.check_again), *verdict.check_again);
    }
    if (verdict.health == Health::kHealthy || verdict.health == Health::kUnhealthy) {
      // Those that say so already, and have nothing left to be asked for, are most of them.
      const bool shown =
          verdict.health == Health::kHealthy && pass.check.remediation_template.kind.empty() &&
          capi::Is(machine->status.conditions, types::kHealthCheckSucceeded, capi::Truth::kTrue);
      if (!shown) pass.decided.push_back({*machine, std::move(verdict)});
    }
  }
  std::ranges::sort(pass.decided, {},
                    [](const Target& target) { return target.machine.meta.key.name; });
}

// A machine may be newer than our cache of nodes: only the cluster itself can say that its node is
// gone. Those of whom that cannot be said are looked at again.
Task<void> HealthController::DropOldViews(Pass& pass, RemoteCluster& remote) {
  const auto is_gone = [](const core::Finding& finding) {
    return finding.kind == core::Finding::Kind::kNodeGone;
  };
  std::vector<Target> sure;
  for (Target& target : pass.decided) {
    const bool doubtful = std::ranges::any_of(target.verdict.findings, is_gone);
    if (doubtful) {
      const auto node = co_await remote.client().Find(kNodes, {{}, target.machine.status.node});
      if (!node || *node) {
        pass.check_again = std::min(pass.check_again.value_or(kOldViewPause), kOldViewPause);
        continue;
      }
    }
    sure.push_back(std::move(target));
  }
  pass.decided = std::move(sure);
}

Task<void> HealthController::WriteMachines(Pass& pass) {
  if (pass.decided.empty()) co_return;
  if (pass.check.remediation_template.defined()) {
    if (Result<void> listed = co_await FindRequests(pass); !listed) {
      pass.Note(std::move(listed));
      co_return;
    }
  }
  for (Target& target : pass.decided) {
    // Its change wakes us.
    if (caches_.machines.guard().IsBehind(target.machine.meta.key)) continue;
    if (target.verdict.health == Health::kHealthy) {
      co_await MarkHealthy(pass, target);
    } else {
      co_await MarkUnhealthy(pass, target);
    }
  }
}

Task<void> HealthController::MarkHealthy(Pass& pass, Target& target) {
  const MachineRecord& machine = target.machine;
  if (pass.requests.contains(machine.meta.key.name)) {
    const capi::Reference& from = pass.check.remediation_template;
    pass.Note(co_await surroundings_.management.Delete(
        RequestResource(pass.check), {machine.meta.key.namespace_, machine.meta.key.name}));
    log_.Info("machine is healthy again, request is removed",
              {{"machine", machine.meta.key.ToString()}, {"template", from.name}});
  }
  capi::MachineStatus next = machine.status;
  const WallTime now = surroundings_.clock.Now();
  capi::Set(next.conditions, types::kHealthCheckSucceeded, capi::ShowHealthy(),
            machine.meta.generation, now);
  capi::Set(next.legacy_conditions, types::kHealthCheckSucceeded,
            {.status = capi::Truth::kTrue, .reason = {}, .severity = {}, .message = {}}, now);
  auto written =
      co_await machines_.Patch(machine.meta, capi::StatusPatch(machine.status, next), "status");
  if (!written) pass.Note(Failure(written.error()));
}

Task<void> HealthController::MarkUnhealthy(Pass& pass, Target& target) {
  const MachineRecord& machine = target.machine;
  const WallTime now = surroundings_.clock.Now();
  capi::MachineStatus next = machine.status;
  const bool known = capi::Is(next.conditions, types::kHealthCheckSucceeded, capi::Truth::kFalse);
  const capi::Shown shown = capi::ShowUnhealthy(target.verdict, machine.status.node);
  capi::Set(next.conditions, types::kHealthCheckSucceeded, shown, machine.meta.generation, now);
  capi::Set(next.legacy_conditions, types::kHealthCheckSucceeded,
            capi::ShowUnhealthyOld(target.verdict), now);
  bool asked = false;
  if (pass.gate.allowed) {
    if (pass.check.remediation_template.defined()) {
      co_await AskExternally(pass, machine, next);
    } else if (!machine.deleting()) {
      asked = capi::AskForRemediation(next, machine.meta.generation, now);
    }
  }
  auto written =
      co_await machines_.Patch(machine.meta, capi::StatusPatch(machine.status, next), "status");
  if (!written) {
    pass.Note(Failure(written.error()));
    co_return;
  }
  pass.newly_unhealthy |= !known;
  // Once for each time that it becomes so, not at each look.
  if ((!known || asked) && pass.gate.allowed) {
    Tell(capi::kMachineKind, machine.meta, kube::EventSeverity::kNormal, "MachineMarkedUnhealthy",
         fmt::format("Machine {} has been marked as unhealthy by MachineHealthCheck {}: {}",
                     machine.meta.key.name, pass.check.meta.key.name, shown.reason));
  }
}

Task<Result<Requeue>> HealthController::Report(Pass& pass) {
  const HealthCheckRecord& check = pass.check;
  const bool restricted = !pass.gate.allowed;
  const WallTime now = surroundings_.clock.Now();
  const capi::HealthCheckStatus next =
      capi::NextHealthCheckStatus(check,
                                  {.targets = pass.names,
                                   .healthy = pass.healthy,
                                   .gate = pass.gate,
                                   .succeeded = pass.result.has_value()},
                                  now);
  const bool was_restricted =
      capi::Is(check.status.conditions, types::kRemediationAllowed, capi::Truth::kFalse);
  CO_CHECK(co_await checks_.Patch(check.meta, capi::StatusPatch(check.status, next), "status"));
  const bool any_unhealthy = std::ranges::any_of(pass.decided, [](const Target& target) {
    return target.verdict.health == Health::kUnhealthy;
  });
  // When it begins, and when it holds up one more; not at each look.
  if (restricted && any_unhealthy && (!was_restricted || pass.newly_unhealthy)) {
    Tell(capi::kHealthCheckKind, check.meta, kube::EventSeverity::kWarning, "RemediationRestricted",
         capi::TooManyUnhealthy(check, static_cast<int>(pass.names.size()), pass.gate));
  }
  if (!pass.result) co_return Failure(pass.result.error());
  if (pass.check_again) co_return Requeue::After(WaitFor(now + *pass.check_again, now));
  co_return Requeue::WhenChanged();
}

void HealthController::Tell(std::string_view kind, const kube::Meta& about,
                            kube::EventSeverity severity, std::string reason, std::string message) {
  surroundings_.events.Record(
      {.about = {std::string(capi::kApiVersion), std::string(kind), about.key, about.uid},
       .severity = severity,
       .reason = std::move(reason),
       .message = std::move(message),
       .action = {}});
}

}  // namespace millwright::controllers::contract
