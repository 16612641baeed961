"""Our kinds in a server, as the documentation says it, and kubectl."""

import os
import pathlib
import subprocess
import tempfile

from client import Client
from controllers import BINARY, ROOT
from definitions import until_served

UPSTREAM = pathlib.Path(os.environ.get("MILLWRIGHT_UPSTREAM", ROOT.parent / "shared/upstream")) / "gardener"


def kubectl():
    found = subprocess.run([str(ROOT / "tools/kubernetes/build"), "--print-dir"], stdout=subprocess.PIPE, text=True,
                           check=True, cwd=ROOT)
    return pathlib.Path(found.stdout.strip()) / "kubectl"


def run_kubectl(kubeconfig, *words, text=None):
    with tempfile.TemporaryDirectory(prefix="millwright-kubectl-") as home:
        done = subprocess.run([str(kubectl()), "--kubeconfig", str(kubeconfig), "--cache-dir", home, *words], check=False,
                              input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"kubectl {' '.join(words)}: {done.stdout[-800:]}"
    return done.stdout


def define_kinds(kubeconfig):
    crds = subprocess.run([str(BINARY), "crds", "--dialect", "gardener"], stdout=subprocess.PIPE, check=True, text=True)
    _define(kubeconfig, crds.stdout)


def define_upstreams_kinds(kubeconfig):
    """Theirs, where they are at hand; else ours."""
    files = sorted((UPSTREAM / "crds").glob("*.yaml")) if UPSTREAM.is_dir() else []
    if not files:
        return define_kinds(kubeconfig)
    return _define(kubeconfig, "\n---\n".join(f.read_text(encoding="utf-8") for f in files))


def _define(kubeconfig, text):
    run_kubectl(kubeconfig, "apply", "-f", "-", text=text)
    until_served(Client(kubeconfig))
