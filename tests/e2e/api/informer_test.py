#!/usr/bin/env python3
"""client-go's informers, with their initial lists as watches, see the same on a real server and on the embedded one.

The same changes are made on both, one after the other, each once the informers have seen the one before.
"""

import contextlib
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from client import Client  # noqa: E402
from reporting import check, eventually, finish  # noqa: E402
from servers import ROOT, our_server, real_server  # noqa: E402

HANGS_SECONDS = 60
CORE = "/api/v1/namespaces/default"
MAPS = f"{CORE}/configmaps"
SECRETS = f"{CORE}/secrets"
LATHES = "/apis/example.org/v1/namespaces/default/lathes"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
MERGE = "application/merge-patch+json"

LATHE_SCHEMA = {"type": "object", "properties": {
    "spec": {"type": "object", "properties": {"speed": {"type": "string", "default": "slow"}}},
    "status": {"type": "object", "properties": {"turns": {"type": "integer"}}}}}
CRD = {"metadata": {"name": "lathes.example.org"}, "spec": {
    "group": "example.org", "scope": "Namespaced", "names": {"plural": "lathes", "singular": "lathe", "kind": "Lathe"},
    "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                  "schema": {"openAPIV3Schema": LATHE_SCHEMA}}]}}


def named(name, **fields):
    return {"metadata": {"name": name, "labels": {"watched": "yes"}}, **fields}


def lathe(name, **fields):
    return {"apiVersion": "example.org/v1", "kind": "Lathe", "metadata": {"name": name, **fields}}


# What is there when the informers begin.
BEFORE = [
    ("POST", MAPS, named("a", data={"k": "1"})),
    ("POST", MAPS, named("b", data={"k": "1"})),
    ("POST", MAPS, {"metadata": {"name": "unseen"}}),
    ("POST", "/api/v1/nodes", named("n1")),
    ("POST", LATHES, lathe("one")),
    ("POST", SECRETS, named("s", stringData={"k": "v"})),
]

# Each with how many events it causes.
CHANGES = [
    (1, "POST", MAPS, named("c", data={"k": "1"})),
    (1, "PATCH", f"{MAPS}/a", {"data": {"k": "2"}}),
    (0, "PATCH", f"{MAPS}/a", {"data": {"k": "2"}}),
    (1, "DELETE", f"{MAPS}/b", None),
    (1, "POST", MAPS, named("b", data={"k": "again"})),
    (1, "PATCH", f"{MAPS}/c", {"metadata": {"labels": {"watched": "no"}}}),
    (0, "PATCH", f"{MAPS}/c", {"data": {"k": "in secret"}}),
    (1, "PATCH", f"{MAPS}/c", {"metadata": {"labels": {"watched": "yes"}}}),
    (1, "PATCH", f"{MAPS}/unseen", {"metadata": {"labels": {"watched": "yes"}}}),
    (1, "PATCH", f"{MAPS}/a", {"metadata": {"finalizers": ["example.org/wait"]}}),
    (1, "DELETE", f"{MAPS}/a", None),
    (1, "PATCH", f"{MAPS}/a", {"metadata": {"finalizers": None}}),
    (1, "PATCH", "/api/v1/nodes/n1/status", {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}),
    (1, "PATCH", "/api/v1/nodes/n1", {"spec": {"unschedulable": True}}),
    (1, "DELETE", "/api/v1/nodes/n1", None),
    (1, "POST", LATHES, lathe("two", labels={"x": "y"})),
    (1, "PATCH", f"{LATHES}/one/status", {"status": {"turns": 3}}),
    (1, "PATCH", f"{LATHES}/one", {"spec": {"speed": "fast"}}),
    (2, "DELETE", LATHES, None),
    (1, "PATCH", f"{SECRETS}/s", {"metadata": {"annotations": {"x": "y"}}}),
    (1, "DELETE", f"{SECRETS}/s", None),
]


def built_program():
    program = ROOT / "build/tests/client-go-informer"
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-o", str(program),
                    str(HERE / "informer/main.go")], cwd=ROOT / "tools/kubernetes/kubernetes", check=True,
                   env={**os.environ, "CGO_ENABLED": "0"})
    return program


class Server:
    def __init__(self, kubeconfig):
        self.client = Client(kubeconfig)

    def write(self, method, target, value):
        kind = MERGE if method == "PATCH" else "application/json"
        body = None if value is None else json.dumps(value).encode()
        status, _, text = self.client.ask(method, target, {"Content-Type": kind}, body)
        assert status < 300, f"{method} {target}: {text.decode()}"

    def read(self, target):
        return json.loads(self.client.ask("GET", target, {}, None)[2])

    def serve_lathes(self):
        self.write("POST", CRDS, CRD)

        def established():
            conditions = self.read(f"{CRDS}/lathes.example.org").get("status", {}).get("conditions") or []
            return any(c["type"] == "Established" and c["status"] == "True" for c in conditions)

        def listed():
            return self.read(LATHES)["kind"] == "LatheList"
        eventually(established)
        eventually(listed)


class Informers:
    """The Go program; gives its lines as they come."""

    def __init__(self, program, kubeconfig):
        self.process = subprocess.Popen([str(program), str(kubeconfig)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())

    def next(self):
        try:
            return self.lines.get(timeout=HANGS_SECONDS)
        except queue.Empty:
            raise AssertionError("the informers say nothing more") from None

    def until_complete(self):
        """What comes first; in any order, for client-go keeps a first list in a map."""
        lines = []
        while not lines or lines[-1] != "metadata complete":
            lines.append(self.next())
        return sorted(lines)

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=HANGS_SECONDS)


def sequence(program, kubeconfig):
    """All that the informers said."""
    server = Server(kubeconfig)
    server.serve_lathes()
    for change in BEFORE:
        server.write(*change)
    with contextlib.closing(Informers(program, kubeconfig)) as informers:
        seen = informers.until_complete()
        for count, *change in CHANGES:
            server.write(*change)
            seen += sorted(informers.next() for _ in range(count))
    return seen


def main():
    program = built_program()
    with real_server() as real, our_server() as ours:
        check("informers see the same on both servers", same, program, real, ours)
    finish()


def same(program, real_config, our_config):
    real, ours = sequence(program, real_config), sequence(program, our_config)
    different = [f"  real: {a}\n  ours: {b}" for a, b in zip(real, ours) if a != b]
    assert not different and len(real) == len(ours), "\n".join(different) or f"{len(real)} and {len(ours)} lines"
    assert any("sendInitialEvents=true" in line for line in ours), "the first lists were no watches"
    assert not any("request" in line and "watch=true" not in line for line in ours), "a list was needed"
    return f"{len(ours)} lines"


if __name__ == "__main__":
    main()
