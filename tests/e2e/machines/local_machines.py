"""Machines that are processes of this computer: what is in their cloud is on the disk, for everybody to see."""

import base64
import json

import bodies
from client import _data, _field  # how a kubeconfig is read is known there

GROUP = "system:bootstrappers:millwright"


def admit_nodes(yard):
    """As kubeadm does: whoever comes with a bootstrap token may become a node."""
    for name, role in (("bootstrap", "system:node-bootstrapper"),
                       ("approve", "system:certificates.k8s.io:certificatesigningrequests:nodeclient")):
        body = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
                "metadata": {"name": f"millwright-tests-{name}"},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
                "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": GROUP}]}
        status, _, answer = yard.ask("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", body)
        assert status in (201, 409), answer.decode()[:300]


def user_data(yard, note=""):
    text = yard.kubeconfig.read_text(encoding="utf-8")
    return json.dumps({"server": _field(text, "server"), "token": "<<BOOTSTRAP_TOKEN>>", "nodeName": "<<MACHINE_NAME>>",
                       "caData": base64.b64encode(_data(text, "certificate-authority").encode()).decode(),
                       "labels": {"note": note} if note else {}})


def supply(yard):
    """A secret and a class of local machines."""
    admit_nodes(yard)
    yard.create("secrets", bodies.secret(userData=user_data(yard, "first")))
    yard.create("classes", bodies.machine_class(yard.name, provider="local"))


def controllers(yard, *extra):
    return yard.controllers(f"--bootstrap-token-auth-extra-groups={GROUP}", *extra, provider="local")


class Cloud:
    """The folders of the machines, by their machine's UID."""

    def __init__(self, them):
        self.folder = them.directory / "machines"

    def folders(self):
        return {f.name: f for f in self.folder.iterdir() if f.is_dir()} if self.folder.exists() else {}

    def processes(self):
        """Of all that live, by UID."""
        found = {}
        for uid, folder in self.folders().items():
            try:
                process = json.loads((folder / "process.json").read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if _is_alive(process["pid"]):
                found[uid] = process["pid"]
        return found

    def kill_all(self):
        """What a test left, if it failed."""
        import os
        import signal
        for pid in self.processes().values():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue


def _is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
