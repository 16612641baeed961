"""A control plane of our own, and a client of it."""

import http.client
import json
import os
import pathlib
import re
import ssl
import subprocess
import threading
import time

from .programs import ROOT

MERGE = "application/merge-patch+json"
_METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
_NOT_YET, _NOT_YET_SECONDS = "storage is (re)initializing", 60


class Plane:
    """etcd in memory and without fsync, kube-apiserver, kube-controller-manager: fresh for each life."""

    def __init__(self, name):
        self.name = f"{name}-{os.getpid()}"

    def __enter__(self):
        self.state = json.loads(self.control("up", "--parent-pid", str(os.getpid()), "--json",
                                             # Nodes have no leases here, and would be tainted for it.
                                             "--without-controller", "node-lifecycle-controller",
                                             "--without-controller", "ttl-controller"))
        self.tls = ssl.create_default_context(cafile=self.state["ca"])
        self.local = threading.local()
        self.tokens = {}
        return self

    def __exit__(self, *_):
        self.control("down")

    def control(self, command, *arguments):
        done = subprocess.run([ROOT / "tools/control-plane", command, "--name", self.name, *arguments], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"control-plane {command}: {done.stderr.strip()}")
        return done.stdout

    def pids(self):
        """Of etcd and the API server, by name."""
        processes = json.loads(self.control("status", "--json"))["processes"]
        return {name: processes[name]["pid"] for name in ("etcd", "kube-apiserver")}

    def kubeconfig(self, user):
        return pathlib.Path(self.state["kubeconfigs"][user])

    def token(self, user):
        if user not in self.tokens:
            text = self.kubeconfig(user).read_text()
            self.tokens[user] = re.search(r"\btoken:\s*\"?([^\s\"]+)", text).group(1)
        return self.tokens[user]

    def kubectl(self, *arguments, text=None):
        with_home = [pathlib.Path(self.state["bin"]) / "kubectl", "--kubeconfig", self.kubeconfig("driver"),
                     "--cache-dir", pathlib.Path(self.state["dir"]) / "kubectl-cache", *arguments]
        done = subprocess.run(with_home, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"kubectl {' '.join(map(str, arguments))}: {done.stdout.strip()[-800:]}")
        return done.stdout

    def call(self, method, path, body=None, kind="application/json", user="driver", accept="application/json"):
        """Status and value; (None, None) if nobody answers. A server that cannot list a new kind yet is asked again."""
        for _ in range(_NOT_YET_SECONDS):
            status, value = self._call(method, path, body, kind, user, accept)
            if status != 429 or _NOT_YET not in str(value):
                break
            time.sleep(1)
        return status, value

    def _call(self, method, path, body, kind, user, accept):
        """Connections are kept, one for each thread."""
        for _ in range(2):
            connection = getattr(self.local, "connection", None)
            if connection is None:
                port = int(self.state["server"].rsplit(":", 1)[1])
                connection = self.local.connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=self.tls)
            try:
                connection.request(method, path, json.dumps(body) if body is not None else None,
                                   {"Authorization": f"Bearer {self.token(user)}", "Content-Type": kind, "Accept": accept})
                answer = connection.getresponse()
                text = answer.read()
                return answer.status, json.loads(text) if text.startswith(b"{") else text
            except (OSError, http.client.HTTPException):
                connection.close()
                self.local.connection = None
        return None, None

    def metadata(self, path):
        """Of all objects there; of the rest the server sends nothing."""
        return [item["metadata"] for item in self.must("GET", path, accept=_METADATA)["items"]]

    def must(self, method, path, body=None, kind="application/json", accept="application/json"):
        status, value = self.call(method, path, body, kind, accept=accept)
        if status is None or status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {str(value)[:600]}")
        return value
