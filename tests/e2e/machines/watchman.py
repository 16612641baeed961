"""Somebody who trusts nobody: watches the machines of one deployment over a connection of his own, sees each state in the order in
which it was stored, and remembers the worst of them. He knows nothing of sets, statuses or controllers."""

import contextlib
import json
import threading

from client import Client
from yard import phase

AVAILABLE = ("Running", "Available")


class Watchman:
    def __init__(self, yard, deployment):
        self.deployment = deployment
        self.machines = {}
        self.lowest_available = None  # since he was told to keep watch
        self.at_the_lowest = []  # what was there then
        self.highest_total = 0
        self.most_failed = 0
        self.generations_together = False  # two versions of the template at once
        self.ever = set()
        self.phases = {}  # of each machine, in order
        self.trouble = []  # when a machine was given up while a sibling was not well
        self.lock = threading.Lock()
        self.client = Client(yard.kubeconfig)
        target = yard.path("machines")
        _, _, body = self.client.ask("GET", target, {}, None)
        listed = json.loads(body)
        for item in listed["items"]:
            self._see("ADDED", item)
        self.connection = self.client.connect()
        self.connection.timeout = None
        self.connection.request("GET", f"{target}?watch=true&resourceVersion={listed['metadata']['resourceVersion']}",
                                headers=self.client.headers)
        self.response = self.connection.getresponse()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def keep_watch(self):
        """From now on everything counts."""
        with self.lock:
            self.lowest_available = self._available()
            self.highest_total = len(self.machines)
            self.generations_together = False

    def _available(self):
        return sum(1 for m in self.machines.values() if phase(m) in AVAILABLE and "deletionTimestamp" not in m["metadata"])

    def _watch(self):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            for line in self.response:
                event = json.loads(line)
                with self.lock:
                    self._see(event["type"], event["object"])

    def _see(self, kind, machine):
        metadata = machine["metadata"]
        if metadata.get("labels", {}).get("name") != self.deployment:
            return
        name = metadata["name"]
        if kind == "DELETED":
            self.machines.pop(name, None)
        else:
            self._follow_phase(name, phase(machine))
            self.machines[name] = machine
            self.ever.add(name)
        self.highest_total = max(self.highest_total, len(self.machines))
        self.most_failed = max(self.most_failed, sum(1 for m in self.machines.values() if phase(m) == "Failed"))
        versions = {m["metadata"]["labels"].get("version") for m in self.machines.values()}
        self.generations_together = self.generations_together or len(versions) > 1
        if self.lowest_available is not None and self._available() < self.lowest_available:
            self.lowest_available = self._available()
            self.at_the_lowest = [f"{n}: {phase(m)}{', going' if 'deletionTimestamp' in m['metadata'] else ''}"
                                  for n, m in sorted(self.machines.items())]

    def _follow_phase(self, name, now):
        seen = self.phases.setdefault(name, [])
        if seen and seen[-1] == now:
            return
        if now == "Failed" and seen and seen[-1] == "Unknown":
            others = [n for n, m in self.machines.items() if n != name and phase(m) in ("Failed", "Terminating", "Pending", "")]
            if others:
                self.trouble.append(f"{name} was given up while {others} were being replaced")
        seen.append(now)

    def close(self):
        with contextlib.suppress(OSError):
            self.connection.sock and self.connection.sock.close()


@contextlib.contextmanager
def watchman(yard, deployment):
    him = Watchman(yard, deployment)
    try:
        yield him
    finally:
        him.close()
