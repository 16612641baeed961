"""A case's own corner of a server: a namespace, controllers for it alone, and what is in it, watched.

Cases run beside each other, so everything that has no namespace bears its yard's name in front.
"""

import contextlib
import http.client
import json
import time

import bodies
from client import Client
from controllers import controllers
from mirror import Mirror

JSON = {"Content-Type": "application/json"}
MERGE = {"Content-Type": "application/merge-patch+json"}
STRATEGIC = {"Content-Type": "application/strategic-merge-patch+json"}
# Where each kind is; {} is the namespace.
PATHS = {
    "deployments": "/apis/machine.sapcloud.io/v1alpha1/namespaces/{}/machinedeployments",
    "sets": "/apis/machine.sapcloud.io/v1alpha1/namespaces/{}/machinesets",
    "machines": "/apis/machine.sapcloud.io/v1alpha1/namespaces/{}/machines",
    "classes": "/apis/machine.sapcloud.io/v1alpha1/namespaces/{}/machineclasses",
    "secrets": "/api/v1/namespaces/{}/secrets",
    "events": "/api/v1/namespaces/{}/events",
    "pods": "/api/v1/namespaces/{}/pods",
    "budgets": "/apis/policy/v1/namespaces/{}/poddisruptionbudgets",
    "claims": "/api/v1/namespaces/{}/persistentvolumeclaims",
    "nodes": "/api/v1/nodes",
    "volumes": "/api/v1/persistentvolumes",
    "attachments": "/apis/storage.k8s.io/v1/volumeattachments",
    "namespaces": "/api/v1/namespaces",
}
WATCHED = ("deployments", "sets", "machines", "classes", "events", "nodes")
LONGEST_SECONDS = 120
LOOK_AGAIN_SECONDS = 0.1


