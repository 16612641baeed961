#include "dialects/capi/names.h"
#include "dialects/capi/schema.h"
#include "dialects/capi/schema_shared.h"

namespace millwright::dialects::capi {
namespace {

using enum FieldType;

constexpr Limits kStrategyLimits{.one_of = "RollingUpdate|OnDelete"};

constexpr Field kTop[] = {
    {"spec", kObject, "The machines that are wished for, and how they are replaced.", true},
    {"status", kObject, "What is known of them.", false, kAnyFields},
};

constexpr Field kOldTop[] = {
    {"spec", kObject, "The machines that are wished for, and how they are replaced."},
    {"status", kObject, "What is known of them."},
};

constexpr Field kSpec[] = {
    {"clusterName", kText, "The cluster that the machines belong to.", true, kClusterNameLimits},
    {"replicas", kInt32, "How many machines there should be."},
    {"selector", kAtomicObject, "Which sets and machines belong to it; must match the template.",
     true},
    {"template", kObject, "What new machines look like.", true},
    {"paused", kBool, "Nothing is rolled out while this is true."},
};

constexpr Field kNewSpec[] = {
    {"template.metadata", kObject, "Labels and annotations.", false, kAnyFields},
    {"template.spec", kObject, "The spec of new machines.", true},
    {"machineNaming", kObject, "How new machines are called.", false, kAnyFields},
    {"machineNaming.template", kText,
     "Like {{ .machineSet.name }}-{{ .random }}; must have the random part.", false, kTextLimits},
    {"rollout", kObject, "How a new template reaches the machines.", false, kAnyFields},
    {"rollout.after", kTime, "Sets that are older count as outdated once this has passed."},
    {"rollout.strategy", kObject, "Who replaces machines.", false, kAnyFields},
    {"rollout.strategy.type", kText, "RollingUpdate, or OnDelete for by hand.", true,
     kStrategyLimits},
    {"rollout.strategy.rollingUpdate", kObject, "Limits of a rolling update.", false, kAnyFields},
    {"rollout.strategy.rollingUpdate.maxUnavailable", kAmount,
     "How many machines may be missing meanwhile."},
    {"rollout.strategy.rollingUpdate.maxSurge", kAmount,
     "How many machines more there may be meanwhile."},
    {"remediation", kObject, "How unhealthy machines are replaced.", false, kAnyFields},
    {"remediation.maxInFlight", kAmount, "How many of them at once."},
    {"deletion", kObject, "How sets become smaller.", false, kAnyFields},
    {"deletion.order", kText, "Which machines go first.", false, kOrderLimits},
};

constexpr Field kOldSpec[] = {
    {"template.metadata", kObject, "Labels and annotations."},
    {"template.spec", kObject, "The spec of new machines."},
    {"machineNamingStrategy", kObject, "How new machines are called."},
    {"machineNamingStrategy.template", kText,
     "Like {{ .machineSet.name }}-{{ .random }}; must have the random part.", false, kTextLimits},
    {"minReadySeconds", kInt32, "How long a machine must be Ready to be Available."},
    {"progressDeadlineSeconds", kInt32, "Not used."},
    {"revisionHistoryLimit", kInt32, "Not used."},
    {"rolloutAfter", kTime, "Sets that are older count as outdated once this has passed."},
    {"strategy", kObject, "How a new template reaches the machines."},
    {"strategy.type", kText, "RollingUpdate, or OnDelete for by hand.", false, kStrategyLimits},
    {"strategy.rollingUpdate", kObject, "Limits of a rolling update."},
    {"strategy.rollingUpdate.maxUnavailable", kAmount,
     "How many machines may be missing meanwhile."},
    {"strategy.rollingUpdate.maxSurge", kAmount, "How many machines more there may be meanwhile."},
    {"strategy.rollingUpdate.deletePolicy", kText, "Which machines go first.", false, kOrderLimits},
    {"strategy.remediation", kObject, "How unhealthy machines are replaced."},
    {"strategy.remediation.maxInFlight", kAmount, "How many of them at once."},
};

constexpr Field kPhase[] = {
    {"phase",
     kText,
     "How far it is; for people.",
     false,
     {.one_of = "ScalingUp|ScalingDown|Running|Failed|Unknown"}},
};

constexpr Field kOldCounts[] = {
    {"updatedReplicas", kInt32, "Machines of the current set."},
    {"readyReplicas", kInt32, "Machines whose Node is ready."},
    {"availableReplicas", kInt32, "Machines whose Node has been ready for long enough."},
    {"unavailableReplicas", kInt32, "Machines that are missing to what is wished."},
};

constexpr FieldGroup kFields[] = {
    {"", kTop},
    {"spec", kSpec},
    {"spec", kNewSpec},
    {"spec.selector", kSelectorFields},
    {"spec.template.metadata", kTemplateMetadataFields},
    {"spec.template.spec", kMachineSpecFields},
    {"spec.template.spec", kMachineSpecOnlyNewFields},
    {"spec.template.spec", kReadinessGateFields},
    {"spec.template.spec.readinessGates[]", kGateFields},
    {"spec.template.spec.bootstrap.configRef", kReferenceFields},
    {"spec.template.spec.infrastructureRef", kReferenceFields},
    {"status", kConditionFields},
    {"status", kScaledStatusFields},
    {"status", kReplicaCountFields},
    {"status", kVersionCountFields},
    {"status", kPhase},
    {"status", kObservedFields},
    {"status", kDeprecatedFields},
    {"status.deprecated.v1beta1", kOldConditionFields},
    {"status.deprecated.v1beta1", kOldCounts},
};

constexpr FieldGroup kOldFields[] = {
    {"", kOldTop},
    {"spec", kSpec},
    {"spec", kOldSpec},
    {"spec.selector", kSelectorFields},
    {"spec.template.metadata", kTemplateMetadataFields},
    {"spec.template.spec", kMachineSpecFields},
    {"spec.template.spec", kMachineSpecOnlyOldFields},
    {"spec.template.spec", kOldReadinessGateFields},
    {"spec.template.spec.readinessGates[]", kGateFields},
    {"spec.template.spec.bootstrap.configRef", kOldReferenceFields},
    {"spec.template.spec.infrastructureRef", kOldReferenceFields},
    {"status", kOldConditionFields},
    {"status", kScaledStatusFields},
    {"status", kOldCounts},
    {"status", kVersionCountFields},
    {"status", kPhase},
    {"status", kOldObservedFields},
    {"status", kOldStatusFields},
    {"status.v1beta2", kConditionFields},
    {"status.v1beta2", kReplicaCountFields},
};

constexpr Column kColumns[] = {
    {"Cluster", "string", ".spec.clusterName", "Its cluster."},
    {"Available", "string", R"(.status.conditions[?(@.type=="Available")].status)",
     "Whether enough machines are Available."},
    {"Desired", "integer", ".spec.replicas", "How many machines there should be."},
    {"Current", "integer", ".status.replicas", "How many there are."},
    {"Ready", "integer", ".status.readyReplicas", "How many are Ready."},
    {"Available", "integer", ".status.availableReplicas", "How many are Available."},
    {"Up-to-date", "integer", ".status.upToDateReplicas", "How many are as wished."},
    {"Paused", "string", R"(.status.conditions[?(@.type=="Paused")].status)",
     "Whether it is left alone.", 10},
    {"Phase", "string", ".status.phase", "How far it is."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Version", "string", ".spec.template.spec.version", "The wished version of Kubernetes."},
};

constexpr Column kOldColumns[] = {
    {"Cluster", "string", ".spec.clusterName", "Its cluster."},
    {"Desired", "integer", ".spec.replicas", "How many machines there should be.", 10},
    {"Replicas", "integer", ".status.replicas", "How many there are."},
    {"Ready", "integer", ".status.readyReplicas", "How many are ready."},
    {"Updated", "integer", ".status.updatedReplicas", "How many are of the current set."},
    {"Unavailable", "integer", ".status.unavailableReplicas", "How many are missing."},
    {"Phase", "string", ".status.phase", "How far it is."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Version", "string", ".spec.template.spec.version", "The wished version of Kubernetes."},
};

}  // namespace

KindVersions DeploymentTables() {
  return InBothVersions(
      {.group = kGroup,
       .version = kVersion,
       .kind = kDeploymentKind,
       .plural = "machinedeployments",
       .singular = "machinedeployment",
       .short_name = "md",
       .description = "A number of machines that follow their template by rollouts.",
       .fields = kFields,
       .columns = kColumns,
       .has_status = true,
       .has_scale = true,
       .selector_path = ".status.selector",
       .category = kCategory},
      kOldFields, kOldColumns);
}

}  // namespace millwright::dialects::capi
