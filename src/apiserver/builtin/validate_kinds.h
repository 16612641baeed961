// One function for each kind that has rules. `old` is null for a create.
#pragma once

#include "apiserver/builtin/check.h"

namespace millwright::apiserver::builtin {

using Validator = void (*)(const At& object, const At* old, Faults& faults);

void ValidateApiService(const At& object, const At* old, Faults& faults);
void ValidateCertificateRequest(const At& object, const At* old, Faults& faults);
void ValidateClaim(const At& object, const At* old, Faults& faults);
void ValidateClusterRole(const At& object, const At* old, Faults& faults);
void ValidateClusterRoleBinding(const At& object, const At* old, Faults& faults);
void ValidateConfigMap(const At& object, const At* old, Faults& faults);
void ValidateControllerRevision(const At& object, const At* old, Faults& faults);
void ValidateCsiNode(const At& object, const At* old, Faults& faults);
void ValidateDaemonSet(const At& object, const At* old, Faults& faults);
void ValidateDeployment(const At& object, const At* old, Faults& faults);
void ValidateEndpointSlice(const At& object, const At* old, Faults& faults);
void ValidateEndpoints(const At& object, const At* old, Faults& faults);
void ValidateEvent(const At& object, const At* old, Faults& faults);
void ValidateJob(const At& object, const At* old, Faults& faults);
void ValidateLease(const At& object, const At* old, Faults& faults);
void ValidateLimitRange(const At& object, const At* old, Faults& faults);
void ValidateNamespace(const At& object, const At* old, Faults& faults);
void ValidateNewEvent(const At& object, const At* old, Faults& faults);
void ValidateNode(const At& object, const At* old, Faults& faults);
void ValidatePod(const At& object, const At* old, Faults& faults);
void ValidatePodDisruptionBudget(const At& object, const At* old, Faults& faults);
void ValidatePriorityClass(const At& object, const At* old, Faults& faults);
void ValidateReplicationController(const At& object, const At* old, Faults& faults);
void ValidateReplicaSet(const At& object, const At* old, Faults& faults);
void ValidateResourceQuota(const At& object, const At* old, Faults& faults);
void ValidateRole(const At& object, const At* old, Faults& faults);
void ValidateRoleBinding(const At& object, const At* old, Faults& faults);
void ValidateSecret(const At& object, const At* old, Faults& faults);
void ValidateService(const At& object, const At* old, Faults& faults);
void ValidateStatefulSet(const At& object, const At* old, Faults& faults);
void ValidateStorageClass(const At& object, const At* old, Faults& faults);
void ValidateVolume(const At& object, const At* old, Faults& faults);
void ValidateVolumeAttachment(const At& object, const At* old, Faults& faults);
void ValidateWebhooks(const At& object, const At* old, Faults& faults);

}  // namespace millwright::apiserver::builtin
