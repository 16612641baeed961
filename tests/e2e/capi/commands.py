"""What `millwright tree`, `describe`, `get` and `rollout` say to a person who looks at Cluster API's machines."""

import json
import subprocess

import provider
import wishes
from controllers import BINARY
from ground import CLUSTER, phase
from yard import condition


def _run(it, *words, code=0):
    done = subprocess.run([str(BINARY), *words, "--kubeconfig", str(it.kubeconfig), "-n", it.name, "--dialect", "cluster-api"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=240)
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def _has(text, *parts):
    for part in parts:
        assert part in text, f"'{part}' is not in:\n{text}"


def _rows(items):
    """Each item of a tree with its depth."""
    for item in items:
        yield 0, item
        yield from ((depth + 1, below) for depth, below in _rows(item.get("children", [])))


def _stuck(it, message):
    """A machine whose provider says why it is not done."""
    it.settle()
    provider.supply(it)
    name = provider.deploy(it, 1)
    it.until("both objects", lambda: all(len(it.all(kind)) == 1 for kind in ("machines", "test machines", "test bootstraps")))
    machine, = it.names("machines")
    provider.bootstrap(it, machine)
    it.patch("test machines", machine, {"status": {"conditions": [
        {"type": "Ready", "status": "False", "reason": "QuotaExceeded", "message": message, "lastTransitionTime": "2026-01-01T00:00:00Z"}]}},
        "/status")
    it.until("it is told", lambda: message in condition(it.one("machines", machine), "InfrastructureReady").get("message", ""))
    return name, machine


def the_tree_goes_from_the_cluster_to_the_node(it):
    with it.controllers():
        name = it.running(2)
        tree = json.loads(_run(it, "tree", "-o", "json"))
        kinds = [(depth, item["kind"]) for depth, item in _rows(tree) if item["status"] not in ("", "Old")]
        machine = [(3, "Machine"), (4, "Node")]
        assert kinds == [(0, "Cluster"), (1, "MachineDeployment"), (2, "MachineSet"), *machine, *machine], kinds
        wide = [item["kind"] for _, item in _rows(json.loads(_run(it, "tree", f"cluster/{CLUSTER}", "-o", "json")))]
        assert wide[0] == "Cluster", wide
        _has(_run(it, "tree", "-o", "wide"), "MillwrightMachine/", "MillwrightBootstrap/", "MillwrightCluster/", "MillwrightControlPlane/", "simulated:///")
        _has(_run(it, "describe", "deployment", name), "All of its machines are up to date and available.", "Cluster:", "MachinesReady")
        _has(_run(it, "describe", "cluster", CLUSTER), "It is provisioned, and so are all of its machines.")
        _has(_run(it, "get", "clusters"), CLUSTER, "NAME")
        _has(_run(it, "get", "machines"), *it.names("machines"))
        _has(_run(it, "get", "classes", code=2), "has no kind")
        it.end(name)


def a_description_names_the_provider_and_its_words(it):
    with it.controllers():
        name, machine = _stuck(it, "no room in zone a")
        _has(_run(it, "describe", "deployment", name), "Why it is not", f"Machine {machine}", "its instance is not provisioned",
             f"TestMachine {machine} says QuotaExceeded", "no room in zone a")
        _has(_run(it, "tree", name), f"TestMachine/{machine}", "NotProvisioned", "no room in zone a")
        provider.hold(it, machine)
        it.delete("deployments", name)
        it.until("it waits for the provider", lambda: condition(it.one("machines", machine), "Deleting").get("reason") == "WaitingForInfrastructureDeletion")
        _has(_run(it, "describe", "machine", machine), "Why it is not gone", "now removing its instance", "finalizer test.millwright.dev/held")
        provider.release(it, machine)
        it.until_gone(name)


def a_description_names_who_holds_a_deletion(it):
    with it.controllers():
        name = it.running(1)
        machine, = it.names("machines")
        hook = f"pre-drain.delete.hook.machine.{wishes.CORE}/backup"
        it.patch("machines", machine, {"metadata": {"annotations": {hook: "the backup operator"}}})
        it.create("budgets", {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "all"},
                              "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "kept"}}}})
        it.create("pods", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "kept", "labels": {"app": "kept"}},
                           "spec": {"nodeName": machine, "terminationGracePeriodSeconds": 0,
                                    "containers": [{"name": "c", "image": "none.example/none"}]}})
        it.patch("pods", "kept", {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}, "/status")
        it.delete("machines", machine)
        it.until("the hook holds it", lambda: condition(it.one("machines", machine), "Deleting").get("reason") == "WaitingForPreDrainHook")
        _has(_run(it, "describe", "machine", machine), "held by a hook before the drain", hook, "the backup operator has to take the annotation off")
        it.patch("machines", machine, {"metadata": {"annotations": {hook: None}}})
        it.until("the budget holds it", lambda: "disruption budget" in condition(it.one("machines", machine), "Deleting").get("message", ""))
        _has(_run(it, "describe", "machine", machine), "now draining its node", f"{it.name}/kept", "disruption budget")
        it.patch("clusters", CLUSTER, {"spec": {"paused": True}})
        _has(_run(it, "describe", "machine", machine), f"Cluster {CLUSTER} is paused")
        it.patch("clusters", CLUSTER, {"spec": {"paused": False}})
        it.delete("budgets", "all")
        it.until("it is gone", lambda: not it.one("machines", machine))
        it.end(name)


