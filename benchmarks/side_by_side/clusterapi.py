"""The work in the words of Cluster API, with the least that its contract asks of an infrastructure."""

import base64
import json

from .work import Work

_CORE = "cluster.x-k8s.io"
_INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io"
_NAME = {"cluster.x-k8s.io/cluster-name": "bench"}


class ClusterApi(Work):
    api = f"/apis/{_CORE}/v1beta2/namespaces/default/"
    infrastructure = f"/apis/{_INFRASTRUCTURE}/v1beta2/namespaces/default/"
    updated = "upToDateReplicas"

    def __init__(self, plane, definitions, sets, contender):
        super().__init__(plane, definitions, sets)
        self.user = contender.users[0]  # whose access to the workload cluster the manager is handed

    def define_kinds(self):
        for kind in ("BenchCluster", "BenchControlPlane", "BenchMachine", "BenchMachineTemplate"):
            self.plane.kubectl("create", "-f", "-", text=json.dumps(_definition(kind)))
        self.define("cluster-api")

    def write_rate(self):
        note = "x" * 350
        made = {"apiVersion": f"{_CORE}/v1beta2", "kind": "Machine",
                "metadata": {"name": "NAME", "labels": _NAME, "annotations": {"note": note}},
                "spec": _machine()}
        status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True", "reason": "Ready", "message": note,
                                                      "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
        return self.machines, made, status

    def prepare(self):
        """A cluster that is there already, whose workers are in the same API server."""
        kubeconfig = base64.b64encode(self.plane.kubeconfig(self.user).read_bytes()).decode()
        self.plane.must("POST", "/api/v1/namespaces/default/secrets", {
            "metadata": {"name": "bench-kubeconfig", "labels": _NAME}, "type": "cluster.x-k8s.io/secret",
            "data": {"value": kubeconfig}})
        self.plane.must("POST", "/api/v1/namespaces/default/secrets", {
            "metadata": {"name": "boot", "labels": _NAME}, "type": "cluster.x-k8s.io/secret", "stringData": {"value": "join"}})
        port = int(self.plane.state["server"].rsplit(":", 1)[1])
        endpoint = {"host": "127.0.0.1", "port": port}
        self._part("BenchCluster", {"controlPlaneEndpoint": endpoint}, {"initialization": {"provisioned": True}})
        # It has no machines of its own. Unless it says so, nodes would neither be drained nor deleted: they could be the last.
        self._part("BenchControlPlane", {}, {"initialization": {"controlPlaneInitialized": True}, "externalManagedControlPlane": True})
        self._template("machine")
        self.plane.must("POST", self.api + "clusters", {
            "apiVersion": f"{_CORE}/v1beta2", "kind": "Cluster", "metadata": {"name": "bench"},
            "spec": {"controlPlaneEndpoint": endpoint, "controlPlaneRef": _reference("BenchControlPlane", "bench"),
                     "infrastructureRef": _reference("BenchCluster", "bench")}})
        for name in self.names:
            self.plane.must("POST", self.api + "machinedeployments", _deployment(name))

    def new_template(self, stamp):
        """A new label alone would be handed to the machines in place; another template of the infrastructure replaces them."""
        self._template(stamp)
        return {"spec": {"template": {"metadata": {"labels": {"stamp": stamp}},
                                      "spec": {"infrastructureRef": _reference("BenchMachineTemplate", stamp)}}}}

    def _template(self, name):
        self.plane.must("POST", self.infrastructure + "benchmachinetemplates", {
            "apiVersion": f"{_INFRASTRUCTURE}/v1beta2", "kind": "BenchMachineTemplate", "metadata": {"name": name},
            "spec": {"template": {"spec": {}}}})

    def _part(self, kind, spec, status):
        path = self.infrastructure + kind.lower() + "s"
        made = {"apiVersion": f"{_INFRASTRUCTURE}/v1beta2", "kind": kind, "metadata": {"name": "bench", "labels": _NAME},
                "spec": spec}
        self.plane.must("POST", path, made)
        self.plane.must("PATCH", f"{path}/bench/status", {"status": status}, "application/merge-patch+json")


def _reference(kind, name):
    return {"apiGroup": _INFRASTRUCTURE, "kind": kind, "name": name}


def _machine():
    return {"clusterName": "bench", "bootstrap": {"dataSecretName": "boot"},
            "infrastructureRef": _reference("BenchMachineTemplate", "machine"), "version": "v1.36.4"}  # as the Nodes say


def _deployment(name):
    labels = {**_NAME, "cluster.x-k8s.io/deployment-name": name}
    return {"apiVersion": f"{_CORE}/v1beta2", "kind": "MachineDeployment", "metadata": {"name": name, "labels": labels},
            "spec": {"clusterName": "bench", "replicas": 0, "selector": {"matchLabels": labels},
                     "rollout": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}}},
                     "template": {"metadata": {"labels": labels}, "spec": _machine()}}}


def _definition(kind):
    """A kind of the minimal provider: whatever is in it is kept, and the label says which contract it fulfils."""
    plural = kind.lower() + "s"
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{_INFRASTRUCTURE}", "labels": {"cluster.x-k8s.io/v1beta2": "v1beta2"}},
            "spec": {"group": _INFRASTRUCTURE, "scope": "Namespaced",
                     "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": kind + "List"},
                     "versions": [{"name": "v1beta2", "served": True, "storage": True, "subresources": {"status": {}},
                                   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                                       "spec": anything, "status": anything}}}}]}}
