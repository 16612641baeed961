"""Eviction, garbage, namespaces, reviews, and bodies that mean harm."""

from case import MAPS, PODS, case, config_map, delete, get, merge, pod, post

BUDGETS = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets"
READY = {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}


def budget(**spec):
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"},
            "spec": {"selector": {"matchLabels": {"app": "a"}}, **spec}}


def evict(name="a", **more):
    return post(PODS + f"/{name}/eviction", {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": "{ns}"}, **more})


RUNNING = [post(PODS, pod("a", nodeName="n1"), quiet=True), merge(PODS + "/a/status", READY, quiet=True)]
SEEN = get(BUDGETS + "/b", until={"status.observedGeneration": 1, "status.currentHealthy": 1}, quiet=True)
GONE = delete(PODS + "/a?gracePeriodSeconds=0", quiet=True)

case("eviction", "without-budget", *RUNNING, evict(), GONE)
case("eviction", "missing-pod", evict())
case("eviction", "other-name", *RUNNING, post(PODS + "/a/eviction", {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "b"}}), GONE)
case("eviction", "refused", *RUNNING, post(BUDGETS, budget(minAvailable=1), quiet=True), SEEN, evict(), GONE)
case("eviction", "allowed", *RUNNING, post(BUDGETS, budget(minAvailable=0), quiet=True), SEEN, evict(), GONE)
case("eviction", "pending-pod-is-free", post(PODS, pod("a"), quiet=True), post(BUDGETS, budget(minAvailable=1), quiet=True),
     get(BUDGETS + "/b", until={"status.observedGeneration": 1}, quiet=True), evict())
case("eviction", "dry-run", *RUNNING, evict(deleteOptions={"dryRun": ["All"]}), GONE)
case("eviction", "wrong-precondition", *RUNNING, evict(deleteOptions={"preconditions": {"uid": "other"}}), GONE)
case("eviction", "budget-status", *RUNNING, post(BUDGETS, budget(minAvailable=1), quiet=True), SEEN, get(BUDGETS + "/b"), GONE)
case("eviction", "budget-with-both", post(BUDGETS, budget(minAvailable=1, maxUnavailable=1)))
case("eviction", "budget-negative", post(BUDGETS, budget(minAvailable=-1)))

OWNER = post(MAPS, config_map("owner"), keep={"uid": "metadata.uid"}, quiet=True)


def owned(name, **more):
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "{uid}", **more}
    return post(MAPS, config_map(name, ownerReferences=[reference]), quiet=True)


case("garbage", "background", OWNER, owned("a"), delete(MAPS + "/owner", {"propagationPolicy": "Background"}),
     get(MAPS + "/a", until={"code": 404}))
case("garbage", "orphan", OWNER, owned("a"), delete(MAPS + "/owner", {"propagationPolicy": "Orphan"}, quiet=True),
     get(MAPS + "/owner", until={"code": 404}), get(MAPS + "/a"))
case("garbage", "foreground", OWNER, owned("a", blockOwnerDeletion=True),
     delete(MAPS + "/owner", {"propagationPolicy": "Foreground"}, quiet=True),
     get(MAPS + "/owner", until={"code": 404}), get(MAPS + "/a", until={"code": 404}))
case("garbage", "of-an-owner-that-never-was", post(MAPS, config_map("a", ownerReferences=[
    {"apiVersion": "v1", "kind": "ConfigMap", "name": "nobody", "uid": "00000000-0000-0000-0000-000000000000"}]), quiet=True),
     get(MAPS + "/a", until={"code": 404}))
