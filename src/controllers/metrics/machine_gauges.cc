#include "controllers/metrics/machine_gauges.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "controllers/metrics/families.h"

namespace millwright::controllers {

using dialects::MachineRecord;

namespace {

constexpr MetricInfo kItems{"mcm_machine_items_total", "Machines that there are."};
constexpr MetricInfo kFrozen{"mcm_machine_controller_frozen",
                             "1 while machines are left alone, as an API server is away."};
constexpr MetricInfo kPhase{"mcm_machine_current_status_phase",
                            "-4 Terminating, -3 Failed, -2 CrashLoopBackOff, -1 Unknown, 0 Pending "
                            "or other, 1 Running.",
                            {"name", "namespace"}};
constexpr MetricInfo kInfo{
    "mcm_machine_info",
    "What a machine is made of.",
    {"name", "namespace", "createdAt", "spec_provider_id", "spec_class_api_group",
     "spec_class_kind", "spec_class_name", "node_name"}};
constexpr MetricInfo kCondition{"mcm_machine_status_condition",
                                "Conditions of a machine's node: 1 True, 0 False, 2 Unknown.",
                                {"name", "namespace", "condition"}};

constexpr MetricInfo kLists{"mcm_reflector_lists_total", "Whole states asked for.", {"name"}};
constexpr MetricInfo kWatches{"mcm_reflector_watches_total", "Watches opened.", {"name"}};
constexpr MetricInfo kShortWatches{
    "mcm_reflector_short_watches_total", "Watches that ended because nothing came.", {"name"}};

std::vector<prometheus::MetricFamily> CollectReflectors(const Caches& caches) {
  CounterFamily lists(kLists);
  CounterFamily watches(kWatches);
  CounterFamily stalls(kShortWatches);
  const auto add = [&](std::string_view name, const kube::ReflectorStats& stats) {
    lists.Add({name}, static_cast<double>(stats.lists));
    watches.Add({name}, static_cast<double>(stats.watches));
    stalls.Add({name}, static_cast<double>(stats.stalls));
  };
  add("machines", caches.machines.stats());
  add("machinesets", caches.sets.stats());
  add("machinedeployments", caches.deployments.stats());
  add("machineclasses", caches.classes.stats());
  if (caches.nodes) add("nodes", caches.nodes->stats());
  std::vector<prometheus::MetricFamily> all;
  for (CounterFamily* family : {&lists, &watches, &stalls}) {
    all.push_back(std::move(*family).Take());
  }
  return all;
}

void Append(std::vector<prometheus::MetricFamily>& all,
            std::vector<prometheus::MetricFamily> more) {
  std::ranges::move(more, std::back_inserter(all));
}

}  // namespace

double PhaseNumber(core::Phase phase) {
  switch (phase) {
    case core::Phase::kDeleting: return -4;
    case core::Phase::kFailed: return -3;
    case core::Phase::kCreateFailing: return -2;
    case core::Phase::kUnhealthy: return -1;
    case core::Phase::kRunning: return 1;
    case core::Phase::kNew:
    case core::Phase::kProvisioning:
    case core::Phase::kJoining:
    case core::Phase::kAvailable:
    case core::Phase::kUpdating:
    case core::Phase::kUpdated:
    case core::Phase::kUpdateFailed: return 0;
  }
  return 0;
}

double ConditionNumber(std::string_view status) {
  if (status == "True") return 1;
  return status == "False" ? 0 : 2;
}

std::vector<prometheus::MetricFamily> CollectMachines(const Caches& caches, bool frozen) {
  GaugeFamily items(kItems);
  GaugeFamily is_frozen(kFrozen);
  GaugeFamily phase(kPhase);
  GaugeFamily info(kInfo);
  GaugeFamily condition(kCondition);
  items.Add({}, static_cast<double>(caches.machines.store().size()));
  is_frozen.Add({}, frozen ? 1 : 0);
  for (const MachineRecord& machine : caches.machines.store().objects()) {
    const auto& [name_space, name] = machine.meta.key;
    phase.Add({name, name_space}, PhaseNumber(machine.core.phase));
    info.Add({name, name_space, UnixSeconds(machine.core.created), machine.instance, "",
              machine.class_kind, machine.class_name, machine.node},
             1);
    for (const core::Condition& shown : machine.conditions.list()) {
      condition.Add({name, name_space, shown.type}, ConditionNumber(shown.status));
    }
  }
  std::vector<prometheus::MetricFamily> all;
  for (GaugeFamily* family : {&items, &is_frozen, &phase, &info, &condition}) {
    all.push_back(std::move(*family).Take());
  }
  return all;
}

std::vector<prometheus::MetricFamily> MachineGauges::Collect() const {
  std::vector<prometheus::MetricFamily> all;
  Append(all, CollectReflectors(caches_));
  if (loops_.machines) Append(all, CollectMachines(caches_, frozen_()));
  if (loops_.sets) Append(all, CollectSets(caches_));
  if (loops_.sets) Append(all, CollectDeployments(caches_));
  return all;
}

}  // namespace millwright::controllers
