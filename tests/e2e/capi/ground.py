"""A case's own corner of a server: a namespace with a Cluster whose nodes are in the same server, and all that is in it, watched."""

import contextlib

import wishes
from client import Client
from mirror import Mirror
from programs import controller
from wishes import BOOTSTRAP, INFRASTRUCTURE
from yard import Yard, condition

CORE_PATH = "/apis/cluster.x-k8s.io/v1beta2/namespaces/{}/"
INSTANCE_PATH = "/apis/infrastructure.millwright.dev/v1beta1/namespaces/{}/"
BOOTSTRAP_PATH = "/apis/bootstrap.millwright.dev/v1beta1/namespaces/{}/"
TEST_PATH = "/apis/test.millwright.dev/v1/namespaces/{}/"
PATHS = {
    "clusters": CORE_PATH + "clusters",
    "deployments": CORE_PATH + "machinedeployments",
    "sets": CORE_PATH + "machinesets",
    "machines": CORE_PATH + "machines",
    "checks": CORE_PATH + "machinehealthchecks",
    "rules": CORE_PATH + "machinedrainrules",
    "instances": INSTANCE_PATH + "millwrightmachines",
    "instance templates": INSTANCE_PATH + "millwrightmachinetemplates",
    "infrastructures": INSTANCE_PATH + "millwrightclusters",
    "bootstraps": BOOTSTRAP_PATH + "millwrightbootstraps",
    "bootstrap templates": BOOTSTRAP_PATH + "millwrightbootstraptemplates",
    "control planes": "/apis/controlplane.millwright.dev/v1beta1/namespaces/{}/millwrightcontrolplanes",
    "test machines": TEST_PATH + "testmachines",
    "test machine templates": TEST_PATH + "testmachinetemplates",
    "test bootstraps": TEST_PATH + "testbootstraps",
    "test bootstrap templates": TEST_PATH + "testbootstraptemplates",
    "secrets": "/api/v1/namespaces/{}/secrets",
    "events": "/api/v1/namespaces/{}/events",
    "pods": "/api/v1/namespaces/{}/pods",
    "budgets": "/apis/policy/v1/namespaces/{}/poddisruptionbudgets",
    "nodes": "/api/v1/nodes",
    "namespaces": "/api/v1/namespaces",
}
WATCHED = ("clusters", "deployments", "sets", "machines", "checks", "instances", "bootstraps", "test machines", "test bootstraps",
           "secrets", "pods")
CLUSTER = "c"
# For a case that hangs; none comes near it.
LONGEST_SECONDS = 240


class Ground(Yard):
    paths = PATHS
    watched = WATCHED

    def __init__(self, kubeconfig, name, is_served=False):
        """is_served: the server has controllers of its own."""
        self.kubeconfig = self.target_kubeconfig = kubeconfig
        self.name = name
        self.is_served = is_served
        self.client = self.target = Client(kubeconfig)
        status, _, _ = self.ask("POST", PATHS["namespaces"], {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        assert status in (201, 409), f"namespace {name}: {status}"
        self.mirror = Mirror(kubeconfig, {kind: self.path(kind) for kind in self.watched}, LONGEST_SECONDS)
        self.nodes_mirror = Mirror(kubeconfig, {"nodes": self.path("nodes")}, LONGEST_SECONDS)
        self.nodes_mirror.share(self.mirror)

    def path(self, kind, name=None):
        return self.paths[kind].format(self.name) + (f"/{name}" if name else "")

    @contextlib.contextmanager
    def controllers(self, *extra):
        """Of this namespace alone, unless the server has its own."""
        if self.is_served:
            yield None
            return
        with controller(self.kubeconfig, [f"--namespace={self.name}", *extra]) as them:
            them.start()
            yield them

    # What most cases begin with.

    def settle(self, **cluster):
        """A Cluster of this server."""
        self.create("secrets", wishes.kubeconfig_secret(CLUSTER, self.kubeconfig))
        self.create("infrastructures", wishes.body(INFRASTRUCTURE, wishes.OWN_VERSION, "MillwrightCluster", CLUSTER))
        self.create("control planes", wishes.body(wishes.CONTROL_PLANE, wishes.OWN_VERSION, "MillwrightControlPlane", CLUSTER))
        self.create("clusters", wishes.cluster(CLUSTER, **cluster))

    def supply(self, name="small", provider="simulated", data="join <<MACHINE_NAME>>", **spec):
        """Templates of machines."""
        self.create("instance templates", wishes.instance_template(name, provider, spec))
        if not self.get("bootstrap templates", "small"):
            self.create("bootstrap templates", wishes.bootstrap_template("small", data))

    def deploy(self, replicas, name=None, **options):
        name = name or f"{self.name}-web"
        self.create("deployments", wishes.deployment(
            name, CLUSTER, replicas, wishes.reference(INFRASTRUCTURE, "MillwrightMachineTemplate", "small"),
            wishes.reference(BOOTSTRAP, "MillwrightBootstrapTemplate", "small"), **options))
        return name

    def running(self, replicas):
        """A Cluster with a deployment of which all machines run: its name."""
        self.settle()
        self.supply()
        name = self.deploy(replicas)
        self.until_running(name, replicas)
        return name

    # Waiting.

    def phases(self, of=None):
        return sorted(phase(machine) for machine in self.all("machines", of))

    def runs(self, deployment, count):
        """So many machines are there, all of them well and up to date, each with its node, its instance and its bootstrap."""
        found = self.one("deployments", deployment)
        if not found:
            return False
        status = found.get("status", {})
        counts = [status.get(name, 0) for name in ("replicas", "readyReplicas", "availableReplicas", "upToDateReplicas")]
        nodes = {machine.get("status", {}).get("nodeRef", {}).get("name") for machine in self.all("machines", deployment)}
        return (self.phases(deployment) == ["Running"] * count and self.names("nodes", deployment) == nodes
                and counts == [count] * 4 and status.get("observedGeneration") == found["metadata"]["generation"]
                and condition(found, "Available").get("status") == "True")

    def until_gone(self, *deployments):
        kinds = ("machines", "sets", "nodes", "instances", "bootstraps", "secrets")
        self.until(f"no {deployments}", lambda: not any(
            self.one("deployments", d) or any(self.all(kind, d) for kind in kinds) for d in deployments))

    def end(self, *deployments):
        for name in deployments:
            self.delete("deployments", name)
        self.until_gone(*deployments)


def phase(machine):
    return machine.get("status", {}).get("phase", "")


@contextlib.contextmanager
def ground(kubeconfig, name, is_served):
    place = Ground(kubeconfig, name, is_served)
    try:
        yield place
    finally:
        place.close()
