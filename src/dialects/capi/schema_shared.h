// Fields that stand in several kinds, and what their values must be like.
#pragma once

#include "dialects/schema_table.h"

namespace millwright::dialects::capi {

inline constexpr std::string_view kCategory = "cluster-api";

inline constexpr std::string_view kSubdomainPattern =
    R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)";
inline constexpr std::string_view kKindPattern = "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$";
// A name, perhaps behind a domain and a slash.
inline constexpr std::string_view kQualifiedPattern =
    R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
    R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)";
inline constexpr std::string_view kTaintKeyPattern =
    R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?)"
    R"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$)";
inline constexpr std::string_view kLabelValuePattern =
    "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$";
inline constexpr std::string_view kReasonPattern = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";

inline constexpr Limits kAnyFields{.least = 1};
inline constexpr Limits kNotNegative{.least = 0};
inline constexpr Limits kPositive{.least = 1};
inline constexpr Limits kClusterNameLimits{.least = 1, .most = 63};
inline constexpr Limits kNameLimits{.least = 1, .most = 253, .pattern = kSubdomainPattern};
inline constexpr Limits kKindLimits{.least = 1, .most = 63, .pattern = kKindPattern};
inline constexpr Limits kConditionTypeLimits{.least = 1, .most = 316, .pattern = kQualifiedPattern};
inline constexpr Limits kTextLimits{.least = 1, .most = 256};
inline constexpr Limits kMessageLimits{.least = 1, .most = 10240};
inline constexpr Limits kPolarityLimits{.one_of = "Positive|Negative"};
inline constexpr Limits kEffectLimits{.one_of = "NoSchedule|PreferNoSchedule|NoExecute"};
inline constexpr Limits kOrderLimits{.one_of = "Random|Newest|Oldest"};
inline constexpr Limits kTruthLimits{.one_of = "True|False|Unknown"};

// Another object of the same namespace. Its version is found by its definition.
inline constexpr Field kReferenceFields[] = {
    {"apiGroup", FieldType::kText, "Group of the object's kind.", true, kNameLimits},
    {"kind", FieldType::kText, "Kind of the object.", true, kKindLimits},
    {"name", FieldType::kText, "Name of the object.", true, kNameLimits},
};

inline constexpr Field kOldReferenceFields[] = {
    {"apiVersion", FieldType::kText, "Group and version of the object."},
    {"fieldPath", FieldType::kText, "Not used."},
    {"kind", FieldType::kText, "Kind of the object."},
    {"name", FieldType::kText, "Name of the object."},
    {"namespace", FieldType::kText, "Namespace of the object; that of the referrer."},
    {"resourceVersion", FieldType::kText, "Not used."},
    {"uid", FieldType::kText, "Not used."},
};

inline constexpr Field kConditionFields[] = {
    {"conditions",
     FieldType::kMapList,
     "What is known about it, by type.",
     false,
     {.most = 32, .keys = "type"}},
    {"conditions[].type",
     FieldType::kText,
     "What the condition is about.",
     true,
     {.most = 316, .pattern = kQualifiedPattern}},
    {"conditions[].status", FieldType::kText, "Whether it holds.", true, kTruthLimits},
    {"conditions[].reason",
     FieldType::kText,
     "Why, in one word.",
     true,
     {.least = 1, .most = 1024, .pattern = kReasonPattern}},
    {"conditions[].message",
     FieldType::kText,
     "Why, in words for people; may be empty.",
     true,
     {.most = 32768}},
    {"conditions[].lastTransitionTime", FieldType::kTime, "Since when it has this status.", true},
    {"conditions[].observedGeneration", FieldType::kInt64,
     "The generation of the object that this was found for.", false, kNotNegative},
};

inline constexpr Field kOldConditionFields[] = {
    {"conditions", FieldType::kList, "Conditions in the form of v1beta1."},
    {"conditions[].type", FieldType::kText, "What the condition is about.", true, kTextLimits},
    {"conditions[].status", FieldType::kText, "Whether it holds: True, False or Unknown.", true},
    {"conditions[].severity",
     FieldType::kText,
     "How bad it is: Error, Warning, Info.",
     false,
     {.most = 32}},
    {"conditions[].reason", FieldType::kText, "Why, in one word.", false, kTextLimits},
    {"conditions[].message", FieldType::kText, "Why, in words.", false, kMessageLimits},
    {"conditions[].lastTransitionTime", FieldType::kTime, "Since when it has this status.", true},
};

inline constexpr Field kDeprecatedFields[] = {
    {"deprecated", FieldType::kObject, "What only clients of old versions read."},
    {"deprecated.v1beta1", FieldType::kObject, "What clients of v1beta1 read."},
};

inline constexpr Field kOldStatusFields[] = {
    {"v1beta2", FieldType::kObject, "What v1beta2 has in places that mean other things here."},
};

inline constexpr Field kFailureFields[] = {
    {"failureReason", FieldType::kText, "A reported failure in one word; nothing acts on it."},
    {"failureMessage", FieldType::kText, "The same in words.", false, kMessageLimits},
};

inline constexpr Field kSelectorFields[] = {
    {"matchLabels", FieldType::kTextMap, "Labels that must be there with these values."},
    {"matchExpressions", FieldType::kAtomicList, "Further conditions; all must hold."},
    {"matchExpressions[].key", FieldType::kText, "The label that is looked at.", true},
    {"matchExpressions[].operator", FieldType::kText, "In, NotIn, Exists or DoesNotExist.", true},
    {"matchExpressions[].values", FieldType::kAtomicTextList, "Values for In and NotIn."},
};

