"""Upstream's sample manifests, with another provider."""

import json
import re

from kinds import UPSTREAM, run_kubectl

FILLED_IN = {"secret-name": "sample", "machineclass-name": "sample", "machinedepoyment-name": "DEPLOYMENT", "machine-name": "MACHINE"}


class Skip(Exception):
    """Not here, for that reason."""


def _read(yard, file):
    """What a person makes of a sample: names in place of the gaps, which stand in angle brackets."""
    def fill(match):
        gap = match.group(1)
        if "namespace" in gap:
            return yard.name
        return FILLED_IN.get(gap, "x").replace("DEPLOYMENT", f"{yard.name}-web").replace("MACHINE", f"{yard.name}-single")
    text = re.sub(r"<([^<>]+)>", fill, (UPSTREAM / "examples" / file).read_text(encoding="utf-8"))
    return json.loads(run_kubectl(yard.kubeconfig, "create", "--dry-run=client", "--validate=false", "-o", "json", "-f", "-", text=text))


def upstreams_samples_work(yard):
    if not UPSTREAM.is_dir():
        raise Skip("upstream's samples are not at hand")
    machine_class = _read(yard, "machine-class.yaml")
    machine_class.update({"provider": "simulated", "providerSpec": {}})
    machine_class.pop("credentialsSecretRef")
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "sample", "namespace": yard.name},
              "stringData": {"userData": "join"}}
    machine_set = _read(yard, "machine-set.yaml")
    machine_set["metadata"].update({"namespace": yard.name, "name": f"{yard.name}-set"})
    machine_set["spec"]["template"]["spec"]["class"] = {"kind": "MachineClass", "name": "sample"}
    # It has the labels of the sample deployment, which would adopt it.
    for labels in (machine_set["metadata"]["labels"], machine_set["spec"]["selector"]["matchLabels"],
                   machine_set["spec"]["template"]["metadata"]["labels"]):
        labels["test-label"] = "of-the-set"
    written = [secret, machine_class, machine_set, _read(yard, "machine-deployment.yaml"), _read(yard, "machine.yaml")]
    with yard.controllers(provider=None) as them:
        them.start()
        everything = json.dumps({"apiVersion": "v1", "kind": "List", "items": written})
        # A class has no namespace, which the samples give it.
        run_kubectl(yard.kubeconfig, "apply", "--validate=false", "-f", "-", text=everything)
        yard.until_running(f"{yard.name}-web", 3)
        yard.until("the set and the machine", lambda: yard.phases(f"{yard.name}-set") == ["Running"] * 3 and
                   yard.phases() == ["Running"] * 7)
        shown = run_kubectl(yard.kubeconfig, "get", "mcd,mcs,mc", "-n", yard.name)
        assert "DESIRED" in shown and "Running" in shown, shown
        run_kubectl(yard.kubeconfig, "delete", "--wait=false", "-f", "-", text=everything)
        yard.until("nothing left", lambda: not yard.all("machines") and not yard.all("nodes") and not yard.all("classes"))


CASES = (upstreams_samples_work,)
