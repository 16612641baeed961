"""A control plane of our own, and the programs that we run against it."""

import http.client
import json
import os
import pathlib
import re
import ssl
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "build/benchmarks"


class Plane:
    def __enter__(self):
        self.name = f"bench-{os.getpid()}"
        # These two would taint and change every Node that is made here.
        self.state = json.loads(self.control("up", "--parent-pid", str(os.getpid()), "--json",
                                             "--without-controller", "node-lifecycle-controller",
                                             "--without-controller", "ttl-controller",
                                             # h2load shows no credentials; it would be cut off after each request.
                                             "--apiserver-arg=--feature-gates=UnauthenticatedHTTP2DOSMitigation=false"))
        self.tls = ssl.create_default_context(cafile=self.state["ca"])
        self.nodes = 0
        return self

    def __exit__(self, *_):
        self.control("down")

    def control(self, command, *arguments):
        return subprocess.run([ROOT / "tools/control-plane", command, "--name", self.name, *arguments], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def kubeconfig(self, user):
        return pathlib.Path(self.state["dir"]) / f"kubeconfigs/{user}.yaml"

    def token(self, user):
        return re.search(r"\btoken:\s*\"?([^\s\"]+)", self.kubeconfig(user).read_text()).group(1)

    def call(self, method, path, body=None, user="driver"):
        """Status and body, or None if nobody answers."""
        port = int(self.state["server"].rsplit(":", 1)[1])
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=5, context=self.tls)
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        try:
            connection.request(method, path, json.dumps(body) if body else None,
                               {"Authorization": f"Bearer {self.token(user)}", "Content-Type": kind})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException):
            return None, ""
        finally:
            connection.close()

    def load(self, *arguments):
        return subprocess.run([PROGRAMS / "node_load", self.kubeconfig("driver"), *map(str, arguments)], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def ensure_nodes(self, count):
        if self.nodes < count:
            self.load("create", count)
            self.nodes = count


class Cache:
    """The manager with a cache of Nodes: benchmarks/node_cache_program.cc."""

    def __init__(self, plane, *options):
        self.process = subprocess.Popen([PROGRAMS / "node_cache", plane.kubeconfig("millwright"), *options],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=30)

    def ask(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def wait(self, condition, seconds=120, every=0.1):
        """Until it says so."""
        end = time.monotonic() + seconds
        while not condition(state := self.ask()):
            if time.monotonic() > end:
                raise TimeoutError(f"the cache has stopped at {state}")
            time.sleep(every)
        return state
