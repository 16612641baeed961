#include "controllers/contract/set/set_view.h"

#include <algorithm>
#include <array>

#include "controllers/contract/shared/belonging.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/machine_groups.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

namespace annotations = capi::annotations;
namespace types = capi::types;
using capi::Truth;

namespace {

bool Reports(const capi::MachineRecord& machine, std::string_view type, Truth status) {
  return capi::Is(machine.status.conditions, type, status);
}

struct NamedCheck {
  std::string_view name;
  core::PreflightCheck check;
};
constexpr std::array<NamedCheck, 4> kChecks = {{
    {"ControlPlaneIsStable", core::PreflightCheck::kControlPlaneIsStable},
    {"KubernetesVersionSkew", core::PreflightCheck::kVersionSkew},
    {"KubeadmVersionSkew", core::PreflightCheck::kBootstrapVersionSkew},
    {"ControlPlaneVersionSkew", core::PreflightCheck::kControlPlaneVersionSkew},
}};

// The checks that are made; those that users skip are taken out.
Result<std::set<core::PreflightCheck>> EnabledChecks(const PreflightScene& scene) {
  std::string_view skipped = Annotation(*scene.set, annotations::kSkipPreflight);
  if (skipped.empty() && scene.set->spec.machine_template.spec.bootstrap.defined()) {
    const ExternalLook& look = *scene.bootstrap_template;
    if (look.state != core::ObjectState::kFound) {
      return Fail(ErrorKind::kUnavailable, "the bootstrap template cannot be read: " + look.why);
    }
    skipped = Annotation(*look.object, annotations::kSkipPreflight);
  }
  std::set<core::PreflightCheck> enabled = scene.settings->preflight;
  for (const std::string& name : SplitList(skipped)) {
    if (name == "All") enabled.clear();
    for (const NamedCheck& check : kChecks) {
      if (check.name == name) enabled.erase(check.check);
    }
  }
  return enabled;
}

// A control plane that does not run what it is asked to run is on its way there.
bool IsUpgrading(const std::string& wished, const std::string& runs) {
  if (runs.empty() || runs == wished) return false;
  const auto to = core::ParseVersion(wished);
  const auto from = core::ParseVersion(runs);
  // Of one version in two builds nobody can tell which is newer, so it waits.
  return to && from && *to >= *from;
}

void DescribeControlPlane(const capi::ExternalRecord& object, core::PreflightView& view) {
  view.control_plane_version = object.version;
  std::vector<std::string> running = object.running_versions;
  if (running.empty() && object.running_version) running.push_back(*object.running_version);
  std::erase(running, std::string());
  view.control_plane_provisioning = running.empty();
  view.control_plane_upgrading = std::ranges::any_of(
      running, [&](const std::string& version) { return IsUpgrading(object.version, version); });
}

}  // namespace

core::Machine ViewOf(const capi::MachineRecord& machine) {
  core::Machine view;
  view.uid = machine.meta.uid;
  view.name = machine.meta.key.name;
  view.created = machine.created;
  view.deleting_since = machine.meta.deleting_since;
  view.has_node = !machine.status.node.empty();
  view.ready = Reports(machine, types::kReady, Truth::kTrue);
  view.available = Reports(machine, types::kAvailable, Truth::kTrue);
  view.up_to_date = Reports(machine, types::kUpToDate, Truth::kTrue);
  view.unhealthy = !view.has_node || Reports(machine, types::kNodeHealthy, Truth::kFalse) ||
                   Reports(machine, types::kHealthCheckSucceeded, Truth::kFalse);
  view.to_be_remediated = capi::IsToBeRemediated(machine);
  view.disposal.chosen = machine.annotations.contains(annotations::kDeleteMachine);
  view.in_place.updating = capi::IsUpdatingInPlace(machine);
  view.in_place.unacknowledged = capi::IsUnacknowledged(machine);
  return view;
}

