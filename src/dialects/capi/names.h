// Every name that Cluster API gives to a mark on an object, stated once.
#pragma once

#include <string_view>

namespace millwright::dialects::capi {

inline constexpr std::string_view kGroup = "cluster.x-k8s.io";
inline constexpr std::string_view kVersion = "v1beta2";  // what we read and write
inline constexpr std::string_view kOldVersion = "v1beta1";
inline constexpr std::string_view kApiVersion = "cluster.x-k8s.io/v1beta2";
inline constexpr std::string_view kOldApiVersion = "cluster.x-k8s.io/v1beta1";

inline constexpr std::string_view kClusterKind = "Cluster";
inline constexpr std::string_view kMachineKind = "Machine";
inline constexpr std::string_view kSetKind = "MachineSet";
inline constexpr std::string_view kDeploymentKind = "MachineDeployment";
inline constexpr std::string_view kHealthCheckKind = "MachineHealthCheck";
inline constexpr std::string_view kDrainRuleKind = "MachineDrainRule";
inline constexpr std::string_view kTemplateSuffix = "Template";

namespace finalizers {
inline constexpr std::string_view kCluster = "cluster.cluster.x-k8s.io";
inline constexpr std::string_view kMachine = "machine.cluster.x-k8s.io";
inline constexpr std::string_view kSet = "cluster.x-k8s.io/machineset";
inline constexpr std::string_view kDeployment = "cluster.x-k8s.io/machinedeployment";
}  // namespace finalizers

// Names under which parts of objects are applied. They must be upstream's: whoever takes over from
// whom, removing a field takes the name that set it.
namespace managers {
inline constexpr std::string_view kSet = "capi-machineset";
inline constexpr std::string_view kSetMetadata = "capi-machineset-metadata";
inline constexpr std::string_view kDeployment = "capi-machinedeployment";
}  // namespace managers

namespace labels {
inline constexpr std::string_view kCluster = "cluster.x-k8s.io/cluster-name";
inline constexpr std::string_view kControlPlane = "cluster.x-k8s.io/control-plane";
inline constexpr std::string_view kControlPlaneName = "cluster.x-k8s.io/control-plane-name";
inline constexpr std::string_view kSet = "cluster.x-k8s.io/set-name";
inline constexpr std::string_view kDeployment = "cluster.x-k8s.io/deployment-name";
inline constexpr std::string_view kPool = "cluster.x-k8s.io/pool-name";
inline constexpr std::string_view kTemplateHash = "machine-template-hash";
inline constexpr std::string_view kWatchFilter = "cluster.x-k8s.io/watch-filter";
// On nodes.
inline constexpr std::string_view kInterruptible = "cluster.x-k8s.io/interruptible";
// On pods.
inline constexpr std::string_view kDrain = "cluster.x-k8s.io/drain";
// On definitions: the versions of a provider's kind that keep a contract.
inline constexpr std::string_view kContractPrefix = "cluster.x-k8s.io/";
}  // namespace labels

namespace annotations {
inline constexpr std::string_view kPaused = "cluster.x-k8s.io/paused";
// On machines.
inline constexpr std::string_view kDeleteMachine = "cluster.x-k8s.io/delete-machine";
inline constexpr std::string_view kSkipRemediation = "cluster.x-k8s.io/skip-remediation";
inline constexpr std::string_view kRemediate = "cluster.x-k8s.io/remediate-machine";
inline constexpr std::string_view kNoDrain = "machine.cluster.x-k8s.io/exclude-node-draining";
inline constexpr std::string_view kNoVolumeWait =
    "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach";
inline constexpr std::string_view kCertificatesExpiry =
    "machine.cluster.x-k8s.io/certificates-expiry";
inline constexpr std::string_view kPreDrainHookPrefix =
    "pre-drain.delete.hook.machine.cluster.x-k8s.io";
inline constexpr std::string_view kPreTerminateHookPrefix =
    "pre-terminate.delete.hook.machine.cluster.x-k8s.io";
inline constexpr std::string_view kPendingHooks = "runtime.cluster.x-k8s.io/pending-hooks";
inline constexpr std::string_view kUpdateInProgress =
    "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";
inline constexpr std::string_view kPendingAcknowledge =
    "in-place-updates.internal.cluster.x-k8s.io/pending-acknowledge-move";
// On sets and deployments.
inline constexpr std::string_view kRevision = "machinedeployment.clusters.x-k8s.io/revision";
inline constexpr std::string_view kRevisionHistory =
    "machinedeployment.clusters.x-k8s.io/revision-history";
inline constexpr std::string_view kDesiredReplicas =
    "machinedeployment.clusters.x-k8s.io/desired-replicas";
inline constexpr std::string_view kMaxReplicas = "machinedeployment.clusters.x-k8s.io/max-replicas";
inline constexpr std::string_view kDisableCreate = "cluster.x-k8s.io/disable-machine-create";
inline constexpr std::string_view kSkipPreflight =
    "machineset.cluster.x-k8s.io/skip-preflight-checks";
inline constexpr std::string_view kMovesTo =
    "in-place-updates.internal.cluster.x-k8s.io/move-machines-to-machineset";
inline constexpr std::string_view kReceivesFrom =
    "in-place-updates.internal.cluster.x-k8s.io/receive-machines-from-machinesets";
inline constexpr std::string_view kAcknowledged =
    "in-place-updates.internal.cluster.x-k8s.io/acknowledged-move";
inline constexpr std::string_view kScalerMin =
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";
inline constexpr std::string_view kScalerMax =
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
// On sets, of our own: what no field can hold.
inline constexpr std::string_view kState = "millwright.dev/state";
// On providers' machines, of our own: an instance was asked for, and nobody has heard yet whether
// it is there. Whoever sets it takes it off with the answer: an id in spec.providerID, or none. A
// Machine that is deleted meanwhile waits for that.
inline constexpr std::string_view kInstanceInDoubt = "millwright.dev/instance-in-doubt";
// On clusters.
inline constexpr std::string_view kUpgradeStep = "topology.internal.cluster.x-k8s.io/upgrade-step";
// On clones.
inline constexpr std::string_view kClonedFromName = "cluster.x-k8s.io/cloned-from-name";
inline constexpr std::string_view kClonedFromKind = "cluster.x-k8s.io/cloned-from-groupkind";
// On nodes.
inline constexpr std::string_view kNodeCluster = "cluster.x-k8s.io/cluster-name";
inline constexpr std::string_view kNodeNamespace = "cluster.x-k8s.io/cluster-namespace";
inline constexpr std::string_view kNodeMachine = "cluster.x-k8s.io/machine";
inline constexpr std::string_view kNodeOwnerKind = "cluster.x-k8s.io/owner-kind";
inline constexpr std::string_view kNodeOwnerName = "cluster.x-k8s.io/owner-name";
inline constexpr std::string_view kLabelsFromMachine = "cluster.x-k8s.io/labels-from-machine";
inline constexpr std::string_view kAnnotationsFromMachine =
    "cluster.x-k8s.io/annotations-from-machine";
inline constexpr std::string_view kTaintsFromMachine = "cluster.x-k8s.io/taints-from-machine";
// Kept by whoever converts, and meaningless on another object.
inline constexpr std::string_view kConversionData = "cluster.x-k8s.io/conversion-data";
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
}  // namespace annotations

namespace taints {
inline constexpr std::string_view kUninitialized = "node.cluster.x-k8s.io/uninitialized";
inline constexpr std::string_view kOutdated = "node.cluster.x-k8s.io/outdated-revision";
}  // namespace taints

}  // namespace millwright::dialects::capi
