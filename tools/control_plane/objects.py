"""What is created in the cluster before it counts as ready: rights of our identities, and what kubeadm sets up for nodes."""

from . import identities

_RBAC = "/apis/rbac.authorization.k8s.io/v1"
_GROUP = "rbac.authorization.k8s.io"


def _binding(name, role, kind, subject):
    return f"{_RBAC}/clusterrolebindings", {
        "apiVersion": f"{_GROUP}/v1", "kind": "ClusterRoleBinding", "metadata": {"name": name},
        "roleRef": {"apiGroup": _GROUP, "kind": "ClusterRole", "name": role},
        "subjects": [{"apiGroup": _GROUP, "kind": kind, "name": subject}]}


def _rights():
    yield f"{_RBAC}/clusterroles", {
        "apiVersion": f"{_GROUP}/v1", "kind": "ClusterRole", "metadata": {"name": identities.READ_ALL},
        "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"]},
                  {"nonResourceURLs": ["*"], "verbs": ["get"]}]}
    for identity in identities.TOKENS:
        if identity.role:
            yield _binding(f"millwright-test-{identity.name}", identity.role, "User", identity.name)


def _joining():
    """A node joins with a bootstrap token, gets its client certificate approved, and renews it."""
    signing = "system:certificates.k8s.io:certificatesigningrequests"
    yield _binding("millwright-test-node-bootstrap", "system:node-bootstrapper", "Group", "system:bootstrappers")
    yield _binding("millwright-test-node-approve", f"{signing}:nodeclient", "Group", "system:bootstrappers")
    yield _binding("millwright-test-node-renew", f"{signing}:selfnodeclient", "Group", "system:nodes")


def _cluster_info(kubeconfig):
    """The public ConfigMap that tells a joining node the authority; the bootstrap signer signs it for each token."""
    yield "/api/v1/namespaces/kube-public/configmaps", {
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cluster-info", "namespace": "kube-public"},
        "data": {"kubeconfig": kubeconfig}}
    metadata = {"name": "millwright-test-cluster-info", "namespace": "kube-public"}
    yield f"{_RBAC}/namespaces/kube-public/roles", {
        "apiVersion": f"{_GROUP}/v1", "kind": "Role", "metadata": metadata,
        "rules": [{"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["cluster-info"], "verbs": ["get"]}]}
    yield f"{_RBAC}/namespaces/kube-public/rolebindings", {
        "apiVersion": f"{_GROUP}/v1", "kind": "RoleBinding", "metadata": metadata,
        "roleRef": {"apiGroup": _GROUP, "kind": "Role", "name": metadata["name"]},
        "subjects": [{"apiGroup": _GROUP, "kind": "User", "name": "system:anonymous"},
                     {"apiGroup": _GROUP, "kind": "Group", "name": "system:unauthenticated"}]}


def create(server, kubeconfig):
    """kubeconfig: one without a user, for joining nodes."""
    for path, body in (*_rights(), *_joining(), *_cluster_info(kubeconfig)):
        server.ensure(path, body)