def _undo_what_does_not_come(it, name):
    """A set goes once it has no machines, so the way back is for a rollout that is under way."""
    it.supply("never", fail={"create": {"code": "ResourceExhausted", "times": 1000}})
    before = it.names("machines")
    it.patch("deployments", name, {"spec": {"template": {"spec": {"infrastructureRef": {"name": "never"}}}}})
    it.until("a machine that does not come", lambda: len(it.names("machines") - before) == 1 and len(it.all("sets")) == 2)
    _has(_run(it, "rollout", "history", name), "REVISION", "2 ", "3 ")
    _has(_run(it, "rollout", "history", name, "--revision", "2"), "name: other")
    _has(_run(it, "rollout", "undo", name), "rolled back")
    it.until("the old ones are all that is left", lambda: it.names("machines") == before and it.runs(name, 2))
    template = it.get("deployments", name)["spec"]["template"]
    assert template["spec"]["infrastructureRef"]["name"] == "other" and "machine-template-hash" not in template["metadata"]["labels"], template


def rollouts_are_followed_stopped_and_undone(it):
    with it.controllers():
        it.settle()
        it.supply()
        it.supply("other")
        name = it.deploy(2)
        it.until_running(name, 2)
        _has(_run(it, "rollout", "status", name), "successfully rolled out")
        _has(_run(it, "rollout", "pause", name), f"machinedeployment.cluster.x-k8s.io/{name} paused")
        _has(_run(it, "rollout", "pause", name, code=1), "already paused")
        before = it.names("machines")
        it.patch("deployments", name, {"spec": {"template": {"spec": {"infrastructureRef": {"name": "other"}}}}})
        _has(_run(it, "describe", "deployment", name), f"millwright rollout resume {name}")
        assert it.names("machines") == before
        _run(it, "rollout", "resume", name)
        _has(_run(it, "rollout", "status", name, "--timeout", "200s"), "successfully rolled out")
        it.until("others", lambda: not before & it.names("machines") and it.runs(name, 2))
        _undo_what_does_not_come(it, name)
        before = it.names("machines")
        _has(_run(it, "rollout", "restart", name), "restarted")
        it.until("all are replaced", lambda: not before & it.names("machines") and it.runs(name, 2))
        assert all(phase(machine) == "Running" for machine in it.all("machines"))
        it.end(name)


CASES = (the_tree_goes_from_the_cluster_to_the_node, a_description_names_the_provider_and_its_words, a_description_names_who_holds_a_deletion,
         rollouts_are_followed_stopped_and_undone)
