// Of one machine and of its provider's objects; contract_diagnosis.cc has those above it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/age.h"
#include "cli/contract_diagnosis.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/words.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace types = capi::types;
namespace reasons = capi::reasons;
using capi::Truth;

namespace {

using namespace std::chrono_literals;

// A controller that runs has acted by then.
constexpr Duration kPatience = 1min;

void Add(std::vector<Cause>& causes, std::string what, std::vector<Cause> because = {}) {
  causes.push_back({std::move(what), std::move(because)});
}

void Append(std::vector<Cause>& causes, std::vector<Cause> more) {
  std::ranges::move(more, std::back_inserter(causes));
}

std::string Named(const capi::Reference& reference) {
  return reference.kind + " " + reference.name;
}

// "for 5m", where somebody wrote when it began.
std::string Since(const capi::Condition& condition, WallTime now) {
  if (condition.since == WallTime()) return "";
  return " for " + AgeSince(condition.since, now);
}

// What a condition says besides its status.
std::vector<Cause> Words(const capi::Condition& condition) {
  std::vector<Cause> said = Bullets(condition.message);
  if (said.empty() && !condition.reason.empty()) Add(said, condition.reason);
  return said;
}

std::vector<Cause> WhyExternalStays(const capi::Reference& reference,
                                    const capi::ExternalRecord& object, WallTime now) {
  std::vector<Cause> causes;
  const auto& ready = object.ready_condition;
  if (ready && ready->status != Truth::kTrue) causes = Bullets(ready->message);
  for (const std::string& finalizer : object.finalizers) {
    Add(causes, fmt::format("finalizer {} is not taken off: its provider still works on it, or "
                            "does not run",
                            finalizer));
  }
  return {{fmt::format("{} is being deleted since {}", Named(reference),
                       AgeSince(*object.meta.deleting_since, now)),
           std::move(causes)}};
}

// The hooks that an annotation prefix names, each with whom its value names.
void AddHooks(const capi::MachineRecord& machine, std::string_view prefix, std::string_view when,
              std::vector<Cause>& causes) {
  for (const auto& [key, owner] : machine.annotations) {
    if (!key.starts_with(prefix)) continue;
    const std::string who = owner.empty() ? "whoever set it" : owner;
    Add(causes, fmt::format("hook {} holds it before {}: {} has to take the annotation off", key,
                            when, who));
  }
}

// When a stage that has a limit is over, whatever happens.
std::string Limit(std::optional<WallTime> started, std::optional<int> seconds, WallTime now) {
  if (!started || seconds.value_or(0) == 0) return "";
  const WallTime end = *started + std::chrono::seconds(*seconds);
  return end > now ? fmt::format("; it goes on without that in {}", ShortAge(end - now)) : "";
}

std::string StageLimit(const capi::MachineRecord& machine, std::string_view reason, WallTime now) {
  const capi::HandedDown& limits = machine.spec.handed_down;
  const capi::DeletionTimes& times = machine.status.deletion;
  if (reason == reasons::kDrainingNode) {
    return Limit(times.drain, limits.drain_timeout_seconds, now);
  }
  if (reason == reasons::kWaitingForVolumeDetach) {
    return Limit(times.volumes, limits.volume_timeout_seconds, now);
  }
  return "";
}

// Its provider asked for an instance, and does not know yet what came of it.
bool IsInDoubt(const ContractSeen& seen, const capi::MachineRecord& machine) {
  const ExternalView external = seen.Look(machine, machine.spec.infrastructure);
  return external.seen != nullptr &&
         external.seen->object.annotations.contains(capi::annotations::kInstanceInDoubt);
}

// Whom the present stage of a deletion waits for.
std::vector<Cause> StageCauses(const ContractSeen& seen, const capi::MachineRecord& machine,
                               const capi::Condition& deleting, WallTime now) {
  std::vector<Cause> causes;
  namespace marks = capi::annotations;
  if (deleting.reason == reasons::kWaitingForPreDrainHook) {
    AddHooks(machine, marks::kPreDrainHookPrefix, "its node is drained", causes);
  } else if (deleting.reason == reasons::kWaitingForPreTerminateHook) {
    AddHooks(machine, marks::kPreTerminateHookPrefix, "its instance is removed", causes);
  } else if (deleting.reason == reasons::kWaitingForInfrastructureDeletion) {
    causes = WhyNot(seen, machine, machine.spec.infrastructure, ExternalRole::kInfrastructure, now);
  } else if (deleting.reason == reasons::kWaitingForBootstrapDeletion) {
    causes = WhyNot(seen, machine, machine.spec.bootstrap, ExternalRole::kBootstrap, now);
  }
  if (causes.empty()) causes = Words(deleting);
  if (deleting.reason == reasons::kDeleting && IsInDoubt(seen, machine)) {
    Append(causes,
           WhyNot(seen, machine, machine.spec.infrastructure, ExternalRole::kInfrastructure, now));
  }
  return causes;
}

Cause Going(const ContractSeen& seen, const capi::MachineRecord& machine, WallTime now) {
  const Duration age = now - *machine.meta.deleting_since;
  std::string what = "it is being deleted since " + ShortAge(age);
  std::vector<Cause> because;
  const capi::Condition* deleting = capi::Find(machine.status.conditions, types::kDeleting);
  const bool told = deleting != nullptr && deleting->status == Truth::kTrue;
  if (told) {
    const std::string stage = StageOf(machine);
    if (!stage.empty()) what += ", now " + stage;
    what += StageLimit(machine, deleting->reason, now);
    because = StageCauses(seen, machine, *deleting, now);
  } else if (age > kPatience &&
             std::ranges::count(machine.finalizers, capi::finalizers::kMachine) > 0) {
    Add(because, "nobody acts on it: is the controller running?");
  }
  Append(because, HeldBy(machine.finalizers));
  return {std::move(what), std::move(because)};
}

// A part of a machine that a provider makes, as its condition shows it.
void AddPart(const ContractSeen& seen, const capi::MachineRecord& machine, std::string_view type,
             const capi::Reference& reference, ExternalRole role, std::string_view what,
             WallTime now, std::vector<Cause>& causes) {
  const capi::Condition* condition = capi::Find(machine.status.conditions, type);
  if (condition == nullptr || condition->status == Truth::kTrue) return;
  std::vector<Cause> because;
  if (reference.defined()) because = WhyNot(seen, machine, reference, role, now);
  if (because.empty()) because = Words(*condition);
  Add(causes, fmt::format("{}{}", what, Since(*condition, now)), std::move(because));
}

void AddUnlessTrue(const capi::MachineRecord& machine, std::string_view type, std::string_view what,
                   WallTime now, std::vector<Cause>& causes) {
  const capi::Condition* condition = capi::Find(machine.status.conditions, type);
  if (condition == nullptr || condition->status == Truth::kTrue) return;
  Add(causes, fmt::format("{}{}", what, Since(*condition, now)), Words(*condition));
}

void AddHealth(const capi::MachineRecord& machine, WallTime now, std::vector<Cause>& causes) {
  const bool instance = machine.status.infrastructure_provisioned.value_or(false);
  if (instance && machine.status.node.empty()) {
    AddUnlessTrue(machine, types::kNodeHealthy, "its instance is there, its node has not joined",
                  now, causes);
  } else if (instance) {
    AddUnlessTrue(machine, types::kNodeHealthy,
                  fmt::format("its node {} is not well", machine.status.node), now, causes);
  }
  AddUnlessTrue(machine, types::kHealthCheckSucceeded, "a health check does not let it pass", now,
                causes);
  AddUnlessTrue(machine, types::kOwnerRemediated, "it is to be replaced", now, causes);
  AddUnlessTrue(machine, types::kExternallyRemediated, "it is to be mended by somebody else", now,
                causes);
  for (const capi::ReadinessGate& gate : machine.spec.handed_down.readiness_gates) {
    const capi::Condition* condition = capi::Find(machine.status.conditions, gate.type);
    const Truth good = gate.negative ? Truth::kFalse : Truth::kTrue;
    if (condition != nullptr && condition->status == good) continue;
    Add(causes, fmt::format("its readiness gate {} is not passed", gate.type),
        condition == nullptr ? std::vector<Cause>{{"nobody has said anything about it", {}}}
                             : Words(*condition));
  }
}

// Between ready and available there may be a time to wait.
void AddWait(const capi::MachineRecord& machine, WallTime now, std::vector<Cause>& causes) {
  const capi::Condition* available = capi::Find(machine.status.conditions, types::kAvailable);
  const capi::Condition* ready = capi::Find(machine.status.conditions, types::kReady);
  if (available == nullptr || ready == nullptr) return;
  if (available->reason != reasons::kWaitingForMinReady) return;
  const auto wait = std::chrono::seconds(machine.spec.handed_down.min_ready_seconds.value_or(0));
  Add(causes, fmt::format("it is ready since {}, and counts as available after {}",
                          AgeSince(ready->since, now), ShortAge(wait)));
}

void AddSilence(const capi::MachineRecord& machine, WallTime now, std::vector<Cause>& causes) {
  if (!machine.status.conditions.empty()) return;
  if (now - machine.created > kPatience) {
    Add(causes, "nobody has acted on it: is the controller running?");
  } else {
    Add(causes, fmt::format("it is new ({})", AgeSince(machine.created, now)));
  }
}

}  // namespace

