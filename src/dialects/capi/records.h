// The objects of Cluster API as controllers see them. What is wished and what is shown are apart:
// a controller computes the next status as a value and writes where the two differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/amount.h"
#include "core/node/sync.h"
#include "dialects/capi/condition.h"
#include "kube/api/labels.h"
#include "kube/api/owner_reference.h"
#include "kube/projection/meta.h"
#include "kube/projection/text_pool.h"

namespace millwright::dialects::capi {

// Another object of the same namespace, of whatever version its definition serves.
struct Reference {
  std::string kind;
  std::string name;
  std::string group;

  bool defined() const { return !kind.empty(); }
  friend auto operator<=>(const Reference&, const Reference&) = default;
};

// What every object has.
struct Header {
  kube::Meta meta;
  WallTime created{};
  kube::Labels labels;
  kube::Labels annotations;
  std::vector<kube::OwnerReference> owners;
  std::vector<std::string> finalizers;

  bool deleting() const { return meta.deleting_since.has_value(); }
  friend bool operator==(const Header&, const Header&) = default;
};

struct ReadinessGate {
  std::string type;
  bool negative = false;
  friend bool operator==(const ReadinessGate&, const ReadinessGate&) = default;
};

// Fields that a set hands to its machines without replacing them.
struct HandedDown {
  std::optional<int> min_ready_seconds;
  std::vector<ReadinessGate> readiness_gates;
  std::optional<int> drain_timeout_seconds;
  std::optional<int> volume_timeout_seconds;
  std::optional<int> node_deletion_timeout_seconds;
  std::vector<core::WantedTaint> taints;
  friend bool operator==(const HandedDown&, const HandedDown&) = default;
};

struct MachineSpec {
  std::string cluster;
  Reference bootstrap;                     // undefined: there is none
  std::optional<std::string> data_secret;  // "" is not the same as none
  Reference infrastructure;
  std::string version;
  std::string provider_id;
  std::string failure_domain;
  HandedDown handed_down;
  friend bool operator==(const MachineSpec&, const MachineSpec&) = default;
};

// A template as it is wished by a set or a deployment.
struct MachineTemplate {
  kube::Labels labels;
  kube::Labels annotations;
  MachineSpec spec;
  friend bool operator==(const MachineTemplate&, const MachineTemplate&) = default;
};

// Times at which stages of a deletion were first entered.
struct DeletionTimes {
  std::optional<WallTime> drain;
  std::optional<WallTime> volumes;
  std::optional<WallTime> pre_drain_hook;
  std::optional<WallTime> pre_terminate_hook;
  friend bool operator==(const DeletionTimes&, const DeletionTimes&) = default;
};

struct MachineStatus {
  Conditions conditions;
  std::optional<bool> infrastructure_provisioned;
  std::optional<bool> data_secret_created;
  std::string node;            // nodeRef.name
  kube::SharedText node_info;  // JSON, canonical
  std::optional<WallTime> last_updated;
  kube::SharedText addresses;  // JSON, canonical
  std::string failure_domain;
  std::string phase;
  std::optional<WallTime> certificates_expiry;
  std::int64_t observed_generation = 0;
  DeletionTimes deletion;
  LegacyConditions legacy_conditions;
  std::string legacy_failure_reason;
  std::string legacy_failure_message;
  friend bool operator==(const MachineStatus&, const MachineStatus&) = default;
};

struct MachineRecord : Header {
  MachineSpec spec;
  MachineStatus status;
  kube::SharedText applied;  // fieldsV1 that managers::kSet applied; empty: nothing
  friend bool operator==(const MachineRecord&, const MachineRecord&) = default;
};

struct VersionCount {
  std::string version;
  int replicas = 0;
  friend bool operator==(const VersionCount&, const VersionCount&) = default;
};

struct SetStatus {
  Conditions conditions;
  std::string selector;
  std::optional<int> replicas;
  std::optional<int> ready;
  std::optional<int> available;
  std::optional<int> up_to_date;
  std::vector<VersionCount> versions;
  std::int64_t observed_generation = 0;
  LegacyConditions legacy_conditions;
  int legacy_fully_labeled = 0;
  int legacy_ready = 0;
  int legacy_available = 0;
  std::string legacy_failure_reason;
  std::string legacy_failure_message;
  friend bool operator==(const SetStatus&, const SetStatus&) = default;
};

struct SetSpec {
  std::string cluster;
  std::optional<int> replicas;
  kube::LabelSelector selector;
  std::string selector_problem;  // it does not parse, or is no plain map of labels
  kube::Labels selector_labels;  // the same as a map
  MachineTemplate machine_template;
  std::string naming;  // machineNaming.template; empty: the usual
  std::string order;   // deletion.order as written
  friend bool operator==(const SetSpec&, const SetSpec&) = default;
};

struct SetRecord : Header {
  SetSpec spec;
  SetStatus status;
  kube::SharedText template_text;  // spec.template as written
  kube::SharedText applied;        // fieldsV1 that managers::kDeployment applied
  friend bool operator==(const SetRecord&, const SetRecord&) = default;
};

struct DeploymentStatus {
  Conditions conditions;
  std::string selector;
  std::optional<int> replicas;
  std::optional<int> ready;
  std::optional<int> available;
  std::optional<int> up_to_date;
  std::vector<VersionCount> versions;
  std::string phase;
  std::int64_t observed_generation = 0;
  LegacyConditions legacy_conditions;
  int legacy_updated = 0;
  int legacy_ready = 0;
  int legacy_available = 0;
  int legacy_unavailable = 0;
  friend bool operator==(const DeploymentStatus&, const DeploymentStatus&) = default;
};

struct DeploymentSpec {
  std::string cluster;
  std::optional<int> replicas;
  std::optional<WallTime> rollout_after;
  std::string strategy;  // RollingUpdate, OnDelete; as written
  std::optional<core::Amount> max_surge;
  std::optional<core::Amount> max_unavailable;
  std::optional<core::Amount> max_in_flight;  // of remediations
  std::string amount_problem;                 // one of the three is neither number nor percentage
  kube::LabelSelector selector;
  std::string selector_problem;
  kube::Labels selector_labels;
  MachineTemplate machine_template;
  std::string naming;
  std::string order;
  bool paused = false;
  friend bool operator==(const DeploymentSpec&, const DeploymentSpec&) = default;
};

struct DeploymentRecord : Header {
  DeploymentSpec spec;
  DeploymentStatus status;
  kube::SharedText template_text;  // spec.template as written
  friend bool operator==(const DeploymentRecord&, const DeploymentRecord&) = default;
};

struct UnhealthyCondition {
  std::string type;
  std::string status;
  int timeout_seconds = 0;
  friend bool operator==(const UnhealthyCondition&, const UnhealthyCondition&) = default;
};

struct HealthCheckStatus {
  Conditions conditions;
  std::optional<int> expected;
  std::optional<int> healthy;
  std::optional<int> remediations_allowed;
  std::int64_t observed_generation = 0;
  std::vector<std::string> targets;
  LegacyConditions legacy_conditions;
  friend bool operator==(const HealthCheckStatus&, const HealthCheckStatus&) = default;
};

struct HealthCheckRecord : Header {
  std::string cluster;
  kube::LabelSelector selector;
  std::string selector_problem;
  std::optional<int> startup_timeout_seconds;
  std::vector<UnhealthyCondition> node_conditions;
  std::vector<UnhealthyCondition> machine_conditions;
  std::optional<core::Amount> at_most;
  std::string at_most_problem;
  std::string range;  // "[2-5]"; empty: none
  Reference remediation_template;
  std::string remediation_template_version;  // it keeps one: it is outside the contract
  HealthCheckStatus status;
  friend bool operator==(const HealthCheckRecord&, const HealthCheckRecord&) = default;
};

// Selectors that are not written match everything.
struct DrainRuleMachines {
  kube::LabelSelector machines;
  kube::LabelSelector clusters;
  friend bool operator==(const DrainRuleMachines&, const DrainRuleMachines&) = default;
};
struct DrainRulePods {
  kube::LabelSelector pods;
  kube::LabelSelector namespaces;
  friend bool operator==(const DrainRulePods&, const DrainRulePods&) = default;
};

struct DrainRuleRecord {
  kube::Meta meta;
  std::string behavior;  // Drain, Skip, WaitCompleted; as written
  int order = 0;
  std::vector<DrainRuleMachines> machines;  // none: all
  std::vector<DrainRulePods> pods;          // none: all
  std::string problem;                      // a selector does not parse
  friend bool operator==(const DrainRuleRecord&, const DrainRuleRecord&) = default;
};

// None: nobody says.
struct ReplicaCounts {
  std::optional<int> desired;
  std::optional<int> replicas;
  std::optional<int> ready;
  std::optional<int> available;
  std::optional<int> up_to_date;
  friend bool operator==(const ReplicaCounts&, const ReplicaCounts&) = default;
};

struct ClusterStatus {
  Conditions conditions;
  std::optional<bool> infrastructure_provisioned;
  std::optional<bool> control_plane_initialized;
  kube::SharedText failure_domains;  // JSON list, canonical
  ReplicaCounts control_plane;
  ReplicaCounts workers;
  std::string phase;
  std::int64_t observed_generation = 0;
  LegacyConditions legacy_conditions;
  friend bool operator==(const ClusterStatus&, const ClusterStatus&) = default;
};

struct ClusterRecord : Header {
  bool paused = false;
  std::string endpoint_host;
  int endpoint_port = 0;
  Reference infrastructure;
  Reference control_plane;
  bool topology = false;
  std::string topology_version;
  std::vector<ReadinessGate> availability_gates;
  ClusterStatus status;
  friend bool operator==(const ClusterRecord&, const ClusterRecord&) = default;
};

// A provider's object, as far as the contracts say what it means. Both contracts' fields are read:
// which of them count is known from the definition (contract.h).
struct ExternalRecord : Header {
  std::string problem;  // a field has another type than the contract says

