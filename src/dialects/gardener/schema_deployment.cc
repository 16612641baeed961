#include "dialects/gardener/names.h"
#include "dialects/gardener/schema.h"
#include "dialects/gardener/schema_shared.h"

namespace millwright::dialects::gardener {
namespace {

using enum FieldType;

constexpr Field kTop[] = {
    {"spec", kObject, "The machines that are wished for, and how to get there."},
    {"status", kObject, "How far that is."},
};

constexpr Field kSpec[] = {
    {"replicas", kInt32, "How many machines there should be."},
    {"template", kObject, "What machines look like; a change of it replaces them.", true},
    {"strategy", kObject, "How machines are replaced."},
    {"strategy.type", kText, "RollingUpdate, Recreate or InPlaceUpdate. There is no default."},
    {"strategy.rollingUpdate", kObject, "Limits of a RollingUpdate; both are needed."},
    {"strategy.rollingUpdate.maxSurge", kAmount,
     "How many more machines than wished there may be: a number, or a percentage rounded up."},
    {"strategy.rollingUpdate.maxUnavailable", kAmount,
     "How many fewer may be available: a number, or a percentage rounded down."},
    {"strategy.inPlaceUpdate", kObject, "Limits of an InPlaceUpdate; all are needed."},
    {"strategy.inPlaceUpdate.maxSurge", kAmount,
     "How many more machines than wished there may be: a number, or a percentage rounded up."},
    {"strategy.inPlaceUpdate.maxUnavailable", kAmount,
     "How many fewer may be available: a number, or a percentage rounded down."},
    {"strategy.inPlaceUpdate.orchestrationType", kText,
     "Who chooses the nodes to be updated: Auto, or Manual for a person."},
    {"minReadySeconds", kInt32, "Carried along; has no effect."},
    {"revisionHistoryLimit", kInt32, "How many old sets are kept; none: all."},
    {"paused", kBool, "Sizes follow, templates do not."},
    {"rollbackTo", kObject, "Go back to an earlier template; goes away once done."},
    {"rollbackTo.revision", kInt64, "Which one; 0: the one before."},
    {"progressDeadlineSeconds", kInt32,
     "After how long without progress that is said; none: never."},
    {"autoPreserveFailedMachineMax", kInt32, "How many failed machines are kept unasked."},
};

constexpr Field kStatus[] = {
    {"observedGeneration", kInt64, "The generation that this status is about."},
    {"replicas", kInt32, "Machines that exist, of all sets."},
    {"updatedReplicas", kInt32, "Machines of the present template."},
    {"readyReplicas", kInt32, "Machines that are Running."},
    {"availableReplicas", kInt32, "Machines that are Running or Available."},
    {"unavailableReplicas", kInt32,
     "Machines that its sets should have and that are not available."},
    {"preservedFailedReplicas", kInt32, "Failed machines that are preserved."},
    {"collisionCount", kInt32, "How often the name of a set was taken."},
    {"conditions", kList, "Available, Progressing, ReplicaFailure and Frozen."},
    {"conditions[].type", kText, "Type of the condition.", true},
    {"conditions[].status", kText, "True, False or Unknown.", true},
    {"conditions[].lastUpdateTime", kTime, "When it was last written."},
    {"conditions[].lastTransitionTime", kTime, "Since when it has this status."},
    {"conditions[].reason", kText, "The reason, in one word."},
    {"conditions[].message", kText, "The reason, in words."},
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
};

constexpr Column kColumns[] = {
    {"Ready", "integer", ".status.readyReplicas", "How many machines are Running."},
    {"Desired", "integer", ".spec.replicas", "How many there should be."},
    {"Up-to-date", "integer", ".status.updatedReplicas", "How many are of the present template."},
    {"Available", "integer", ".status.availableReplicas", "How many are Running or Available."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
};

}  // namespace

KindTable DeploymentTable() {
  return {.group = kGroup,
          .version = kVersion,
          .kind = kDeploymentKind,
          .plural = "machinedeployments",
          .singular = "machinedeployment",
          .short_name = "mcd",
          .description =
              "A number of machines, and how they are replaced when their template "
              "changes.",
          .fields = kFields,
          .columns = kColumns,
          .has_status = true,
          .has_scale = true};
}

}  // namespace millwright::dialects::gardener
