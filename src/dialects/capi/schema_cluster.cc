#include "dialects/capi/names.h"
#include "dialects/capi/schema.h"
#include "dialects/capi/schema_shared.h"

namespace millwright::dialects::capi {
namespace {

using enum FieldType;

constexpr Field kTop[] = {
    {"spec", kObject, "The cluster that is wished for.", true, kAnyFields},
    {"status", kObject, "What is known of it.", false, kAnyFields},
};

constexpr Field kOldTop[] = {
    {"spec", kObject, "The cluster that is wished for."},
    {"status", kObject, "What is known of it."},
};

constexpr Field kSpec[] = {
    {"paused", kBool, "Nothing of the cluster is worked on while this is true."},
    {"topology", kOpenObject, "A cluster made from a class; carried along for who does that."},
};

constexpr Field kNewSpec[] = {
    {"availabilityGates",
     kMapList,
     "Conditions that count for Available besides the usual.",
     false,
     {.least = 1, .most = 32, .keys = "conditionType"}},
    {"clusterNetwork", kObject, "Networks of the cluster.", false, kAnyFields},
    {"clusterNetwork.apiServerPort",
     kInt32,
     "Port of the API server.",
     false,
     {.least = 1, .most = 65535}},
    {"clusterNetwork.serviceDomain",
     kText,
     "Domain of services.",
     false,
     {.least = 1, .most = 253}},
    {"clusterNetwork.pods", kObject, "Addresses of pods."},
    {"clusterNetwork.pods.cidrBlocks", kAtomicTextList, "Ranges.", true, {.least = 1, .most = 100}},
    {"clusterNetwork.services", kObject, "Addresses of services."},
    {"clusterNetwork.services.cidrBlocks",
     kAtomicTextList,
     "Ranges.",
     true,
     {.least = 1, .most = 100}},
    {"controlPlaneEndpoint", kObject, "Where the API server is reached.", false, kAnyFields},
    {"controlPlaneEndpoint.host", kText, "Name or address.", false, {.least = 1, .most = 512}},
    {"controlPlaneEndpoint.port", kInt32, "Port.", false, {.least = 1, .most = 65535}},
    {"controlPlaneRef", kObject, "The provider's object for the control plane."},
    {"infrastructureRef", kObject, "The provider's object for what all machines share."},
};

constexpr Field kOldSpec[] = {
    {"availabilityGates",
     kMapList,
     "Conditions that count for Available besides the usual.",
     false,
     {.most = 32, .keys = "conditionType"}},
    {"clusterNetwork", kObject, "Networks of the cluster."},
    {"clusterNetwork.apiServerPort", kInt32, "Port of the API server."},
    {"clusterNetwork.serviceDomain",
     kText,
     "Domain of services.",
     false,
     {.least = 1, .most = 253}},
    {"clusterNetwork.pods", kObject, "Addresses of pods."},
    {"clusterNetwork.pods.cidrBlocks", kAtomicTextList, "Ranges.", true, {.most = 100}},
    {"clusterNetwork.services", kObject, "Addresses of services."},
    {"clusterNetwork.services.cidrBlocks", kAtomicTextList, "Ranges.", true, {.most = 100}},
    {"controlPlaneEndpoint", kObject, "Where the API server is reached."},
    {"controlPlaneEndpoint.host", kText, "Name or address.", false, {.most = 512}},
    {"controlPlaneEndpoint.port", kInt32, "Port."},
    {"controlPlaneRef", kAtomicObject, "The provider's object for the control plane."},
    {"infrastructureRef", kAtomicObject, "The provider's object for what all machines share."},
};

constexpr Field kPhase[] = {
    {"phase",
     kText,
     "How far it is; for people.",
     false,
     {.one_of = "Pending|Provisioning|Provisioned|Deleting|Failed|Unknown"}},
};

constexpr Field kNewStatus[] = {
    {"initialization", kObject, "Steps that were taken once.", false, kAnyFields},
    {"initialization.infrastructureProvisioned", kBool, "What all machines share was made."},
    {"initialization.controlPlaneInitialized", kBool, "The API server has answered."},
    {"failureDomains",
     kMapList,
     "Where machines can run.",
     false,
     {.least = 1, .most = 100, .keys = "name"}},
    {"failureDomains[].name", kText, "Its name.", true, kTextLimits},
    {"failureDomains[].controlPlane", kBool, "Whether control planes can run there."},
    {"failureDomains[].attributes", kTextMap, "What the provider says of it."},
};

constexpr Field kOldStatus[] = {
    {"infrastructureReady", kBool, "What all machines share was made."},
    {"controlPlaneReady", kBool, "The control plane can be used."},
    {"failureDomains", kObjectMap, "Where machines can run, by name."},
    {"failureDomains{}.controlPlane", kBool, "Whether control planes can run there."},
    {"failureDomains{}.attributes", kTextMap, "What the provider says of it."},
};

constexpr Field kCounted[] = {
    {"controlPlane", kObject, "Machines of the control plane."},
    {"workers", kObject, "All other machines."},
};

constexpr Field kCounts[] = {
    {"desiredReplicas", kInt32, "How many machines there should be."},
    {"replicas", kInt32, "How many there are."},
    {"readyReplicas", kInt32, "How many are Ready."},
    {"availableReplicas", kInt32, "How many are Available."},
    {"upToDateReplicas", kInt32, "How many are as wished."},
    {"upgradePlan",
     kAtomicList,
     "Versions that are still to come.",
     false,
     {.least = 1, .most = 32}},
    {"upgradePlan[].version", kText, "The version.", true, kTextLimits},
    {"versions",
     kAtomicList,
     "How many machines run which version of Kubernetes.",
     false,
     {.least = 1, .most = 32}},
    {"versions[].version", kText, "The version.", true, kTextLimits},
    {"versions[].replicas", kInt32, "How many machines.", false, kPositive},
};

constexpr FieldGroup kFields[] = {
    {"", kTop},
    {"spec", kSpec},
    {"spec", kNewSpec},
    {"spec.availabilityGates[]", kGateFields},
    {"spec.controlPlaneRef", kReferenceFields},
    {"spec.infrastructureRef", kReferenceFields},
    {"status", kConditionFields},
    {"status", kPhase},
    {"status", kNewStatus},
    {"status", kCounted},
    {"status.controlPlane", kCounts},
    {"status.workers", kCounts},
    {"status", kObservedFields},
    {"status", kDeprecatedFields},
    {"status.deprecated.v1beta1", kOldConditionFields},
    {"status.deprecated.v1beta1", kFailureFields},
};

constexpr FieldGroup kOldFields[] = {
    {"", kOldTop},
    {"spec", kSpec},
    {"spec", kOldSpec},
    {"spec.availabilityGates[]", kGateFields},
    {"spec.controlPlaneRef", kOldReferenceFields},
    {"spec.infrastructureRef", kOldReferenceFields},
    {"status", kOldConditionFields},
    {"status", kPhase},
    {"status", kOldStatus},
    {"status", kFailureFields},
    {"status", kOldObservedFields},
    {"status", kOldStatusFields},
    {"status.v1beta2", kConditionFields},
    {"status.v1beta2", kCounted},
    {"status.v1beta2.controlPlane", kCounts},
    {"status.v1beta2.workers", kCounts},
};

constexpr Column kColumns[] = {
    {"ClusterClass", "string", ".spec.topology.classRef.name", "The class it is made from."},
    {"Available", "string", R"(.status.conditions[?(@.type=="Available")].status)",
     "Whether it can be used."},
    {"CP Desired", "integer", ".status.controlPlane.desiredReplicas",
     "Control plane machines that there should be."},
    {"CP Current", "integer", ".status.controlPlane.replicas", "That there are.", 10},
    {"CP Ready", "integer", ".status.controlPlane.readyReplicas", "That are Ready.", 10},
    {"CP Available", "integer", ".status.controlPlane.availableReplicas", "That are Available."},
    {"CP Up-to-date", "integer", ".status.controlPlane.upToDateReplicas", "That are as wished."},
    {"W Desired", "integer", ".status.workers.desiredReplicas",
     "Other machines that there should be."},
    {"W Current", "integer", ".status.workers.replicas", "That there are.", 10},
    {"W Ready", "integer", ".status.workers.readyReplicas", "That are Ready.", 10},
    {"W Available", "integer", ".status.workers.availableReplicas", "That are Available."},
    {"W Up-to-date", "integer", ".status.workers.upToDateReplicas", "That are as wished."},
    {"Paused", "string", R"(.status.conditions[?(@.type=="Paused")].status)",
     "Whether it is left alone.", 10},
    {"Phase", "string", ".status.phase", "How far it is."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Version", "string", ".spec.topology.version", "The wished version of Kubernetes."},
};

constexpr Column kOldColumns[] = {
    {"ClusterClass", "string", ".spec.topology.class", "The class it is made from."},
    {"Phase", "string", ".status.phase", "How far it is."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Version", "string", ".spec.topology.version", "The wished version of Kubernetes."},
};

}  // namespace

KindVersions ClusterTables() {
  return InBothVersions({.group = kGroup,
                         .version = kVersion,
                         .kind = kClusterKind,
                         .plural = "clusters",
                         .singular = "cluster",
                         .short_name = "cl",
                         .description = "A cluster whose machines are looked after.",
                         .fields = kFields,
                         .columns = kColumns,
                         .has_status = true,
                         .category = kCategory},
                        kOldFields, kOldColumns);
}

}  // namespace millwright::dialects::capi
