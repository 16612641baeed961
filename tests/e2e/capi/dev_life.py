"""Upstream's own providers with our machine controllers, and their core manager in turn with ours."""

import contextlib

import theirs
import wishes
from controllers import listens
from dev_ground import INFRASTRUCTURE, WORKERS, DevGround
from ground import CLUSTER
from programs import controller
from servers import real_server
from wishes import reference
from yard import condition

NAMESPACE = "default"
# Longer than their looks again: 15 s for a set, 20 s for a drain.
REST_SECONDS = 25


@contextlib.contextmanager
def _place():
    """A management cluster as `clusterctl init` leaves it, but that nobody runs the core in it yet."""
    theirs.directory("managers")
    with real_server() as kubeconfig, theirs.programs(kubeconfig) as them:
        them.define("core", *theirs.PROVIDERS)
        them.start(*theirs.PROVIDERS)
        it = DevGround(kubeconfig, NAMESPACE)
        try:
            yield it, them
        finally:
            it.close()


@contextlib.contextmanager
def _ours(it, them):
    """In the place of their core manager: its arguments, and its webhooks' address."""
    with controller(it.kubeconfig, them.webhook_flags("core")) as ours:
        ours.start()
        yield ours


def _until_called(it, them, *names):
    """The webhooks are asked only once somebody is there to answer."""
    for name in names:
        it.poll(f"{name} answers", lambda n=name: listens(them.ports[n]))
    them.call(*names)


def their_providers_make_our_machines():
    with _place() as (it, them), _ours(it, them):
        _until_called(it, them, "core", *theirs.PROVIDERS)
        it.settle_dev(workers=2)
        it.until_dev_runs(2)
        _is_described(it)

        it.patch("deployments", WORKERS, {"spec": {"replicas": 4}})
        it.until_dev_runs(4)
        it.patch("kubeadm control planes", CLUSTER, {"spec": {"replicas": 3}})
        it.until_dev_runs(4, 3)
        it.patch("deployments", WORKERS, {"spec": {"replicas": 1}})
        it.until_dev_runs(1, 3)

        before = it.workers()
        it.supply_dev("other")
        it.patch("deployments", WORKERS, {"spec": {"template": {"spec": {"infrastructureRef": {"name": "other"}}}}})
        it.until("another worker", lambda: not before & it.workers() and it.runs_dev(1, 3))
        _labels_reach_nodes(it)

        it.delete("clusters", CLUSTER)
        it.until_dev_gone()


def _describe(it):
    return theirs.clusterctl(it.kubeconfig, "describe", "cluster", CLUSTER, "--namespace", NAMESPACE, "--grouping=false", "--echo")


def _is_described(it):
    """By their clusterctl: everything it shows is ready. The Cluster itself says so up to a second later."""
    it.poll("all is ready", lambda: not {"False", "Unknown"} & set(_describe(it).split()))
    shown = _describe(it)
    for name in ("Cluster", "DevCluster", "KubeadmControlPlane"):
        assert f"{name} {NAMESPACE}/{CLUSTER}" in shown, f"{name} is not in\n{shown}"
    for kind in ("Machine", "DevMachine", "KubeadmConfig"):
        for name in it.names("machines"):
            assert f"{kind} {NAMESPACE}/{name}" in shown, f"{kind} {name} is not in\n{shown}"
    assert f"MachineDeployment {NAMESPACE}/{WORKERS}" in shown and "False" not in shown and "Unknown" not in shown, shown


def _labels_reach_nodes(it):
    machine, = it.workers()
    it.patch("deployments", WORKERS, {"spec": {"template": {"metadata": {"labels": {"node-role.kubernetes.io/worker": "yes"}}}}})
    node = it.one("machines", machine)["status"]["nodeRef"]["name"]
    with it.workload() as client:
        it.poll("its node has the label", lambda: theirs.read(client, f"/api/v1/nodes/{node}")["metadata"].get("labels", {}).get(
            "node-role.kubernetes.io/worker") == "yes")


def _identities(it):
    """What a take-over must leave as it is."""
    kinds = ("deployments", "sets", "machines", "dev machines", "kubeadm configs", "kubeadm control planes")
    return {(kind, found["metadata"]["name"]): found["metadata"]["uid"] for kind in kinds for found in it.all(kind)}


def _stays(it, what, since, workers):
    """Nothing is made, rolled or deleted, and all is well at the end."""
    it.throughout(what, lambda: _identities(it) == since and not any("deletionTimestamp" in m["metadata"] for m in it.all("machines")),
                  REST_SECONDS)
    it.until_dev_runs(workers)


def _with_label(it, value):
    it.patch("deployments", WORKERS, {"spec": {"template": {"metadata": {"labels": {"tier": value}}}}})
    it.until(f"machines and what is beside them have the label {value}", lambda: all(
        found["metadata"]["labels"].get("tier") == value for kind in ("machines", "dev machines", "kubeadm configs") for found in it.all(kind)
        if found["metadata"]["labels"].get(wishes.DEPLOYMENT_LABEL) == WORKERS))


def from_their_core_to_ours_and_back():
    with _place() as (it, them):
        them.start("core")
        _until_called(it, them, "core", *theirs.PROVIDERS)
        it.settle_dev(workers=2)
        it.until_dev_runs(2)
        _with_label(it, "theirs")
        before = _identities(it)
        them.stop("core")

        with _ours(it, them) as ours:
            it.poll("we answer", lambda: listens(them.ports["core"]))
            _stays(it, "nothing happens when we take over", before, 2)
            _old_clients_are_served(it)
            # What they applied is ours to change and to take away; nothing is rolled for it.
            _with_label(it, "ours")
            _with_label(it, None)
            assert _identities(it) == before
            it.patch("deployments", WORKERS, {"spec": {"replicas": 3}})
            it.until_dev_runs(3)
            _with_label(it, "again")
            before = _identities(it)
            assert ours.stop() == [0], ours.log()

        them.start("core")
        it.poll("they answer", lambda: listens(them.ports["core"]))
        _stays(it, "nothing happens when they are back", before, 3)
        _with_label(it, None)
        assert _identities(it) == before and len(it.all("sets")) == 1
        it.supply_dev("other")
        it.patch("deployments", WORKERS, {"spec": {"template": {"spec": {
            "infrastructureRef": reference(INFRASTRUCTURE, "DevMachineTemplate", "other")}}}})
        it.until("they roll what we made", lambda: it.runs_dev(3) and len(it.all("sets")) == 2)
        it.delete("clusters", CLUSTER)
        it.until_dev_gone()


def _old_clients_are_served(it):
    """Read and written in the older version while the newer one is what all managers use."""
    path = it.path("deployments", WORKERS).replace("/v1beta2/", "/v1beta1/")
    it.update(path, lambda found: found["spec"]["template"]["spec"].update({"nodeDrainTimeout": "45s"}))
    it.until("machines are told in the newer one", lambda: all(
        it.one("machines", name)["spec"].get("deletion", {}).get("nodeDrainTimeoutSeconds") == 45 for name in it.workers()))
    machine = it.send("GET", it.path("machines").replace("/v1beta2/", "/v1beta1/"))["items"][0]
    assert machine["status"]["phase"] == "Running" and condition(machine, "Ready").get("status") == "True", machine["status"]


CASES = (their_providers_make_our_machines, from_their_core_to_ours_and_back)
