"""The work that is the same in every API: deployments are scaled and rolled, and looked at until they are as wished."""

import concurrent.futures

from . import programs
from .plane import MERGE


class Work:
    """One or more deployments of one kind of machine. An API says where its objects are and how it calls their counts."""

    api = None               # path of the namespace's objects
    updated = "updatedReplicas"

    def __init__(self, plane, definitions, sets):
        self.plane = plane
        self.definitions = definitions
        self.names = [f"pool-{number}" for number in range(sets)]
        self.size = 0
        self.stamp = ""

    @property
    def machines(self):
        return self.api + "machines"

    def define(self, folder):
        """Upstream's own definitions, for all who speak this API."""
        for path in sorted((self.definitions / folder).glob("*.yaml")):
            self.plane.kubectl("create", "-f", str(path))
        programs.wait_until("all kinds are established", self._are_established, 60)

    def _are_established(self):
        """`kubectl wait` fails on a definition that has no conditions yet."""
        found = self.plane.must("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")["items"]
        return all(any(c["type"] == "Established" and c["status"] == "True" for c in item.get("status", {}).get("conditions") or [])
                   for item in found)

    def scale(self, size):
        self.size = size
        self._patch_all({"spec": {"replicas": share(size, len(self.names))}})

    def roll(self, stamp):
        self.stamp = stamp
        self._patch_all(self.new_template(stamp))

    def all_available(self):
        each = share(self.size, len(self.names))
        if len(self.names) == 1:
            return _settled(self.plane.call("GET", f"{self.api}machinedeployments/{self.names[0]}")[1], each, self.updated)
        found = self.plane.call("GET", f"{self.api}machinedeployments")[1]
        return isinstance(found, dict) and all(_settled(item, each, self.updated) for item in found.get("items") or [None])

    def all_gone(self):
        return self.machine_count() == 0

    def rolled(self):
        """All are new and well, and no old one is left."""
        return self.all_available() and self.machine_count() == self.size and not self._any_old()

    def machine_count(self):
        """Without reading them all: the server says how many come after the first."""
        value = self.plane.call("GET", self.machines + "?limit=1")[1]
        if not isinstance(value, dict) or "items" not in value:
            return -1
        return len(value["items"]) + value["metadata"].get("remainingItemCount", 0)

    def machine_names(self):
        return [metadata["name"] for metadata in self.plane.metadata(self.machines)]

    def staying_names(self):
        """Of machines that nobody has deleted yet. Asked each second in W6, so it should cost the server little."""
        return [metadata["name"] for metadata in self.plane.metadata(self.machines) if "deletionTimestamp" not in metadata]

    def delete_machines(self, names):
        """How many of them the server took."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda name: self.plane.call("DELETE", f"{self.machines}/{name}")[0], names))
        return sum(status in (200, 202) for status in answers)

    def sample(self):
        """What people look at first when something does not come: a deployment, a set, some machines."""
        return {kind: self.plane.call("GET", f"{self.api}{kind}?limit=3")[1] for kind in ("machinedeployments", "machinesets", "machines")}

    def _any_old(self):
        value = self.plane.call("GET", f"{self.machines}?labelSelector=stamp!={self.stamp}")[1]
        return not isinstance(value, dict) or value.get("items") != []

    def _patch_all(self, patch):
        for name in self.names:
            self.plane.must("PATCH", f"{self.api}machinedeployments/{name}", patch, MERGE)


def share(size, sets):
    """Machines of each deployment. What is left over would never come, and nobody would see that it is missing."""
    if size % sets:
        raise ValueError(f"{size} machines cannot be shared out evenly to {sets} deployments")
    return size // sets


def _settled(found, each, updated):
    if not isinstance(found, dict) or "spec" not in found:
        return False
    status = found.get("status", {})
    return (status.get("observedGeneration", 0) >= found["metadata"]["generation"]
            and all(status.get(field, 0) == each for field in ("replicas", updated, "availableReplicas")))
