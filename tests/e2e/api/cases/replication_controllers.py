"""ReplicationControllers: no longer in fashion, still asked for."""

from case import case, delete, get, merge, post, strategic

RCS = "/api/v1/namespaces/{ns}/replicationcontrollers"
R = RCS + "/a"
TABLE = {"Accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
TEMPLATE = {"metadata": {"labels": {"app": "a", "tier": "x"}},
            "spec": {"containers": [{"name": "main", "image": "registry.example/main:1"}]}}


def controller(**spec):
    return {"apiVersion": "v1", "kind": "ReplicationController", "metadata": {"name": "a"},
            "spec": {"replicas": 0, "template": TEMPLATE, **spec}}


MAKE = post(RCS, controller(), quiet=True)

case("replication-controllers", "takes-labels-of-template", post(RCS, controller()))
case("replication-controllers", "selector-of-its-own", post(RCS, controller(selector={"app": "a"})))
case("replication-controllers", "one-by-default",
     post(RCS + "?dryRun=All", {**controller(), "spec": {"template": TEMPLATE}}))
case("replication-controllers", "selector-does-not-match", post(RCS, controller(selector={"app": "b"})))
case("replication-controllers", "without-template",
     post(RCS, {"metadata": {"name": "a"}, "spec": {"replicas": 0, "selector": {"a": "b"}}}))
case("replication-controllers", "without-labels",
     post(RCS, controller(template={"spec": TEMPLATE["spec"]})))
case("replication-controllers", "ends-in-time",
     post(RCS, controller(template={**TEMPLATE, "spec": {**TEMPLATE["spec"], "activeDeadlineSeconds": 5, "restartPolicy": "Never"}})))
case("replication-controllers", "negative", post(RCS, controller(replicas=-1, minReadySeconds=-2)))
case("replication-controllers", "scale", MAKE, get(R + "/scale"), merge(R + "/scale", {"spec": {"replicas": -1}}))
case("replication-controllers", "table", MAKE, get(RCS, headers=TABLE))
case("replication-controllers", "by-replicas", MAKE, get(RCS + "?fieldSelector=status.replicas%3D3"))
case("replication-controllers", "not-by-other", get(RCS + "?fieldSelector=spec.replicas%3D3"))
case("replication-controllers", "main-leaves-status", MAKE, merge(R + "?dryRun=All", {"spec": {"minReadySeconds": 3}}, quiet=True),
     strategic(R + "/status?dryRun=All", {"status": {"replicas": 1, "readyReplicas": 2}}))
case("replication-controllers", "delete", MAKE, delete(R, {"propagationPolicy": "Background"}, quiet=True), get(R))
case("replication-controllers", "delete-leaves-pods",
     post(RCS, {**controller(), "metadata": {"name": "a", "finalizers": ["example.org/hold"]}}, quiet=True), delete(R + "?dryRun=All"))
case("replication-controllers", "jobs-too",
     post("/apis/batch/v1/namespaces/{ns}/jobs", {"metadata": {"name": "a"}, "spec": {
         "suspend": True, "template": {"spec": {**TEMPLATE["spec"], "restartPolicy": "Never"}}}}, quiet=True),
     delete("/apis/batch/v1/namespaces/{ns}/jobs/a?dryRun=All"))
