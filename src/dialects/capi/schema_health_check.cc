#include "dialects/capi/names.h"
#include "dialects/capi/schema.h"
#include "dialects/capi/schema_shared.h"

namespace millwright::dialects::capi {
namespace {

using enum FieldType;

// What a health check brings about cannot be what it looks at.
constexpr Limits kCheckedTypeLimits{
    .least = 1,
    .most = 316,
    .pattern = kQualifiedPattern,
    .rule =
        "!(self in ['Ready', 'Available', 'HealthCheckSucceeded', 'OwnerRemediated', "
        "'ExternallyRemediated'])",
    .rule_message =
        "must not be Ready, Available, HealthCheckSucceeded, OwnerRemediated or "
        "ExternallyRemediated"};
constexpr Limits kRangeLimits{.least = 1, .most = 32, .pattern = R"(^\[[0-9]+-[0-9]+\]$)"};

constexpr Field kTop[] = {
    {"spec", kObject, "What is looked at, and what is done about it.", true},
    {"status", kObject, "What was found.", false, kAnyFields},
};

constexpr Field kOldTop[] = {
    {"spec", kObject, "What is looked at, and what is done about it."},
    {"status", kObject, "What was found."},
};

constexpr Field kSpec[] = {
    {"clusterName", kText, "The cluster that the machines belong to.", true, kClusterNameLimits},
    {"selector", kAtomicObject, "Which machines are looked at; must not be empty.", true},
};

constexpr Field kNewSpec[] = {
    {"checks", kObject, "What makes a machine unhealthy.", false, kAnyFields},
    {"checks.nodeStartupTimeoutSeconds", kInt32,
     "How long a machine may take to get a Node; 0: as long as it needs.", false, kNotNegative},
    {"checks.unhealthyNodeConditions",
     kAtomicList,
     "Conditions of Nodes; any will do.",
     false,
     {.least = 1, .most = 100}},
    {"checks.unhealthyNodeConditions[].type", kText, "Type of the condition.", true, kPositive},
    {"checks.unhealthyNodeConditions[].status", kText, "The status that is bad.", true, kPositive},
    {"checks.unhealthyNodeConditions[].timeoutSeconds", kInt32, "For how long.", true,
     kNotNegative},
    {"checks.unhealthyMachineConditions",
     kAtomicList,
     "Conditions of machines; any will do.",
     false,
     {.least = 1, .most = 100}},
    {"checks.unhealthyMachineConditions[].type", kText, "Type of the condition.", true,
     kCheckedTypeLimits},
    {"checks.unhealthyMachineConditions[].status", kText, "The status that is bad.", true,
     kTruthLimits},
    {"checks.unhealthyMachineConditions[].timeoutSeconds", kInt32, "For how long.", true,
     kNotNegative},
    {"remediation", kObject, "What is done about unhealthy machines.", false, kAnyFields},
    {"remediation.triggerIf", kObject, "When anything is done.", false, kAnyFields},
    {"remediation.triggerIf.unhealthyLessThanOrEqualTo", kAmount,
     "If no more than so many are unhealthy."},
    {"remediation.triggerIf.unhealthyInRange", kText,
     "If so many are unhealthy, like [2-5]; goes before the other.", false, kRangeLimits},
    {"remediation.templateRef", kObject, "Template of a request to somebody who repairs."},
    {"remediation.templateRef.apiVersion",
     kText,
     "Group and version of the template.",
     true,
     {.least = 1,
      .most = 317,
      .pattern = R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)"
                 R"([a-z]([-a-z0-9]*[a-z0-9])?$)"}},
    {"remediation.templateRef.kind", kText, "Kind of the template.", true, kKindLimits},
    {"remediation.templateRef.name", kText, "Name of the template.", true, kNameLimits},
};

constexpr Field kOldSpec[] = {
    {"nodeStartupTimeout", kText, "How long a machine may take to get a Node, like 10m."},
    {"unhealthyConditions", kList, "Conditions of Nodes; any will do.", false, {.most = 100}},
    {"unhealthyConditions[].type", kText, "Type of the condition.", true, kPositive},
    {"unhealthyConditions[].status", kText, "The status that is bad.", true, kPositive},
    {"unhealthyConditions[].timeout", kText, "For how long, like 5m.", true},
    {"unhealthyMachineConditions",
     kAtomicList,
     "Conditions of machines; any will do.",
     false,
     {.least = 1, .most = 100}},
    {"unhealthyMachineConditions[].type", kText, "Type of the condition.", true,
     kCheckedTypeLimits},
    {"unhealthyMachineConditions[].status", kText, "The status that is bad.", true, kTruthLimits},
    {"unhealthyMachineConditions[].timeout", kText, "For how long, like 5m.", true},
    {"maxUnhealthy", kAmount, "Nothing is done if more are unhealthy."},
    {"unhealthyRange", kText, "Something is done if so many are unhealthy, like [2-5].", false,
     kRangeLimits},
    {"remediationTemplate", kAtomicObject, "Template of a request to somebody who repairs."},
};

constexpr Field kStatus[] = {
    {"expectedMachines", kInt32, "Machines that are looked at.", false, kNotNegative},
    {"currentHealthy", kInt32, "Machines that are healthy.", false, kNotNegative},
    {"remediationsAllowed", kInt32, "How many more may become unhealthy.", false, kNotNegative},
};

constexpr Field kTargets[] = {
    {"targets", kAtomicTextList, "The machines that are looked at.", false, {.most = 10000}},
};

constexpr FieldGroup kFields[] = {
    {"", kTop},
    {"spec", kSpec},
    {"spec", kNewSpec},
    {"spec.selector", kSelectorFields},
    {"status", kConditionFields},
    {"status", kStatus},
    {"status", kTargets},
    {"status", kObservedFields},
    {"status", kDeprecatedFields},
    {"status.deprecated.v1beta1", kOldConditionFields},
};

constexpr FieldGroup kOldFields[] = {
    {"", kOldTop},
    {"spec", kSpec},
    {"spec", kOldSpec},
    {"spec.selector", kSelectorFields},
    {"spec.remediationTemplate", kOldReferenceFields},
    {"status", kOldConditionFields},
    {"status", kStatus},
    {"status", kTargets},
    {"status", kOldObservedFields},
    {"status", kOldStatusFields},
    {"status.v1beta2", kConditionFields},
};

constexpr Column kColumns[] = {
    {"Cluster", "string", ".spec.clusterName", "Its cluster."},
    {"Replicas", "integer", ".status.expectedMachines", "Machines that are looked at."},
    {"Healthy", "integer", ".status.currentHealthy", "Machines that are healthy."},
    {"Paused", "string", R"(.status.conditions[?(@.type=="Paused")].status)",
     "Whether it is left alone.", 10},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
};

constexpr Column kOldColumns[] = {
    {"Cluster", "string", ".spec.clusterName", "Its cluster."},
    {"ExpectedMachines", "integer", ".status.expectedMachines", "Machines that are looked at."},
    {"MaxUnhealthy", "string", ".spec.maxUnhealthy", "Nothing is done if more are unhealthy."},
    {"CurrentHealthy", "integer", ".status.currentHealthy", "Machines that are healthy."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
};

}  // namespace

KindVersions HealthCheckTables() {
  return InBothVersions({.group = kGroup,
                         .version = kVersion,
                         .kind = kHealthCheckKind,
                         .plural = "machinehealthchecks",
                         .singular = "machinehealthcheck",
                         .short_name = "mhc,mhcs",
                         .description = "Looks after machines and has unhealthy ones replaced.",
                         .fields = kFields,
                         .columns = kColumns,
                         .has_status = true,
                         .category = kCategory},
                        kOldFields, kOldColumns);
}

}  // namespace millwright::dialects::capi
