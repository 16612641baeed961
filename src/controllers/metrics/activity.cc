#include "controllers/metrics/activity.h"

#include <cmath>

#include "controllers/metrics/shown_status.h"
#include "kube/api/json_text.h"

namespace millwright::controllers {

using dialects::MachineRecord;
using providers::CloudCall;

namespace {

constexpr LabelNames kOfService{"provider", "service"};
constexpr LabelNames kOfOperation{"provider", "operation"};
constexpr LabelNames kOfPlace{"namespace", "machine_deployment", "instance_type", "zone"};

constexpr MetricInfo kRequests{"mcm_cloud_api_requests_total", "Calls to a cloud.", kOfService};
constexpr MetricInfo kFailedRequests{"mcm_cloud_api_requests_failed_total",
                                     "Calls to a cloud that failed.", kOfService};
constexpr MetricInfo kRequestDuration{"mcm_cloud_api_api_request_duration_seconds",
                                      "Seconds that a call to a cloud took.", kOfService,
                                      MetricKind::kHistogram};
constexpr MetricInfo kDriverDuration{"mcm_cloud_api_driver_request_duration_seconds",
                                     "Seconds that an operation took.", kOfOperation,
                                     MetricKind::kHistogram};
constexpr MetricInfo kDriverFailed{"mcm_cloud_api_driver_requests_failed_total",
                                   "Operations that failed.",
                                   {"provider", "operation", "error_code"}};

constexpr MetricInfo Took(std::string_view name, std::string_view help) {
  return {name, help, kOfPlace, MetricKind::kGauge};
}
constexpr MetricInfo kCreate =
    Took("mcm_machine_create_duration_seconds", "Seconds that the last instance took to be made.");
constexpr MetricInfo kInitialize = Took("mcm_machine_initialize_duration_seconds",
                                        "Seconds that the last instance took to be initialized.");
constexpr MetricInfo kJoin =
    Took("mcm_machine_join_duration_seconds", "Seconds from the last machine's wish to its node.");
constexpr MetricInfo kRemove = Took("mcm_machine_delete_duration_seconds",
                                    "Seconds that the last instance took to be removed.");
constexpr MetricInfo kDrain{"mcm_machine_drain_duration_seconds",
                            "Seconds from the last machine's deletion until its node was empty.",
                            {"namespace", "machine_deployment"},
                            MetricKind::kGauge};
constexpr MetricInfo kFailedJoin{"mcm_machine_num_failed_join",
                                 "Machines whose node did not come in time.", kOfPlace};
constexpr MetricInfo kStale{"mcm_machine_stale_machines_total",
                            "Failed machines that were removed."};

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

std::string_view OperationName(CloudCall call) {
  switch (call) {
    case CloudCall::kCreate: return "create_machine";
    case CloudCall::kGet: return "get_machine_status";
    case CloudCall::kInitialize: return "initialize_machine";
    case CloudCall::kRemove: return "delete_machine";
    case CloudCall::kList: return "list_machines";
    case CloudCall::kVolumeIds: return "get_volume_ids";
  }
  return "";
}

Activity::Activity(Metrics& metrics, const Surroundings& surroundings, Caches& caches)
    : surroundings_(surroundings),
      caches_(caches),
      requests_(metrics.Counter(kRequests)),
      failed_requests_(metrics.Counter(kFailedRequests)),
      request_duration_(metrics.Histogram(kRequestDuration, kDefaultBuckets)),
      driver_duration_(metrics.Histogram(kDriverDuration, kDefaultBuckets)),
      driver_failed_(metrics.Counter(kDriverFailed)),
      create_(metrics.Gauge(kCreate)),
      initialize_(metrics.Gauge(kInitialize)),
      join_(metrics.Gauge(kJoin)),
      remove_(metrics.Gauge(kRemove)),
      drain_(metrics.Gauge(kDrain)),
      failed_join_(metrics.Counter(kFailedJoin)),
      stale_(metrics.Counter(kStale).With()) {
  caches.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    OnMachine(before, after);
  });
}

std::optional<Activity::Place> Activity::PlaceOf(const MachineRecord& machine) const {
  const Text* deployment = machine.labels.Find(surroundings_.dialect.names().deployment_label);
  if (deployment == nullptr) return std::nullopt;
  Place place{.namespace_ = machine.meta.key.namespace_, .deployment = *deployment};
  const dialects::ClassRecord* of =
      caches_.classes.store().Find({machine.meta.key.namespace_, machine.class_name});
  if (of != nullptr) place.instance_type = of->instance_type;
  const boost::json::value wish = ParseShown(machine.node_template.view());
  if (const boost::json::object* labels = kube::GetObject(wish, "metadata.labels")) {
    const boost::json::value* zone = labels->if_contains("topology.kubernetes.io/zone");
    if (zone != nullptr && zone->is_string()) place.zone = zone->get_string();
  }
  return place;
}

void Activity::Set(Gauges& gauges, const Place& place, Duration took) {
  gauges.With({place.namespace_, place.deployment, place.instance_type, place.zone})
      .Set(std::round(Seconds(took)));
}

void Activity::OnCloudCall(const providers::CloudCallReport& report) {
  const std::string_view operation = OperationName(report.call);
  requests_.With({report.provider, operation}).Increment();
  request_duration_.With({report.provider, operation}).Observe(Seconds(report.took));
  driver_duration_.With({report.provider, operation}).Observe(Seconds(report.took));
  if (report.error != nullptr) {
    const auto code = providers::CodeOf(*report.error).value_or(core::CloudCode::kUnknown);
    failed_requests_.With({report.provider, operation}).Increment();
    driver_failed_.With({report.provider, operation, ToString(code)}).Increment();
    return;
  }
  if (report.machine == nullptr) return;
  const MachineRecord* machine =
      caches_.machines.store().Find({report.machine->namespace_, report.machine->name});
  if (machine == nullptr) return;
  const auto place = PlaceOf(*machine);
  if (!place) return;
  if (report.call == CloudCall::kCreate) Set(create_, *place, report.took);
  if (report.call == CloudCall::kInitialize) Set(initialize_, *place, report.took);
  if (report.call != CloudCall::kRemove) return;
  Set(remove_, *place, report.took);
  // Instances are removed as soon as their nodes are empty.
  if (!machine->meta.deleting_since || machine->node.empty()) return;
  const Duration drained = surroundings_.clock.Now() - *machine->meta.deleting_since - report.took;
  drain_.With({place->namespace_, place->deployment})
      .Set(std::round(std::max(Seconds(drained), 0.0)));
}

void Activity::OnMachine(const MachineRecord* before, const MachineRecord* after) {
  if (before == nullptr) return;
  const bool was_failed = before->core.phase == core::Phase::kFailed;
  const bool goes = after == nullptr || after->core.IsDeleting();
  if (was_failed && goes && !before->core.IsDeleting()) stale_.Increment();
  if (after == nullptr || before->core.phase != core::Phase::kJoining) return;
  const bool joined = after->core.phase == core::Phase::kRunning;
  const bool failed = after->core.phase == core::Phase::kFailed;
  if (!joined && !failed) return;
  const auto place = PlaceOf(*after);
  if (!place) return;
  if (joined) Set(join_, *place, surroundings_.clock.Now() - after->core.created);
  if (!failed) return;
  failed_join_.With({place->namespace_, place->deployment, place->instance_type, place->zone})
      .Increment();
}

}  // namespace millwright::controllers