case("garbage", "chain", OWNER, post(MAPS, config_map("a", ownerReferences=[
    {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": "{uid}"}]), keep={"uid2": "metadata.uid"}, quiet=True),
     post(MAPS, config_map("b", ownerReferences=[{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "{uid2}"}]), quiet=True),
     delete(MAPS + "/owner", quiet=True), get(MAPS + "/b", until={"code": 404}))

SPACE = "/api/v1/namespaces"
case("namespace", "create", post(SPACE, {"metadata": {"name": "{ns}-x"}}), delete(SPACE + "/{ns}-x", quiet=True))
case("namespace", "furniture", post(SPACE, {"metadata": {"name": "{ns}-x"}}, quiet=True),
     get(SPACE + "/{ns}-x/serviceaccounts/default", until={"kind": "ServiceAccount"}), delete(SPACE + "/{ns}-x", quiet=True))
case("namespace", "delete-clears", post(SPACE, {"metadata": {"name": "{ns}-x"}}, quiet=True),
     post(SPACE + "/{ns}-x/configmaps", config_map("a"), quiet=True), delete(SPACE + "/{ns}-x", quiet=True),
     get(SPACE + "/{ns}-x", until={"code": 404}), get(SPACE + "/{ns}-x/configmaps/a"))
case("namespace", "held-by-finalizer", post(SPACE, {"metadata": {"name": "{ns}-x"}}, quiet=True),
     post(SPACE + "/{ns}-x/configmaps", config_map("a", finalizers=["example.org/x"]), quiet=True),
     delete(SPACE + "/{ns}-x", quiet=True), post(SPACE + "/{ns}-x/configmaps", config_map("b")),
     merge(SPACE + "/{ns}-x/configmaps/a", {"metadata": {"finalizers": None}}, quiet=True), get(SPACE + "/{ns}-x", until={"code": 404}))

REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
case("review", "may-i", post(REVIEW, {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1",
                                      "spec": {"resourceAttributes": {"verb": "get", "resource": "pods", "namespace": "{ns}"}}}))
case("review", "as-somebody", get(MAPS, headers={"Impersonate-User": "nobody"}))
case("review", "somebody-creates", post(MAPS, config_map("a"), headers={"Impersonate-User": "nobody"}))
case("review", "somebody-at-a-path", get("/metrics", headers={"Impersonate-User": "nobody"}))
case("review", "subject", post("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    "kind": "SubjectAccessReview", "apiVersion": "authorization.k8s.io/v1",
    "spec": {"user": "nobody", "resourceAttributes": {"verb": "get", "resource": "pods"}}}))
case("review", "by-role", post("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles", {
    "metadata": {"name": "r"}, "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"], "resourceNames": ["a"]}]}),
     post("/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings", {
         "metadata": {"name": "r"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "r"},
         "subjects": [{"kind": "User", "name": "someone", "apiGroup": "rbac.authorization.k8s.io"}]}),
     post(MAPS, config_map("a"), quiet=True),
     get(MAPS + "/a", headers={"Impersonate-User": "someone"}, until={"kind": "ConfigMap"}),
     get(MAPS + "/b", headers={"Impersonate-User": "someone"}), get(MAPS, headers={"Impersonate-User": "someone"}))

case("hostile", "duplicate-key", post(MAPS, '{"metadata":{"name":"a"},"data":{"a":"1","a":"2"}}'))
case("hostile", "duplicate-key-strict", post(MAPS + "?fieldValidation=Strict", '{"metadata":{"name":"a"},"data":{"a":"1","a":"2"}}'))
case("hostile", "array-body", post(MAPS, "[]"))
case("hostile", "null-body", post(MAPS, "null"))
case("hostile", "text-body", post(MAPS, '"x"'))
case("hostile", "empty-body", post(MAPS, ""))
case("hostile", "two-values", post(MAPS, '{"metadata":{"name":"a"}} {}'))
case("hostile", "too-large", post(MAPS, config_map("a", {"x": "y" * 1_100_000})))
case("hostile", "bad-config-key", post(MAPS, config_map("a", {"no good": "x"})))
case("hostile", "metadata-is-text", post(MAPS, {"metadata": "a"}))
case("hostile", "labels-are-numbers", post(MAPS, config_map("a", labels={"x": 1})))
