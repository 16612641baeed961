"""Cluster API's own programs and the cluster-autoscaler: built by their package names, with their own definitions and webhooks."""

import base64
import contextlib
import functools
import json
import os
import pathlib
import subprocess
import tempfile

from certificates import Authority
from client import Client
from controllers import ROOT, end_with_parent, free_port
from definitions import until_served
from kinds import run_kubectl
from samples import Skip

BUILD = ROOT / "tests/e2e/upstream/cluster-api/build"
PROVIDERS = ("kubeadm-bootstrap", "kubeadm-control-plane", "dev-provider")
TAIL_BYTES = 6000


@functools.cache
def directory(part):
    """Where the programs are: "managers" or "autoscaler". They are built if they are not there, which takes minutes."""
    shown = subprocess.run([str(BUILD), part, "--print-dir"], stdout=subprocess.PIPE, text=True, check=True)
    place = pathlib.Path(shown.stdout.strip())
    if not place.is_dir() and os.environ.get("MILLWRIGHT_ONLY_BUILT"):
        raise Skip(f"upstream's programs ({part}) are not built yet; ./test e2e capi-upstream builds them")
    if subprocess.run([str(BUILD), part], check=False).returncode:
        raise Skip(f"upstream's programs ({part}) cannot be built here")
    return place


class Programs:
    """Processes of theirs, each with a place at which its webhooks are called whoever runs there. They look at all namespaces:
    their control plane provider fails if it is given one."""

    def __init__(self, kubeconfig, home):
        self.kubeconfig = kubeconfig
        self.home = pathlib.Path(home)
        self.authority = Authority(self.home / "authority")
        self.certificates = self.authority.issue(self.home / "certificates")
        self.ports = {name: free_port() for name in ("core", *PROVIDERS)}
        self.processes = {}

    def define(self, *names):
        """Kinds and webhooks, with what kustomize adds to them upstream."""
        for name in names:
            folder = directory("managers") / "definitions" / name
            kinds = _read(self.kubeconfig, folder / "kinds")
            for kind in kinds:
                self._complete(name, kind)
            _apply(self.kubeconfig, kinds)
            until_served(Client(self.kubeconfig), *[kind["metadata"]["name"] for kind in kinds])

    def call(self, *names):
        """From now on their webhooks are asked."""
        for name in names:
            webhooks = _read(self.kubeconfig, directory("managers") / "definitions" / name / "webhooks.yaml")
            for configuration in webhooks:
                configuration["metadata"]["name"] = f"{name}-{configuration['metadata']['name']}"
                for hook in configuration["webhooks"]:
                    hook["clientConfig"] = self._place(name, hook["clientConfig"]["service"]["path"])
            _apply(self.kubeconfig, webhooks)

    def _complete(self, name, kind):
        contracts = {f"cluster.x-k8s.io/{version}": version for version in ("v1beta1", "v1beta2") if name != "core"}
        kind["metadata"].setdefault("labels", {}).update({"clusterctl.cluster.x-k8s.io": "", **contracts})
        if len(kind["spec"]["versions"]) > 1:
            kind["spec"]["conversion"] = {"strategy": "Webhook", "webhook": {
                "conversionReviewVersions": ["v1"], "clientConfig": self._place(name, "/convert")}}

    def _place(self, name, path):
        trusted = base64.b64encode((self.certificates / "ca.crt").read_bytes()).decode()
        return {"url": f"https://127.0.0.1:{self.ports[name]}{path}", "caBundle": trusted}

    def webhook_flags(self, name):
        return [f"--webhook-port={self.ports[name]}", f"--webhook-cert-dir={self.certificates}"]

    def start(self, *names):
        for name in names:
            self.run(name, [directory("managers") / "bin" / name, f"--kubeconfig={self.kubeconfig}",
                            *self.webhook_flags(name), f"--health-addr=127.0.0.1:{free_port()}",
                            f"--diagnostics-address=127.0.0.1:{free_port()}", "--insecure-diagnostics",
                            "--v=2"], {"POD_IP": "127.0.0.1"})

    def run(self, name, command, environment=None):
        with (self.home / f"{name}.log").open("a", encoding="utf-8") as log:
            self.processes[name] = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log, cwd=self.home,
                                                    preexec_fn=end_with_parent, env={**os.environ, **(environment or {})})

    def stop(self, *names):
        for name in names or list(self.processes):
            process = self.processes.pop(name)
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=20)
            process.kill()
            process.wait()

    def log(self, name):
        return (self.home / f"{name}.log").read_text(encoding="utf-8", errors="replace")

    def logs(self):
        return "\n".join(f"--- {file.stem}: {self.log(file.stem)[-TAIL_BYTES:]}" for file in sorted(self.home.glob("*.log")))


@contextlib.contextmanager
def programs(kubeconfig):
    with tempfile.TemporaryDirectory(prefix="millwright-upstream-") as home:
        them = Programs(kubeconfig, home)
        try:
            yield them
        except AssertionError as error:
            raise AssertionError(f"{error}\n{them.logs()}") from None
        finally:
            them.stop()


def define_core(kubeconfig):
    """All kinds of their core as `clusterctl init` leaves them: clusterctl asks for some that we do not serve, too."""
    kinds = _read(kubeconfig, directory("managers") / "definitions/core/kinds")
    for kind in kinds:
        kind["metadata"].setdefault("labels", {})["clusterctl.cluster.x-k8s.io"] = ""
    _apply(kubeconfig, kinds)
    until_served(Client(kubeconfig), *[kind["metadata"]["name"] for kind in kinds])


def clusterctl(kubeconfig, *words):
    """Its own configuration and cache, so that nothing of this account is read or written."""
    with tempfile.TemporaryDirectory(prefix="millwright-clusterctl-") as home:
        done = subprocess.run([str(directory("managers") / "bin/clusterctl"), *words, "--kubeconfig", str(kubeconfig)], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "CLUSTERCTL_DISABLE_VERSIONCHECK": "true"})
    assert done.returncode == 0, f"clusterctl {' '.join(words)}: {done.stdout[-3000:]}"
    return done.stdout


def read(client, path):
    """An object of a workload cluster; an empty one if it is not there."""
    status, _, answer = client.ask("GET", path, {}, None)
    return json.loads(answer) if status == 200 else {"metadata": {}}


def _read(kubeconfig, path):
    """All objects of a file or of a folder's files."""
    text = run_kubectl(kubeconfig, "create", "--dry-run=client", "--validate=false", "-o", "json", "-f", str(path))
    found, at = [], 0
    while at < len(text):  # one after the other, without a list around them
        body, at = json.JSONDecoder().raw_decode(text, at)
        found += body["items"] if body["kind"] == "List" else [body]
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


def _apply(kubeconfig, items):
    run_kubectl(kubeconfig, "apply", "--server-side", "--force-conflicts", "-f", "-", text=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
