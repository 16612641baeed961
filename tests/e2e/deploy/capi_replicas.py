"""Pods of the Deployment for Cluster API, and how an API server reaches their webhooks."""

import contextlib
import os
import pathlib
import shutil
import socket
import ssl
import urllib.error
import urllib.request
import uuid

from clusters import until
from replicas import BINARY, NOBODY, Replicas, end_with_parent, free_port, write

NAMESPACE = "capi-system"
SERVICE = "capi-webhook-service"
SLICES = f"/apis/discovery.k8s.io/v1/namespaces/{NAMESPACE}/endpointslices"


def own_address():
    """An address of this computer that is not a loopback: servers send nobody there. None: it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # nothing is sent
        address = probe.getsockname()[0]
        return None if address.startswith("127.") else address
    return None


class CapiReplicas(Replicas):
    NAME, NAMESPACE, ACCOUNT, LEASE = "capi-controller-manager", NAMESPACE, "capi-manager", "controller-leader-election-capi"
    certificates = None  # a folder, set by the case: what the Secret of the webhooks holds

    def __init__(self, directory, deployment, control, target=None):
        self.webhook_ports, self.metrics_ports = {}, {}
        super().__init__(directory, deployment, control, target)

    def _fill_rootfs(self):
        super()._fill_rootfs()
        mount, = [m["mountPath"] for m in self.container["volumeMounts"] if m["name"] == "cert"]
        folder = pathlib.Path(f"{self.rootfs}{mount}")
        shutil.copytree(self.certificates, folder)
        for path in (folder, *folder.iterdir()):
            os.chown(path, NOBODY, NOBODY)

    def _addresses(self, name):
        self.webhook_ports[name], self.metrics_ports[name] = free_port(), free_port()
        return [f"--health-addr=127.0.0.1:{self.ports[name]}", f"--webhook-port={self.webhook_ports[name]}",
                f"--diagnostics-address=127.0.0.1:{self.metrics_ports[name]}"]

    def _environment(self, name):
        """No such pod is there, so no cluster is the one that it runs in."""
        values = {"metadata.namespace": NAMESPACE, "metadata.name": name, "metadata.uid": str(uuid.uuid4())}
        return {entry["name"]: values[entry["valueFrom"]["fieldRef"]["fieldPath"]] for entry in self.container["env"]}

    def _as_process(self, words):
        kubeconfig = self.directory / "control"
        write(kubeconfig, self.control.kubeconfig_of_account(NAMESPACE, self.ACCOUNT))
        return {"args": [str(BINARY), *words[1:], f"--kubeconfig={kubeconfig}", f"--webhook-cert-dir={self.certificates}"],
                "env": {**os.environ, **self._environment("alone")}, "preexec_fn": end_with_parent}

    # The part of Prometheus, as the ServiceMonitor tells it.

    def scrape(self, name, token=None):
        """From the protected port: the status, and the page. Its certificate is its own, so nobody vouches for it. It listens there a
        moment after it is ready: None until then."""
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        request = urllib.request.Request(f"https://127.0.0.1:{self.metrics_ports[name]}/metrics",
                                         headers={"Authorization": f"Bearer {token}"} if token else {})
        try:
            with urllib.request.urlopen(request, timeout=60, context=trusting) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()
        except (urllib.error.URLError, OSError):
            return None, ""

    def metrics(self, token):
        """Of the one that works."""
        def page():
            status, text = self.scrape(self.leader(), token)
            return text if status == 200 else None
        return until("its metrics", page)

    # The part of the endpoint slice controller.

    def announce(self):
        """Each replica stands behind the service."""
        for name, port in self.webhook_ports.items():
            self.control.send("POST", SLICES, {
                "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
                "metadata": {"name": name, "labels": {"kubernetes.io/service-name": SERVICE}},
                "endpoints": [{"addresses": [own_address()], "conditions": {"ready": True}}],
                "ports": [{"name": "", "port": port, "protocol": "TCP"}]})

    def stop(self, name):
        self.control.send("DELETE", f"{SLICES}/{name}")
        return super().stop(name)