  // Of infrastructure.
  std::string provider_id;
  std::optional<std::string> wished_failure_domain;  // spec.failureDomain
  std::string failure_domain;                        // status.failureDomain
  kube::SharedText addresses;                        // JSON list, canonical; empty: not reported
  bool provisioned = false;                          // v1beta2
  bool interruptible = false;

  // Of bootstrap data.
  bool data_secret_created = false;  // v1beta2
  std::string data_secret;

  bool ready = false;  // v1beta1, of either
  std::string failure_reason;
  std::string failure_message;
  std::optional<Condition> ready_condition;  // status.v1beta2.conditions before status.conditions
  std::string conditions_problem;            // the list cannot be read

  // Of clusters' infrastructure.
  std::string endpoint_host;
  int endpoint_port = 0;
  kube::SharedText failure_domains;  // JSON as written: a list (v1beta2) or a map (v1beta1)

  // Of control planes.
  std::string version;                         // spec.version
  std::optional<std::string> running_version;  // status.version
  std::vector<std::string> running_versions;   // status.versions[].version
  bool initialized = false;                    // v1beta1: status.initialized
  bool control_plane_initialized = false;      // v1beta2
  bool externally_managed = false;
  // Of its machines; what cannot be read is not said, for not every control plane has machines.
  ReplicaCounts counts;
  std::optional<int> updated_replicas;      // v1beta1, for counts.up_to_date
  std::optional<int> unavailable_replicas;  // v1beta1, for counts.available
  Conditions summaries;  // Available, RollingOut, ScalingUp, ScalingDown, as far as it reports them

  kube::SharedText applied;           // fieldsV1 that managers::kSet applied
  kube::SharedText applied_metadata;  // and managers::kSetMetadata
  friend bool operator==(const ExternalRecord&, const ExternalRecord&) = default;
};

}  // namespace millwright::dialects::capi
