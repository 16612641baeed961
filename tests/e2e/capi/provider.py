"""A provider that is played by the case itself: kinds of its own, filled by hand, as late and in the order that the case wants."""

import json

import wishes
from client import Client
from definitions import until_served
from ground import CLUSTER
from kinds import run_kubectl

GROUP = "test.millwright.dev"
KINDS = ("TestMachine", "TestMachineTemplate", "TestBootstrap", "TestBootstrapTemplate", "TestCluster", "TestControlPlane")
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def _definition(kind, contract):
    plural = kind.lower() + "s"
    schema = {"type": "object", "properties": {"spec": OPEN, "status": OPEN}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{GROUP}", "labels": {f"cluster.x-k8s.io/{contract}": "v1"}},
            "spec": {"group": GROUP, "scope": "Namespaced", "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"},
                     "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                                   "schema": {"openAPIV3Schema": schema}}]}}


def define(kubeconfig):
    """Bootstraps keep the older contract, machines the newer one."""
    items = [_definition(kind, "v1beta1" if "Bootstrap" in kind else "v1beta2") for kind in KINDS]
    run_kubectl(kubeconfig, "apply", "-f", "-", text=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    until_served(Client(kubeconfig), *[item["metadata"]["name"] for item in items])


def supply(it):
    for kind, collection in (("TestMachineTemplate", "test machine templates"), ("TestBootstrapTemplate", "test bootstrap templates")):
        it.create(collection, wishes.body(GROUP, "v1", kind, "t", {"template": {"spec": {"size": "large"}}}))


def deploy(it, replicas, **options):
    name = f"{it.name}-web"
    it.create("deployments", wishes.deployment(name, CLUSTER, replicas, wishes.reference(GROUP, "TestMachineTemplate", "t"),
                                               wishes.reference(GROUP, "TestBootstrapTemplate", "t"), **options))
    return name


def bootstrap(it, name):
    """The data is there; said as the older contract says it."""
    of = it.get("test bootstraps", name)
    owner = {"apiVersion": of["apiVersion"], "kind": of["kind"], "name": name, "uid": of["metadata"]["uid"], "controller": True}
    it.create("secrets", {"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret", "stringData": {"value": "x"},
                          "metadata": {"name": name, "labels": {wishes.CLUSTER_LABEL: CLUSTER}, "ownerReferences": [owner]}})
    it.patch("test bootstraps", name, {"status": {"dataSecretName": name, "ready": True}}, "/status")


def make(it, name):
    """The instance is there."""
    it.patch("test machines", name, {"spec": {"providerID": f"test:///{it.name}/{name}"}})
    it.patch("test machines", name, {"status": {"initialization": {"provisioned": True},
                                                "addresses": [{"type": "InternalIP", "address": "10.9.9.9"}]}}, "/status")


def join(it, name):
    """Its kubelet has come."""
    conditions = [{"type": kind, "status": "True" if kind == "Ready" else "False", "reason": "Kubelet", "message": "",
                   "lastHeartbeatTime": "2026-01-01T00:00:00Z", "lastTransitionTime": "2026-01-01T00:00:00Z"}
                  for kind in ("Ready", "MemoryPressure", "DiskPressure", "PIDPressure")]
    it.create("nodes", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name},
                        "spec": {"providerID": f"test:///{it.name}/{name}"}, "status": {"conditions": conditions}})


def hold(it, name, finalizer="test.millwright.dev/held"):
    it.patch("test machines", name, {"metadata": {"finalizers": [finalizer]}})


def release(it, name):
    it.patch("test machines", name, {"metadata": {"finalizers": None}})
