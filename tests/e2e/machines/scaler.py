"""What Gardener's autoscaler reads and writes (section 12 of our notes on it)."""

import json

from bodies import next_version, rolling
from yard import condition

TRIGGER = "node.machine.sapcloud.io/trigger-deletion-by-mcm"
SCALER_TIME = "machine.sapcloud.io/last-deployment-replica-change-by-scaler-time"
DISABLED = "cluster-autoscaler.kubernetes.io/scale-down-disabled"
BY_US = "cluster-autoscaler.kubernetes.io/scale-down-disabled-by-mcm"


def the_machines_it_names_go(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 5)
        yard.until_running(name, 5)
        _can_be_read(yard, name)
        chosen = sorted(yard.names("machines", name))[1:4:2]
        now = "2026-01-02T03:04:05Z"

        def shrink(found):
            found["spec"]["replicas"] = 3
            found["metadata"].setdefault("annotations", {}).update({
                TRIGGER: ",".join(f"{machine}~{now}" for machine in chosen), SCALER_TIME: now})
        yard.update(yard.path("deployments", name), shrink)
        yard.until("those two went", lambda: yard.runs(name, 3) and not set(chosen) & yard.names("machines", name))
        yard.until("its word was taken", lambda: TRIGGER not in yard.one("deployments", name)["metadata"]["annotations"])
        assert len(yard.all("machines", name)) == 3
        machine_set, = yard.all("sets", name)
        assert machine_set["metadata"]["annotations"][SCALER_TIME] == now, machine_set["metadata"]["annotations"]


def _can_be_read(yard, name):
    """A machine's group by its label and by its owners, its node by the provider's id."""
    machine_set, = yard.all("sets", name)
    assert machine_set["metadata"]["ownerReferences"][0]["name"] == name
    nodes = {node["metadata"]["name"]: node for node in yard.all("nodes", name)}
    for machine in yard.all("machines", name):
        metadata = machine["metadata"]
        assert metadata["labels"]["name"] == name
        assert metadata["ownerReferences"][0]["name"] == machine_set["metadata"]["name"]
        assert metadata["annotations"]["machinepriority.machine.sapcloud.io"] == "3"
        ids = [o["spec"]["providerID"].split("/")[-1] for o in (machine, nodes[metadata["labels"]["node"]])]
        assert ids[0] == ids[1], ids
    assert condition(yard.one("deployments", name), "Progressing")["reason"] == "NewMachineSetAvailable"


def nodes_are_kept_during_a_rollout(yard):
    yard.supply(spec={"bootSeconds": 2})
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 3, strategy=rolling(1, 0))
        yard.until_running(name, 3)
        one = sorted(yard.names("nodes", name))[0]
        yard.patch("deployments", name, next_version(2))
        yard.until("nodes are marked", lambda: any(
            node["metadata"].get("annotations", {}).get(BY_US) == "true" and node["metadata"].get("annotations", {}).get(DISABLED) == "true"
            for node in yard.all("nodes", name)))
        yard.until("it may not scale down now", lambda: condition(
            yard.one("deployments", name), "Progressing")["reason"] != "NewMachineSetAvailable")
        yard.until("it is rolled", lambda: yard.runs(name, 3) and one not in yard.names("nodes", name))
        yard.until("nothing is left of it", lambda: not any(
            key in node["metadata"].get("annotations", {}) for node in yard.all("nodes", name) for key in (DISABLED, BY_US)))
        yard.until("it may scale again", lambda: condition(
            yard.one("deployments", name), "Progressing")["reason"] == "NewMachineSetAvailable")


def sizes_can_be_set_by_anybody(yard):
    """The scale subresource, from and to nothing as well."""
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 0)
        yard.until_running(name, 0)
        yard.until("a set", lambda: yard.all("sets", name))
        machine_set, = yard.names("sets", name)
        for kind, which in (("deployments", name), ("sets", machine_set)):
            scale = yard.send("GET", yard.path(kind, which) + "/scale")
            assert scale["spec"].get("replicas", 0) == 0, scale
        yard.update(yard.path("deployments", name) + "/scale", lambda scale: scale["spec"].update(replicas=2))
        yard.until_running(name, 2)
        assert json.dumps(yard.send("GET", yard.path("deployments", name) + "/scale")["status"]) == '{"replicas": 2}'


CASES = (the_machines_it_names_go, nodes_are_kept_during_a_rollout, sizes_can_be_set_by_anybody)
