#include "dialects/gardener/names.h"
#include "dialects/gardener/schema.h"
#include "dialects/gardener/schema_shared.h"

namespace millwright::dialects::gardener {
namespace {

using enum FieldType;

constexpr Field kTop[] = {
    {"spec", kObject, "The machine that is wished for."},
    {"status", kObject, "What is known of the machine."},
};

constexpr Field kStatus[] = {
    {"addresses", kList, "Addresses of the instance, where no node tells them."},
    {"addresses[].address", kText, "The address.", true},
    {"addresses[].type", kText, "Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.",
     true},
    {"conditions", kList, "The conditions of the machine's node, as last seen."},
    {"conditions[].type", kText, "Type of the condition.", true},
    {"conditions[].status", kText, "True, False or Unknown.", true},
    {"conditions[].lastHeartbeatTime", kTime, "When the node last reported it."},
    {"conditions[].lastTransitionTime", kTime, "Since when it has this status."},
    {"conditions[].reason", kText, "The reason, in one word."},
    {"conditions[].message", kText, "The reason, in words."},
    {"currentStatus", kObject, "Where the machine stands in its life."},
    {"currentStatus.phase", kText,
     "Pending, Available, Running, Unknown, Failed, CrashLoopBackOff, Terminating or one of the "
     "InPlaceUpdate phases; none before its instance is known."},
    {"currentStatus.timeoutActive", kBool, "Whether its creation may time out."},
    {"currentStatus.lastUpdateTime", kTime, "Since when it is in its phase."},
    {"currentStatus.preserveExpiryTime", kTime, "Until when it is preserved, if it is."},
    {"lastKnownState", kText, "What the provider keeps here for itself."},
    {"lastOperation", kObject, "What was done last."},
};

constexpr FieldGroup kFields[] = {
    {"", kTop},
    {"spec", kMachineSpecFields},
    {"status", kStatus},
    {"status.lastOperation", kOperationFields},
};

constexpr Column kColumns[] = {
    {"Status", "string", ".status.currentStatus.phase", "Phase of the machine."},
    {"Age", "date", ".metadata.creationTimestamp", "Time since it was created."},
    {"Node", "string", ".metadata.labels.node", "Node of the machine."},
    {"ProviderID", "string", ".spec.providerID", "The provider's id of the instance.", 1},
};

}  // namespace

KindTable MachineTable() {
  return {.group = kGroup,
          .version = kVersion,
          .kind = kMachineKind,
          .plural = "machines",
          .singular = "machine",
          .short_name = "mc",
          .description = "A machine: an instance at a cloud that becomes a node.",
          .fields = kFields,
          .columns = kColumns,
          .has_status = true};
}

}  // namespace millwright::dialects::gardener