inline constexpr Field kTemplateMetadataFields[] = {
    {"labels", FieldType::kTextMap, "Labels of new machines and of what is made beside them."},
    {"annotations", FieldType::kTextMap, "Annotations of new machines, likewise."},
};

inline constexpr Field kVersionCountFields[] = {
    {"versions",
     FieldType::kMapList,
     "How many machines run which version of Kubernetes.",
     false,
     {.least = 1, .most = 100, .keys = "version"}},
    {"versions[].version", FieldType::kText, "The version.", true, kTextLimits},
    {"versions[].replicas", FieldType::kInt32, "How many machines.", false, kPositive},
};

// What a machine is, wherever it is described, in both versions.
inline constexpr Field kMachineSpecFields[] = {
    {"clusterName", FieldType::kText, "The cluster that the machine belongs to.", true,
     kClusterNameLimits},
    {"bootstrap", FieldType::kObject, "Where its first configuration comes from.", true},
    {"bootstrap.dataSecretName",
     FieldType::kText,
     "Secret with the configuration; written by the controller if configRef is set.",
     false,
     {.least = 0, .most = 253}},
    {"version", FieldType::kText, "The wished version of the kubelet.", false, kTextLimits},
    {"providerID",
     FieldType::kText,
     "The provider's id of the instance, which its Node has too.",
     false,
     {.least = 1, .most = 512}},
    {"failureDomain", FieldType::kText, "Where it should run.", false, kTextLimits},
    {"taints",
     FieldType::kMapList,
     "Taints for the Node.",
     false,
     {.least = 1, .most = 64, .keys = "key,effect"}},
    {"taints[].key",
     FieldType::kText,
     "Key of the taint.",
     true,
     {.least = 1, .most = 317, .pattern = kTaintKeyPattern}},
    {"taints[].value",
     FieldType::kText,
     "Value of the taint.",
     false,
     {.least = 1, .most = 63, .pattern = kLabelValuePattern}},
    {"taints[].effect", FieldType::kText, "What it does to pods.", true, kEffectLimits},
    {"taints[].propagation",
     FieldType::kText,
     "Always keeps it on the Node; OnInitialization puts it there once.",
     true,
     {.one_of = "Always|OnInitialization"}},
};

inline constexpr Field kReadinessGateFields[] = {
    {"readinessGates",
     FieldType::kMapList,
     "Conditions that count for Ready besides the usual.",
     false,
     {.least = 1, .most = 32, .keys = "conditionType"}},
};

inline constexpr Field kOldReadinessGateFields[] = {
    {"readinessGates",
     FieldType::kMapList,
     "Conditions that count for Ready besides the usual.",
     false,
     {.most = 32, .keys = "conditionType"}},
};

inline constexpr Field kGateFields[] = {
    {"conditionType", FieldType::kText, "Type of the condition.", true, kConditionTypeLimits},
    {"polarity", FieldType::kText, "Whether it is good when True (Positive) or when False.", false,
     kPolarityLimits},
};

inline constexpr Field kMachineSpecOnlyNewFields[] = {
    {"bootstrap.configRef", FieldType::kObject, "The provider's object that makes it."},
    {"infrastructureRef", FieldType::kObject, "The provider's object for the instance.", true},
    {"minReadySeconds", FieldType::kInt32, "How long it must be Ready to be Available.", false,
     kNotNegative},
    {"deletion", FieldType::kObject, "How it is removed.", false, kAnyFields},
    {"deletion.nodeDrainTimeoutSeconds", FieldType::kInt32,
     "How long pods may take to leave; 0 or none: as long as they need.", false, kNotNegative},
    {"deletion.nodeVolumeDetachTimeoutSeconds", FieldType::kInt32,
     "How long volumes may take to be detached; 0 or none: as long as they need.", false,
     kNotNegative},
    {"deletion.nodeDeletionTimeoutSeconds", FieldType::kInt32,
     "How long the deletion of the Node is tried; 0: for ever.", false, kNotNegative},
};

inline constexpr Field kMachineSpecOnlyOldFields[] = {
    {"bootstrap.configRef", FieldType::kAtomicObject, "The provider's object that makes it."},
    {"infrastructureRef", FieldType::kAtomicObject, "The provider's object for the instance.",
     true},
    {"nodeDrainTimeout", FieldType::kText, "How long pods may take to leave, like 10m."},
    {"nodeVolumeDetachTimeout", FieldType::kText, "How long volumes may take to be detached."},
    {"nodeDeletionTimeout", FieldType::kText, "How long the deletion of the Node is tried."},
};

// The numbers of machines in a status of v1beta2.
inline constexpr Field kReplicaCountFields[] = {
    {"readyReplicas", FieldType::kInt32, "Machines that are Ready."},
    {"availableReplicas", FieldType::kInt32, "Machines that are Available."},
    {"upToDateReplicas", FieldType::kInt32, "Machines that are as the template wishes."},
};

inline constexpr Field kScaledStatusFields[] = {
    {"replicas", FieldType::kInt32, "Machines that exist, also those on their way out."},
    {"selector",
     FieldType::kText,
     "The selector as text, for scaling.",
     false,
     {.least = 1, .most = 4096}},
};

inline constexpr Field kObservedFields[] = {
    {"observedGeneration", FieldType::kInt64, "The generation that this status is about.", false,
     kPositive},
};

inline constexpr Field kOldObservedFields[] = {
    {"observedGeneration", FieldType::kInt64, "The generation that this status is about."},
};

}  // namespace millwright::dialects::capi
