#include "dialects/capi/names.h"
#include "dialects/capi/schema.h"
#include "dialects/capi/schema_shared.h"

namespace millwright::dialects::capi {
namespace {

using enum FieldType;

constexpr Field kTop[] = {
    {"spec", kObject, "The machines that are wished for.", true},
    {"status", kObject, "What is known of them.", false, kAnyFields},
};

constexpr Field kOldTop[] = {
    {"spec", kObject, "The machines that are wished for."},
    {"status", kObject, "What is known of them."},
};

constexpr Field kSpec[] = {
    {"clusterName", kText, "The cluster that the machines belong to.", true, kClusterNameLimits},
    {"replicas", kInt32, "How many machines there should be."},
    {"selector", kAtomicObject, "Which machines belong to the set; must match the template.", true},
};

constexpr Field kNewSpec[] = {
    {"template", kObject, "What new machines look like.", true},
    {"template.metadata", kObject, "Labels and annotations.", false, kAnyFields},
    {"template.spec", kObject, "The spec of new machines.", true},
    {"machineNaming", kObject, "How new machines are called.", false, kAnyFields},
    {"machineNaming.template", kText,
     "Like {{ .machineSet.name }}-{{ .random }}; must have the random part.", false, kTextLimits},
    {"deletion", kObject, "How the set becomes smaller.", false, kAnyFields},
    {"deletion.order", kText, "Which machines go first.", false, kOrderLimits},
};

constexpr Field kOldSpec[] = {
    {"template", kObject, "What new machines look like."},
    {"template.metadata", kObject, "Labels and annotations."},
    {"template.spec", kObject, "The spec of new machines."},
    {"machineNamingStrategy", kObject, "How new machines are called."},
    {"machineNamingStrategy.template", kText,
     "Like {{ .machineSet.name }}-{{ .random }}; must have the random part.", false, kTextLimits},
    {"minReadySeconds", kInt32, "How long a machine must be Ready to be Available."},
    {"deletePolicy", kText, "Which machines go first.", false, kOrderLimits},
};

constexpr Field kOldCounts[] = {
    {"fullyLabeledReplicas", kInt32, "Machines that have all labels of the template."},
    {"readyReplicas", kInt32, "Machines whose Node is ready."},
    {"availableReplicas", kInt32, "Machines whose Node has been ready for long enough."},
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
    {"status", kObservedFields},
    {"status", kDeprecatedFields},
    {"status.deprecated.v1beta1", kOldConditionFields},
    {"status.deprecated.v1beta1", kFailureFields},
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
    {"status", kFailureFields},
    {"status", kVersionCountFields},
    {"status", kOldObservedFields},
    {"status", kOldStatusFields},
    {"status.v1beta2", kConditionFields},
    {"status.v1beta2", kReplicaCountFields},
};

constexpr Column kColumns[] = {
    {"Cluster", "string", ".spec.clusterName", "Its cluster."},
    {"Desired", "integer", ".spec.replicas", "How many machines there should be."},
    {"Current", "integer", ".status.replicas", "How many there are."},
    {"Ready", "integer", ".status.readyReplicas", "How many are Ready."},
    {"Available", "integer", ".status.availableReplicas", "How many are Available."},
    {"Up-to-date", "integer", ".status.upToDateReplicas", "How many are as wished."},
    {"Paused", "string", R"(.status.conditions[?(@.type=="Paused")].status)",
     "Whether it is left alone.", 10},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Version", "string", ".spec.template.spec.version", "The wished version of Kubernetes."},
};

constexpr Column kOldColumns[] = {
    {"Cluster", "string", ".spec.clusterName", "Its cluster."},
    {"Desired", "integer", ".spec.replicas", "How many machines there should be.", 10},
    {"Replicas", "integer", ".status.replicas", "How many there are."},
    {"Ready", "integer", ".status.readyReplicas", "How many are ready."},
    {"Available", "integer", ".status.availableReplicas", "How many are available."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Version", "string", ".spec.template.spec.version", "The wished version of Kubernetes."},
};

}  // namespace

KindVersions SetTables() {
  return InBothVersions({.group = kGroup,
                         .version = kVersion,
                         .kind = kSetKind,
                         .plural = "machinesets",
                         .singular = "machineset",
                         .short_name = "ms",
                         .description = "A number of machines made from one template.",
                         .fields = kFields,
                         .columns = kColumns,
                         .has_status = true,
                         .has_scale = true,
                         .selector_path = ".status.selector",
                         .category = kCategory},
                        kOldFields, kOldColumns);
}

}  // namespace millwright::dialects::capi
