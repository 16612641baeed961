#include <boost/json/value.hpp>

#include "controllers/metrics/machine_gauges.h"
#include "controllers/metrics/shown_status.h"
#include "kube/api/json_text.h"

namespace millwright::controllers {

namespace json = boost::json;
using dialects::SetRecord;

namespace {

constexpr LabelNames kNamed{"name", "namespace"};

constexpr MetricInfo kItems{"mcm_machine_set_items_total", "Sets that there are."};
constexpr MetricInfo kInfo{"mcm_machine_set_info",
                           "What a set's machines are made of.",
                           {"name", "namespace", "createdAt", "spec_machine_class_api_group",
                            "spec_machine_class_kind", "spec_machine_class_name"}};
constexpr MetricInfo kReplicas{"mcm_machine_set_info_spec_replicas", "Machines wished.", kNamed};
constexpr MetricInfo kMinReady{"mcm_machine_set_info_spec_min_ready_seconds",
                               "How long a machine must be ready to be available.", kNamed};
constexpr MetricInfo kCondition{"mcm_machine_set_status_condition",
                                "1 True, 0 False, 2 Unknown.",
                                {"name", "namespace", "condition"}};
constexpr MetricInfo kFailed{"mcm_machine_set_failed_machines", "Machines whose last act failed.",
                             kFailedMachineLabels};
constexpr MetricInfo kAvailable{"mcm_machine_set_status_available_replicas", "Available machines.",
                                kNamed};
constexpr MetricInfo kLabelled{"mcm_machine_set_status_fully_labelled_replicas",
                               "Machines with all labels of the template.", kNamed};
constexpr MetricInfo kReady{"mcm_machine_set_status_ready_replicas", "Ready machines.", kNamed};
constexpr MetricInfo kSeen{"mcm_machine_set_status_replicas", "Machines there are.", kNamed};

}  // namespace

std::vector<prometheus::MetricFamily> CollectSets(const Caches& caches) {
  GaugeFamily items(kItems);
  GaugeFamily info(kInfo);
  GaugeFamily replicas(kReplicas);
  GaugeFamily min_ready(kMinReady);
  GaugeFamily condition(kCondition);
  GaugeFamily failed(kFailed);
  GaugeFamily available(kAvailable);
  GaugeFamily labelled(kLabelled);
  GaugeFamily ready(kReady);
  GaugeFamily seen(kSeen);
  items.Add({}, static_cast<double>(caches.sets.store().size()));
  for (const SetRecord& set : caches.sets.store().objects()) {
    const auto& [name_space, name] = set.meta.key;
    const json::value whole = ParseShown(set.machine_template.whole.view());
    info.Add({name, name_space, UnixSeconds(set.core.created),
              kube::GetString(whole, "spec.class.apiGroup"),
              kube::GetString(whole, "spec.class.kind"), kube::GetString(whole, "spec.class.name")},
             1);
    replicas.Add({name, name_space}, set.core.replicas);
    min_ready.Add({name, name_space}, set.min_ready_seconds);
    available.Add({name, name_space}, set.core.seen.available);
    labelled.Add({name, name_space}, set.core.seen.fully_labelled);
    ready.Add({name, name_space}, set.core.seen.ready);
    seen.Add({name, name_space}, set.core.seen.replicas);
    const json::value status = ParseShown(set.status.view());
    AddConditions(condition, set.meta.key, status);
    AddFailedMachines(failed, set.meta.key, status);
  }
  std::vector<prometheus::MetricFamily> all;
  for (GaugeFamily* family : {&items, &info, &replicas, &min_ready, &condition, &failed, &available,
                              &labelled, &ready, &seen}) {
    all.push_back(std::move(*family).Take());
  }
  return all;
}

}  // namespace millwright::controllers
