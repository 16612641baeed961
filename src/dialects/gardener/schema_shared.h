// Fields that stand in several kinds.
#pragma once

#include "dialects/schema_table.h"

namespace millwright::dialects::gardener {

// What a machine is, wherever it is described: in a machine, and in templates.
inline constexpr Field kMachineSpecFields[] = {
    {"class", FieldType::kObject, "The class that says how the instance is made."},
    {"class.apiGroup", FieldType::kText, "Group of the class; for information."},
    {"class.kind", FieldType::kText, "Kind of the class: MachineClass."},
    {"class.name", FieldType::kText, "Name of the class, in the machine's namespace."},
    {"providerID", FieldType::kText,
     "The provider's id of the instance. Written when it was made."},
    {"nodeTemplate", FieldType::kObject, "What the node of the machine should have."},
    {"nodeTemplate.metadata", FieldType::kOpenObject, "Labels and annotations for the node."},
    {"nodeTemplate.spec", FieldType::kObject, "Of this, only taints are brought to the node."},
    {"nodeTemplate.spec.taints", FieldType::kAtomicList, "Taints for the node."},
    {"nodeTemplate.spec.taints[].key", FieldType::kText, "Key of the taint.", true},
    {"nodeTemplate.spec.taints[].value", FieldType::kText, "Value of the taint."},
    {"nodeTemplate.spec.taints[].effect", FieldType::kText,
     "NoSchedule, PreferNoSchedule or NoExecute. Key and effect tell taints apart.", true},
    {"nodeTemplate.spec.taints[].timeAdded", FieldType::kTime, "Not used."},
    {"nodeTemplate.spec.unschedulable", FieldType::kBool, "Not used."},
    {"nodeTemplate.spec.podCIDR", FieldType::kText, "Not used."},
    {"nodeTemplate.spec.podCIDRs", FieldType::kTextSet, "Not used."},
    {"nodeTemplate.spec.providerID", FieldType::kText, "Not used."},
    {"nodeTemplate.spec.externalID", FieldType::kText, "Not used."},
    {"nodeTemplate.spec.configSource", FieldType::kObject, "Not used."},
    {"nodeTemplate.spec.configSource.configMap", FieldType::kObject, "Not used."},
    {"nodeTemplate.spec.configSource.configMap.kubeletConfigKey", FieldType::kText, "Not used.",
     true},
    {"nodeTemplate.spec.configSource.configMap.name", FieldType::kText, "Not used.", true},
    {"nodeTemplate.spec.configSource.configMap.namespace", FieldType::kText, "Not used.", true},
    {"nodeTemplate.spec.configSource.configMap.resourceVersion", FieldType::kText, "Not used."},
    {"nodeTemplate.spec.configSource.configMap.uid", FieldType::kText, "Not used."},
    {"drainTimeout", FieldType::kText,
     "How long pods may take to leave before they are removed by force, like 2h."},
    {"healthTimeout", FieldType::kText,
     "How long a machine may be unhealthy before it is Failed, like 10m."},
    {"creationTimeout", FieldType::kText,
     "How long a machine may take to be made and to join before it is Failed, like 20m."},
    {"inPlaceUpdateTimeout", FieldType::kText, "How long an update in place may take, like 20m."},
    {"machinePreserveTimeout", FieldType::kText, "How long a preserved machine is kept, like 96h."},
    {"disableHealthTimeout", FieldType::kBool, "Never make an unhealthy machine Failed."},
    {"maxEvictRetries", FieldType::kInt32,
     "How often a pod is asked to leave before it is removed."},
    {"nodeConditions", FieldType::kText,
     "Comma list of node conditions that must be False for the machine to be healthy."},
};

// Parts that sets and deployments have alike.
inline constexpr Field kSelectorFields[] = {
    {"selector", FieldType::kAtomicObject,
     "Which objects belong to this one; must match the template."},
    {"selector.matchLabels", FieldType::kTextMap, "Labels that must be there with these values."},
    {"selector.matchExpressions", FieldType::kAtomicList, "Further conditions; all must hold."},
    {"selector.matchExpressions[].key", FieldType::kText, "The label that is looked at.", true},
    {"selector.matchExpressions[].operator", FieldType::kText, "In, NotIn, Exists or DoesNotExist.",
     true},
    {"selector.matchExpressions[].values", FieldType::kAtomicTextList, "Values for In and NotIn."},
};

inline constexpr Field kTemplateFields[] = {
    {"metadata", FieldType::kOpenObject, "Labels, annotations and finalizers of new machines."},
    {"spec", FieldType::kObject, "The spec of new machines."},
};

inline constexpr Field kOperationFields[] = {
    {"description", FieldType::kText, "What was done, or what went wrong, in words."},
    {"errorCode", FieldType::kText, "Code of the provider's error, like ResourceExhausted."},
    {"lastUpdateTime", FieldType::kTime, "When that was."},
    {"state", FieldType::kText, "Processing, Failed or Successful."},
    {"type", FieldType::kText, "Create, HealthCheck, DrainNode, Delete or InPlaceUpdate."},
};

inline constexpr Field kFailedMachinesFields[] = {
    {"failedMachines", FieldType::kList, "Machines whose last operation failed."},
    {"failedMachines[].name", FieldType::kText, "Name of the machine."},
    {"failedMachines[].providerID", FieldType::kText, "The provider's id of its instance."},
    {"failedMachines[].ownerRef", FieldType::kText, "Name of its set."},
    {"failedMachines[].lastOperation", FieldType::kObject, "What failed."},
};

}  // namespace millwright::dialects::gardener