core::MachineSet ViewOf(const capi::SetRecord& set) {
  core::MachineSet view;
  view.uid = set.meta.uid;
  view.name = set.meta.key.name;
  view.created = set.created;
  view.deleting = set.deleting();
  view.replicas = set.spec.replicas.value_or(0);
  view.seen = {.replicas = set.status.replicas.value_or(0),
               .ready = set.status.ready.value_or(0),
               .available = set.status.available.value_or(0),
               .up_to_date = set.status.up_to_date.value_or(0)};
  view.report_is_current = set.status.observed_generation >= set.meta.generation;
  view.creation_disabled = Annotation(set, annotations::kDisableCreate) == "true";
  view.moves_to = Annotation(set, annotations::kMovesTo);
  view.receives = !Annotation(set, annotations::kReceivesFrom).empty();
  return view;
}

core::ReplicaPolicy ReplicaPolicyOf(const capi::SetRecord& set) {
  using enum core::VictimKey;
  core::VictimOrder order{kDeleting, kChosen, kUpdating, kUnhealthy};
  if (set.spec.order == "Oldest") order.push_back(kOlder);
  if (set.spec.order == "Newest") order.push_back(kNewer);
  order.push_back(kName);
  return {
      .counts_deleting = true, .replaces_failed = false, .burst = {}, .victims = std::move(order)};
}

core::RemediationCandidate CandidateOf(const capi::MachineRecord& machine) {
  const capi::Condition* owner = capi::Find(machine.status.conditions, types::kOwnerRemediated);
  const bool asked = owner != nullptr && owner->status == Truth::kFalse;
  return {.name = machine.meta.key.name,
          .created = machine.created,
          .deleting = machine.deleting(),
          .unhealthy = Reports(machine, types::kHealthCheckSucceeded, Truth::kFalse),
          .healthy = Reports(machine, types::kHealthCheckSucceeded, Truth::kTrue),
          .asked_for = asked,
          .being_replaced = asked && owner->reason == capi::reasons::kMachineDeleting,
          .first = machine.annotations.contains(annotations::kRemediate)};
}

std::optional<int> MaxInFlight(const capi::DeploymentRecord* deployment) {
  if (deployment == nullptr || !deployment->spec.max_in_flight) return std::nullopt;
  return deployment->spec.max_in_flight->Resolve(deployment->spec.replicas.value_or(1),
                                                 core::Round::kUp);
}

bool IsCurrent(const capi::SetRecord& set, const capi::DeploymentRecord* deployment) {
  return deployment == nullptr ||
         Annotation(set, annotations::kRevision) == Annotation(*deployment, annotations::kRevision);
}

Result<std::vector<std::string>> CheckPreflight(const PreflightScene& scene) {
  std::vector<std::string> reasons;
  const capi::ClusterRecord& cluster = *scene.cluster;
  if (!scene.settings->preflight_checks || scene.settings->preflight.empty()) return reasons;
  if (!cluster.control_plane.defined()) return reasons;
  const capi::MachineSpec& wish = scene.set->spec.machine_template.spec;
  core::PreflightView view;
  TRY(view.enabled, EnabledChecks(scene));
  if (view.enabled.empty()) return reasons;
  const ExternalLook& look = *scene.control_plane;
  if (look.state != core::ObjectState::kFound) {
    return Fail(ErrorKind::kUnavailable, "the control plane cannot be read: " + look.why);
  }
  view.has_control_plane = true;
  DescribeControlPlane(*look.object, view);
  view.managed = scene.settings->topology && cluster.topology;
  view.managed_version = cluster.topology_version;
  view.upgrade_step = Annotation(cluster, annotations::kUpgradeStep);
  view.machine_version = wish.version;
  view.bootstrap_needs_same_minor = wish.bootstrap.kind == "KubeadmConfigTemplate" &&
                                    wish.bootstrap.group == "bootstrap.cluster.x-k8s.io";
  TRY(const std::vector<core::PreflightFailure> failures, core::CheckPreflight(view));
  for (const core::PreflightFailure& failure : failures) reasons.push_back(failure.why);
  return reasons;
}

}  // namespace millwright::controllers::contract