class Yard:
    def __init__(self, kubeconfig, name, target=None):
        self.kubeconfig = kubeconfig
        self.target_kubeconfig = target or kubeconfig
        self.name = name
        self.client = Client(kubeconfig)
        self.target = Client(self.target_kubeconfig)
        status, _, _ = self.ask("POST", PATHS["namespaces"], {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        assert status in (201, 409), f"namespace {name}: {status}"
        watched = {kind: self.path(kind) for kind in WATCHED if kind != "nodes"}
        self.mirror = Mirror(kubeconfig, watched, LONGEST_SECONDS)
        self.nodes_mirror = Mirror(self.target_kubeconfig, {"nodes": self.path("nodes")}, LONGEST_SECONDS)
        self.nodes_mirror.share(self.mirror)

    def close(self):
        self.mirror.close()
        self.nodes_mirror.close()

    # Requests.

    def path(self, kind, name=None):
        return PATHS[kind].format(self.name) + (f"/{name}" if name else "")

    def ask(self, method, target, body=None, headers=None):
        client = self.target if target.startswith((PATHS["nodes"], "/api/v1/namespaces/kube-system/")) else self.client
        sent = json.dumps(body).encode() if body is not None else None
        try:
            return client.ask(method, target, headers or JSON, sent)
        except (OSError, http.client.HTTPException):
            client.connection = None  # it was to a server that has been away
            return client.ask(method, target, headers or JSON, sent)

    def send(self, method, target, body=None, headers=None):
        status, _, answer = self.ask(method, target, body, headers)
        assert status in (200, 201, 202), f"{method} {target}: {status} {answer.decode()[:400]}"
        return json.loads(answer)

    def create(self, kind, body):
        if kind == "pods":  # none is admitted before its account is there, which another program makes for a new namespace
            self.poll("an account for pods", lambda: self.ask("GET", f"/api/v1/namespaces/{self.name}/serviceaccounts/default")[0] == 200)
        return self.send("POST", self.path(kind), body)

    def patch(self, kind, name, body, part="", form=None):
        return self.send("PATCH", self.path(kind, name) + part, body, form or MERGE)

    def update(self, target, change):
        """Read, changed and written as a whole, again if somebody was faster: as Go's clients do it."""
        def once():
            found = self.send("GET", target)
            change(found)
            status, _, answer = self.ask("PUT", target, found)
            assert status in (200, 409), f"PUT {target}: {status} {answer.decode()[:400]}"
            return status == 200
        self.poll(f"an update of {target}", once)

    def delete(self, kind, name, body=None):
        return self.send("DELETE", self.path(kind, name), body)

    def get(self, kind, name):
        """The object, or None."""
        status, _, answer = self.ask("GET", self.path(kind, name))
        assert status in (200, 404), f"GET {kind} {name}: {status} {answer.decode()[:300]}"
        return json.loads(answer) if status == 200 else None

    def list(self, kind):
        return self.send("GET", self.path(kind))["items"]

    def list_nodes_here(self):
        """Of this yard, in the cluster of the machine objects."""
        _, _, answer = self.client.ask("GET", PATHS["nodes"], {}, None)
        return [n for n in json.loads(answer)["items"] if n["metadata"]["name"].startswith(self.name)]

    # What there is.

    def all(self, kind, of=None):
        """Everything of a kind that is this yard's, or the machines, sets and nodes of one deployment."""
        source = self.nodes_mirror if kind == "nodes" else self.mirror
        prefix = f"{of or self.name}-"
        if kind == "nodes" or of:
            return [o for o in source.all(kind) if o["metadata"]["name"].startswith(prefix)]
        return source.all(kind)

    def one(self, kind, name):
        """What was last seen of it; nothing if it is not there."""
        return (self.nodes_mirror if kind == "nodes" else self.mirror).objects[kind].get(name) or {}

    def names(self, kind, of=None):
        return {o["metadata"]["name"] for o in self.all(kind, of)}

    def phases(self, of=None):
        return sorted(phase(machine) for machine in self.all("machines", of))

    def events(self, name, reason=None):
        """What was said about an object."""
        return [event for event in self.mirror.all("events") if event["involvedObject"]["name"] == name
                and reason in (None, event["reason"])]

    # Waiting.

    def until(self, what, condition):
        """Waits until it holds, looking at each change."""
        self.mirror.until(f"{self.name}: {what}", lambda _: condition())

    def poll(self, what, condition, seconds=LONGEST_SECONDS):
        """The same for what no watch tells."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.name}: {what}: this does not come")
            time.sleep(LOOK_AGAIN_SECONDS)

    def throughout(self, what, condition, seconds=2):
        """Holds all the time for so long."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert condition(), f"{self.name}: {what}: this did not last"
            time.sleep(LOOK_AGAIN_SECONDS)

    def until_running(self, deployment, count):
        """So many machines of it are there, all of them well and up to date, each with its node."""
        self.until(f"{count} machines of {deployment}", lambda: self.runs(deployment, count))

    def runs(self, deployment, count):
        found = self.one("deployments", deployment)
        if not found:
            return False
        status = found.get("status", {})
        nodes = {machine["metadata"].get("labels", {}).get("node") for machine in self.all("machines", deployment)}
        return (self.phases(deployment) == ["Running"] * count and self.names("nodes", deployment) == nodes
                and status.get("updatedReplicas", 0) == count and status.get("availableReplicas", 0) == count
                and status.get("replicas", 0) == count and status.get("observedGeneration") == found["metadata"]["generation"])

    def until_gone(self, *deployments):
        self.until(f"no {deployments}", lambda: not any(
            self.one("deployments", d) or self.all("machines", d) or self.all("nodes", d) for d in deployments))

    # What most cases begin with.

    def supply(self, **class_options):
        """A secret and a class of simulated machines."""
        self.create("secrets", bodies.secret())
        self.create("classes", bodies.machine_class(self.name, **class_options))

    def deploy(self, name, replicas=3, **options):
        self.create("deployments", bodies.deployment(name, replicas, **options))
        return name

    def controllers(self, *extra, only=None, provider="simulated"):
        return controllers(self.kubeconfig, False, [f"--namespace={self.name}", *extra], target=self.target_kubeconfig,
                           provider=provider, only=only)


def phase(machine):
    return machine.get("status", {}).get("currentStatus", {}).get("phase", "")


def operation(machine):
    return machine.get("status", {}).get("lastOperation", {})


def condition(found, kind, field="conditions"):
    """The condition of that type, or an empty one."""
    listed = found.get("status", {}).get(field) or []
    return next((c for c in listed if c["type"] == kind), {})


@contextlib.contextmanager
def yard(kubeconfig, name, target=None):
    place = Yard(kubeconfig, name, target)
    try:
        yield place
    finally:
        place.close()
