#!/usr/bin/env python3
"""Very many simulated machines in one run of the real program: from none to N, rolled, and back to none.

    scale_test.py [--machines 10000] [--server embedded|real] [--rest SECONDS]

The promises are checked at each change, and at the end nothing may be left. Lines that begin with # are figures.
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "api"))
sys.path.insert(0, str(ROOT / "benchmarks"))
sys.dont_write_bytecode = True

import bodies  # noqa: E402
from client import Client  # noqa: E402
from controllers import BINARY, controllers  # noqa: E402
from measuring.process import cpu_seconds, memory  # noqa: E402
from servers import our_server, real_server  # noqa: E402

API = "/apis/machine.sapcloud.io/v1alpha1/namespaces/default/"
WEB = API + "machinedeployments/web"
TOKENS = "/api/v1/namespaces/kube-system/secrets"
JSON = {"Content-Type": "application/json"}
MERGE = {"Content-Type": "application/merge-patch+json"}
SURGE = 0.1
# Leases would be counted as writes.
ALONE = ["--leader-elect=false"]
EVENTS_SECONDS = 5  # until the last events are written
MOST_REPORTING = 200  # nodes that report while nothing else happens
LOAD = ROOT / "build/benchmarks/api_load"
BENCH_KIND = {
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "machines.bench.example.org"}, "spec": {
        "group": "bench.example.org", "scope": "Namespaced",
        "names": {"plural": "machines", "singular": "machine", "kind": "Machine"},
        "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                      "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}}


class Follower:
    """The objects of a collection as a watch shows them, with no more work for each change than there must be."""

    def __init__(self, kubeconfig, target, note, changed):
        self.client, self.target, self.note, self.changed = Client(kubeconfig), target, note, changed
        self.objects = {}
        self.stopped = False
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    def _follow(self):
        try:
            self._watch()
        except (OSError, ValueError, http.client.HTTPException):
            if not self.stopped:
                raise

    def _watch(self):
        _, _, body = self.client.ask("GET", self.target, {}, None)
        version = json.loads(body)["metadata"]["resourceVersion"]
        while not self.stopped:
            connection = self.client.connect()
            connection.timeout = None
            connection.request("GET", f"{self.target}?watch=true&resourceVersion={version}", headers=self.client.headers)
            response = connection.getresponse()
            for line in iter(response.readline, b""):
                event = json.loads(line)
                assert event["type"] in ("ADDED", "MODIFIED", "DELETED"), event
                found = event["object"]
                version = found["metadata"]["resourceVersion"]
                with self.changed:
                    name = found["metadata"]["name"]
                    before = self.objects.pop(name, None)
                    after = None if event["type"] == "DELETED" else self.note(found)
                    if after is not None:
                        self.objects[name] = after
                    self.look(before, after)
                    self.changed.notify_all()

    def look(self, before, after):
        pass


class Machines(Follower):
    """Phase, provider's id, node and deletion of each; how many there are, and are well."""

    def __init__(self, kubeconfig, changed):
        self.running = 0
        self.most = 0
        self.fewest = None  # that were well while a roll went on
        self.instances = {}  # the machine that has it
        self.wrong = []
        super().__init__(kubeconfig, API + "machines", self._note, changed)

    @staticmethod
    def _note(found):
        status = found.get("status", {}).get("currentStatus", {})
        return {"name": found["metadata"]["name"], "phase": status.get("phase", ""), "id": found["spec"].get("providerID"),
                "deleting": "deletionTimestamp" in found["metadata"], "uid": found["metadata"]["uid"]}

    def look(self, before, after):
        self.running += _is_well(after) - _is_well(before)
        self.most = max(self.most, len(self.objects))
        if self.fewest is not None:
            self.fewest = min(self.fewest, self.running)
        if after and after["id"]:
            owner = self.instances.setdefault(after["id"], after["uid"])
            if owner != after["uid"]:
                self.wrong.append(f"{after['id']} is of {owner} and of {after['uid']}")


def _is_well(machine):
    return machine is not None and machine["phase"] == "Running" and not machine["deleting"]


