"""Pods leave before their machine does: budgets, volumes, force."""

import contextlib
import json
import threading

from client import Client
from yard import JSON, STRATEGIC, operation, phase

DRIVER = "csi.simulated.millwright.dev"


@contextlib.contextmanager
def kubelets(yard):
    """Pods that are to go, go: nobody runs them."""
    done = threading.Event()

    client = Client(yard.kubeconfig)  # connections are not shared between threads

    def work():
        while not done.wait(0.2):
            _, _, answer = client.ask("GET", yard.path("pods"), {}, None)
            for pod in json.loads(answer).get("items", []):
                if "deletionTimestamp" in pod["metadata"]:
                    client.ask("DELETE", yard.path("pods", pod["metadata"]["name"]), JSON, b'{"gracePeriodSeconds": 0}')

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(timeout=30)


def run_pod(yard, name, node, app="web", claims=(), grace=0):
    """A pod that runs on a node and is ready."""
    volumes = [{"name": claim, "persistentVolumeClaim": {"claimName": claim}} for claim in claims]
    yard.create("pods", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": app}},
                         "spec": {"nodeName": node, "terminationGracePeriodSeconds": grace, "volumes": volumes,
                                  "automountServiceAccountToken": False, "containers": [{"name": "c", "image": "i"}]}})
    yard.patch("pods", name, {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}},
               "/status", STRATEGIC)


def budget(yard, app, least):
    yard.create("budgets", {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": app},
                            "spec": {"minAvailable": least, "selector": {"matchLabels": {"app": app}}}})
    yard.poll("the budget is counted", lambda: yard.get("budgets", app).get("status", {}).get("expectedPods", 0) > 0)


def attach(yard, volume, node, uid):
    """A volume with its claim, bound, and attached to a node."""
    name = f"{yard.name}-{volume}"
    yard.create("volumes", {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
                            "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
                                     "claimRef": {"namespace": yard.name, "name": volume},
                                     "csi": {"driver": DRIVER, "volumeHandle": f"handle-{name}"}}})
    yard.create("claims", {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": volume},
                           "spec": {"accessModes": ["ReadWriteOnce"], "volumeName": name, "storageClassName": "",
                                    "resources": {"requests": {"storage": "1Gi"}}}})
    yard.create("attachments", attachment(f"{name}-{uid}", name, node))
    return name


def attachment(name, volume, node):
    return {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": {"name": name},
            "spec": {"attacher": DRIVER, "nodeName": node, "source": {"persistentVolumeName": volume}}}


def show_attached(yard, node, volumes):
    """As the node's own reports say it."""
    listed = [{"name": f"kubernetes.io/csi/{DRIVER}^handle-{v}", "devicePath": ""} for v in volumes]
    yard.patch("nodes", node, {"status": {"volumesAttached": listed}}, "/status")


def going(yard, name):
    """A pod that is gone or on its way."""
    pod = yard.get("pods", name)
    return pod is None or "deletionTimestamp" in pod["metadata"]


def start_with(yard, count, **machine):
    """So many machines; their nodes' names."""
    yard.supply()
    name = yard.deploy(f"{yard.name}-web", count, machine=machine)
    yard.until_running(name, count)
    return name, sorted(yard.names("nodes", name))


def a_budget_holds_a_machine_until_there_is_room(yard):
    with yard.controllers() as them, kubelets(yard):
        them.start()
        name, (first, second) = start_with(yard, 2)
        run_pod(yard, "one", first)
        run_pod(yard, "free", first, app="free")
        budget(yard, "web", 1)
        yard.delete("machines", first)
        yard.until("it says who blocks", lambda: "PodDisruptionBudget" in operation(
            yard.one("machines", first)).get("description", ""))
        yard.poll("the other pod went", lambda: going(yard, "free"))
        assert not going(yard, "one") and phase(yard.one("machines", first)) == "Terminating"
        node = yard.one("nodes", first)
        assert node["spec"].get("unschedulable") and any(
            c["type"] == "Terminating" and c["status"] == "True" for c in node["status"]["conditions"]), node["spec"]
        yard.throughout("the budget holds", lambda: not going(yard, "one"), 1)
        run_pod(yard, "two", second)
        yard.until("it is replaced", lambda: first not in yard.names("machines") and yard.runs(name, 2))
        assert going(yard, "one") and not going(yard, "two")


def volumes_leave_one_after_the_other(yard):
    with yard.controllers() as them, kubelets(yard):
        them.start()
        name, (first, second) = start_with(yard, 2)
        volumes = [attach(yard, v, first, "a") for v in ("a", "b")]
        show_attached(yard, first, volumes)
        for volume in ("a", "b"):
            run_pod(yard, f"pod-{volume}", first, claims=[volume])
        run_pod(yard, "plain", first)
        yard.delete("machines", first)
        yard.poll("one of them and the one without go", lambda: going(yard, "plain") and (
            going(yard, "pod-a") or going(yard, "pod-b")))
        yard.throughout("the other waits for its turn", lambda: not (going(yard, "pod-a") and going(yard, "pod-b")), 2)
        turn, other = ("a", "b") if going(yard, "pod-a") else ("b", "a")
        move(yard, turn, first, second, left=[f"{yard.name}-{other}"])
        yard.poll("its turn", lambda: going(yard, f"pod-{other}"))
        assert first in yard.names("machines"), "its volume is still there"
        move(yard, other, first, second, left=[])
        yard.until("it is replaced", lambda: first not in yard.names("machines") and yard.runs(name, 2))


def move(yard, volume, source, target, left):
    """As the attach-detach controller does when the pod comes up elsewhere."""
    name = f"{yard.name}-{volume}"
    yard.delete("attachments", f"{name}-a")
    show_attached(yard, source, left)
    yard.create("attachments", attachment(f"{name}-b", name, target))
    yard.patch("attachments", f"{name}-b", {"status": {"attached": True}}, "/status")


def force_takes_pods_and_attachments(yard):
    with yard.controllers() as them, kubelets(yard):
        them.start()
        name, (first, second) = start_with(yard, 2)
        show_attached(yard, first, [attach(yard, "a", first, "a")])
        run_pod(yard, "held", first, claims=["a"])
        budget(yard, "web", 1)
        yard.delete("machines", first)
        yard.until("it is held", lambda: "PodDisruptionBudget" in operation(
            yard.one("machines", first)).get("description", ""))
        yard.patch("machines", first, {"metadata": {"labels": {"force-deletion": "true"}}})
        yard.until("it is replaced", lambda: first not in yard.names("machines") and yard.runs(name, 2))
        assert yard.get("pods", "held") is None, "its pod is gone"
        found = yard.get("attachments", f"{yard.name}-a-a")
        assert found is None or "deletionTimestamp" in found["metadata"], found


def a_drain_has_an_end(yard):
    with yard.controllers() as them, kubelets(yard):
        them.start()
        name, (first,) = start_with(yard, 1, drainTimeout="3s")
        run_pod(yard, "held", first)
        budget(yard, "web", 1)
        yard.delete("machines", first)
        yard.until("by force in the end", lambda: first not in yard.names("machines") and yard.runs(name, 1))
        assert yard.get("pods", "held") is None


CASES = (a_budget_holds_a_machine_until_there_is_room, volumes_leave_one_after_the_other, force_takes_pods_and_attachments,
         a_drain_has_an_end)
