// Every name that Gardener's machine API gives to a mark on an object, stated once.
#pragma once

#include <string_view>

namespace millwright::dialects::gardener {

inline constexpr std::string_view kGroup = "machine.sapcloud.io";
inline constexpr std::string_view kVersion = "v1alpha1";
inline constexpr std::string_view kApiVersion = "machine.sapcloud.io/v1alpha1";

inline constexpr std::string_view kMachineKind = "Machine";
inline constexpr std::string_view kSetKind = "MachineSet";
inline constexpr std::string_view kDeploymentKind = "MachineDeployment";
inline constexpr std::string_view kClassKind = "MachineClass";

namespace finalizers {
inline constexpr std::string_view kObject = "machine.sapcloud.io/machine-controller-manager";
inline constexpr std::string_view kSecret = "machine.sapcloud.io/machine-controller";
inline constexpr std::string_view kNode = "node.machine.sapcloud.io/machine-controller";
}  // namespace finalizers

namespace labels {
// On machines.
inline constexpr std::string_view kNode = "node";
inline constexpr std::string_view kDeployment = "name";
inline constexpr std::string_view kForceDeletion = "force-deletion";
inline constexpr std::string_view kForceDrain = "force-drain";
// On sets, their templates, selectors and machines.
inline constexpr std::string_view kTemplateHash = "machine-template-hash";
// On sets and deployments.
inline constexpr std::string_view kFreeze = "freeze";
inline constexpr std::string_view kScaleUpDisabled = "node.machine.sapcloud.io/scale-up-disabled";
// On nodes.
inline constexpr std::string_view kMachineName = "node.gardener.cloud/machine-name";
inline constexpr std::string_view kCandidate = "node.machine.sapcloud.io/candidate-for-update";
inline constexpr std::string_view kSelected = "node.machine.sapcloud.io/selected-for-update";
// On nodes, and for a while on machines.
inline constexpr std::string_view kUpdateResult = "node.machine.sapcloud.io/update-result";
}  // namespace labels

namespace annotations {
// On machines.
inline constexpr std::string_view kPriority = "machinepriority.machine.sapcloud.io";
inline constexpr std::string_view kMarkedTime = "machine.sapcloud.io/marked-for-deletion-time";
inline constexpr std::string_view kAppliedNodePreserve =
    "node.machine.sapcloud.io/last-applied-node-preserve-value";
// On deployments, and from there on sets and machines.
inline constexpr std::string_view kTriggerDeletion =
    "node.machine.sapcloud.io/trigger-deletion-by-mcm";
inline constexpr std::string_view kScalerTime =
    "machine.sapcloud.io/last-deployment-replica-change-by-scaler-time";
inline constexpr std::string_view kCreationTimeout =
    "node.machine.sapcloud.io/effective-creation-timeout";
// On sets and deployments.
inline constexpr std::string_view kUnfreeze = "safety.machine.sapcloud.io/unfreeze";
inline constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr std::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr std::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";
inline constexpr std::string_view kPreferNoSchedule =
    "deployment.machine.sapcloud.io/prefer-no-schedule";
// On machines and nodes.
inline constexpr std::string_view kPreserve = "node.machine.sapcloud.io/preserve";
// On nodes.
inline constexpr std::string_view kLastAppliedNodeTemplate =
    "node.machine.sapcloud.io/last-applied-anno-labels-taints";
inline constexpr std::string_view kLastAppliedCapacity =
    "node.machine.sapcloud.io/last-applied-virtual-capacity";
inline constexpr std::string_view kNotManaged = "node.machine.sapcloud.io/not-managed-by-mcm";
inline constexpr std::string_view kUpdateFailedReason =
    "node.machine.sapcloud.io/update-failed-reason";
inline constexpr std::string_view kScaleDownDisabled =
    "cluster-autoscaler.kubernetes.io/scale-down-disabled";
inline constexpr std::string_view kScaleDownDisabledByUs =
    "cluster-autoscaler.kubernetes.io/scale-down-disabled-by-mcm";
// kubectl's, which means nothing on another object.
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
// Ours, for what no field of the API can hold; small (state_note.h).
inline constexpr std::string_view kState = "millwright.dev/state";
}  // namespace annotations

namespace taints {
inline constexpr std::string_view kPreferNoSchedule =
    "deployment.machine.sapcloud.io/prefer-no-schedule";
inline constexpr std::string_view kPreserved = "node.machine.sapcloud.io/preserved";
inline constexpr std::string_view kNotReady = "node.gardener.cloud/critical-components-not-ready";
inline constexpr std::string_view kNoScheduleEffect = "NoSchedule";
inline constexpr std::string_view kPreferNoScheduleEffect = "PreferNoSchedule";
}  // namespace taints

namespace conditions {
// On nodes.
inline constexpr std::string_view kTerminating = "Terminating";
inline constexpr std::string_view kInPlaceUpdate = "InPlaceUpdate";
inline constexpr std::string_view kPreserved = "Preserved";
inline constexpr std::string_view kUpdateSuccessful = "UpdateSuccessful";  // a reason
// How a message of Preserved begins.
inline constexpr std::string_view kNodeDrained = "Preserved node drained successfully.";
inline constexpr std::string_view kNodeUndrained = "Preserved node could not be drained.";
// On sets and deployments.
inline constexpr std::string_view kReplicaFailure = "ReplicaFailure";
inline constexpr std::string_view kFrozen = "Frozen";
inline constexpr std::string_view kAvailable = "Available";
inline constexpr std::string_view kProgressing = "Progressing";
}  // namespace conditions

}  // namespace millwright::dialects::gardener
