#include "dialects/capi/names.h"
#include "dialects/capi/schema.h"
#include "dialects/capi/schema_shared.h"

namespace millwright::dialects::capi {
namespace {

using enum FieldType;

constexpr Field kTop[] = {
    {"spec", kObject, "The machine that is wished for.", true},
    {"status", kObject, "What is known of it.", false, kAnyFields},
};

constexpr Field kOldTop[] = {
    {"spec", kObject, "The machine that is wished for."},
    {"status", kObject, "What is known of it."},
};

constexpr Field kStatus[] = {
    {"nodeInfo", kObject, "What its Node says of itself."},
    {"nodeInfo.architecture", kText, "Of the processor.", true},
    {"nodeInfo.bootID", kText, "Changes with each boot.", true},
    {"nodeInfo.containerRuntimeVersion", kText, "Of the container runtime.", true},
    {"nodeInfo.kernelVersion", kText, "Of the kernel.", true},
    {"nodeInfo.kubeProxyVersion", kText, "Not used.", true},
    {"nodeInfo.kubeletVersion", kText, "Of the kubelet.", true},
    {"nodeInfo.machineID", kText, "Of the operating system.", true},
    {"nodeInfo.operatingSystem", kText, "Its kind.", true},
    {"nodeInfo.osImage", kText, "Its name.", true},
    {"nodeInfo.swap", kObject, "Swap space."},
    {"nodeInfo.swap.capacity", kInt64, "In bytes."},
    {"nodeInfo.systemUUID", kText, "Of the hardware.", true},
    {"lastUpdated", kTime, "When the phase changed."},
    {"addresses[].type",
     kText,
     "What the address is.",
     true,
     {.one_of = "Hostname|ExternalIP|InternalIP|ExternalDNS|InternalDNS"}},
    {"addresses[].address", kText, "The address.", true, kTextLimits},
    {"certificatesExpiryDate", kTime, "When certificates of a control plane machine end."},
    {"deletion", kObject, "When stages of the removal began."},
    {"deletion.nodeDrainStartTime", kTime, "Pods were first asked to leave."},
    {"deletion.waitForNodeVolumeDetachStartTime", kTime, "Volumes were first waited for."},
    {"deletion.waitForPreDrainHookStartTime", kTime, "A hook first held up the drain."},
    {"deletion.waitForPreTerminateHookStartTime", kTime, "A hook first held up the removal."},
};

constexpr Field kNewStatus[] = {
    {"addresses", kAtomicList, "How it can be reached.", false, {.most = 256}},
    {"initialization", kObject, "Steps that were taken once.", false, kAnyFields},
    {"initialization.infrastructureProvisioned", kBool, "The instance was made."},
    {"initialization.bootstrapDataSecretCreated", kBool, "Its configuration was made."},
    {"nodeRef", kObject, "Its Node."},
    {"nodeRef.name", kText, "Name of the Node.", true, kNameLimits},
    {"failureDomain", kText, "Where it runs.", false, kTextLimits},
    {"phase",
     kText,
     "How far it is; for people.",
     false,
     {.one_of = "Pending|Provisioning|Provisioned|Running|Updating|Deleting|Deleted|Failed|"
                "Unknown"}},
};

constexpr Field kOldStatus[] = {
    {"addresses", kList, "How it can be reached."},
    {"infrastructureReady", kBool, "The instance was made."},
    {"bootstrapReady", kBool, "Its configuration was made."},
    {"nodeRef", kAtomicObject, "Its Node."},
    {"phase",
     kText,
     "How far it is; for people.",
     false,
     {.one_of = "Pending|Provisioning|Provisioned|Running|Deleting|Deleted|Failed|Unknown"}},
};

constexpr FieldGroup kFields[] = {
    {"", kTop},
    {"spec", kMachineSpecFields},
    {"spec", kMachineSpecOnlyNewFields},
    {"spec", kReadinessGateFields},
    {"spec.readinessGates[]", kGateFields},
    {"spec.bootstrap.configRef", kReferenceFields},
    {"spec.infrastructureRef", kReferenceFields},
    {"status", kConditionFields},
    {"status", kNewStatus},
    {"status", kStatus},
    {"status", kObservedFields},
    {"status", kDeprecatedFields},
    {"status.deprecated.v1beta1", kOldConditionFields},
    {"status.deprecated.v1beta1", kFailureFields},
};

constexpr FieldGroup kOldFields[] = {
    {"", kOldTop},
    {"spec", kMachineSpecFields},
    {"spec", kMachineSpecOnlyOldFields},
    {"spec", kOldReadinessGateFields},
    {"spec.readinessGates[]", kGateFields},
    {"spec.bootstrap.configRef", kOldReferenceFields},
    {"spec.infrastructureRef", kOldReferenceFields},
    {"status", kOldConditionFields},
    {"status", kFailureFields},
    {"status", kOldStatus},
    {"status", kStatus},
    {"status", kOldObservedFields},
    {"status.nodeRef", kOldReferenceFields},
    {"status", kOldStatusFields},
    {"status.v1beta2", kConditionFields},
};

constexpr Column kColumns[] = {
    {"Cluster", "string", ".spec.clusterName", "Its cluster."},
    {"Node Name", "string", ".status.nodeRef.name", "Its Node."},
    {"Provider ID", "string", ".spec.providerID", "The provider's id of it.", 10},
    {"Failure domain", "string", ".status.failureDomain", "Where it runs."},
    {"Ready", "string", R"(.status.conditions[?(@.type=="Ready")].status)", "Whether it works."},
    {"Available", "string", R"(.status.conditions[?(@.type=="Available")].status)",
     "Whether it has been Ready for long enough."},
    {"Up-to-date", "string", R"(.status.conditions[?(@.type=="UpToDate")].status)",
     "Whether it is what its deployment wishes."},
    {"Internal-IP", "string", R"(.status.addresses[?(@.type=="InternalIP")].address)",
     "Its address inside.", 10},
    {"External-IP", "string", R"(.status.addresses[?(@.type=="ExternalIP")].address)",
     "Its address outside.", 10},
    {"OS-Image", "string", ".status.nodeInfo.osImage", "Its operating system.", 10},
    {"Paused", "string", R"(.status.conditions[?(@.type=="Paused")].status)",
     "Whether it is left alone.", 10},
    {"Phase", "string", ".status.phase", "How far it is."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Version", "string", ".spec.version", "The wished version of Kubernetes."},
};

constexpr Column kOldColumns[] = {
    {"Cluster", "string", ".spec.clusterName", "Its cluster."},
    {"NodeName", "string", ".status.nodeRef.name", "Its Node."},
    {"ProviderID", "string", ".spec.providerID", "The provider's id of it."},
    {"Phase", "string", ".status.phase", "How far it is."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Version", "string", ".spec.version", "The wished version of Kubernetes."},
};

}  // namespace

KindVersions MachineTables() {
  return InBothVersions({.group = kGroup,
                         .version = kVersion,
                         .kind = kMachineKind,
                         .plural = "machines",
                         .singular = "machine",
                         .short_name = "ma",
                         .description = "A machine of a cluster.",
                         .fields = kFields,
                         .columns = kColumns,
                         .has_status = true,
                         .category = kCategory},
                        kOldFields, kOldColumns);
}

}  // namespace millwright::dialects::capi