class Life:
    def __init__(self, kubeconfig, count, them):
        self.client = Client(kubeconfig)
        self.count, self.them = count, them
        self.changed = threading.Condition()
        self.machines = Machines(kubeconfig, self.changed)
        self.nodes = Follower(kubeconfig, "/api/v1/nodes", lambda node: node["metadata"]["uid"], self.changed)
        self.limit = 60 + count * 0.6

    def send(self, method, target, body=None, headers=None):
        status, _, answer = self.client.ask(method, target, headers or JSON, json.dumps(body).encode() if body else None)
        assert status in (200, 201), f"{method} {target}: {status} {answer.decode()[:300]}"
        return json.loads(answer)

    def wait(self, what, condition):
        with self.changed:
            if not self.changed.wait_for(condition, self.limit):
                raise AssertionError(f"{what}: {len(self.machines.objects)} machines, {self.machines.running} running, "
                                     f"{len(self.nodes.objects)} nodes after {self.limit:.0f} s")
        assert not self.machines.wrong, self.machines.wrong[:5]

    def all_run(self, count):
        return len(self.machines.objects) == count == self.machines.running == len(self.nodes.objects)

    def settled(self, what, count):
        self.wait(what, lambda: self.all_run(count))
        poll(lambda: self.send("GET", WEB).get("status", {}).get("availableReplicas", 0) == count, f"{what}: the deployment says so")

    def step(self, what, change, count):
        """Does it and waits for its end; prints what it cost."""
        (pid,) = [process.pid for process in self.them.processes.values()]
        cpu, began, before = cpu_seconds(pid), time.monotonic(), writes(self.them)
        change()
        if count:
            self.settled(what, count)
        else:
            self.wait(what, lambda: not self.machines.objects and not self.nodes.objects)
        wall, cpu = time.monotonic() - began, cpu_seconds(pid) - cpu
        sent = writes(self.them) - before
        print(f"# {what}: {wall:.1f} s, {1000 * cpu / self.count:.2f} ms CPU and {sent / self.count:.2f} writes a machine, "
              f"{sent / wall:.0f} writes/s", flush=True)
        return wall, sent


def standby(kubeconfig, count):
    """RssAnon of a process that cares for sets: warm caches, nothing to do, and no cloud within."""
    with controllers(kubeconfig, extra=ALONE, only="machine-controller-manager", provider=None) as other:
        other.start()
        seen = [f"objects={count}"] * 2  # machines and nodes
        poll(lambda: [word for line in other.log().splitlines() if "cache synced" in line and
                      ("controllers.machines" in line or "controllers.nodes" in line)
                      for word in line.split() if word.startswith("objects=")] == seen, "warm caches")
        time.sleep(1)
        (pid,) = [process.pid for process in other.processes.values()]
        return memory(pid)[0]


def writes(them):
    """Requests of the controller that change something, but for leases."""
    total = 0
    for line in them.metrics().splitlines():
        if line.startswith("rest_client_requests_total{") and not re.search('method="(GET|LIST|WATCH)"', line):
            total += float(line.rsplit(" ", 1)[1])
    return total


def metric(them, name):
    return sum(float(line.rsplit(" ", 1)[1]) for line in them.metrics().splitlines() if line.startswith(name))


def poll(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"{what}: this does not come"
        time.sleep(0.05)


def define_kinds(client):
    crds = subprocess.run([str(BINARY), "crds", "--dialect", "gardener"], stdout=subprocess.PIPE, check=True, text=True).stdout
    kinds = [text for text in crds.split("\n---\n") if "kind:" in text]
    for text in [*kinds, json.dumps(BENCH_KIND)]:
        status, _, answer = client.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                                       {"Content-Type": "application/yaml"}, text.encode())
        assert status == 201, answer[:300]
    for target in (API + "machines", API + "machinedeployments", API + "machineclasses"):
        poll(lambda: client.ask("GET", target, {}, None)[0] == 200, f"{target} is served")


def rate_of(kubeconfig):
    """Writes per second that this server does for 64 clients: as many creates as status patches."""
    count = 2000
    rates = [json.loads(subprocess.run([str(LOAD), str(kubeconfig), what, str(count)], check=True, stdout=subprocess.PIPE,
                                       text=True).stdout)["per_second"] for what in ("create-machines", "patch-status")]
    return 2 / sum(1 / rate for rate in rates), rates


HEARTBEAT_SECONDS = 10
STRATEGIC = {"Content-Type": "application/strategic-merge-patch+json"}


