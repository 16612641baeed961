"""The programs of tools/kubernetes/build, and kubectl among them run to its end."""

import os
import pathlib
import subprocess
import tempfile

from servers import ROOT

COMMAND_SECONDS = 120


def programs():
    """The directory of kubectl, kwok, kube-controller-manager and the others."""
    found = subprocess.run([str(ROOT / "tools/kubernetes/build"), "--print-dir"], stdout=subprocess.PIPE, text=True,
                           check=True, cwd=ROOT)
    return pathlib.Path(found.stdout.strip())


def current_kubectl():
    return programs() / "kubectl"


def run_kubectl(kubeconfig, arguments, text=None, kubectl=None):
    """Gives its exit code and all it said."""
    # Caches of discovery must not outlive the server they tell of.
    with tempfile.TemporaryDirectory(prefix="millwright-kubectl-") as home:
        done = subprocess.run([str(kubectl or current_kubectl()), "--cache-dir", home, *arguments], input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=COMMAND_SECONDS, check=False,
                              env={**os.environ, "KUBECONFIG": str(kubeconfig), "HOME": home})
    return done.returncode, done.stdout
