"""Creating, reading, replacing and deleting."""

from case import MAPS, PODS, case, config_map, delete, deployment, get, post, put, pod, DEPLOYMENTS, merge

case("crud", "create-read-delete",
     post(MAPS, config_map("a")), get(MAPS + "/a"), delete(MAPS + "/a"), get(MAPS + "/a"))
case("crud", "create-twice", post(MAPS, config_map("a")), post(MAPS, config_map("a")))
case("crud", "create-without-name", post(MAPS, {"data": {"a": "1"}}))
case("crud", "create-bad-name", post(MAPS, config_map("Not_Good")))
# One bad thing at a time: Go walks maps in any order, and complains in that order.
case("crud", "create-bad-label", post(MAPS, config_map("a", labels={"x": "not good!"})))
case("crud", "create-bad-label-name", post(MAPS, config_map("a", labels={"no good": "x"})))
case("crud", "create-other-namespace", post(MAPS, config_map("a", namespace="elsewhere")))
case("crud", "create-in-missing-namespace", post("/api/v1/namespaces/no-such-place/configmaps", config_map("a")))
case("crud", "create-wrong-kind", post(MAPS, {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}}))
case("crud", "create-wrong-version", post(MAPS, {"apiVersion": "v2", "kind": "ConfigMap", "metadata": {"name": "a"}}))
case("crud", "create-with-resource-version", post(MAPS, config_map("a", resourceVersion="5")))
case("crud", "create-no-json", post(MAPS, "{"))
case("crud", "create-wrong-type", post(MAPS, config_map("a", data={"a": 5})))
case("crud", "create-unknown-field", post(MAPS, {**config_map("a"), "more": 1}))
case("crud", "create-unknown-field-strict", post(MAPS + "?fieldValidation=Strict", {**config_map("a"), "more": 1}))
case("crud", "create-unknown-media-type", post(MAPS, "x", content_type="text/plain"))
case("crud", "create-yaml",
     post(MAPS, "metadata:\n  name: a\ndata:\n  x: y\n", content_type="application/yaml"))
case("crud", "create-dry-run", post(MAPS + "?dryRun=All", config_map("a")), get(MAPS + "/a"))
case("crud", "generate-name-too", post(MAPS, config_map("a", generateName="b-")))
case("crud", "read-missing", get(MAPS + "/nothing"))
case("crud", "read-missing-of-group", get(DEPLOYMENTS + "/nothing"))
case("crud", "unknown-resource", get("/api/v1/namespaces/{ns}/lathes"))
case("crud", "unknown-group", get("/apis/example.org/v1/lathes"))
case("crud", "put", post(MAPS, config_map("a"), keep={"rv": "metadata.resourceVersion"}),
     put(MAPS + "/a", config_map("a", {"b": "2"}, resourceVersion="{rv}")),
     put(MAPS + "/a", config_map("a", {"c": "3"}, resourceVersion="{rv}")))
case("crud", "put-without-version", post(MAPS, config_map("a")), put(MAPS + "/a", config_map("a", {"b": "2"})))
case("crud", "put-missing", put(MAPS + "/a", config_map("a")))
case("crud", "put-other-name", post(MAPS, config_map("a")), put(MAPS + "/a", config_map("b")))
case("crud", "put-without-name", post(MAPS, config_map("a")), put(MAPS + "/a", {"data": {"x": "1"}}))
case("crud", "put-same", post(MAPS, config_map("a")), put(MAPS + "/a", config_map("a")))
case("crud", "put-other-uid", post(MAPS, config_map("a")), put(MAPS + "/a", config_map("a", uid="other")))
case("crud", "post-to-object", post(MAPS, config_map("a")), post(MAPS + "/a", config_map("a")))
case("crud", "lists-cannot-be-put", put(MAPS, config_map("a")))
case("crud", "pod-defaults", post(PODS, pod("a")))
case("crud", "pod-without-containers", post(PODS, pod("a", containers=[])))
case("crud", "deployment-defaults", post(DEPLOYMENTS + "?dryRun=All", deployment("a")))
case("crud", "secret-string-data",
     post("/api/v1/namespaces/{ns}/secrets", {"metadata": {"name": "a"}, "stringData": {"x": "y"}}))
case("crud", "namespace", post("/api/v1/namespaces?dryRun=All", {"metadata": {"name": "{ns}-b"}}))
case("crud", "generation-counts-wishes",
     post(DEPLOYMENTS, deployment("a", paused=True, replicas=0)),
     merge(DEPLOYMENTS + "/a", {"metadata": {"labels": {"x": "y"}}}),
     merge(DEPLOYMENTS + "/a", {"spec": {"minReadySeconds": 5}}))
