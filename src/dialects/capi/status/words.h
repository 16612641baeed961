// Types and reasons of conditions. Others read these texts, so they are stated once, here.
#pragma once

#include <string_view>

namespace millwright::dialects::capi {

namespace types {
inline constexpr std::string_view kAvailable = "Available";
inline constexpr std::string_view kReady = "Ready";
inline constexpr std::string_view kUpToDate = "UpToDate";
inline constexpr std::string_view kBootstrapReady = "BootstrapConfigReady";
inline constexpr std::string_view kInfrastructureReady = "InfrastructureReady";
inline constexpr std::string_view kNodeHealthy = "NodeHealthy";
inline constexpr std::string_view kNodeReady = "NodeReady";
inline constexpr std::string_view kHealthCheckSucceeded = "HealthCheckSucceeded";
inline constexpr std::string_view kOwnerRemediated = "OwnerRemediated";
inline constexpr std::string_view kExternallyRemediated = "ExternallyRemediated";
inline constexpr std::string_view kUpdating = "Updating";
inline constexpr std::string_view kRollingOut = "RollingOut";
inline constexpr std::string_view kRemediating = "Remediating";
inline constexpr std::string_view kScalingDown = "ScalingDown";
inline constexpr std::string_view kScalingUp = "ScalingUp";
inline constexpr std::string_view kMachinesReady = "MachinesReady";
inline constexpr std::string_view kMachinesUpToDate = "MachinesUpToDate";
inline constexpr std::string_view kPaused = "Paused";
inline constexpr std::string_view kDeleting = "Deleting";
inline constexpr std::string_view kRemediationAllowed = "RemediationAllowed";
inline constexpr std::string_view kControlPlaneInitialized = "ControlPlaneInitialized";
inline constexpr std::string_view kRemoteConnectionProbe = "RemoteConnectionProbe";
inline constexpr std::string_view kControlPlaneAvailable = "ControlPlaneAvailable";
inline constexpr std::string_view kWorkersAvailable = "WorkersAvailable";
inline constexpr std::string_view kControlPlaneMachinesReady = "ControlPlaneMachinesReady";
inline constexpr std::string_view kWorkerMachinesReady = "WorkerMachinesReady";
inline constexpr std::string_view kControlPlaneMachinesUpToDate = "ControlPlaneMachinesUpToDate";
inline constexpr std::string_view kWorkerMachinesUpToDate = "WorkerMachinesUpToDate";
}  // namespace types

namespace reasons {
inline constexpr std::string_view kInternalError = "InternalError";
inline constexpr std::string_view kReady = "Ready";
inline constexpr std::string_view kNotReady = "NotReady";
inline constexpr std::string_view kReadyUnknown = "ReadyUnknown";
inline constexpr std::string_view kNoReasonReported = "NoReasonReported";
inline constexpr std::string_view kInvalidCondition = "InvalidConditionReported";
inline constexpr std::string_view kDataSecretProvided = "DataSecretProvided";
inline constexpr std::string_view kObjectDeleted = "ObjectDeleted";
inline constexpr std::string_view kObjectDoesNotExist = "ObjectDoesNotExist";
inline constexpr std::string_view kInspectionFailed = "InspectionFailed";
inline constexpr std::string_view kConnectionDown = "ConnectionDown";
inline constexpr std::string_view kNodeDeleted = "NodeDeleted";
inline constexpr std::string_view kNodeDoesNotExist = "NodeDoesNotExist";
inline constexpr std::string_view kAvailable = "Available";
inline constexpr std::string_view kWaitingForMinReady = "WaitingForMinReadySeconds";
inline constexpr std::string_view kNotUpdating = "NotUpdating";
inline constexpr std::string_view kInPlaceUpdating = "InPlaceUpdating";
inline constexpr std::string_view kInPlaceUpdateFailed = "InPlaceUpdateFailed";
inline constexpr std::string_view kNotDeleting = "NotDeleting";
inline constexpr std::string_view kDeleting = "Deleting";
inline constexpr std::string_view kWaitingForPreDrainHook = "WaitingForPreDrainHook";
inline constexpr std::string_view kDrainingNode = "DrainingNode";
inline constexpr std::string_view kWaitingForVolumeDetach = "WaitingForVolumeDetach";
inline constexpr std::string_view kWaitingForPreTerminateHook = "WaitingForPreTerminateHook";
inline constexpr std::string_view kWaitingForInfrastructureDeletion =
    "WaitingForInfrastructureDeletion";
inline constexpr std::string_view kWaitingForBootstrapDeletion = "WaitingForBootstrapDeletion";
inline constexpr std::string_view kDeletingNode = "DeletingNode";
inline constexpr std::string_view kDeletionCompleted = "DeletionCompleted";
inline constexpr std::string_view kUpToDate = "UpToDate";
inline constexpr std::string_view kNotUpToDate = "NotUpToDate";
inline constexpr std::string_view kUpdating = "Updating";
inline constexpr std::string_view kPaused = "Paused";
inline constexpr std::string_view kNotPaused = "NotPaused";
inline constexpr std::string_view kNoReplicas = "NoReplicas";
inline constexpr std::string_view kWaitingForReplicasSet = "WaitingForReplicasSet";
inline constexpr std::string_view kWaitingForRemediation = "WaitingForRemediation";
inline constexpr std::string_view kCannotBeRemediated = "CannotBeRemediated";
inline constexpr std::string_view kRemediationDeferred = "RemediationDeferred";
inline constexpr std::string_view kMachineDeleting = "MachineDeleting";
}  // namespace reasons

// What is said instead of an error that only the log may show.
inline constexpr std::string_view kSeeLogs = "Please check controller logs for errors";

}  // namespace millwright::dialects::capi
