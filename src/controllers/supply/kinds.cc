#include "controllers/supply/kinds.h"

#include "dialects/schema_table.h"

namespace millwright::controllers::supply {

namespace json = boost::json;
using dialects::Column;
using dialects::Field;
using dialects::FieldGroup;
using dialects::KindTable;
using enum dialects::FieldType;

const kube::GroupVersionResource kInstances{std::string(kInfrastructureGroup),
                                            std::string(kVersion), "millwrightmachines"};
const kube::GroupVersionResource kInfrastructures{std::string(kInfrastructureGroup),
                                                  std::string(kVersion), "millwrightclusters"};
const kube::GroupVersionResource kBootstraps{std::string(kBootstrapGroup), std::string(kVersion),
                                             "millwrightbootstraps"};
const kube::GroupVersionResource kControlPlanes{std::string(kControlPlaneGroup),
                                                std::string(kVersion), "millwrightcontrolplanes"};

namespace {

constexpr Field kWished[] = {{"spec", kObject, "What is wished."}};
constexpr Field kShown[] = {{"status", kObject, "What is."}};
constexpr Field kTemplate[] = {
    {"spec", kObject, "What is wished."},
    {"spec.template", kObject, "What is copied for each machine.", true},
    {"spec.template.metadata", kObject, "Marks of every copy."},
    {"spec.template.spec", kObject, "The spec of every copy.", true},
};
constexpr Field kInstanceSpec[] = {
    {"provider", kText, "The provider that makes the instance, as local or simulated.", true},
    {"providerSpec", kOpenObject, "What the provider needs to know; it says what that is."},
    {"secretRef", kAtomicObject, "The secret with the provider's credentials."},
    {"secretRef.name", kText, "Name of the secret, in the same namespace."},
    {"providerID", kText, "The instance, once there is one."},
};
constexpr Field kBootstrapSpec[] = {
    {"userData", kText,
     "What the instance starts with. <<MACHINE_NAME>> and <<BOOTSTRAP_TOKEN>> stand for the "
     "machine's name and a token to join the cluster with.",
     true},
    {"tokenGroups", kText, "Groups of that token besides system:bootstrappers, with commas."},
};
constexpr Field kTemplateMetadata[] = {
    {"labels", kTextMap, "Labels of every copy."},
    {"annotations", kTextMap, "Annotations of every copy."},
};
constexpr Field kConditions[] = {
    {"conditions", kList, "What is known about it."},
    {"conditions[].type", kText, "What it is about.", true},
    {"conditions[].status", kText, "True, False or Unknown.", true},
    {"conditions[].reason", kText, "Why, in one word.", true},
    {"conditions[].message", kText, "Why, for people."},
    {"conditions[].lastTransitionTime", kTime, "Since when.", true},
    {"conditions[].observedGeneration", kInt64, "The generation that it is about."},
};
constexpr Field kInstanceStatus[] = {
    {"initialization", kObject, "What was reached once and never reverts."},
    {"initialization.provisioned", kBool, "The instance exists."},
    {"addresses", kList, "How to reach the instance."},
    {"addresses[].type", kText, "Kind of the address.", true},
    {"addresses[].address", kText, "The address.", true},
    {"remembered", kText, "Kept for the provider."},
};
constexpr Field kBootstrapStatus[] = {
    {"initialization", kObject, "What was reached once and never reverts."},
    {"initialization.dataSecretCreated", kBool, "The secret exists."},
    {"dataSecretName", kText, "The secret with the data."},
};
constexpr Field kTemplateStatus[] = {
    {"capacity", kQuantityMap, "Resources of a node, for scaling from zero."},
};
constexpr Field kInfrastructureSpec[] = {
    {"controlPlaneEndpoint", kObject, "Where the cluster's API is served."},
    {"controlPlaneEndpoint.host", kText, "Its host.", true},
    {"controlPlaneEndpoint.port", kInt32, "Its port.", true},
};
constexpr Field kInfrastructureStatus[] = {
    {"initialization", kObject, "What was reached once and never reverts."},
    {"initialization.provisioned", kBool, "All that the cluster needs is there."},
};
constexpr Field kControlPlaneSpec[] = {
    {"version", kText, "The version of Kubernetes that it runs; empty: nothing is checked."},
};
constexpr Field kControlPlaneStatus[] = {
    {"initialization", kObject, "What was reached once and never reverts."},
    {"initialization.controlPlaneInitialized", kBool, "It takes requests."},
    {"version", kText, "The version that it runs."},
    {"externalManagedControlPlane", kBool, "Always: it has no machines of ours."},
};

constexpr FieldGroup kInstanceFields[] = {{"", kWished},
                                          {"", kShown},
                                          {"spec", kInstanceSpec},
                                          {"status", kInstanceStatus},
                                          {"status", kConditions}};
constexpr FieldGroup kInstanceTemplateFields[] = {{"", kTemplate},
                                                  {"", kShown},
                                                  {"spec.template.metadata", kTemplateMetadata},
                                                  {"spec.template.spec", kInstanceSpec},
                                                  {"status", kTemplateStatus}};
constexpr FieldGroup kInfrastructureFields[] = {
    {"", kWished}, {"", kShown}, {"spec", kInfrastructureSpec}, {"status", kInfrastructureStatus}};
constexpr FieldGroup kBootstrapFields[] = {{"", kWished},
                                           {"", kShown},
                                           {"spec", kBootstrapSpec},
                                           {"status", kBootstrapStatus},
                                           {"status", kConditions}};
constexpr FieldGroup kBootstrapTemplateFields[] = {{"", kTemplate},
                                                   {"spec.template.metadata", kTemplateMetadata},
                                                   {"spec.template.spec", kBootstrapSpec}};
constexpr FieldGroup kControlPlaneFields[] = {
    {"", kWished}, {"", kShown}, {"spec", kControlPlaneSpec}, {"status", kControlPlaneStatus}};

constexpr Column kInstanceColumns[] = {
    {"Provider", "string", ".spec.provider", "Who makes the instance"},
    {"Instance", "string", ".spec.providerID", "The instance"},
    {"Ready", "string", ".status.conditions[?(@.type==\"Ready\")].status", "It exists"},
    {"Age", "date", ".metadata.creationTimestamp", "Since it was declared"},
};

constexpr KindTable kTables[] = {
    {.group = kInfrastructureGroup,
     .version = kVersion,
     .kind = kInstanceKind,
     .plural = "millwrightmachines",
     .singular = "millwrightmachine",
     .description = "An instance of one of Millwright's clouds, for a Machine of Cluster API.",
     .fields = kInstanceFields,
     .columns = kInstanceColumns,
     .has_status = true},
    {.group = kInfrastructureGroup,
     .version = kVersion,
     .kind = "MillwrightMachineTemplate",
     .plural = "millwrightmachinetemplates",
     .singular = "millwrightmachinetemplate",
     .description = "What the instances of a set of Machines are made from.",
     .fields = kInstanceTemplateFields,
     .has_status = true},
    {.group = kInfrastructureGroup,
     .version = kVersion,
     .kind = "MillwrightCluster",
     .plural = "millwrightclusters",
     .singular = "millwrightcluster",
     .description = "The surroundings of a cluster; there are none to make.",
     .fields = kInfrastructureFields,
     .has_status = true},
    {.group = kBootstrapGroup,
     .version = kVersion,
     .kind = kBootstrapKind,
     .plural = "millwrightbootstraps",
     .singular = "millwrightbootstrap",
     .description = "What an instance starts with, for a Machine of Cluster API.",
     .fields = kBootstrapFields,
     .has_status = true},
    {.group = kBootstrapGroup,
     .version = kVersion,
     .kind = "MillwrightBootstrapTemplate",
     .plural = "millwrightbootstraptemplates",
     .singular = "millwrightbootstraptemplate",
     .description = "What the instances of a set of Machines start with.",
     .fields = kBootstrapTemplateFields},
    {.group = kControlPlaneGroup,
     .version = kVersion,
     .kind = "MillwrightControlPlane",
     .plural = "millwrightcontrolplanes",
     .singular = "millwrightcontrolplane",
     .description = "A control plane that somebody else runs; its kubeconfig is in the Secret "
                    "CLUSTER-kubeconfig.",
     .fields = kControlPlaneFields,
     .has_status = true},
};

}  // namespace

std::vector<json::object> Crds() {
  std::vector<json::object> crds;
  for (const KindTable& table : kTables) {
    json::object crd = dialects::CrdOf(table);
    crd["metadata"].as_object()["labels"] = json::object{
        {"cluster.x-k8s.io/v1beta2", kVersion},
        {"cluster.x-k8s.io/provider", "infrastructure-millwright"},
        {"clusterctl.cluster.x-k8s.io", ""}};  // without it `clusterctl move` leaves them
    crds.push_back(std::move(crd));
  }
  return crds;
}

}  // namespace millwright::controllers::supply
