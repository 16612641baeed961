#include "dialects/capi/convert_table.h"

#include <algorithm>

#include "dialects/capi/names.h"

namespace millwright::dialects::capi {
namespace {

using enum Form;

constexpr FieldPair kMachine[] = {
    {"spec.bootstrap.configRef", "spec.bootstrap.configRef", kReference},
    {"spec.infrastructureRef", "spec.infrastructureRef", kReference},
    {"spec.version", "spec.version", kNotZero},
    {"spec.providerID", "spec.providerID", kNotZero},
    {"spec.failureDomain", "spec.failureDomain", kNotZero},
    {"spec.readinessGates", "spec.readinessGates", kNotZero},
    {"spec.minReadySeconds", ""},
    {"spec.deletion.nodeDrainTimeoutSeconds", "spec.nodeDrainTimeout", kSeconds},
    {"spec.deletion.nodeVolumeDetachTimeoutSeconds", "spec.nodeVolumeDetachTimeout", kSeconds},
    {"spec.deletion.nodeDeletionTimeoutSeconds", "spec.nodeDeletionTimeout", kSeconds},
    {"status.conditions", "status.v1beta2.conditions"},
    {"status.deprecated.v1beta1.conditions", "status.conditions"},
    {"status.deprecated.v1beta1.failureReason", "status.failureReason"},
    {"status.deprecated.v1beta1.failureMessage", "status.failureMessage"},
    {"status.initialization.infrastructureProvisioned", "status.infrastructureReady", kTruth},
    {"status.initialization.bootstrapDataSecretCreated", "status.bootstrapReady", kTruth},
    {"status.nodeRef", "status.nodeRef", kNode},
    {"status.failureDomain", ""},
    {"status.phase", "status.phase", kPhase},
};
constexpr std::string_view kMachineContainers[] = {"status.v1beta2", "status.deletion", "status"};

constexpr FieldPair kSet[] = {
    {"spec.template.spec.bootstrap.configRef", "spec.template.spec.bootstrap.configRef",
     kReference},
    {"spec.template.spec.infrastructureRef", "spec.template.spec.infrastructureRef", kReference},
    {"spec.template.spec.version", "spec.template.spec.version", kNotZero},
    {"spec.template.spec.providerID", "spec.template.spec.providerID", kNotZero},
    {"spec.template.spec.failureDomain", "spec.template.spec.failureDomain", kNotZero},
    {"spec.template.spec.readinessGates", "spec.template.spec.readinessGates", kNotZero},
    {"spec.template.spec.minReadySeconds", "spec.minReadySeconds", kNotZero},
    {"spec.template.spec.deletion.nodeDrainTimeoutSeconds", "spec.template.spec.nodeDrainTimeout",
     kSeconds},
    {"spec.template.spec.deletion.nodeVolumeDetachTimeoutSeconds",
     "spec.template.spec.nodeVolumeDetachTimeout", kSeconds},
    {"spec.template.spec.deletion.nodeDeletionTimeoutSeconds",
     "spec.template.spec.nodeDeletionTimeout", kSeconds},
    {"spec.machineNaming.template", "spec.machineNamingStrategy.template"},
    {"spec.deletion.order", "spec.deletePolicy", kNotZero},
    {"status.conditions", "status.v1beta2.conditions"},
    {"status.readyReplicas", "status.v1beta2.readyReplicas"},
    {"status.availableReplicas", "status.v1beta2.availableReplicas"},
    {"status.upToDateReplicas", "status.v1beta2.upToDateReplicas"},
    {"status.deprecated.v1beta1.conditions", "status.conditions"},
    {"status.deprecated.v1beta1.failureReason", "status.failureReason"},
    {"status.deprecated.v1beta1.failureMessage", "status.failureMessage"},
    {"status.deprecated.v1beta1.fullyLabeledReplicas", "status.fullyLabeledReplicas"},
    {"status.deprecated.v1beta1.readyReplicas", "status.readyReplicas"},
    {"status.deprecated.v1beta1.availableReplicas", "status.availableReplicas"},
};
constexpr std::string_view kSetContainers[] = {
    "spec.template.metadata", "spec.machineNamingStrategy", "status.v1beta2", "status"};

constexpr FieldPair kDeployment[] = {
    {"spec.template.spec.bootstrap.configRef", "spec.template.spec.bootstrap.configRef",
     kReference},
    {"spec.template.spec.infrastructureRef", "spec.template.spec.infrastructureRef", kReference},
    {"spec.template.spec.version", "spec.template.spec.version", kNotZero},
    {"spec.template.spec.providerID", "spec.template.spec.providerID", kNotZero},
    {"spec.template.spec.failureDomain", "spec.template.spec.failureDomain", kNotZero},
    {"spec.template.spec.readinessGates", "spec.template.spec.readinessGates", kNotZero},
    {"spec.template.spec.minReadySeconds", "spec.minReadySeconds"},
    {"spec.template.spec.deletion.nodeDrainTimeoutSeconds", "spec.template.spec.nodeDrainTimeout",
     kSeconds},
    {"spec.template.spec.deletion.nodeVolumeDetachTimeoutSeconds",
     "spec.template.spec.nodeVolumeDetachTimeout", kSeconds},
    {"spec.template.spec.deletion.nodeDeletionTimeoutSeconds",
     "spec.template.spec.nodeDeletionTimeout", kSeconds},
    {"spec.machineNaming.template", "spec.machineNamingStrategy.template"},
    {"spec.rollout.after", "spec.rolloutAfter"},
    {"spec.rollout.strategy.type", "spec.strategy.type", kNotZero},
    {"spec.rollout.strategy.rollingUpdate.maxSurge", "spec.strategy.rollingUpdate.maxSurge"},
    {"spec.rollout.strategy.rollingUpdate.maxUnavailable",
     "spec.strategy.rollingUpdate.maxUnavailable"},
    {"spec.remediation.maxInFlight", "spec.strategy.remediation.maxInFlight"},
    {"spec.deletion.order", "spec.strategy.rollingUpdate.deletePolicy", kNotZero},
    {"spec.paused", "spec.paused", kTruth},
    {"status.conditions", "status.v1beta2.conditions"},
    {"status.readyReplicas", "status.v1beta2.readyReplicas"},
    {"status.availableReplicas", "status.v1beta2.availableReplicas"},
    {"status.upToDateReplicas", "status.v1beta2.upToDateReplicas"},
    {"status.deprecated.v1beta1.conditions", "status.conditions"},
    {"status.deprecated.v1beta1.updatedReplicas", "status.updatedReplicas"},
    {"status.deprecated.v1beta1.readyReplicas", "status.readyReplicas"},
    {"status.deprecated.v1beta1.availableReplicas", "status.availableReplicas"},
    {"status.deprecated.v1beta1.unavailableReplicas", "status.unavailableReplicas"},
};
constexpr std::string_view kDeploymentGone[] = {"spec.revisionHistoryLimit",
                                                "spec.progressDeadlineSeconds"};
constexpr std::string_view kDeploymentContainers[] = {"spec.template.metadata",
                                                      "spec.machineNamingStrategy",
                                                      "spec.strategy.rollingUpdate",
                                                      "spec.strategy.remediation",
                                                      "spec.strategy",
                                                      "status.v1beta2",
                                                      "status"};

constexpr FieldPair kHealthCheck[] = {
    {"spec.checks.nodeStartupTimeoutSeconds", "spec.nodeStartupTimeout", kSeconds},
    {"spec.checks.unhealthyNodeConditions", "spec.unhealthyConditions", kTimedList},
    {"spec.checks.unhealthyMachineConditions", "spec.unhealthyMachineConditions", kTimedList},
    {"spec.remediation.triggerIf.unhealthyLessThanOrEqualTo", "spec.maxUnhealthy"},
    {"spec.remediation.triggerIf.unhealthyInRange", "spec.unhealthyRange", kNotZero},
    {"spec.remediation.templateRef", "spec.remediationTemplate", kTemplateRef},
    {"status.conditions", "status.v1beta2.conditions"},
    {"status.deprecated.v1beta1.conditions", "status.conditions"},
    {"status.expectedMachines", "status.expectedMachines", kCount},
    {"status.currentHealthy", "status.currentHealthy", kCount},
    {"status.remediationsAllowed", "status.remediationsAllowed", kCount},
};
constexpr std::string_view kHealthCheckContainers[] = {"status.v1beta2", "status"};

constexpr FieldPair kCluster[] = {
    {"spec.infrastructureRef", "spec.infrastructureRef", kReference},
    {"spec.controlPlaneRef", "spec.controlPlaneRef", kReference},
    {"spec.controlPlaneEndpoint.host", "spec.controlPlaneEndpoint.host", kNotZero},
    {"spec.controlPlaneEndpoint.port", "spec.controlPlaneEndpoint.port", kNotZero},
    {"spec.clusterNetwork.apiServerPort", "spec.clusterNetwork.apiServerPort", kNotZero},
    {"spec.clusterNetwork.serviceDomain", "spec.clusterNetwork.serviceDomain", kNotZero},
    {"spec.clusterNetwork.pods.cidrBlocks", "spec.clusterNetwork.pods.cidrBlocks", kNotZero},
    {"spec.clusterNetwork.services.cidrBlocks", "spec.clusterNetwork.services.cidrBlocks",
     kNotZero},
    {"spec.availabilityGates", "spec.availabilityGates", kNotZero},
    {"spec.topology.classRef.name", "spec.topology.class", kNotZero},
    {"spec.topology.classRef.namespace", "spec.topology.classNamespace", kNotZero},
    {"spec.paused", "spec.paused", kTruth},
    {"status.conditions", "status.v1beta2.conditions"},
    {"status.controlPlane", "status.v1beta2.controlPlane"},
    {"status.workers", "status.v1beta2.workers"},
    {"status.deprecated.v1beta1.conditions", "status.conditions"},
    {"status.deprecated.v1beta1.failureReason", "status.failureReason"},
    {"status.deprecated.v1beta1.failureMessage", "status.failureMessage"},
    {"status.initialization.infrastructureProvisioned", "status.infrastructureReady", kTruth},
    {"status.initialization.controlPlaneInitialized", "status.controlPlaneReady", kTruth},
    {"status.failureDomains", "status.failureDomains", kFailureDomains},
};
constexpr std::string_view kClusterContainers[] = {
    "spec.controlPlaneEndpoint", "spec.clusterNetwork.pods", "spec.clusterNetwork.services",
    "spec.clusterNetwork",       "status.v1beta2",           "status"};

constexpr KindPairs kKinds[] = {
    {kMachineKind, kMachine, {}, kMachineContainers, true},
    {kSetKind, kSet, {}, kSetContainers, false},
    {kDeploymentKind, kDeployment, kDeploymentGone, kDeploymentContainers, true},
    {kHealthCheckKind, kHealthCheck, {}, kHealthCheckContainers, true},
    {kDrainRuleKind, {}, {}, {}, false},
    {kClusterKind, kCluster, {}, kClusterContainers, true},
};

}  // namespace

const KindPairs* PairsOf(std::string_view kind) {
  const auto* found = std::ranges::find(kKinds, kind, &KindPairs::kind);
  return found != std::end(kKinds) ? found : nullptr;
}

}  // namespace millwright::dialects::capi
