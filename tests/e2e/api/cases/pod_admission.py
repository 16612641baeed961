"""What pods get on their way in: an account with its token, a priority."""

from case import PODS, case, delete, get, pod, post

ACCOUNTS = "/api/v1/namespaces/{ns}/serviceaccounts"
CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses"
# Both servers make it some time after the namespace.
ACCOUNT = get(ACCOUNTS + "/default", until={"metadata.name": "default"}, quiet=True)
INIT = {"initContainers": [{"name": "first", "image": "registry.example/first:1"}]}

case("pod-account", "default", ACCOUNT, post(PODS, pod("a")))
case("pod-account", "init-containers", ACCOUNT, post(PODS, pod("a", **INIT)))
case("pod-account", "missing", ACCOUNT, post(PODS, pod("a", serviceAccountName="ghost")))
case("pod-account", "no-token", ACCOUNT, post(PODS, pod("a", automountServiceAccountToken=False)))
case("pod-account", "no-token-by-account",
     post(ACCOUNTS, {"metadata": {"name": "shy"}, "automountServiceAccountToken": False}, quiet=True),
     post(PODS, pod("a", serviceAccountName="shy")), post(PODS, pod("b", serviceAccountName="shy", automountServiceAccountToken=True)))
case("pod-account", "pull-secrets",
     post(ACCOUNTS, {"metadata": {"name": "puller"}, "imagePullSecrets": [{"name": "key"}]}, quiet=True),
     post(PODS, pod("a", serviceAccountName="puller")),
     post(PODS, pod("b", serviceAccountName="puller", imagePullSecrets=[{"name": "own"}])))
case("pod-account", "older-name", ACCOUNT, post(PODS, pod("a", serviceAccount="default")))

case("pod-priority", "system", ACCOUNT, post(PODS, pod("a", priorityClassName="system-node-critical")),
     post(PODS, pod("b", priorityClassName="system-cluster-critical")))
case("pod-priority", "missing", ACCOUNT, post(PODS, pod("a", priorityClassName="ghost")))
case("pod-priority", "own-number", ACCOUNT, post(PODS, pod("a", priority=7)))
case("pod-priority", "own-policy", ACCOUNT, post(PODS, pod("a", preemptionPolicy="Never")))
case("pod-priority", "of-class",
     post(CLASSES, {"metadata": {"name": "{ns}"}, "value": 11, "preemptionPolicy": "Never"}, quiet=True), ACCOUNT,
     post(PODS, pod("a", priorityClassName="{ns}")), post(PODS, pod("b", priorityClassName="{ns}", priority=12)),
     delete(CLASSES + "/{ns}", quiet=True))
case("pod-priority", "system-value", get(CLASSES + "/system-node-critical"))
