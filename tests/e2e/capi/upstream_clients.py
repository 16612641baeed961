"""Upstream's clients on machines of our own provider: clusterctl, and the cluster-autoscaler."""

import contextlib

import theirs
import wishes
from controllers import free_port
from ground import CLUSTER, Ground
from programs import conversion, define_kinds
from servers import our_server, real_server
from yard import condition

LIMITS = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-{}-size"
CAPACITY = "capacity.cluster-autoscaler.kubernetes.io/"


class ClientGround(Ground):
    watched = tuple(kind for kind in Ground.watched if not kind.startswith("test "))


@contextlib.contextmanager
def _ground(kubeconfig, name):
    it = ClientGround(kubeconfig, name)
    try:
        yield it
    finally:
        it.close()


@contextlib.contextmanager
def _management_cluster(server=real_server):
    with server() as kubeconfig:
        define_kinds(kubeconfig)
        theirs.define_core(kubeconfig)
        with conversion(kubeconfig):
            yield kubeconfig


# The two management clusters of a move: a real one, which the machines join, and ours.

def clusterctl_describes_and_moves():
    theirs.directory("managers")
    with _management_cluster() as here, _management_cluster(our_server) as there:
        with _ground(here, "moving") as it, _ground(there, "moving") as other:
            _move(it, other)


def _move(it, other):
    with it.controllers():
        name = it.running(2)
        _describe(it, name)
        machines, nodes = it.names("machines"), {n["metadata"]["name"]: n["metadata"]["uid"] for n in it.all("nodes", name)}
        theirs.clusterctl(it.kubeconfig, "move", "--namespace", it.name, "--to-kubeconfig", str(other.kubeconfig))
        it.until("nothing is left where they were", lambda: not any(
            it.all(kind) for kind in ("clusters", "deployments", "sets", "machines", "instances", "bootstraps")))
    with other.controllers():  # not before: the simulated cloud is in the process, and knows at its start what there is
        other.until("they run where they are", lambda: other.phases(name) == ["Running"] * 2)
        assert other.names("machines") == machines, (machines, other.names("machines"))
        now = {n["metadata"]["name"]: n["metadata"]["uid"] for n in it.list("nodes") if n["metadata"]["name"] in nodes}
        assert now == nodes, "nodes were made again"
        _describe(other, name)
        other.patch("deployments", name, {"spec": {"replicas": 1}})
        other.until("one went", lambda: other.phases(name) == ["Running"])
        it.until("with its node, in the cluster that it was of", lambda: it.names("nodes", name) == other.names("machines"))
        other.delete("deployments", name)
        other.until("the other one too", lambda: not other.all("machines") and not other.all("instances"))
        it.until("no nodes", lambda: not it.all("nodes", name))


def _describe(it, deployment):
    it.until("the cluster is reached", lambda: condition(it.one("clusters", CLUSTER), "RemoteConnectionProbe").get("status") == "True")
    shown = theirs.clusterctl(it.kubeconfig, "describe", "cluster", CLUSTER, "--namespace", it.name, "--grouping=false", "--echo",
                              "--show-conditions=all")
    for kind in ("Machine", "MillwrightMachine", "MillwrightBootstrap"):
        for name in it.names("machines"):
            assert f"{kind} {it.name}/{name}" in shown, f"{kind} {name} is not in\n{shown}"
    assert f"MachineDeployment {it.name}/{deployment}" in shown, shown


# The autoscaler.

def _scaler(it, them):
    """It looks every second, and takes a node away after five of them."""
    them.run("cluster-autoscaler", [
        theirs.directory("autoscaler") / "bin/cluster-autoscaler", "--cloud-provider=clusterapi", f"--kubeconfig={it.kubeconfig}",
        f"--cloud-config={it.kubeconfig}", f"--node-group-auto-discovery=clusterapi:namespace={it.name}", f"--namespace={it.name}",
        "--leader-elect=false", f"--address=127.0.0.1:{free_port()}", "--scan-interval=1s", "--scale-down-unneeded-time=5s",
        "--scale-down-delay-after-add=2s", "--scale-down-delay-after-delete=1s", "--scale-down-unready-time=5s",
        "--unremovable-node-recheck-timeout=1s", "--node-deletion-delay-timeout=5s", "--max-node-provision-time=2m",
        "--new-pod-scale-up-delay=0s", "--skip-nodes-with-system-pods=false", "--v=4"])


def _pod(name, cpu, node=None):
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "annotations": {"cluster-autoscaler.kubernetes.io/safe-to-evict": "true"}},
            "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}], **({"nodeName": node} if node else {})}}


def _wait_for_room(it, name, cpu):
    """A pod that no node has room for; nobody schedules here, so the test says so as the scheduler does."""
    it.create("pods", _pod(name, cpu))
    it.patch("pods", name, {"status": {"conditions": [{
        "type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/0 nodes are available"}]}}, "/status")


def _bind(it, pod, node):
    """As the scheduler does it; before that the node loses the taint of new nodes, as the node lifecycle controller does it,
    which does not run here either."""
    it.patch("nodes", node, {"spec": {"taints": None}})
    it.send("POST", it.path("pods", pod) + "/binding", {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod},
                                                        "target": {"apiVersion": "v1", "kind": "Node", "name": node}})


def the_autoscaler_scales_a_deployment_up_and_down():
    for part in ("managers", "autoscaler"):
        theirs.directory(part)
    with _management_cluster() as kubeconfig, theirs.programs(kubeconfig) as them, _ground(kubeconfig, "scaled") as it:
        with it.controllers():
            it.settle()
            it.supply(capacity={"cpu": "4", "memory": "8Gi", "pods": "110"})
            name = it.deploy(0)
            limits = {LIMITS.format("min"): "0", LIMITS.format("max"): "3", CAPACITY + "cpu": "4", CAPACITY + "memory": "8Gi"}
            it.patch("deployments", name, {"metadata": {"annotations": limits}})
            it.until_running(name, 0)
            _scaler(it, them)
            _scale(it, name)


def _scale(it, name):
    # From nothing: what a machine would have is in annotations.
    _wait_for_room(it, "one", "3")
    it.until_running(name, 1)
    first, = it.names("nodes", name)
    _bind(it, "one", first)
    # One more that does not fit beside it: like the node that is there.
    _wait_for_room(it, "two", "3")
    it.until_running(name, 2)
    second, = it.names("nodes", name) - {first}
    _bind(it, "two", second)
    it.throughout("two are enough", lambda: it.runs(name, 2), 5)
    # It names the machine that goes: the one whose pod went, which is not the one that our order would choose.
    it.send("DELETE", it.path("pods", "one"), {"gracePeriodSeconds": 0})
    it.until("the empty one went", lambda: it.runs(name, 1) and it.names("nodes", name) == {second})
    # The last one stays: this autoscaler leaves a zero out of what it sends, so nothing is asked of us.
    it.throughout("the other one stays", lambda: it.runs(name, 1) and it.names("nodes", name) == {second}, 5)


CASES = (clusterctl_describes_and_moves, the_autoscaler_scales_a_deployment_up_and_down)
