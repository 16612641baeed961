#include "dialects/capi/status/cluster_summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "dialects/capi/names.h"
#include "dialects/capi/status/aggregate.h"
#include "dialects/capi/status/machine_groups.h"
#include "dialects/capi/status/mirror.h"
#include "dialects/capi/status/summary.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

constexpr std::string_view kNotAvailable = "NotAvailable";
constexpr std::string_view kAvailableUnknown = "AvailableUnknown";

void Add(std::optional<int>& sum, std::optional<int> count) {
  if (count) sum = sum.value_or(0) + *count;
}

// Who made a machine by hand wishes for one.
void AddMachine(ReplicaCounts& counts, const MachineRecord& machine) {
  const auto add_if = [&](std::optional<int>& sum, std::string_view type) {
    if (Is(machine.status.conditions, type, Truth::kTrue)) Add(sum, 1);
  };
  Add(counts.desired, 1);
  Add(counts.replicas, 1);
  add_if(counts.ready, types::kReady);
  add_if(counts.available, types::kAvailable);
  add_if(counts.up_to_date, types::kUpToDate);
}

void AddOwner(ReplicaCounts& counts, const auto& owner) {
  Add(counts.desired, owner.spec.replicas);
  Add(counts.replicas, owner.status.replicas);
  Add(counts.ready, owner.status.ready);
  Add(counts.available, owner.status.available);
  Add(counts.up_to_date, owner.status.up_to_date);
}

// Sums of what sets and deployments count already: their machines are not gone through again.
ReplicaCounts CountWorkers(const ClusterFamily& family) {
  ReplicaCounts counts;
  for (const DeploymentRecord* deployment : family.deployments) AddOwner(counts, *deployment);
  for (const SetRecord* set : family.sets) AddOwner(counts, *set);
  for (const MachineRecord* machine : family.loose) AddMachine(counts, *machine);
  return counts;
}

ReplicaCounts CountControlPlane(const ClusterRecord& cluster, const ClusterFamily& family) {
  ReplicaCounts counts;
  if (!cluster.control_plane.defined()) {
    for (const MachineRecord* machine : family.control_plane_machines) {
      AddMachine(counts, *machine);
    }
    return counts;
  }
  if (!family.control_plane_known) return cluster.status.control_plane;
  if (family.control_plane == nullptr) return counts;
  const ExternalRecord& object = *family.control_plane;
  counts = object.counts;
  if (family.is_v1beta2) return counts;
  counts.up_to_date = object.updated_replicas;
  counts.available.reset();
  if (counts.desired && object.unavailable_replicas) {
    counts.available = std::max(*counts.desired - *object.unavailable_replicas, 0);
  }
  return counts;
}

Shown NotKnown() {
  return {.status = Truth::kUnknown,
          .reason = std::string(reasons::kInternalError),
          .message = std::string(kSeeLogs)};
}

// Machines without an object for all of them: what they make up serves once the first has joined.
Shown ShowLooseControlPlane(bool initialized) {
  if (initialized) return {.status = Truth::kTrue, .reason = std::string(reasons::kAvailable)};
  return {.status = Truth::kFalse,
          .reason = std::string(kNotAvailable),
          .message = "Waiting for the first control plane machine to have status.nodeRef set"};
}

Shown ShowControlPlane(const ClusterRecord& cluster, const ClusterFamily& family) {
  const std::string& kind = cluster.control_plane.kind;
  const bool initialized = cluster.status.control_plane_initialized.value_or(false);
  if (!cluster.control_plane.defined()) return ShowLooseControlPlane(initialized);
  if (!family.control_plane_known) return NotKnown();
  if (family.control_plane != nullptr) {
    SeenExternal seen{.state = core::ObjectState::kFound,
                      .ready = {},
                      .conditions_problem = family.control_plane->conditions_problem};
    const Conditions& reported = family.control_plane->summaries;
    if (const Condition* available = Find(reported, types::kAvailable)) seen.ready = *available;
    return Mirror(seen, {.ready = initialized,
                         .message = fmt::format(
                             "{} status.initialization.controlPlaneInitialized is false", kind),
                         .yes = reasons::kAvailable,
                         .no = kNotAvailable});
  }
  if (!initialized) {
    return {.status = Truth::kFalse,
            .reason = std::string(reasons::kObjectDoesNotExist),
            .message = fmt::format("{} does not exist", kind)};
  }
  return {.status = Truth::kFalse,
          .reason = std::string(reasons::kObjectDeleted),
          .message = fmt::format("{} has been deleted{}", kind,
                                 cluster.deleting() ? "" : " while the cluster still exists")};
}

AggregateInput InputFrom(const std::string& name, const Conditions& conditions,
                         std::string_view type, bool negative) {
  AggregateInput input{.name = name};
  if (const Condition* condition = Find(conditions, type)) {
    input.weight = WeightOf(condition->status, negative);
    input.message = condition->message;
  } else {
    input.weight = Weight::kUnknown;
    input.message = fmt::format("Condition {} not yet reported", type);
  }
  return input;
}

std::vector<AggregateInput> InputsFrom(const auto& objects, std::string_view type, bool negative) {
  std::vector<AggregateInput> inputs;
  for (const auto* object : objects) {
    inputs.push_back(InputFrom(object->meta.key.name, object->status.conditions, type, negative));
  }
  return inputs;
}

