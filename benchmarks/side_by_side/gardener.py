"""The work in the words of Gardener's API."""

from .work import Work

_VERSION = "machine.sapcloud.io/v1alpha1"
# Without one the peer's program crashes once a VM is there.
_NODE_TEMPLATE = {"capacity": {"cpu": "4", "gpu": "0", "memory": "16Gi"}, "instanceType": "m.large", "region": "region-1",
                  "zone": "zone-1"}
_TIME = "2026-01-01T00:00:00Z"


class Gardener(Work):
    api = f"/apis/{_VERSION}/namespaces/default/"

    def __init__(self, plane, definitions, sets, contender):
        super().__init__(plane, definitions, sets)
        self.provider_spec = contender.provider_spec

    def define_kinds(self):
        self.define("gardener")

    def write_rate(self):
        """A collection, an object of about 1 KB and its status, to measure what the API server can do."""
        note = "x" * 350
        made = {"apiVersion": _VERSION, "kind": "Machine",
                "metadata": {"name": "NAME", "labels": {"name": "rate"}, "annotations": {"note": note}},
                "spec": {"class": {"kind": "MachineClass", "name": "none"}, "nodeTemplate": {}}}
        status = {"currentStatus": {"phase": "Running", "lastUpdateTime": _TIME},
                  "lastOperation": {"description": note, "state": "Successful", "type": "Create", "lastUpdateTime": _TIME}}
        return self.machines, made, status

    def prepare(self):
        """All but the wish for machines."""
        self.plane.must("POST", "/api/v1/namespaces/default/secrets", {
            "metadata": {"name": "class"}, "stringData": {"userData": "join <<MACHINE_NAME>> with <<BOOTSTRAP_TOKEN>>"}})
        self.plane.must("POST", self.api + "machineclasses", {
            "apiVersion": _VERSION, "kind": "MachineClass", "metadata": {"name": "class"}, "provider": "Bench",
            "providerSpec": self.provider_spec, "secretRef": {"name": "class", "namespace": "default"},
            "nodeTemplate": _NODE_TEMPLATE})
        for name in self.names:
            self.plane.must("POST", self.api + "machinedeployments", _deployment(name))

    def new_template(self, stamp):
        return {"spec": {"template": {"metadata": {"labels": {"stamp": stamp}}}}}


def _deployment(name):
    labels = {"pool": name}
    machine = {"class": {"kind": "MachineClass", "name": "class"}, "nodeTemplate": {"metadata": {"labels": labels}}}
    return {"apiVersion": _VERSION, "kind": "MachineDeployment", "metadata": {"name": name},
            "spec": {"replicas": 0, "minReadySeconds": 0, "selector": {"matchLabels": labels},
                     "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}},
                     "template": {"metadata": {"labels": labels}, "spec": machine}}}
