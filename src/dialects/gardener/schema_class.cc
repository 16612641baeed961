#include "dialects/gardener/names.h"
#include "dialects/gardener/schema.h"

namespace millwright::dialects::gardener {
namespace {

using enum FieldType;

constexpr Field kTop[] = {
    {"provider", kText, "The provider that makes the instances."},
    {"providerSpec", kOpenObject, "What the provider needs to know; it says what that is.", true},
    {"secretRef", kAtomicObject, "The secret with user data and credentials."},
    {"secretRef.name", kText, "Name of the secret."},
    {"secretRef.namespace", kText, "Namespace of the secret."},
    {"credentialsSecretRef", kAtomicObject, "A second secret, whose keys win."},
    {"credentialsSecretRef.name", kText, "Name of the secret."},
    {"credentialsSecretRef.namespace", kText, "Namespace of the secret."},
    {"nodeTemplate", kOpenObject, "What a node of this class is like, for scaling from zero."},
    {"nodeTemplate.capacity", kQuantityMap, "Resources of a node; cpu, gpu and memory are needed.",
     true},
    {"nodeTemplate.virtualCapacity", kQuantityMap, "Resources that are written to the node."},
    {"nodeTemplate.instanceType", kText, "The provider's type of instance.", true},
    {"nodeTemplate.region", kText, "Region of the node.", true},
    {"nodeTemplate.zone", kText, "Zone of the node.", true},
    {"nodeTemplate.architecture", kText, "Architecture of its processors."},
};

constexpr FieldGroup kFields[] = {{"", kTop}};

}  // namespace

KindTable ClassTable() {
  return {.group = kGroup,
          .version = kVersion,
          .kind = kClassKind,
          .plural = "machineclasses",
          .singular = "machineclass",
          .short_name = "mcc",
          .description = "How instances of machines are made.",
          .fields = kFields};
}

}  // namespace millwright::dialects::gardener
