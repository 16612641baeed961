"""The endpoints /status and /scale."""

from case import DEPLOYMENTS, case, deployment, get, json_patch, merge, post, put, strategic

D = DEPLOYMENTS + "/a"
QUIET = deployment("a", paused=True, replicas=0)
MAKE = post(DEPLOYMENTS, QUIET, quiet=True)
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "{ns}"}}
NODES = "/api/v1/nodes"
READY = {"type": "Ready", "status": "True", "reason": "x", "message": "y", "lastHeartbeatTime": "2026-01-01T00:00:00Z",
         "lastTransitionTime": "2026-01-01T00:00:00Z"}

case("status", "create-drops-it", post(NODES, {**NODE, "status": {"phase": "Running"}}))
case("status", "main-cannot-write-it", post(NODES, NODE, quiet=True),
     merge(NODES + "/{ns}", {"status": {"phase": "Running"}, "metadata": {"labels": {"a": "b"}}}))
case("status", "status-writes-only-it", post(NODES, NODE, quiet=True),
     merge(NODES + "/{ns}/status", {"status": {"conditions": [READY]}, "spec": {"providerID": "x"}}), get(NODES + "/{ns}"))
case("status", "status-strategic", post(NODES, NODE, quiet=True),
     strategic(NODES + "/{ns}/status", {"status": {"conditions": [READY]}}),
     strategic(NODES + "/{ns}/status", {"status": {"conditions": [{**READY, "type": "DiskPressure", "status": "False"}]}}))
case("status", "get", post(NODES, NODE, quiet=True), get(NODES + "/{ns}/status"))
case("status", "missing-object", merge(NODES + "/no-such-node/status", {"status": {}}))
case("status", "of-kind-without", get("/api/v1/namespaces/{ns}/configmaps/a/status"))
case("status", "put-with-old-version", post(NODES, NODE, quiet=True),
     put(NODES + "/{ns}/status", {**NODE, "metadata": {"name": "{ns}", "resourceVersion": "1"}}))
case("status", "json-patch", post(NODES, NODE, quiet=True),
     json_patch(NODES + "/{ns}/status", [{"op": "add", "path": "/status/conditions", "value": [READY]}]))
case("status", "taints-of-new-nodes", post(NODES, {**NODE, "spec": {"podCIDR": "10.1.0.0/24"}}))

case("scale", "get", MAKE, get(D + "/scale"))
case("scale", "merge", MAKE, merge(D + "/scale", {"spec": {"replicas": 2}}), get(D + "/scale"))
case("scale", "put", post(DEPLOYMENTS, QUIET, keep={"rv": "metadata.resourceVersion"}, quiet=True),
     put(D + "/scale", {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a", "namespace": "{ns}"},
                        "spec": {"replicas": 3}}))
case("scale", "put-old-version", MAKE,
     put(D + "/scale", {"apiVersion": "autoscaling/v1", "kind": "Scale",
                        "metadata": {"name": "a", "namespace": "{ns}", "resourceVersion": "1"}, "spec": {"replicas": 3}}))
case("scale", "missing", get(D + "/scale"))
case("scale", "of-kind-without", get("/api/v1/namespaces/{ns}/configmaps/a/scale"))
case("scale", "json-patch", MAKE, json_patch(D + "/scale", [{"op": "replace", "path": "/spec/replicas", "value": 4}]))
case("scale", "dry-run", MAKE, merge(D + "/scale?dryRun=All", {"spec": {"replicas": 2}}), get(D + "/scale"))
case("scale", "counts-a-generation", MAKE, merge(D + "/scale", {"spec": {"replicas": 2}}, quiet=True), get(D))
case("scale", "negative", MAKE, merge(D + "/scale", {"spec": {"replicas": -1}}))
