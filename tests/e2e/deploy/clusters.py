"""Real control planes of this test, and what is installed into them."""

import base64
import contextlib
import json
import os
import pathlib
import re
import ssl
import subprocess
import tempfile
import time

from client import Client
from definitions import until_served

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHART = ROOT / "deploy/gardener/chart"
NAMESPACE = "machines"
ACCOUNT = "machine-controller-manager"
JSON = {"Content-Type": "application/json"}
MERGE = {"Content-Type": "application/merge-patch+json"}
# None comes near it.
LONGEST_SECONDS = 240


def programs():
    found = subprocess.run([str(ROOT / "tools/kubernetes/build"), "--print-dir"], stdout=subprocess.PIPE, text=True, check=True)
    return pathlib.Path(found.stdout.strip())


def run(*command, given=None, env=None):
    done = subprocess.run([str(word) for word in command], input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, cwd=ROOT, env={**os.environ, **(env or {})})
    assert done.returncode == 0, f"{' '.join(str(word) for word in command)}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def helm(*words, env=None):
    # Its own places, so that nothing of the user's is read or written.
    with tempfile.TemporaryDirectory(prefix="millwright-helm-") as home:
        places = {name: home for name in ("HELM_CACHE_HOME", "HELM_CONFIG_HOME", "HELM_DATA_HOME")}
        return run(programs() / "helm", *words, env={**places, **(env or {})})


def until(what, condition):
    """The first true value of the condition; it is asked again and again."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"{what}: this does not come"
        time.sleep(0.05)


class Cluster:
    """One control plane, as its admin sees it."""

    def __init__(self, kubeconfig):
        self.kubeconfig = kubeconfig
        self.audit_log = kubeconfig.parents[1] / "audit.log"
        self.client = Client(kubeconfig)

    def ask(self, method, target, body=None, headers=None):
        status, _, answer = self.client.ask(method, target, headers or JSON, json.dumps(body).encode() if body is not None else None)
        return status, json.loads(answer)

    def send(self, method, target, body=None, headers=None):
        status, answer = self.ask(method, target, body, headers)
        assert status in (200, 201), f"{method} {target}: {status} {str(answer)[:400]}"
        return answer

    def items(self, target):
        return self.send("GET", target)["items"]

    def find(self, target):
        status, answer = self.ask("GET", target)
        assert status in (200, 404), answer
        return answer if status == 200 else None

    def kubectl(self, *words, given=None):
        with tempfile.TemporaryDirectory(prefix="millwright-kubectl-") as cache:
            return run(programs() / "kubectl", "--kubeconfig", self.kubeconfig, "--cache-dir", cache, *words, given=given)

    def until_served(self, *definitions):
        until_served(self.client, *definitions)

    def apply(self, manifests):
        """What the server made of them."""
        return json.loads(self.kubectl("apply", "-f", "-", "-o", "json", given=manifests))["items"]

    def audit_offset(self):
        return self.audit_log.stat().st_size

    def authority(self):
        return re.search(r"certificate-authority-data: (\S+)", self.kubeconfig.read_text()).group(1)

    def server(self):
        return re.search(r"server: (\S+)", self.kubeconfig.read_text()).group(1)

    def token(self, namespace, account=ACCOUNT):
        made = self.send("POST", f"/api/v1/namespaces/{namespace}/serviceaccounts/{account}/token",
                         {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 7200}})
        return made["status"]["token"]

    def kubeconfig_of_account(self, namespace, account=ACCOUNT):
        """Its text."""
        return json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "it",
            "clusters": [{"name": "it", "cluster": {"server": self.server(), "certificate-authority-data": self.authority()}}],
            "users": [{"name": "it", "user": {"token": self.token(namespace, account)}}],
            "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it"}}]})

    def as_account(self, namespace, account=ACCOUNT):
        """A client with the rights of the account."""
        client = Client(self.kubeconfig)
        # Without the admin's certificate.
        client.context = ssl.create_default_context(cadata=base64.b64decode(self.authority()).decode())
        client.context.check_hostname = False
        client.headers = {"Authorization": "Bearer " + self.token(namespace, account)}
        return client


@contextlib.contextmanager
def cluster(watch_list=True, arguments=()):
    """With the plugin that asks for most rights, and without those who write into nodes whenever they like."""
    with tempfile.TemporaryDirectory(prefix="millwright-deploy-") as directory:
        tool = [str(ROOT / "tools/control-plane")]
        place = ["--dir", f"{directory}/cp"]
        try:
            run(*tool, "up", *place, "--parent-pid", os.getpid(), "--json", "--without-controller", "node-lifecycle-controller",
                "--without-controller", "ttl-controller",
                "--apiserver-arg=--enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement",
                f"--apiserver-arg=--feature-gates=WatchList={str(watch_list).lower()}",
                *(f"--apiserver-arg={argument}" for argument in arguments))
            yield Cluster(pathlib.Path(run(*tool, "kubeconfig", *place, "--user", "admin").strip()))
        finally:
            subprocess.run([*tool, "down", *place], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