def heartbeat(life, name):
    """As a kubelet reports its node: nothing is new but the time."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    kinds = ("Ready", "MemoryPressure", "DiskPressure", "PIDPressure")
    life.send("PATCH", f"/api/v1/nodes/{name}/status",
              {"status": {"conditions": [{"type": kind, "lastHeartbeatTime": now} for kind in kinds]}}, STRATEGIC)


def rest(life, seconds):
    """Nothing is written while nodes report and nothing happens. What was, and the number of reports."""
    names = list(life.nodes.objects)[:MOST_REPORTING]
    heartbeat(life, names[0])
    time.sleep(EVENTS_SECONDS)
    before, reports, end = all_objects(life), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        round_began = time.monotonic()
        for name in names:
            heartbeat(life, name)
            reports += 1
        time.sleep(max(0, min(HEARTBEAT_SECONDS - (time.monotonic() - round_began), end - time.monotonic())))
    return sorted(before ^ all_objects(life)), reports


def all_objects(life):
    """Each with its version. Of nodes what their kubelets leave alone: the simulated cloud reports for them, from the same process."""
    found = set()
    for target in (*(API + kind for kind in ("machines", "machinesets", "machinedeployments", "machineclasses")),
                   "/api/v1/namespaces/default/secrets", "/api/v1/namespaces/default/events", TOKENS):
        status, _, answer = life.client.ask("GET", target, {}, None)
        items = json.loads(answer)["items"] if status == 200 else []
        found |= {(target, item["metadata"]["name"], item["metadata"]["resourceVersion"]) for item in items}
    for node in life.send("GET", "/api/v1/nodes")["items"]:
        meta = {key: node["metadata"].get(key) for key in ("uid", "labels", "annotations", "finalizers")}
        found.add(("nodes", node["metadata"]["name"], json.dumps([meta, node.get("spec")], sort_keys=True)))
    return found


def one_deletion(life):
    """From the request to the end of the machine, in ms: the median of some, one after the other."""
    times = []
    for name in list(life.machines.objects)[:7]:
        began = time.monotonic()
        life.send("DELETE", API + "machines/" + name)
        life.wait("one machine goes", lambda: name not in life.machines.objects)
        times.append(1000 * (time.monotonic() - began))
        life.settled("and is replaced", life.count)
    return sorted(times)


def run(kubeconfig, options):
    count = options.machines
    with controllers(kubeconfig, extra=ALONE) as them:
        client = Client(kubeconfig)
        define_kinds(client)
        if LOAD.exists():
            rate, (creates, patches) = rate_of(kubeconfig)
            print(f"# this server: {creates} creates/s, {patches} status patches/s by 64 clients; load {os.getloadavg()[0]:.1f}")
        them.start()
        life = Life(kubeconfig, count, them)
        life.send("POST", "/api/v1/namespaces/default/secrets", bodies.secret())
        life.send("POST", API + "machineclasses", bodies.machine_class("default"))
        life.send("POST", API + "machinedeployments", bodies.deployment("web", 0, strategy=bodies.rolling(int(count * SURGE) or 1, 0)))
        poll(lambda: life.send("GET", WEB).get("status", {}).get("observedGeneration"), "the controller is there")
        without = standby(kubeconfig, 0)
        wall, sent = life.step(f"0 -> {count}", lambda: life.send("PATCH", WEB, {"spec": {"replicas": count}}, MERGE), count)
        if LOAD.exists():
            print(f"# {wall / (sent / rate):.2f} times what {sent:.0f} writes take at {rate:.0f} writes/s")
        print(f"# {(standby(kubeconfig, count) - without) / count:.0f} B a machine with its node, in a process that cares for sets "
              f"(growth of RssAnon; {without / 2**20:.1f} MiB without machines)")
        print(f"ok {count} machines came")
        if options.rest:
            written, reports = rest(life, options.rest)
            print(f"# at rest for {options.rest:.0f} s with {reports} reports of nodes: {len(written)} objects changed {written[:3] or ''}")
            print(f"{'ok' if not written else 'not ok'} nothing is written at rest")
        times = one_deletion(life)
        print(f"# one deletion, from the request to the end of the machine: {times[len(times) // 2]:.0f} ms (median of {len(times)}, "
              f"{times[0]:.0f} to {times[-1]:.0f})")
        print("ok single machines go and are replaced")
        roll(life)
        print(f"ok {count} machines were rolled")
        life.step(f"{count} -> 0", lambda: life.send("PATCH", WEB, {"spec": {"replicas": 0}}, MERGE), 0)
        nothing_left(life)
        print("ok nothing is left")
        life.machines.stopped = life.nodes.stopped = True


def roll(life):
    life.machines.most, life.machines.fewest = 0, life.count
    old = set(life.machines.objects)
    change = {"spec": {"template": {"metadata": {"labels": {"version": "2"}}}}}
    begun = lambda: life.send("PATCH", WEB, change, MERGE)  # noqa: E731

    def begin():
        begun()
        life.wait("none of the old", lambda: not old & life.machines.objects.keys())
    life.step(f"{life.count} rolled", begin, life.count)
    # A machine that goes is there until it is gone, so only those that are well can be counted.
    assert life.machines.fewest >= life.count, f"{life.machines.fewest} of {life.count} were well"
    life.machines.fewest = None
    print(f"# while they were rolled: at least {life.count} well, at most {life.machines.most} machine objects")


def nothing_left(life):
    tokens = [t for t in life.send("GET", TOKENS)["items"] if t.get("type") == "bootstrap.kubernetes.io/token"]
    assert not tokens, f"{len(tokens)} bootstrap tokens are left"
    made = metric(life.them, 'mcm_cloud_api_requests_total{provider="simulated",service="create_machine"}')
    gone = metric(life.them, 'mcm_cloud_api_requests_total{provider="simulated",service="delete_machine"}')
    machines = len(life.machines.instances)
    assert made == gone == machines, f"{machines} machines: {made:.0f} instances were made and {gone:.0f} removed"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machines", type=int, default=60)
    parser.add_argument("--server", choices=("embedded", "real"), default="embedded")
    parser.add_argument("--rest", type=float, default=5, help="so many seconds nothing may be written")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        kubeconfig = stack.enter_context(our_server() if options.server == "embedded" else real_server())
        try:
            run(kubeconfig, options)
        except AssertionError as error:
            print(f"not ok {options.machines} machines\n{error}")
            sys.exit(1)


if __name__ == "__main__":
    main()
