#include "dialects/capi/status/cluster_status.h"

#include <algorithm>

#include <fmt/format.h>

#include "dialects/capi/names.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

Shown ShowInfrastructure(const ClusterRecord& cluster, const ClusterFacts& facts) {
  const std::string& kind = cluster.infrastructure.kind;
  const bool provisioned = cluster.status.infrastructure_provisioned.value_or(false);
  switch (facts.infrastructure.state) {
    case core::ObjectState::kNone:
      return {.status = Truth::kTrue, .reason = std::string(reasons::kReady)};
    case core::ObjectState::kFound:
      return Mirror(
          facts.infrastructure,
          {.ready = provisioned,
           .message = fmt::format("{} status.initialization.provisioned is false", kind)});
    case core::ObjectState::kUnreadable:
      return {.status = Truth::kUnknown,
              .reason = std::string(reasons::kInternalError),
              .message = std::string(kSeeLogs)};
    case core::ObjectState::kMissing: break;
  }
  if (!provisioned) {
    return {.status = Truth::kFalse,
            .reason = std::string(reasons::kObjectDoesNotExist),
            .message = fmt::format("{} does not exist", kind)};
  }
  return {.status = Truth::kFalse,
          .reason = std::string(reasons::kObjectDeleted),
          .message = fmt::format("{} has been deleted{}", kind,
                                 cluster.deleting() ? "" : " while the cluster still exists")};
}

Shown ShowInitialized(const ClusterRecord& cluster, const ClusterFacts& facts) {
  if (facts.control_plane_initialized.value_or(false)) {
    return {.status = Truth::kTrue, .reason = "Initialized"};
  }
  switch (facts.control_plane.state) {
    case core::ObjectState::kUnreadable:
      return {.status = Truth::kUnknown,
              .reason = std::string(reasons::kInternalError),
              .message = std::string(kSeeLogs)};
    case core::ObjectState::kMissing:
      return {.status = Truth::kUnknown,
              .reason = std::string(reasons::kObjectDoesNotExist),
              .message = fmt::format("{} does not exist", cluster.control_plane.kind)};
    case core::ObjectState::kNone:
      return {.status = Truth::kFalse,
              .reason = "NotInitialized",
              .message =
                  "Waiting for the first control plane machine to have "
                  "status.nodeRef set"};
    case core::ObjectState::kFound: break;
  }
  return {.status = Truth::kFalse,
          .reason = "NotInitialized",
          .message = "Control plane not yet initialized"};
}

Shown ShowProbe(const ClusterRecord& cluster, const ClusterFacts& facts, WallTime now) {
  // Who has not asked yet has nothing to say against whoever asked before.
  const Condition* shown = Find(cluster.status.conditions, types::kRemoteConnectionProbe);
  if (shown != nullptr && !facts.last_probe && facts.probe_failures == 0) {
    return {.status = shown->status, .reason = shown->reason, .message = shown->message};
  }
  if (!facts.last_probe) {
    return {.status = Truth::kFalse,
            .reason = "ProbeFailed",
            .message = "Remote connection not established yet"};
  }
  if (now - *facts.last_probe > facts.probe_grace) {
    return {.status = Truth::kFalse,
            .reason = "ProbeFailed",
            .message = fmt::format("Last successful probe at {}", FormatTime(*facts.last_probe))};
  }
  return {.status = Truth::kTrue, .reason = "ProbeSucceeded"};
}

std::string ShowPhase(const ClusterRecord& cluster) {
  if (cluster.deleting()) return "Deleting";
  if (cluster.status.infrastructure_provisioned.value_or(false) && !cluster.endpoint_host.empty() &&
      cluster.endpoint_port != 0) {
    return "Provisioned";
  }
  if (cluster.infrastructure.defined() || cluster.control_plane.defined()) return "Provisioning";
  return cluster.status.phase.empty() ? "Pending" : cluster.status.phase;
}

LegacyShown Old(const Shown& shown, std::string_view reason) {
  if (shown.status == Truth::kTrue) return {.status = Truth::kTrue};
  return {.status = Truth::kFalse,
          .reason = std::string(reason),
          .severity = "Info",
          .message = shown.message};
}

}  // namespace

ClusterReport NextClusterStatus(const ClusterRecord& cluster, const ClusterFacts& facts,
                                WallTime now) {
  ClusterReport report{.status = cluster.status, .look_again = {}, .machines_due = {}};
  ClusterStatus& next = report.status;
  const std::int64_t generation = cluster.meta.generation;
  const auto put = [&](std::string_view type, const Shown& shown) {
    Set(next.conditions, type, shown, generation, now);
  };
  const Shown infrastructure = ShowInfrastructure(cluster, facts);
  put(types::kInfrastructureReady, infrastructure);
  Set(next.legacy_conditions, types::kInfrastructureReady,
      Old(infrastructure, "WaitingForInfrastructure"), now);
  // Once a control plane has begun to serve it stays so: the question is not asked again.
  if (!Is(next.conditions, types::kControlPlaneInitialized, Truth::kTrue)) {
    const Shown initialized = ShowInitialized(cluster, facts);
    put(types::kControlPlaneInitialized, initialized);
    Set(next.legacy_conditions, types::kControlPlaneInitialized,
        Old(initialized, "WaitingForControlPlaneProviderInitialized"), now);
  }
  put(types::kRemoteConnectionProbe, ShowProbe(cluster, facts, now));
  if (facts.last_probe && now - *facts.last_probe <= facts.probe_grace) {
    report.look_again = *facts.last_probe + facts.probe_grace + std::chrono::seconds(1);
  }
  put(types::kDeleting,
      facts.deleting.value_or(
          Shown{.status = Truth::kFalse, .reason = std::string(reasons::kNotDeleting)}));
  report.machines_due = AddClusterSummary(cluster, facts.family, now, next);
  put(types::kPaused, PausedShown(false, cluster, kClusterKind));
  const LegacyCondition* part = Find(next.legacy_conditions, types::kInfrastructureReady);
  if (const LegacyCondition* other = Find(next.legacy_conditions, types::kControlPlaneInitialized);
      part->status == Truth::kTrue && other != nullptr) {
    part = other;
  }
  Set(next.legacy_conditions, types::kReady,
      {.status = part->status,
       .reason = part->reason,
       .severity = part->severity,
       .message = part->message},
      now);
  next.phase = ShowPhase(cluster);
  if (facts.succeeded) next.observed_generation = generation;
  return report;
}

}  // namespace millwright::dialects::capi
