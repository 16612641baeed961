#include <boost/json/value.hpp>

#include "controllers/metrics/machine_gauges.h"
#include "controllers/metrics/shown_status.h"

namespace millwright::controllers {

namespace json = boost::json;
using dialects::DeploymentRecord;

namespace {

constexpr LabelNames kNamed{"name", "namespace"};

constexpr MetricInfo kItems{"mcm_machine_deployment_items_total", "Deployments that there are."};
constexpr MetricInfo kInfo{"mcm_machine_deployment_info",
                           "How a deployment replaces machines.",
                           {"name", "namespace", "createdAt", "spec_strategy_type"}};
constexpr MetricInfo kCondition{"mcm_machine_deployment_status_condition",
                                "1 True, 0 False, 2 Unknown.",
                                {"name", "namespace", "condition"}};
constexpr MetricInfo kFailed{"mcm_machine_deployment_failed_machines",
                             "Machines whose last act failed.", kFailedMachineLabels};

// A gauge with one value for each deployment; none: it has no such value.
struct Simple {
  MetricInfo info;
  std::optional<double> (*value)(const DeploymentRecord&);
};

std::optional<double> Maybe(std::optional<double> value) { return value; }

constexpr Simple kSimple[] = {
    {{"mcm_machine_deployment_info_spec_paused", "1 if paused.", kNamed},
     [](const DeploymentRecord& d) { return Maybe(d.core.paused ? 1 : 0); }},
    {{"mcm_machine_deployment_info_spec_replicas", "Machines wished.", kNamed},
     [](const DeploymentRecord& d) { return Maybe(d.core.replicas); }},
    {{"mcm_machine_deployment_info_spec_min_ready_seconds",
      "How long a machine must be ready to be available.", kNamed},
     [](const DeploymentRecord& d) { return Maybe(d.min_ready_seconds); }},
    {{"mcm_machine_deployment_info_spec_rolling_update_max_surge",
      "Machines that a rollout may have more than wished.", kNamed},
     [](const DeploymentRecord& d) {
       return Maybe(d.core.max_surge.Resolve(d.core.replicas, core::Round::kUp));
     }},
    {{"mcm_machine_deployment_info_spec_rolling_update_max_unavailable",
      "Machines that a rollout may have fewer than wished.", kNamed},
     [](const DeploymentRecord& d) {
       return Maybe(d.core.max_unavailable.Resolve(d.core.replicas, core::Round::kDown));
     }},
    {{"mcm_machine_deployment_info_spec_revision_history_limit", "Old sets that are kept.", kNamed},
     [](const DeploymentRecord& d) {
       return d.core.history_limit ? Maybe(*d.core.history_limit) : std::nullopt;
     }},
    {{"mcm_machine_deployment_info_spec_progress_deadline_seconds",
      "How long a rollout may stand still.", kNamed},
     [](const DeploymentRecord& d) {
       return d.core.progress_deadline
                  ? Maybe(std::chrono::duration<double>(*d.core.progress_deadline).count())
                  : std::nullopt;
     }},
    {{"mcm_machine_deployment_info_spec_rollback_to_revision", "The revision to go back to.",
      kNamed},
     [](const DeploymentRecord& d) {
       return d.core.rollback_to ? Maybe(static_cast<double>(*d.core.rollback_to)) : std::nullopt;
     }},
    {{"mcm_machine_deployment_status_available_replicas", "Available machines.", kNamed},
     [](const DeploymentRecord& d) { return Maybe(d.seen.available); }},
    {{"mcm_machine_deployment_status_unavailable_replicas",
      "Machines that are missing or not available.", kNamed},
     [](const DeploymentRecord& d) {
       return Maybe(std::max(std::max(d.core.replicas, d.seen.replicas) - d.seen.available, 0));
     }},
    {{"mcm_machine_deployment_status_ready_replicas", "Ready machines.", kNamed},
     [](const DeploymentRecord& d) { return Maybe(d.seen.ready); }},
    {{"mcm_machine_deployment_status_updated_replicas", "Machines of the current template.",
      kNamed},
     [](const DeploymentRecord& d) { return Maybe(d.seen.updated); }},
    {{"mcm_machine_deployment_status_replicas", "Machines there are.", kNamed},
     [](const DeploymentRecord& d) { return Maybe(d.seen.replicas); }},
    {{"mcm_machine_deployment_status_collision_count", "Names of sets that were taken.", kNamed},
     [](const DeploymentRecord& d) { return Maybe(d.collision_count); }},
};

std::string_view StrategyName(core::Strategy strategy) {
  switch (strategy) {
    case core::Strategy::kRollingUpdate: return "RollingUpdate";
    case core::Strategy::kRecreate: return "Recreate";
    case core::Strategy::kOnDelete: return "OnDelete";
    case core::Strategy::kInPlaceAuto:
    case core::Strategy::kInPlaceManual: return "InPlaceUpdate";
  }
  return "";
}

}  // namespace

std::vector<prometheus::MetricFamily> CollectDeployments(const Caches& caches) {
  GaugeFamily items(kItems);
  GaugeFamily info(kInfo);
  GaugeFamily condition(kCondition);
  GaugeFamily failed(kFailed);
  items.Add({}, static_cast<double>(caches.deployments.store().size()));
  for (const DeploymentRecord& deployment : caches.deployments.store().objects()) {
    const auto& [name_space, name] = deployment.meta.key;
    info.Add(
        {name, name_space, UnixSeconds(deployment.created), StrategyName(deployment.core.strategy)},
        1);
    const json::value status = ParseShown(deployment.status.view());
    AddConditions(condition, deployment.meta.key, status);
    AddFailedMachines(failed, deployment.meta.key, status);
  }
  std::vector<prometheus::MetricFamily> all;
  for (GaugeFamily* family : {&items, &info, &condition, &failed}) {
    all.push_back(std::move(*family).Take());
  }
  for (const Simple& simple : kSimple) {
    GaugeFamily family(simple.info);
    for (const DeploymentRecord& deployment : caches.deployments.store().objects()) {
      const auto& [name_space, name] = deployment.meta.key;
      if (const auto value = simple.value(deployment)) family.Add({name, name_space}, *value);
    }
    all.push_back(std::move(family).Take());
  }
  return all;
}

}  // namespace millwright::controllers
