"""What a node may do: asked as one, by impersonation."""

from case import MAPS, PODS, SECRETS, case, config_map, delete, get, merge, pod, post

NODES = "/api/v1/nodes"
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "{ns}"}}
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
SELF = {"Impersonate-User": "system:node:{ns}", "Impersonate-Group": "system:nodes"}
ACCOUNT = get("/api/v1/namespaces/{ns}/serviceaccounts/default", until={"metadata.name": "default"}, quiet=True)
KNOWN = post(NODES, NODE, quiet=True)
MINE = post(PODS, pod("mine", nodeName="{ns}", volumes=[{"name": "v", "secret": {"secretName": "key"}},
                                                        {"name": "w", "configMap": {"name": "settings"}}]), quiet=True)
OTHER = post(PODS, pod("other", nodeName="elsewhere"), quiet=True)


def node(name, *steps):
    case("nodes", name, *steps)


node("comes-in", post(NODES, NODE, headers=SELF), get(NODES + "/{ns}", headers=SELF))
node("lists-itself", KNOWN, get(NODES + "?fieldSelector=metadata.name%3D{ns}", headers=SELF))
node("lists-all", get(NODES, headers=SELF))
node("reads-other", get(NODES + "/other", headers=SELF))
node("makes-other", post(NODES, {"metadata": {"name": "{ns}-other"}}, headers=SELF))
node("changes-other", post(NODES, {"metadata": {"name": "{ns}-2"}}, quiet=True),
     merge(NODES + "/{ns}-2/status", {"status": {"phase": "Running"}}, headers=SELF))
node("deletes-itself", KNOWN, delete(NODES + "/{ns}", headers=SELF))
node("status", KNOWN, merge(NODES + "/{ns}/status", {"status": {"phase": "Running"}}, headers=SELF))
node("taints", KNOWN, merge(NODES + "/{ns}", {"spec": {"taints": None}}, headers=SELF))
node("owner", KNOWN, merge(NODES + "/{ns}", {"metadata": {"ownerReferences": [
    {"apiVersion": "v1", "kind": "Node", "name": "x", "uid": "y"}]}}, headers=SELF))
node("own-labels", KNOWN, merge(NODES + "/{ns}", {"metadata": {"labels": {
    "example.org/a": "1", "kubernetes.io/hostname": "h", "node.kubernetes.io/x": "1"}}}, headers=SELF))
node("forbidden-labels", KNOWN, merge(NODES + "/{ns}", {"metadata": {"labels": {
    "node-restriction.kubernetes.io/a": "1", "kubernetes.io/other": "1"}}}, headers=SELF))
node("born-with-forbidden-labels", post(NODES, {"metadata": {"name": "{ns}", "labels": {"x.k8s.io/a": "1"}}}, headers=SELF))
node("lease", post(LEASES, {"metadata": {"name": "{ns}"}}, headers=SELF), get(LEASES + "/{ns}", headers=SELF))
node("lease-of-other", post(LEASES, {"metadata": {"name": "{ns}-2"}}, headers=SELF), get(LEASES + "/other", headers=SELF))
node("lists-leases", get(LEASES, headers=SELF))
node("lease-elsewhere", post("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases", {"metadata": {"name": "{ns}"}}, headers=SELF))
node("pods-of-itself", KNOWN, ACCOUNT, MINE, OTHER, get("/api/v1/pods?fieldSelector=spec.nodeName%3D{ns}", headers=SELF, quiet=True),
     get("/api/v1/pods", headers=SELF), get("/api/v1/pods?fieldSelector=spec.nodeName%3Delsewhere", headers=SELF))
node("reports-pods", KNOWN, ACCOUNT, MINE, OTHER,
     merge(PODS + "/mine/status", {"status": {"phase": "Running"}}, headers=SELF, quiet=True),
     get(PODS + "/mine"), merge(PODS + "/other/status", {"status": {"phase": "Running"}}, headers=SELF))
node("deletes-pods", KNOWN, ACCOUNT, MINE, OTHER, delete(PODS + "/mine?gracePeriodSeconds=0", headers=SELF, quiet=True), get(PODS + "/mine"),
     delete(PODS + "/other", headers=SELF))
node("makes-pods", KNOWN, ACCOUNT, post(PODS, pod("a", nodeName="{ns}"), headers=SELF))
node("changes-pods", KNOWN, ACCOUNT, MINE, merge(PODS + "/mine", {"metadata": {"labels": {"a": "b"}}}, headers=SELF))
node("reads-what-pods-need", KNOWN, ACCOUNT, MINE, post(SECRETS, {"metadata": {"name": "key"}}, quiet=True),
     post(MAPS, config_map("settings"), quiet=True), get(SECRETS + "/key", headers=SELF, until={"kind": "Secret"}),
     get(MAPS + "/settings", headers=SELF, until={"kind": "ConfigMap"}))
node("reads-nothing-else", KNOWN, ACCOUNT, MINE, get(SECRETS + "/other", headers=SELF), get(SECRETS, headers=SELF),
     get(MAPS + "/other", headers=SELF), get("/apis/apps/v1/namespaces/{ns}/deployments", headers=SELF))
node("events", post("/api/v1/namespaces/{ns}/events", {
    "metadata": {"name": "e"}, "involvedObject": {"namespace": "{ns}", "kind": "Pod", "name": "p"}}, headers=SELF))

TOKENS = "/api/v1/namespaces/{ns}/serviceaccounts/default/token"


def token(**reference):
    return {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest",
            "spec": {"boundObjectRef": {"apiVersion": "v1", "kind": "Pod", **reference}} if reference else {}}


RELATED = get(PODS + "/mine", headers=SELF, until={"kind": "Pod"}, keep={"uid": "metadata.uid"}, quiet=True)
node("token-for-no-pod", KNOWN, ACCOUNT, MINE, RELATED, post(TOKENS, token(), headers=SELF))
node("token-without-uid", KNOWN, ACCOUNT, MINE, RELATED, post(TOKENS, token(name="mine"), headers=SELF))
node("token-of-an-earlier-pod", KNOWN, ACCOUNT, MINE, RELATED, post(TOKENS, token(name="mine", uid="old"), headers=SELF))
node("token-for-a-pod-elsewhere", KNOWN, ACCOUNT, MINE, OTHER, RELATED, get(PODS + "/other", keep={"other": "metadata.uid"}, quiet=True),
     post(TOKENS, token(name="other", uid="{other}"), headers=SELF))
node("token-for-its-pod", KNOWN, ACCOUNT, MINE, RELATED,
     post(TOKENS, token(name="mine", uid="{uid}"), headers=SELF, until={"kind": "TokenRequest"}, quiet=True))
node("token-of-unrelated-account", KNOWN, ACCOUNT, MINE, RELATED, post(TOKENS.replace("default", "other"), token(), headers=SELF))
