#include "kube/api/builtin_merge_keys.h"

#include <algorithm>
#include <array>
#include <string_view>

// The facts are those of the Go types' patchStrategy and patchMergeKey tags in Kubernetes 1.36.
// They have not changed for a kind once it is v1, because clients compute patches from them.
namespace millwright::kube {
namespace {

using enum PatchStrategy;

template <size_t N>
constexpr MergeKeys Rules(const std::array<MergeField, N>& fields) {
  return {.fields = fields};
}

constexpr MergeField Keyed(std::string_view name, std::string_view merge_key,
                           const MergeKeys* inner = nullptr) {
  return {.name = name, .strategy = kMerge, .merge_key = merge_key, .inner = inner};
}

constexpr MergeField Set(std::string_view name) { return {.name = name, .strategy = kMerge}; }

constexpr MergeField Inside(std::string_view name, const MergeKeys* inner) {
  return {.name = name, .inner = inner};
}

constexpr std::array kMetaFields = {Keyed("ownerReferences", "uid"), Set("finalizers")};
constexpr MergeKeys kMeta = Rules(kMetaFields);

constexpr std::array kOnlyMetaFields = {Inside("metadata", &kMeta)};
constexpr MergeKeys kOnlyMeta = Rules(kOnlyMetaFields);

// A status that has merged conditions and nothing else of interest.
constexpr std::array kConditionsFields = {Keyed("conditions", "type")};
constexpr MergeKeys kConditions = Rules(kConditionsFields);

constexpr std::array kStatusOnlyFields = {Inside("metadata", &kMeta),
                                          Inside("status", &kConditions)};
constexpr MergeKeys kStatusOnly = Rules(kStatusOnlyFields);

// --- Pods and what contains them ---

constexpr std::array kContainerFields = {Keyed("ports", "containerPort"), Keyed("env", "name"),
                                         Keyed("volumeMounts", "mountPath"),
                                         Keyed("volumeDevices", "devicePath")};
constexpr MergeKeys kContainer = Rules(kContainerFields);

constexpr std::array kEphemeralVolumeFields = {Inside("volumeClaimTemplate", &kOnlyMeta)};
constexpr MergeKeys kEphemeralVolume = Rules(kEphemeralVolumeFields);
constexpr std::array kVolumeFields = {Inside("ephemeral", &kEphemeralVolume)};
constexpr MergeKeys kVolume = Rules(kVolumeFields);

constexpr std::array kPodSpecFields = {
    Keyed("volumes", "name", &kVolume),
    Keyed("initContainers", "name", &kContainer),
    Keyed("containers", "name", &kContainer),
    Keyed("ephemeralContainers", "name", &kContainer),
    Keyed("imagePullSecrets", "name"),
    Keyed("hostAliases", "ip"),
    Keyed("topologySpreadConstraints", "topologyKey"),
    Keyed("schedulingGates", "name"),
    Keyed("resourceClaims", "name"),
};
constexpr MergeKeys kPodSpec = Rules(kPodSpecFields);

constexpr std::array kPodStatusFields = {
    Keyed("conditions", "type"),
    Keyed("hostIPs", "ip"),
    Keyed("podIPs", "ip"),
    Keyed("resourceClaimStatuses", "name"),
};
constexpr MergeKeys kPodStatus = Rules(kPodStatusFields);

constexpr std::array kPodFields = {Inside("metadata", &kMeta), Inside("spec", &kPodSpec),
                                   Inside("status", &kPodStatus)};
constexpr MergeKeys kPod = Rules(kPodFields);

constexpr std::array kTemplateFields = {Inside("metadata", &kMeta), Inside("spec", &kPodSpec)};
constexpr MergeKeys kTemplate = Rules(kTemplateFields);

constexpr std::array kPodTemplateFields = {Inside("metadata", &kMeta),
                                           Inside("template", &kTemplate)};
constexpr MergeKeys kPodTemplate = Rules(kPodTemplateFields);

// Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs. (A Deployment's strategy is
// retainKeys.)
constexpr std::array kWorkloadSpecFields = {Inside("template", &kTemplate)};
constexpr MergeKeys kWorkloadSpec = Rules(kWorkloadSpecFields);
constexpr std::array kWorkloadFields = {Inside("metadata", &kMeta), Inside("spec", &kWorkloadSpec),
                                        Inside("status", &kConditions)};
constexpr MergeKeys kWorkload = Rules(kWorkloadFields);

constexpr std::array kJobTemplateFields = {Inside("metadata", &kMeta),
                                           Inside("spec", &kWorkloadSpec)};
constexpr MergeKeys kJobTemplate = Rules(kJobTemplateFields);
constexpr std::array kCronJobSpecFields = {Inside("jobTemplate", &kJobTemplate)};
constexpr MergeKeys kCronJobSpec = Rules(kCronJobSpecFields);
constexpr std::array kCronJobFields = {Inside("metadata", &kMeta), Inside("spec", &kCronJobSpec)};
constexpr MergeKeys kCronJob = Rules(kCronJobFields);

// --- Nodes. Taints have no key here: a patch replaces them all. ---

constexpr std::array kNodeSpecFields = {Set("podCIDRs")};
constexpr MergeKeys kNodeSpec = Rules(kNodeSpecFields);
constexpr std::array kNodeStatusFields = {Keyed("conditions", "type"), Keyed("addresses", "type")};
constexpr MergeKeys kNodeStatus = Rules(kNodeStatusFields);
constexpr std::array kNodeFields = {Inside("metadata", &kMeta), Inside("spec", &kNodeSpec),
                                    Inside("status", &kNodeStatus)};
constexpr MergeKeys kNode = Rules(kNodeFields);

constexpr std::array kCsiNodeSpecFields = {Keyed("drivers", "name")};
constexpr MergeKeys kCsiNodeSpec = Rules(kCsiNodeSpecFields);
constexpr std::array kCsiNodeFields = {Inside("metadata", &kMeta), Inside("spec", &kCsiNodeSpec)};
constexpr MergeKeys kCsiNode = Rules(kCsiNodeFields);

// --- The rest ---

constexpr std::array kServiceSpecFields = {Keyed("ports", "port")};
constexpr MergeKeys kServiceSpec = Rules(kServiceSpecFields);
constexpr std::array kServiceFields = {Inside("metadata", &kMeta), Inside("spec", &kServiceSpec),
                                       Inside("status", &kConditions)};
constexpr MergeKeys kService = Rules(kServiceFields);

// imagePullSecrets have no key here, unlike those of a Pod.
constexpr std::array kServiceAccountFields = {Inside("metadata", &kMeta), Keyed("secrets", "name")};
constexpr MergeKeys kServiceAccount = Rules(kServiceAccountFields);

constexpr std::array kBudgetSpecFields = {MergeField{.name = "selector", .strategy = kReplace}};
constexpr MergeKeys kBudgetSpec = Rules(kBudgetSpecFields);
constexpr std::array kBudgetFields = {Inside("metadata", &kMeta), Inside("spec", &kBudgetSpec),
                                      Inside("status", &kConditions)};
constexpr MergeKeys kBudget = Rules(kBudgetFields);

constexpr std::array kWebhookFields = {Keyed("matchConditions", "name")};
constexpr MergeKeys kWebhook = Rules(kWebhookFields);
constexpr std::array kWebhooksFields = {Inside("metadata", &kMeta),
                                        Keyed("webhooks", "name", &kWebhook)};
constexpr MergeKeys kWebhooks = Rules(kWebhooksFields);

constexpr std::array kPolicySpecFields = {Keyed("matchConditions", "name"),
                                          Keyed("variables", "name")};
constexpr MergeKeys kPolicySpec = Rules(kPolicySpecFields);
constexpr std::array kValidatingPolicyFields = {Inside("metadata", &kMeta),
                                                Inside("spec", &kPolicySpec)};
constexpr MergeKeys kValidatingPolicy = Rules(kValidatingPolicyFields);

// Like a webhook, a mutating policy keys its matchConditions but not its variables.
constexpr std::array kMutatingPolicyFields = {Inside("metadata", &kMeta),
                                              Inside("spec", &kWebhook)};
constexpr MergeKeys kMutatingPolicy = Rules(kMutatingPolicyFields);

constexpr std::array kClaimStatusFields = {Keyed("reservedFor", "uid")};
constexpr MergeKeys kClaimStatus = Rules(kClaimStatusFields);
constexpr std::array kClaimFields = {Inside("metadata", &kMeta), Inside("status", &kClaimStatus)};
constexpr MergeKeys kClaim = Rules(kClaimFields);
constexpr std::array kClaimTemplateFields = {Inside("metadata", &kMeta),
                                             Inside("spec", &kOnlyMeta)};
constexpr MergeKeys kClaimTemplate = Rules(kClaimTemplateFields);

struct Entry {
  std::string_view group;
  std::string_view kind;
  const MergeKeys* keys;
};

constexpr std::array kEntries = std::to_array<Entry>({
    {"", "Namespace", &kStatusOnly},
    {"", "Node", &kNode},
    {"", "PersistentVolumeClaim", &kStatusOnly},
    {"", "Pod", &kPod},
    {"", "PodTemplate", &kPodTemplate},
    {"", "ReplicationController", &kWorkload},
    {"", "Service", &kService},
    {"", "ServiceAccount", &kServiceAccount},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicy", &kMutatingPolicy},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", &kValidatingPolicy},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration", &kWebhooks},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", &kWebhooks},
    {"apiregistration.k8s.io", "APIService", &kStatusOnly},
    {"apps", "DaemonSet", &kWorkload},
    {"apps", "Deployment", &kWorkload},
    {"apps", "ReplicaSet", &kWorkload},
    {"apps", "StatefulSet", &kWorkload},
    {"autoscaling", "HorizontalPodAutoscaler", &kStatusOnly},
    {"batch", "CronJob", &kCronJob},
    {"batch", "Job", &kWorkload},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema", &kStatusOnly},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", &kStatusOnly},
    {"networking.k8s.io", "ServiceCIDR", &kStatusOnly},
    {"policy", "PodDisruptionBudget", &kBudget},
    {"resource.k8s.io", "ResourceClaim", &kClaim},
    {"resource.k8s.io", "ResourceClaimTemplate", &kClaimTemplate},
    {"storage.k8s.io", "CSINode", &kCsiNode},
});

constexpr std::array kGroups = std::to_array<std::string_view>({
    "",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "apps",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
});

}  // namespace

const MergeKeys* BuiltinMergeKeys(const GroupVersionKind& kind) {
  const auto found = std::ranges::find_if(kEntries, [&kind](const Entry& entry) {
    return entry.group == kind.group && entry.kind == kind.kind;
  });
  if (found != kEntries.end()) return found->keys;
  const bool builtin = std::ranges::find(kGroups, std::string_view(kind.group)) != kGroups.end();
  return builtin ? &kOnlyMeta : nullptr;
}

}  // namespace millwright::kube