std::vector<Cause> HeldBy(const std::vector<std::string>& finalizers) {
  using namespace capi::finalizers;
  std::vector<Cause> causes;
  for (const std::string& finalizer : finalizers) {
    const bool ours = finalizer == kCluster || finalizer == kMachine || finalizer == kSet ||
                      finalizer == kDeployment || finalizer == "foregroundDeletion";
    if (ours) continue;
    Add(causes, fmt::format("finalizer {} of somebody else holds it: whoever set it has to "
                            "remove it",
                            finalizer));
  }
  return causes;
}

std::vector<Cause> WhyPaused(const capi::ClusterRecord* cluster, const capi::Header& object) {
  std::vector<Cause> causes;
  if (cluster != nullptr && cluster->paused) {
    Add(causes, fmt::format("Cluster {} is paused (spec.paused), and so is all of it",
                            cluster->meta.key.name));
  }
  if (object.annotations.contains(capi::annotations::kPaused)) {
    Add(causes, fmt::format("it is paused by the annotation {}", capi::annotations::kPaused));
  }
  return causes;
}

std::vector<Cause> WhyNot(const ContractSeen& seen, const capi::Header& from,
                          const capi::Reference& reference, ExternalRole role, WallTime now) {
  std::vector<Cause> causes;
  const ExternalView external = seen.Look(from, reference);
  if (external.seen == nullptr) {
    Add(causes, fmt::format("{} {}", Named(reference), external.why_not));
    return causes;
  }
  const capi::ExternalRecord& object = external.seen->object;
  if (object.deleting()) return WhyExternalStays(reference, object, now);
  const bool done = IsDone(*external.seen, role);
  const bool well = !object.ready_condition || object.ready_condition->status == Truth::kTrue;
  if (object.annotations.contains(capi::annotations::kPaused) && !done) {
    Add(causes, fmt::format("{} is paused by the annotation {}", Named(reference),
                            capi::annotations::kPaused));
  }
  if (!object.problem.empty()) {
    Add(causes, fmt::format("{} makes no sense: {}", Named(reference), object.problem));
  }
  if (!object.failure_message.empty()) {
    Add(causes, fmt::format("{} was given up by its provider: {}: {}", Named(reference),
                            object.failure_reason, object.failure_message));
  }
  if (!well) {
    Add(causes, fmt::format("{} says {}", Named(reference), object.ready_condition->reason),
        Bullets(object.ready_condition->message));
  }
  if (!causes.empty() || done) return causes;
  Add(causes, now - object.created > kPatience
                  ? fmt::format("{} is {} old, and its provider has said nothing: does the "
                                "controller of {} run?",
                                Named(reference), AgeSince(object.created, now), reference.group)
                  : fmt::format("{} is new ({})", Named(reference), AgeSince(object.created, now)));
  return causes;
}

