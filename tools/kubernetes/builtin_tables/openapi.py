"""What the OpenAPI documents of a running kube-apiserver say about types and their fields."""

import contextlib
import json
import os
import pathlib
import subprocess

from control_plane.api import ApiServer

_TOOL = pathlib.Path(__file__).resolve().parents[2] / "control-plane"


class _Pki:
    def __init__(self, directory):
        self.directory = pathlib.Path(directory) / "pki"
        self.authority = self.directory / "ca.crt"


@contextlib.contextmanager
def running_server():
    """A fresh kube-apiserver that goes away with this process, however that ends."""
    name = f"builtin-tables-{os.getpid()}"
    up = [_TOOL, "up", "--name", name, "--no-controller-manager", "--json", "--parent-pid", str(os.getpid())]
    state = json.loads(subprocess.run(up, capture_output=True, text=True, check=True).stdout)
    try:
        yield ApiServer(state["ports"]["apiserver"], _Pki(state["dir"]))
    finally:
        subprocess.run([_TOOL, "down", "--name", name], capture_output=True, check=True)


class Documents:
    """Every schema of /openapi/v3 by its name. (v2 has the same types, without enums and with fewer defaults.)"""

    def __init__(self, server):
        self._schemas = {}
        for entry in self._get(server, "/openapi/v3")["paths"].values():
            document = self._get(server, entry["serverRelativeURL"])
            self._schemas.update(document.get("components", {}).get("schemas", {}))

    @staticmethod
    def _get(server, path):
        status, text = server.call("GET", path, timeout=60)
        if status != 200:
            raise SystemExit(f"kube-apiserver answered {status} to {path}")
        return json.loads(text)

    def schema(self, package, name):
        """Empty for the few types that no operation mentions."""
        host, *rest = package.split("/")
        return self._schemas.get(".".join([*reversed(host.split(".")), *rest, name]), {})
