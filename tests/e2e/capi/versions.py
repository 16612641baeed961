"""Clients of the older version beside those of the newer one, on the same objects."""

import wishes
from ground import CLUSTER
from wishes import BOOTSTRAP, INFRASTRUCTURE
from yard import MERGE


def _old(it, kind, name=None):
    return it.path(kind, name).replace("/v1beta2/", "/v1beta1/")


def _old_reference(group, kind, name):
    return {"apiVersion": f"{group}/v1beta1", "kind": kind, "name": name}


def _old_deployment(name, replicas):
    labels = {wishes.DEPLOYMENT_LABEL: name}
    return wishes.body(wishes.CORE, "v1beta1", "MachineDeployment", name, {
        "clusterName": CLUSTER, "replicas": replicas, "selector": {"matchLabels": labels}, "minReadySeconds": 1,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
        "template": {"metadata": {"labels": labels},
                     "spec": {"clusterName": CLUSTER, "nodeDrainTimeout": "90s",
                              "bootstrap": {"configRef": _old_reference(BOOTSTRAP, "MillwrightBootstrapTemplate", "small")},
                              "infrastructureRef": _old_reference(INFRASTRUCTURE, "MillwrightMachineTemplate", "small")}}})


def both_versions_are_served(it):
    with it.controllers():
        it.settle()
        it.supply()
        name = f"{it.name}-web"
        it.send("POST", _old(it, "deployments"), _old_deployment(name, 2))
        it.until_running(name, 2)
        new = it.get("deployments", name)["spec"]
        assert new["template"]["spec"]["deletion"]["nodeDrainTimeoutSeconds"] == 90, new
        assert new["template"]["spec"]["minReadySeconds"] == 1, new
        assert new["template"]["spec"]["infrastructureRef"] == wishes.reference(INFRASTRUCTURE, "MillwrightMachineTemplate", "small"), new

        old = it.send("GET", _old(it, "deployments", name))
        assert old["spec"]["minReadySeconds"] == 1 and old["status"]["availableReplicas"] == 2, old
        machine = it.send("GET", _old(it, "machines"))["items"][0]
        assert machine["apiVersion"].endswith("/v1beta1") and machine["status"]["infrastructureReady"], machine["status"]
        assert machine["spec"]["infrastructureRef"]["apiVersion"] == f"{INFRASTRUCTURE}/v1beta1", machine["spec"]
        assert machine["status"]["nodeRef"]["name"] == machine["metadata"]["name"], machine["status"]

        # Each changes what the other one made.
        it.send("PATCH", _old(it, "deployments", name), {"spec": {"replicas": 3}}, MERGE)
        it.until_running(name, 3)
        it.patch("deployments", name, {"spec": {"replicas": 1}})
        it.until_running(name, 1)
        it.update(_old(it, "deployments", name), lambda found: found["spec"]["template"]["spec"].update({"nodeDrainTimeout": "30s"}))
        it.until("machines are told, and stay", lambda: [
            m["spec"].get("deletion", {}).get("nodeDrainTimeoutSeconds") for m in it.all("machines")] == [30] and it.runs(name, 1))
        it.send("DELETE", _old(it, "deployments", name))
        it.until_gone(name)


CASES = (both_versions_are_served,)
