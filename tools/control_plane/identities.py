"""Who may log in, and one kubeconfig file for each.

Each client has an identity of its own, so that the audit log, fairness and RBAC tell them apart. Tokens are read by
kube-apiserver once, at its start, so all token identities are made then; a certificate can be signed at any time.
"""

import base64
import csv
import dataclasses
import re
import secrets

from .errors import Problem
from .pki import Pki

MASTERS = "system:masters"


@dataclasses.dataclass(frozen=True)
class Identity:
    name: str
    groups: tuple = ()
    role: str = None  # the ClusterRole it is bound to everywhere, beside what its groups give


READ_ALL = "millwright-test-read-all"  # made in objects.py

TOKENS = [
    Identity("millwright", role="cluster-admin"),
    Identity("driver", (MASTERS,)),
    *(Identity(f"peer-{number}", role="cluster-admin") for number in range(1, 5)),
    Identity("writer", role="cluster-admin"),
    Identity("reader", role=READ_ALL),
    Identity("nobody"),
    *(Identity(f"spare-{number}") for number in range(1, 3)),
]

CERTIFICATES = [
    Identity("admin", (MASTERS,)),
    Identity("kwok", (MASTERS,)),
    Identity("system:kube-controller-manager"),
]


def parse(text):
    """NAME or NAME=GROUP,GROUP: a further token identity."""
    name, _, groups = text.partition("=")
    return Identity(check_name(name), tuple(group for group in groups.split(",") if group))


def check_name(name):
    """It becomes a file name and part of a certificate's subject."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._:@-]*", name):
        raise Problem(f"an identity cannot be called {name!r}: use letters, digits and . _ : @ -")
    return name


class Identities:
    """The identities of the control plane in one directory."""

    def __init__(self, directory):
        self.pki = Pki(directory / "pki")
        self.folder = directory / "kubeconfigs"
        self.token_file = directory / "pki" / "tokens.csv"
        self.server = None

    def kubeconfig(self, name):
        return self.folder / f"{check_name(name)}.yaml"

    def names(self):
        return sorted(path.stem for path in self.folder.glob("*.yaml"))

    def token_names(self):
        return [row[1] for row in self._token_rows()]

    def has_token(self, name):
        return name in self.token_names()

    def make(self, server, more_tokens):
        """Everything that a control plane has from its start. Server: its address, for the kubeconfig files."""
        self.server = server
        self.folder.mkdir(mode=0o700, exist_ok=True)
        for name, token in self._write_tokens([*TOKENS, *more_tokens]).items():
            self._write(name, {"token": token})
        for identity in CERTIFICATES:
            self.certificate(identity.name, identity.groups)

    def certificate(self, name, groups, expired=False):
        """Signs a client certificate and writes the kubeconfig that carries it. Returns the kubeconfig's path."""
        certificate, key = self.pki.client(check_name(name), groups, expired)
        return self._write(name, {"client-certificate-data": _base64(certificate), "client-key-data": _base64(key)})

    def _token_rows(self):
        """Each: token, name, uid and, if there are any, groups."""
        if not self.token_file.exists():
            return []
        with open(self.token_file, newline="") as file:
            return list(csv.reader(file))

    def _write_tokens(self, identities):
        """The file that kube-apiserver reads. A durable control plane keeps the tokens it had."""
        rows = {row[1]: row for row in self._token_rows()}
        for identity in identities:
            token = rows[identity.name][0] if identity.name in rows else secrets.token_hex(16)
            groups = [",".join(identity.groups)] if identity.groups else []  # an empty column would be a group called ""
            rows[identity.name] = [token, identity.name, identity.name, *groups]
        self.token_file.touch(mode=0o600)
        with open(self.token_file, "w", newline="") as file:
            csv.writer(file).writerows(rows.values())
        return {name: row[0] for name, row in rows.items()}

    def _write(self, name, credential):
        path = self.kubeconfig(name)
        path.touch(mode=0o600)
        path.write_text(kubeconfig_text(self.server, self.pki.authority, name, credential))
        return path


def kubeconfig_text(server, authority, user=None, credential=None):
    """YAML by hand: the standard library has none. Everything is inline, so that the file can be copied anywhere."""
    lines = ["apiVersion: v1", "kind: Config", "clusters:", "- name: millwright-test", "  cluster:",
             f"    server: {server}", f"    certificate-authority-data: {_base64(authority)}"]
    if user:
        lines += ["users:", f'- name: "{user}"', "  user:", *(f'    {key}: "{value}"' for key, value in credential.items()),
                  "contexts:", f'- name: "{user}"', "  context:", "    cluster: millwright-test", f'    user: "{user}"',
                  f'current-context: "{user}"']
    return "\n".join(lines) + "\n"


def _base64(path):
    return base64.b64encode(path.read_bytes()).decode()
