"""The kinds that the embedded API server knows without a CustomResourceDefinition."""

_PACKAGES = {
    # group/version: (Go package, kinds)
    "v1": ("k8s.io/api/core/v1", """
        ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod
        ReplicationController ResourceQuota Secret Service
        ServiceAccount"""),
    "admissionregistration.k8s.io/v1": ("k8s.io/api/admissionregistration/v1", """
        MutatingWebhookConfiguration ValidatingWebhookConfiguration"""),
    "apiextensions.k8s.io/v1": ("k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "CustomResourceDefinition"),
    "apiregistration.k8s.io/v1": ("k8s.io/kube-aggregator/pkg/apis/apiregistration/v1", "APIService"),
    "apps/v1": ("k8s.io/api/apps/v1", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"),
    "authentication.k8s.io/v1": ("k8s.io/api/authentication/v1", "SelfSubjectReview TokenRequest TokenReview"),
    "authorization.k8s.io/v1": ("k8s.io/api/authorization/v1", """
        LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview"""),
    "autoscaling/v1": ("k8s.io/api/autoscaling/v1", "Scale"),
    "batch/v1": ("k8s.io/api/batch/v1", "Job"),
    "certificates.k8s.io/v1": ("k8s.io/api/certificates/v1", "CertificateSigningRequest"),
    "coordination.k8s.io/v1": ("k8s.io/api/coordination/v1", "Lease"),
    "discovery.k8s.io/v1": ("k8s.io/api/discovery/v1", "EndpointSlice"),
    "events.k8s.io/v1": ("k8s.io/api/events/v1", "Event"),
    "policy/v1": ("k8s.io/api/policy/v1", "Eviction PodDisruptionBudget"),
    "rbac.authorization.k8s.io/v1": ("k8s.io/api/rbac/v1", "ClusterRole ClusterRoleBinding Role RoleBinding"),
    "scheduling.k8s.io/v1": ("k8s.io/api/scheduling/v1", "PriorityClass"),
    "storage.k8s.io/v1": ("k8s.io/api/storage/v1", "CSINode StorageClass VolumeAttachment"),
    # Of every group and version: clients send them with that of the object they are about.
    "*": ("k8s.io/apimachinery/pkg/apis/meta/v1", """
        CreateOptions DeleteOptions GetOptions ListOptions PatchOptions Status UpdateOptions"""),
}


def all_kinds():
    """(api version, kind, Go package), in a fixed order."""
    return [(version, kind, package) for version, (package, kinds) in _PACKAGES.items() for kind in kinds.split()]
