#include "dialects/capi/names.h"
#include "dialects/capi/schema.h"
#include "dialects/capi/schema_shared.h"

namespace millwright::dialects::capi {
namespace {

using enum FieldType;

constexpr Limits kEntriesLimits{.least = 1,
                                .most = 32,
                                .rule = "self.all(x, self.exists_one(y, x == y))",
                                .rule_message = "must not have an entry twice"};

constexpr Field kAll[] = {
    {"spec", kObject, "How pods of which machines are drained.", true},
    {"spec.drain", kObject, "What happens to the pods.", true},
    {"spec.drain.behavior",
     kText,
     "Drain evicts them, Skip leaves them, WaitCompleted waits until they are gone.",
     true,
     {.one_of = "Drain|Skip|WaitCompleted"}},
    {"spec.drain.order", kInt32, "Of Drain: pods of smaller orders go first; 0 if not set."},
    {"spec.machines", kAtomicList, "Which machines; all if not set. One entry must match.", false,
     kEntriesLimits},
    {"spec.machines[].selector", kAtomicObject, "Labels of the machine."},
    {"spec.machines[].clusterSelector", kAtomicObject, "Labels of its cluster."},
    {"spec.pods", kAtomicList, "Which pods; all if not set. One entry must match.", false,
     kEntriesLimits},
    {"spec.pods[].selector", kAtomicObject, "Labels of the pod."},
    {"spec.pods[].namespaceSelector", kAtomicObject, "Labels of its namespace."},
};

constexpr FieldGroup kFields[] = {
    {"", kAll},
    {"spec.machines[].selector", kSelectorFields},
    {"spec.machines[].clusterSelector", kSelectorFields},
    {"spec.pods[].selector", kSelectorFields},
    {"spec.pods[].namespaceSelector", kSelectorFields},
};

constexpr Column kColumns[] = {
    {"Behavior", "string", ".spec.drain.behavior", "What happens to the pods."},
    {"Order", "string", ".spec.drain.order", "When."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
};

}  // namespace

KindVersions DrainRuleTables() {
  return InBothVersions({.group = kGroup,
                         .version = kVersion,
                         .kind = kDrainRuleKind,
                         .plural = "machinedrainrules",
                         .singular = "machinedrainrule",
                         .short_name = "",
                         .description = "Says how pods leave machines that are removed.",
                         .fields = kFields,
                         .columns = kColumns,
                         .category = kCategory},
                        kFields, kColumns);
}

}  // namespace millwright::dialects::capi
