#include "apiserver/builtin/validate.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "apiserver/builtin/validate_kinds.h"

namespace millwright::apiserver {

namespace {

using Row = std::pair<std::string_view, builtin::Validator>;

constexpr std::array<Row, 35> kValidators = {{
    {"/ConfigMap", builtin::ValidateConfigMap},
    {"/Endpoints", builtin::ValidateEndpoints},
    {"/Event", builtin::ValidateEvent},
    {"/LimitRange", builtin::ValidateLimitRange},
    {"/Namespace", builtin::ValidateNamespace},
    {"/Node", builtin::ValidateNode},
    {"/PersistentVolume", builtin::ValidateVolume},
    {"/PersistentVolumeClaim", builtin::ValidateClaim},
    {"/Pod", builtin::ValidatePod},
    {"/ReplicationController", builtin::ValidateReplicationController},
    {"/ResourceQuota", builtin::ValidateResourceQuota},
    {"/Secret", builtin::ValidateSecret},
    {"/Service", builtin::ValidateService},
    {"admissionregistration.k8s.io/MutatingWebhookConfiguration", builtin::ValidateWebhooks},
    {"admissionregistration.k8s.io/ValidatingWebhookConfiguration", builtin::ValidateWebhooks},
    {"apiregistration.k8s.io/APIService", builtin::ValidateApiService},
    {"apps/ControllerRevision", builtin::ValidateControllerRevision},
    {"apps/DaemonSet", builtin::ValidateDaemonSet},
    {"apps/Deployment", builtin::ValidateDeployment},
    {"apps/ReplicaSet", builtin::ValidateReplicaSet},
    {"apps/StatefulSet", builtin::ValidateStatefulSet},
    {"batch/Job", builtin::ValidateJob},
    {"certificates.k8s.io/CertificateSigningRequest", builtin::ValidateCertificateRequest},
    {"coordination.k8s.io/Lease", builtin::ValidateLease},
    {"discovery.k8s.io/EndpointSlice", builtin::ValidateEndpointSlice},
    {"events.k8s.io/Event", builtin::ValidateNewEvent},
    {"policy/PodDisruptionBudget", builtin::ValidatePodDisruptionBudget},
    {"rbac.authorization.k8s.io/ClusterRole", builtin::ValidateClusterRole},
    {"rbac.authorization.k8s.io/ClusterRoleBinding", builtin::ValidateClusterRoleBinding},
    {"rbac.authorization.k8s.io/Role", builtin::ValidateRole},
    {"rbac.authorization.k8s.io/RoleBinding", builtin::ValidateRoleBinding},
    {"scheduling.k8s.io/PriorityClass", builtin::ValidatePriorityClass},
    {"storage.k8s.io/CSINode", builtin::ValidateCsiNode},
    {"storage.k8s.io/StorageClass", builtin::ValidateStorageClass},
    {"storage.k8s.io/VolumeAttachment", builtin::ValidateVolumeAttachment},
}};

}  // namespace

std::vector<kube::FieldError> ValidateBuiltin(const kube::GroupVersionKind& kind,
                                              const boost::json::value& object,
                                              const boost::json::value* old) {
  const std::string name = kind.group + "/" + kind.kind;
  const auto* found = std::ranges::find(kValidators, name, &Row::first);
  if (found == kValidators.end()) return {};
  builtin::Faults faults;
  const builtin::At at(object);
  if (old == nullptr) {
    found->second(at, nullptr, faults);
  } else {
    const builtin::At before(*old);
    found->second(at, &before, faults);
  }
  return std::move(faults).Take();
}

}  // namespace millwright::apiserver
