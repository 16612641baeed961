#include "dialects/gardener/names.h"
#include "dialects/gardener/schema.h"
#include "dialects/gardener/schema_shared.h"

namespace millwright::dialects::gardener {
namespace {

using enum FieldType;

constexpr Field kTop[] = {
    {"spec", kObject, "The machines that are wished for."},
    {"status", kObject, "What is known of them."},
};

constexpr Field kSpec[] = {
    {"replicas", kInt32, "How many machines there should be."},
    {"template", kObject, "What new machines look like."},
    {"minReadySeconds", kInt32, "Carried along; has no effect."},
    {"autoPreserveFailedMachineMax", kInt32, "How many failed machines are kept unasked."},
    {"machineClass", kObject, "Of old; shown in metrics only."},
    {"machineClass.apiGroup", kText, "Group of the class."},
    {"machineClass.kind", kText, "Kind of the class."},
    {"machineClass.name", kText, "Name of the class."},
};

constexpr Field kStatus[] = {
    {"replicas", kInt32, "Machines that exist, also those that failed or are going."},
    {"fullyLabeledReplicas", kInt32, "Machines that have all labels of the template."},
    {"readyReplicas", kInt32, "Machines that are Running."},
    {"availableReplicas", kInt32, "Machines that are Running or Available."},
    {"preservedFailedReplicas", kInt32, "Failed machines that are preserved."},
    {"autoPreserveFailedMachineCount", kInt32, "Machines that are kept unasked."},
    {"observedGeneration", kInt64, "The generation that this status is about."},
    {"machineSetCondition", kList, "ReplicaFailure and Frozen, while they hold."},
    {"machineSetCondition[].type", kText, "Type of the condition.", true},
    {"machineSetCondition[].status", kText, "True, False or Unknown.", true},
    {"machineSetCondition[].lastTransitionTime", kTime, "Since when it has this status."},
    {"machineSetCondition[].reason", kText, "The reason, in one word."},
    {"machineSetCondition[].message", kText, "The reason, in words."},
    {"lastOperation", kObject, "When this status was last written."},
};

constexpr FieldGroup kFields[] = {
    {"", kTop},
    {"spec", kSpec},
    {"spec", kSelectorFields},
    {"spec.template", kTemplateFields},
    {"spec.template.spec", kMachineSpecFields},
    {"status", kStatus},
    {"status", kFailedMachinesFields},
    {"status.failedMachines[].lastOperation", kOperationFields},
    {"status.lastOperation", kOperationFields},
};

constexpr Column kColumns[] = {
    {"Desired", "integer", ".spec.replicas", "How many machines there should be."},
    {"Current", "integer", ".status.replicas", "How many there are."},
    {"Ready", "integer", ".status.readyReplicas", "How many are Running."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
};

}  // namespace

KindTable SetTable() {
  return {.group = kGroup,
          .version = kVersion,
          .kind = kSetKind,
          .plural = "machinesets",
          .singular = "machineset",
          .short_name = "mcs",
          .description = "A number of machines made from one template.",
          .fields = kFields,
          .columns = kColumns,
          .has_status = true,
          .has_scale = true};
}

}  // namespace millwright::dialects::gardener