std::vector<Cause> WhyNot(const ContractSeen& seen, const capi::MachineRecord& machine,
                          WallTime now) {
  const capi::ClusterRecord* cluster = seen.ClusterOf(machine, machine.spec.cluster);
  std::vector<Cause> causes = WhyPaused(cluster, machine);
  if (machine.deleting()) {
    causes.push_back(Going(seen, machine, now));
    return causes;
  }
  if (cluster == nullptr) {
    Add(causes, fmt::format("Cluster {} does not exist", machine.spec.cluster));
  } else if (!cluster->status.infrastructure_provisioned.value_or(false)) {
    Add(causes, fmt::format("Cluster {} is not provisioned yet", cluster->meta.key.name),
        WhyNot(seen, *cluster, cluster->infrastructure, ExternalRole::kClusterInfrastructure, now));
  } else {
    AddPart(seen, machine, types::kBootstrapReady, machine.spec.bootstrap, ExternalRole::kBootstrap,
            "its bootstrap data is not there", now, causes);
    AddPart(seen, machine, types::kInfrastructureReady, machine.spec.infrastructure,
            ExternalRole::kInfrastructure, "its instance is not provisioned, or not well", now,
            causes);
  }
  AddHealth(machine, now, causes);
  if (capi::Is(machine.status.conditions, types::kUpdating, Truth::kTrue)) {
    Add(causes, "it is being updated in place",
        Words(*capi::Find(machine.status.conditions, types::kUpdating)));
  }
  if (causes.empty()) AddWait(machine, now, causes);
  if (causes.empty()) AddSilence(machine, now, causes);
  return causes;
}

}  // namespace millwright::cli
