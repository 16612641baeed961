#!/usr/bin/env python3
"""The CRDs of the systems whose machines we serve, and their sample manifests, applied with kubectl."""

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from kubectl import run_kubectl  # noqa: E402
from reporting import check, finish, skip  # noqa: E402
from servers import ROOT, our_server  # noqa: E402

UPSTREAM = pathlib.Path(os.environ.get("MILLWRIGHT_UPSTREAM", ROOT.parent / "shared/upstream"))

# What people put for the <placeholders> of the samples.
FILLED = {
    "SSH-RSA KEY": "ssh-rsa AAAA", "boolean": "true", "eg:Standard_LRS": "Standard_LRS", "machine-name": "machine",
    "machineclass namespace": "default", "machineclass-name": "class", "machineclass-namespace": "default",
    "machinedepoyment-name": "deployment", "machinedepoyment-namespace": "default", "name": "name",
    "namespace-for-machine": "default", "namespace-of-secret": "default", "path to the rsa-ssh key": "/home/core/key",
    "resource-group-name": "group", "secret-name": "secret", "string": "text", "subnet-name": "subnet", "vnet-name": "vnet",
    "worker-group-name": "workers", "GOOGLE_SERVICE_ACCOUNT_BASE64": "dGV4dA==", "OS_NAME": "ubuntu",
    "ROUTE_TABLE_NAME": "routes",
}
# Names of credentials and of things in a cloud, which may be any text.
ANY_TEXT = re.compile(r"(AWS|AZURE|DIGITALOCEAN|HETZNER|INSTANCE|KUBECONFIG|OS|REDHAT|RHEL|VSPHERE|YOUR|VNET|SUBNET)_\w+")

# These have fields that their kinds lack, which every server refuses unless told not to.
UNKNOWN_FIELDS = {f"gardener/examples/{name}.yaml" for name in ("deployment", "machine", "machine-deployment")}
# Kubermatic's samples also make objects of cert-manager, which is not part of them.
CERT_MANAGER = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {plural}.cert-manager.io}}
spec:
  group: cert-manager.io
  names: {{plural: {plural}, kind: {kind}}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}
"""


def filled(text):
    def value(match):
        name = match.group(1).strip()
        assert name in FILLED or ANY_TEXT.fullmatch(name), f"no value for the placeholder {match.group(0)}"
        return FILLED.get(name, "text")
    text = re.sub(r"(?m)(^\s*| )#.*$", "", text)  # comments have placeholders too
    text = re.sub(r"<<?([^<>\n]+)>>?", value, text)
    return re.sub(r"\bvalue\d\b", "dGV4dA==", text)  # sample data of a Secret that is no base64


def kubectl(kubeconfig, *arguments, text=None):
    code, output = run_kubectl(kubeconfig, arguments, text)
    assert code == 0, output
    return output


def definition_is_served(kubeconfig, text):
    # Some are too large for the annotation that kubectl would write on its own side.
    kubectl(kubeconfig, "apply", "--server-side", "-f", "-", text=text)
    name = re.search(r"(?m)^  name: (\S+)$|metadata: {name: (\S+)}", text)
    name = name.group(1) or name.group(2)
    kubectl(kubeconfig, "wait", "--for", "condition=established", "--timeout=60s", f"crd/{name}")
    assert "No resources found" in kubectl(kubeconfig, "get", name, "-A")


def sample_applies(kubeconfig, file):
    """Also when it is there already."""
    how = ["apply", "-f", "-"] + (["--validate=warn"] if name_of(file) in UNKNOWN_FIELDS else [])
    for _ in range(2):
        kubectl(kubeconfig, *how, text=filled(file.read_text(encoding="utf-8")))
        # The webhooks that some bring belong to programs that do not run here, so nothing could be written any more.
        kubectl(kubeconfig, "delete", "--all", "mutatingwebhookconfigurations,validatingwebhookconfigurations")


def name_of(file):
    return str(file.relative_to(UPSTREAM))


def main():
    if not UPSTREAM.is_dir():
        skip("upstream definitions and samples", "they are not here; MILLWRIGHT_UPSTREAM names their directory")
        return
    definitions = [file for file in sorted(UPSTREAM.rglob("*.yaml")) if "crds" in file.parent.name]
    samples = sorted(UPSTREAM.rglob("examples/*.yaml"))
    # The definitions of Kubermatic are among its samples.
    samples.sort(key=lambda file: "kind: CustomResourceDefinition" not in file.read_text(encoding="utf-8"))
    with our_server() as kubeconfig:
        for file in definitions:
            check(f"upstream {name_of(file)} is served", definition_is_served, kubeconfig, file.read_text(encoding="utf-8"))
        for kind in ("Issuer", "Certificate"):
            definition_is_served(kubeconfig, CERT_MANAGER.format(kind=kind, plural=kind.lower() + "s"))
        for file in samples:
            check(f"upstream {name_of(file)} applies", sample_applies, kubeconfig, file)
    finish()


main()