Shown ShowWorkers(const ClusterFamily& family) {
  if (family.deployments.empty()) return {.status = Truth::kTrue, .reason = "NoWorkers"};
  Summary summary =
      Aggregate(InputsFrom(family.deployments, types::kAvailable, false), kDeploymentKind);
  std::string_view reason = reasons::kAvailable;
  if (summary.status == Truth::kFalse) reason = kNotAvailable;
  if (summary.status == Truth::kUnknown) reason = kAvailableUnknown;
  return {.status = summary.status,
          .reason = std::string(reason),
          .message = std::move(summary.message)};
}

// RollingOut, ScalingUp, ScalingDown: true if it is of anything. A control plane counts if it says.
Shown ShowActivity(const ClusterRecord& cluster, const ClusterFamily& family, std::string_view type,
                   bool with_sets) {
  if (cluster.control_plane.defined() && !family.control_plane_known) return NotKnown();
  std::vector<AggregateInput> planes;
  if (family.control_plane != nullptr && Find(family.control_plane->summaries, type) != nullptr) {
    planes.push_back(InputFrom(family.control_plane->meta.key.name, family.control_plane->summaries,
                               type, true));
  }
  const auto deployments = InputsFrom(family.deployments, type, true);
  std::vector<AggregateInput> sets;
  if (with_sets) sets = InputsFrom(family.sets, type, true);
  std::vector<AggregateGroup> kinds = {
      {cluster.control_plane.kind, planes}, {kDeploymentKind, deployments}, {kSetKind, sets}};
  std::ranges::sort(kinds, {}, &AggregateGroup::kind);
  Summary summary = Aggregate(kinds);
  Shown shown{.status = Truth::kFalse, .reason = fmt::format("Not{}", type)};
  if (summary.status == Truth::kFalse) {
    shown = {.status = Truth::kTrue, .reason = std::string(type)};
  } else if (summary.status == Truth::kUnknown) {
    shown = {.status = Truth::kUnknown, .reason = fmt::format("{}Unknown", type)};
  }
  shown.message = std::move(summary.message);
  return shown;
}

// What is expected to be gone says nothing more about a cluster that goes.
bool IsExpectedToGo(const Condition& condition) {
  return condition.reason == reasons::kObjectDeleted ||
         condition.reason == reasons::kObjectDoesNotExist;
}

Shown ShowAvailable(const ClusterRecord& cluster, const Conditions& conditions) {
  std::vector<SummaryInput> inputs = {InputOf(conditions, types::kDeleting, true),
                                      InputOf(conditions, types::kRemoteConnectionProbe, false)};
  for (std::string_view type : {types::kInfrastructureReady, types::kControlPlaneAvailable}) {
    SummaryInput input = InputOf(conditions, type, false);
    const Condition* condition = Find(conditions, type);
    if (cluster.deleting() && condition != nullptr && IsExpectedToGo(*condition)) {
      input.weight = Weight::kInfo;
    }
    inputs.push_back(std::move(input));
  }
  inputs.push_back(InputOf(conditions, types::kWorkersAvailable, false));
  for (const ReadinessGate& gate : cluster.availability_gates) {
    inputs.push_back(InputOf(conditions, gate.type, gate.negative));
  }
  Summary summary = Summarize(inputs);
  std::string_view reason = reasons::kAvailable;
  if (summary.status == Truth::kFalse) reason = kNotAvailable;
  if (summary.status == Truth::kUnknown) reason = kAvailableUnknown;
  return {.status = summary.status,
          .reason = std::string(reason),
          .message = std::move(summary.message)};
}

}  // namespace

std::optional<WallTime> AddClusterSummary(const ClusterRecord& cluster, const ClusterFamily& family,
                                          WallTime now, ClusterStatus& next) {
  std::optional<WallTime> look_again;
  const auto put = [&](std::string_view type, const Shown& shown) {
    Set(next.conditions, type, shown, cluster.meta.generation, now);
  };
  const auto put_up_to_date = [&](std::string_view type, MachineList machines) {
    const UpToDateGroup group = ShowMachinesUpToDate(machines, now);
    put(type, group.shown);
    if (!group.look_again) return;
    look_again = look_again ? std::min(*look_again, *group.look_again) : *group.look_again;
  };
  next.control_plane = CountControlPlane(cluster, family);
  next.workers = CountWorkers(family);
  put(types::kControlPlaneAvailable, ShowControlPlane(cluster, family));
  put(types::kWorkersAvailable, ShowWorkers(family));
  put(types::kControlPlaneMachinesReady, ShowMachinesReady(family.control_plane_machines));
  put(types::kWorkerMachinesReady, ShowMachinesReady(family.workers));
  put_up_to_date(types::kControlPlaneMachinesUpToDate, family.control_plane_machines);
  put_up_to_date(types::kWorkerMachinesUpToDate, family.workers);
  put(types::kRollingOut, ShowActivity(cluster, family, types::kRollingOut, false));
  put(types::kScalingUp, ShowActivity(cluster, family, types::kScalingUp, true));
  put(types::kScalingDown, ShowActivity(cluster, family, types::kScalingDown, true));
  std::vector<const MachineRecord*> all = family.control_plane_machines;
  all.insert(all.end(), family.workers.begin(), family.workers.end());
  put(types::kRemediating, ShowRemediating(all, ""));
  put(types::kAvailable, ShowAvailable(cluster, next.conditions));
  return look_again;
}

}  // namespace millwright::dialects::capi
