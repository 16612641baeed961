"""The processes of a test: controllers for one namespace, and a standalone server that has its own."""

import base64
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time

from certificates import Authority
from client import Client
from controllers import BINARY, ROOT, Controllers, end_with_parent, free_port, listens
from definitions import until_served
from kinds import run_kubectl

START_SECONDS = 60
UPSTREAM = pathlib.Path(os.environ.get("MILLWRIGHT_UPSTREAM", ROOT.parent / "shared/upstream")) / "cluster-api"


class ContractController(Controllers):
    """One process, as upstream's core manager is."""

    def __init__(self, kubeconfig, directory, extra=()):
        self.directory = pathlib.Path(directory)
        self.log_path = self.directory / "controller.log"
        self.ports = {"controller": free_port()}
        self.processes = {}
        self.commands = {"controller": [
            str(BINARY), "controller", "--dialect", "cluster-api", f"--kubeconfig={kubeconfig}",
            "--health-addr=127.0.0.1:0", f"--diagnostics-address=127.0.0.1:{self.ports['controller']}", "--insecure-diagnostics",
            "--webhook-port=0", f"--data-dir={self.directory}", *extra]}


@contextlib.contextmanager
def controller(kubeconfig, extra=()):
    with tempfile.TemporaryDirectory(prefix="millwright-capi-") as directory:
        it = ContractController(kubeconfig, directory, extra)
        try:
            yield it
        except AssertionError as error:
            size = int(os.environ.get("MILLWRIGHT_TEST_LOG_BYTES", "4000"))
            raise AssertionError(f"{error}\n{it.log()[-size:]}") from None
        finally:
            with contextlib.suppress(subprocess.TimeoutExpired):
                it.stop()
            for process in it.processes.values():
                process.kill()


class Standalone:
    def __init__(self, process, directory, metrics_port):
        self.process = process
        self.directory = pathlib.Path(directory)
        self.kubeconfig = self.directory / "kubeconfig"
        self.metrics_port = metrics_port

    def serves(self, path):
        with contextlib.suppress(OSError):
            return Client(self.kubeconfig).ask("GET", path, {}, None)[0] == 200
        return False

    def log(self):
        return (self.directory / "log").read_text(encoding="utf-8")


@contextlib.contextmanager
def standalone(*words):
    """A server with its own controllers."""
    with tempfile.TemporaryDirectory(prefix="millwright-standalone-") as directory:
        port = free_port()
        with (pathlib.Path(directory) / "log").open("w", encoding="utf-8") as log:
            process = subprocess.Popen(
                [str(BINARY), "standalone", "--dialect", "cluster-api", "--data-dir", directory, "--listen", "127.0.0.1:0",
                 "--metrics-listen", f"127.0.0.1:{port}", *words], stdout=log, stderr=log, preexec_fn=end_with_parent)
        it = Standalone(process, directory, port)
        try:
            deadline = time.monotonic() + START_SECONDS
            while not (it.kubeconfig.exists() and it.serves("/apis/controlplane.millwright.dev/v1beta1/millwrightcontrolplanes")):
                assert process.poll() is None and time.monotonic() < deadline, f"it did not start:\n{it.log()}"
                time.sleep(0.01)
            yield it
        finally:
            process.terminate()
            process.wait(timeout=60)


def define_kinds(kubeconfig):
    """Upstream's own, where they are at hand, with our provider's; else ours, as the documentation says it. Whose they are."""
    crds = subprocess.run([str(BINARY), "crds", "--dialect", "cluster-api"], stdout=subprocess.PIPE, check=True, text=True).stdout
    files = sorted((UPSTREAM / "crds").glob("*.yaml")) if UPSTREAM.is_dir() else []
    if files:
        ours = [text for text in crds.split("\n---\n") if ".millwright.dev\n" in text]
        crds = "\n---\n".join([*ours, *(file.read_text(encoding="utf-8") for file in files)])
    run_kubectl(kubeconfig, "apply", "--server-side", "-f", "-", text=crds)
    until_served(Client(kubeconfig))
    return "upstream" if files else "ours"


def _until_listening(port, it):
    """Who patches a definition before that has reads that fail: servers ask at once."""
    deadline = time.monotonic() + START_SECONDS
    while not listens(port):
        assert time.monotonic() < deadline, f"nobody answers webhooks:\n{it.log()}"
        time.sleep(0.05)


CONVERTED = ("clusters", "machines", "machinesets", "machinedeployments", "machinehealthchecks", "machinedrainrules")


@contextlib.contextmanager
def conversion(kubeconfig):
    """Who converts between the versions: one process, as it serves whoever leads. It has no namespace with machines."""
    with tempfile.TemporaryDirectory(prefix="millwright-webhooks-") as directory:
        authority = Authority(pathlib.Path(directory) / "authority")
        certificates = authority.issue(pathlib.Path(directory) / "certs")
        port = free_port()
        with controller(kubeconfig, ["--namespace=nobody", f"--webhook-port={port}", f"--webhook-cert-dir={certificates}"]) as it:
            it.start()
            _until_listening(port, it)
            trusted = base64.b64encode((certificates / "ca.crt").read_bytes()).decode()
            webhook = {"clientConfig": {"url": f"https://127.0.0.1:{port}/convert", "caBundle": trusted},
                       "conversionReviewVersions": ["v1"]}
            patch = json.dumps({"spec": {"conversion": {"strategy": "Webhook", "webhook": webhook}}})
            for plural in CONVERTED:
                run_kubectl(kubeconfig, "patch", "crd", f"{plural}.cluster.x-k8s.io", "--type=merge", "-p", patch)
            yield
