#!/usr/bin/env python3
"""Controllers that nobody here wrote, at work on the embedded server: kwok and kube-controller-manager."""

import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from client import Client  # noqa: E402
from kubectl import programs  # noqa: E402
from reporting import check, eventually, failed, finish  # noqa: E402
from servers import our_server  # noqa: E402

NODES = 1000
DEFAULT = "/api/v1/namespaces/default"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
REPLICA_SETS = "/apis/apps/v1/namespaces/default/replicasets"
BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"

# Pods are bound by hand, for no scheduler runs; kwok lets them run.
DEPLOYMENT = {"metadata": {"name": "mill"}, "spec": {
    "replicas": 3, "selector": {"matchLabels": {"app": "mill"}},
    "template": {"metadata": {"labels": {"app": "mill"}}, "spec": {
        "nodeName": "n0", "containers": [{"name": "main", "image": "registry.example/main:1"}]}}}}
BUDGET = {"metadata": {"name": "mill"}, "spec": {"minAvailable": 2, "selector": {"matchLabels": {"app": "mill"}}}}
CONTROLLERS = ["garbage-collector-controller", "disruption-controller", "deployment-controller", "replicaset-controller"]


class Api:
    def __init__(self, kubeconfig):
        self.client = Client(kubeconfig)

    def ask(self, method, target, value=None):
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        body = None if value is None else json.dumps(value).encode()
        status, _, text = self.client.ask(method, target, headers, body)
        return status, json.loads(text)

    def must(self, method, target, value=None):
        status, answer = self.ask(method, target, value)
        assert status < 300, f"{method} {target}: {answer}"
        return answer

    def items(self, target):
        return self.must("GET", target)["items"]

    def pods(self):
        return self.items(f"{DEFAULT}/pods")


@contextlib.contextmanager
def running(log, *command):
    """A program beside the test; the end of what it said is shown if the test fails."""
    with open(log, "wb") as output:
        process = subprocess.Popen([str(part) for part in command], stdout=output, stderr=subprocess.STDOUT)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)
        if failed():
            print("\n".join(log.read_text(errors="replace").splitlines()[-20:]))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def kwok(kubeconfig, log):
    binaries = programs()
    return running(log, binaries / "kwok", f"--kubeconfig={kubeconfig}", f"--config={binaries / 'kwok-stages.yaml'}",
                   "--manage-all-nodes=true", "--node-lease-duration-seconds=40",
                   f"--server-address=127.0.0.1:{free_port()}", "--node-port=0")


def controller_manager(kubeconfig, log):
    return running(log, programs() / "kube-controller-manager", f"--kubeconfig={kubeconfig}",
                   f"--controllers={','.join(CONTROLLERS)}", "--leader-elect=false", "--secure-port=0",
                   "--kube-api-qps=1000", "--kube-api-burst=2000")


def is_ready(thing):
    return any(c["type"] == "Ready" and c["status"] == "True" for c in thing.get("status", {}).get("conditions", []))


def thousand_nodes_become_ready(api):
    for number in range(NODES):
        api.must("POST", "/api/v1/nodes", {"metadata": {"name": f"n{number}"}})
    began = time.monotonic()
    leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"

    def all_ready():
        return sum(map(is_ready, api.items("/api/v1/nodes"))) == NODES

    def all_leased():
        return len(api.items(leases)) == NODES
    eventually(all_ready, 120)
    eventually(all_leased, 120)
    return f"{NODES} nodes, {time.monotonic() - began:.1f} s after the last was made"


def deployment_gets_its_pods(api):
    api.must("POST", DEPLOYMENTS, DEPLOYMENT)

    def three_ready():
        return len(api.pods()) == 3 and all(map(is_ready, api.pods()))
    eventually(three_ready)
    [owner] = api.items(REPLICA_SETS)
    assert {ref["uid"] for pod in api.pods() for ref in pod["metadata"]["ownerReferences"]} == {owner["metadata"]["uid"]}

    def deployment_counts_them():
        return api.must("GET", f"{DEPLOYMENTS}/mill")["status"].get("readyReplicas") == 3
    eventually(deployment_counts_them)


def counts(api):
    status = api.must("GET", f"{BUDGETS}/mill").get("status", {})
    return tuple(status.get(name) for name in ("expectedPods", "currentHealthy", "desiredHealthy", "disruptionsAllowed"))


def budget_is_counted(api):
    api.must("POST", BUDGETS, BUDGET)

    def budget_knows_three_pods():
        return counts(api) == (3, 3, 2, 1)
    eventually(budget_knows_three_pods)


def evicted_pod_is_replaced(api):
    name = api.pods()[0]["metadata"]["name"]
    api.must("POST", f"{DEFAULT}/pods/{name}/eviction", {"apiVersion": "policy/v1", "kind": "Eviction",
                                                         "metadata": {"name": name, "namespace": "default"}})

    def another_came():
        names = {pod["metadata"]["name"] for pod in api.pods() if is_ready(pod)}
        return len(names) == 3 and name not in names and counts(api) == (3, 3, 2, 1)
    eventually(another_came)


def deleted_deployment_is_collected(api, policy):
    if not api.items(DEPLOYMENTS):
        deployment_gets_its_pods(api)
    api.must("DELETE", f"{DEPLOYMENTS}/mill", {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": policy})

    def nothing_is_left():
        return not (api.items(DEPLOYMENTS) or api.items(REPLICA_SETS) or api.pods())
    eventually(nothing_is_left)


def orphans_stay(api):
    deployment_gets_its_pods(api)
    api.must("DELETE", f"{DEPLOYMENTS}/mill", {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Orphan"})

    def set_has_no_owner():
        return not api.items(DEPLOYMENTS) and not any("ownerReferences" in s["metadata"] for s in api.items(REPLICA_SETS))
    eventually(set_has_no_owner)
    assert len(api.pods()) == 3


def main():
    with tempfile.TemporaryDirectory(prefix="millwright-clients-") as logs, our_server() as kubeconfig:
        logs = pathlib.Path(logs)
        api = Api(kubeconfig)
        with kwok(kubeconfig, logs / "kwok.log"):
            check("kwok makes nodes ready", thousand_nodes_become_ready, api)
            with controller_manager(kubeconfig, logs / "controller-manager.log"):
                check("controller-manager: a deployment gets its pods", deployment_gets_its_pods, api)
                check("controller-manager: a budget is counted", budget_is_counted, api)
                check("controller-manager: an evicted pod is replaced", evicted_pod_is_replaced, api)
                for policy in ("Background", "Foreground"):
                    check(f"controller-manager: a deployment is collected, {policy}", deleted_deployment_is_collected, api,
                          policy)
                check("controller-manager: orphans stay", orphans_stay, api)
    finish()


main()
