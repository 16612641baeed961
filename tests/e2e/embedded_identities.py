#!/usr/bin/env python3
"""Identities at an embedded server, by the names that tools/control-plane gives them at a real one.

  embedded_identities.py DATA-DIR accounts                 those with tokens: service accounts, for it has no others
  embedded_identities.py DATA-DIR identity NAME [--expired]  one with a certificate

Each gets a kubeconfig, DATA-DIR/kubeconfigs/NAME.yaml.
"""

import argparse
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/e2e/api")]
sys.dont_write_bytecode = True

from client import Client  # noqa: E402
from control_plane.identities import Identities  # noqa: E402

NAMESPACE = "kube-system"
ROLES = {"millwright": "cluster-admin", "driver": "cluster-admin", "writer": "cluster-admin", "reader": "read-all",
         "nobody": None}
READ_ALL = {"metadata": {"name": "read-all"},
            "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["get", "list", "watch"]}]}
RBAC = "/apis/rbac.authorization.k8s.io/v1"
TOKEN_SECONDS = 24 * 3600


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("accounts")
    one = commands.add_parser("identity")
    one.add_argument("name")
    one.add_argument("--expired", action="store_true")
    options = parser.parse_args()
    client = Client(options.directory / "kubeconfig")
    known = identities(options.directory, client)
    if options.command == "accounts":
        make_accounts(client, known)
    else:
        known.certificate(options.name, (), options.expired)


def identities(directory, client):
    """Those of tools/control-plane, with the authority of this server."""
    known = Identities(directory)
    known.server = client.url.geturl()
    known.folder.mkdir(mode=0o700, exist_ok=True)
    # One file has both, and openssl finds in it what it looks for.
    for copy in (known.pki.authority, known.pki.authority_key):
        shutil.copy(directory / "pki/ca.pem", copy)
    shutil.copy(directory / "kubeconfig", known.kubeconfig("admin"))
    return known


def make_accounts(client, known):
    post(client, f"{RBAC}/clusterroles", READ_ALL)
    for name, role in ROLES.items():
        accounts = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts"
        post(client, accounts, {"metadata": {"name": name}})
        if role:
            post(client, f"{RBAC}/clusterrolebindings", {
                "metadata": {"name": f"e2e-{name}"},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
                "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": NAMESPACE}]})
        made = post(client, f"{accounts}/{name}/token", {"spec": {"expirationSeconds": TOKEN_SECONDS}})
        known._write(name, {"token": made["status"]["token"]})  # pylint: disable=protected-access


def post(client, target, value):
    status, _, text = client.ask("POST", target, {"Content-Type": "application/json"}, json.dumps(value).encode())
    if status != 201:
        sys.exit(f"POST {target}: {text.decode()}")
    return json.loads(text)


main()
