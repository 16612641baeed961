"""Objects as upstream's controllers left them: they become ours, and nothing happens to their machines."""

import bodies
from bodies import FINALIZER, GROUP, HASH, NODE_FINALIZER
from scaling import cloud_calls
from yard import STRATEGIC

NOW = "2026-01-02T03:04:05Z"
# What Go made of the template: nothing that we could compute.
THEIR_HASH = "2963574421"


def owned_by(kind, owner):
    return [{"apiVersion": GROUP, "kind": kind, "name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"],
             "controller": True, "blockOwnerDeletion": True}]


def written_by_upstream(yard, name, replicas, hashed=True):
    """A deployment with its set, its machines and their nodes, all of them well."""
    body = bodies.deployment(name, replicas)
    body["metadata"].update({"finalizers": [FINALIZER], "annotations": {"deployment.kubernetes.io/revision": "1"}})
    owner = yard.create("deployments", body)
    labels = {"name": name, **({HASH: THEIR_HASH} if hashed else {})}
    template = {"metadata": {"creationTimestamp": None, "labels": labels},
                "spec": {"class": {"kind": "MachineClass", "name": "small"}, "nodeTemplate": {"metadata": {"creationTimestamp": None}, "spec": {}}}}
    machine_set = yard.create("sets", {
        "apiVersion": GROUP, "kind": "MachineSet",
        "metadata": {"name": f"{name}-6fb79", "labels": labels, "finalizers": [FINALIZER],
                     "annotations": {"deployment.kubernetes.io/revision": "1", "deployment.kubernetes.io/desired-replicas": str(replicas),
                                     "deployment.kubernetes.io/max-replicas": str(replicas + 1)},
                     "ownerReferences": owned_by("MachineDeployment", owner)},
        "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}})
    for i in range(replicas):
        _machine(yard, machine_set, f"{name}-6fb79-x{i}yz{i}", labels)
    counts = {"replicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas}
    yard.patch("sets", machine_set["metadata"]["name"], {"status": {
        **counts, "fullyLabeledReplicas": replicas, "observedGeneration": 1, "lastOperation": {"lastUpdateTime": NOW}}}, "/status")
    yard.patch("deployments", name, {"status": {**counts, "updatedReplicas": replicas, "observedGeneration": 1, "conditions": [
        {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable", "message": "Deployment has minimum availability.",
         "lastUpdateTime": NOW, "lastTransitionTime": NOW},
        {"type": "Progressing", "status": "True", "reason": "NewMachineSetAvailable", "message": "Progressed.",
         "lastUpdateTime": NOW, "lastTransitionTime": NOW}]}}, "/status")
    return name


def _machine(yard, machine_set, name, labels):
    instance = f"simulated://zone-1/{name}"
    yard.create("nodes", {"apiVersion": "v1", "kind": "Node",
                          "metadata": {"name": name, "finalizers": [NODE_FINALIZER],
                                       "labels": {"node.gardener.cloud/machine-name": name},
                                       "annotations": {"node.machine.sapcloud.io/last-applied-anno-labels-taints":
                                                       '{"metadata":{"creationTimestamp":null},"spec":{}}'}},
                          "spec": {"providerID": instance}})
    ready = [{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "", "lastHeartbeatTime": NOW,
              "lastTransitionTime": NOW}]
    yard.patch("nodes", name, {"status": {"conditions": ready}}, "/status", STRATEGIC)
    yard.create("machines", {
        "apiVersion": GROUP, "kind": "Machine",
        "metadata": {"name": name, "labels": {**labels, "node": name}, "finalizers": [FINALIZER],
                     "annotations": {"machinepriority.machine.sapcloud.io": "3"},
                     "ownerReferences": owned_by("MachineSet", machine_set)},
        "spec": {"class": {"kind": "MachineClass", "name": "small"}, "providerID": instance,
                 "nodeTemplate": {"metadata": {"creationTimestamp": None}, "spec": {}}}})
    yard.patch("machines", name, {"status": {
        "conditions": ready, "currentStatus": {"phase": "Running", "lastUpdateTime": NOW},
        "lastOperation": {"description": f"Machine {name} successfully joined the cluster", "lastUpdateTime": NOW,
                          "state": "Successful", "type": "Create"}}}, "/status")


def identities(yard):
    """What must not change: which machines and sets there are, and their instances."""
    return sorted((o["metadata"]["uid"], o["spec"].get("providerID", "")) for kind in ("machines", "sets") for o in yard.list(kind))


def untouched(yard, them, before):
    """Ours has looked at everything and did nothing."""
    yard.poll("it works", lambda: "controller_runtime_reconcile_total" in them.metrics())
    yard.throughout("nothing happens", lambda: identities(yard) == before, 3)
    calls = {service: cloud_calls(them, service) for service in ("create_machine", "delete_machine")}
    assert not any(calls.values()), calls


def what_upstream_made_becomes_ours(yard):
    yard.supply()
    names = [written_by_upstream(yard, f"{yard.name}-web", 3), written_by_upstream(yard, f"{yard.name}-old", 2, hashed=False)]
    before = identities(yard)
    with yard.controllers() as them:
        them.start()
        untouched(yard, them, before)
        for name, count in zip(names, (3, 2)):
            yard.until_running(name, count)
        # And they are ours indeed: more of the same template, then another one.
        for name in names:
            yard.patch("deployments", name, {"spec": {"replicas": 4}})
        for name in names:
            yard.until_running(name, 4)
            assert len(yard.all("sets", name)) == 1, yard.names("sets", name)
        old = yard.names("machines")
        for name in names:
            yard.patch("deployments", name, bodies.next_version(2))
        for name in names:
            yard.until(f"{name} is rolled", lambda: yard.runs(name, 4) and not old & yard.names("machines", name))
            yard.delete("deployments", name)
        yard.until_gone(*names)


CASES = (what_upstream_made_becomes_ours,)
