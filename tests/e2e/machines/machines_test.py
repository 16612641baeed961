#!/usr/bin/env python3
"""Machines from the wish to their end by `millwright controller`, on a real control plane and on the embedded one.

Prints a line for each case. MILLWRIGHT_SEED chooses when controllers are killed.
"""

import json
import os
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "api"))
sys.dont_write_bytecode = True

from client import Client  # noqa: E402
from controllers import controllers  # noqa: E402
from kinds import define_kinds  # noqa: E402
from mirror import Mirror  # noqa: E402
from servers import our_server, real_server  # noqa: E402

API = "/apis/machine.sapcloud.io/v1alpha1/namespaces/default/"
COLLECTIONS = {
    "deployments": API + "machinedeployments",
    "sets": API + "machinesets",
    "machines": API + "machines",
    "classes": API + "machineclasses",
    "nodes": "/api/v1/nodes",
    "secrets": "/api/v1/namespaces/default/secrets",
    "tokens": "/api/v1/namespaces/kube-system/secrets",
}
JSON = {"Content-Type": "application/json"}
MERGE = {"Content-Type": "application/merge-patch+json"}

SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "small"},
          "stringData": {"userData": "join <<MACHINE_NAME>> with <<BOOTSTRAP_TOKEN>>"}}
CLASS = {"apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineClass", "metadata": {"name": "small"},
         # Nobody here serves this one: --provider does.
         "provider": "Example", "providerSpec": {}, "secretRef": {"name": "small", "namespace": "default"},
         "nodeTemplate": {"capacity": {"cpu": "4", "gpu": "0", "memory": "8Gi"}, "instanceType": "m.small", "region": "r", "zone": "z"}}
DEPLOYMENT = {"apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineDeployment", "metadata": {"name": "web"},
              "spec": {"replicas": 3, "selector": {"matchLabels": {"name": "web"}},
                       "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 2, "maxUnavailable": 1}},
                       "template": {"metadata": {"labels": {"name": "web"}},
                                    "spec": {"class": {"kind": "MachineClass", "name": "small"}}}}}


def send(client, method, target, body=None, headers=None):
    status, _, answer = client.ask(method, target, headers or JSON, json.dumps(body).encode() if body else None)
    assert status in (200, 201), f"{method} {target}: {status} {answer.decode()[:400]}"


def phases(mirror):
    return sorted(machine.get("status", {}).get("currentStatus", {}).get("phase", "") for machine in mirror.all("machines"))


def runs(count):
    """So many machines are there, all of them well, each with its node."""
    def holds(mirror):
        nodes = {node["metadata"]["name"] for node in mirror.all("nodes")}
        labels = {machine["metadata"].get("labels", {}).get("node") for machine in mirror.all("machines")}
        deployment = mirror.objects["deployments"].get("web", {})
        status = deployment.get("status", {})
        return (phases(mirror) == ["Running"] * count and nodes == labels and status.get("updatedReplicas") == count
                and status.get("availableReplicas") == count
                and status.get("observedGeneration") == deployment["metadata"]["generation"])
    return holds


def rolled(before):
    return lambda mirror: not before & set(mirror.objects["machines"])


def nothing_left(mirror):
    tokens = [t for t in mirror.all("tokens") if t.get("type") == "bootstrap.kubernetes.io/token"]
    return not tokens and not any(mirror.all(kind) for kind in ("deployments", "sets", "machines", "nodes"))


WEB = API + "machinedeployments/web"


def begin(client):
    for collection, body in (("/api/v1/namespaces/default/secrets", SECRET), (API + "machineclasses", CLASS),
                             (API + "machinedeployments", DEPLOYMENT)):
        send(client, "POST", collection, body)


def end(client, mirror, disturb=lambda: None):
    send(client, "DELETE", WEB)
    disturb()
    mirror.until("nothing left", nothing_left)
    for target in (API + "machineclasses/small", "/api/v1/namespaces/default/secrets/small"):
        send(client, "DELETE", target)
    mirror.until("no class left", lambda m: not m.all("classes") and "small" not in m.objects["secrets"])


def live(client, mirror, disturb):
    """The whole life of a deployment; `disturb` is called in the middle of each step."""
    begin(client)
    disturb()
    mirror.until("three machines", runs(3))
    send(client, "PATCH", WEB, {"spec": {"replicas": 10}}, MERGE)
    disturb()
    mirror.until("ten machines", runs(10))
    before = set(mirror.objects["machines"])
    send(client, "PATCH", WEB, {"spec": {"template": {"metadata": {"labels": {"v": "2"}}}}}, MERGE)
    disturb()
    mirror.until("ten others", lambda m: rolled(before)(m) and runs(10)(m))
    yield "lives"
    end(client, mirror, disturb)


def follow_life(kubeconfig, them, disturb=lambda mirror: None):
    mirror = Mirror(kubeconfig, COLLECTIONS)
    try:
        for _ in live(Client(kubeconfig), mirror, lambda: disturb(mirror)):
            check_pages(them)
    finally:
        mirror.close()


WANTED = ("mcm_machine_items_total 10", "mcm_machine_set_items_total", "mcm_machine_controller_frozen 0",
          'mcm_machine_deployment_status_available_replicas{name="web",namespace="default"} 10',
          'mcm_cloud_api_requests_total{provider="simulated",service="create_machine"}',
          'mcm_workqueue_adds_total{name="machine"}', 'mcm_machine_join_duration_seconds{instance_type="m.small"',
          "process_resident_memory_bytes")
# Its caches may be a moment behind what we see.
SCRAPES = 200


def check_pages(them):
    """Ten machines run."""
    missing = WANTED
    for _ in range(SCRAPES):
        metrics = "".join(them.page(name, "/metrics") for name in them.ports)
        missing = [line for line in WANTED if line not in metrics]
        if not missing:
            break
    assert not missing, f"not in the metrics: {missing}"
    for name in them.ports:
        for path in ("/healthz", "/readyz"):
            assert them.page(name, path).strip() == "ok", them.page(name, path)


def without_kinds_it_says_what_to_do(kubeconfig):
    with controllers(kubeconfig) as them:
        them.start()
        assert [process.wait(timeout=60) for process in them.processes.values()] == [10], them.log()
        assert "millwright crds --dialect gardener | kubectl apply -f -" in them.log(), them.log()
    define_kinds(kubeconfig)


def a_deployment_lives_and_goes(kubeconfig):
    with controllers(kubeconfig, extra=["--cloud-provider=example"]) as them:
        them.start()
        follow_life(kubeconfig, them)
        assert them.stop() == [0], them.log()
        assert them.log().count("--cloud-provider") == 1, them.log()


def upstreams_two_programs_do_it_together(kubeconfig):
    with controllers(kubeconfig, split=True) as them:
        them.start()
        follow_life(kubeconfig, them)
        assert them.stop() == [0, 0], them.log()


def killed_and_started_again_it_comes_to_the_same_end(kubeconfig):
    seed = int(os.environ.get("MILLWRIGHT_SEED", str(random.randrange(1 << 32))))
    moments = random.Random(seed)
    with controllers(kubeconfig) as them:
        def disturb(mirror):
            mirror.after_changes(moments.randrange(1, 40))
            them.kill()
            them.start()
        them.start()
        try:
            follow_life(kubeconfig, them, disturb)
        except AssertionError as error:
            raise AssertionError(f"MILLWRIGHT_SEED={seed}\n{error}") from None


def without_a_target_machines_are_just_available(kubeconfig):
    client = Client(kubeconfig)
    mirror = Mirror(kubeconfig, COLLECTIONS)
    try:
        with controllers(kubeconfig, extra=["--target-kubeconfig=none"]) as them:
            them.start()
            begin(client)
            mirror.until("three instances", lambda m: phases(m) == ["Available"] * 3 and
                         m.objects["deployments"]["web"].get("status", {}).get("availableReplicas") == 3)
            assert not mirror.all("nodes"), "there is nothing to join"
            end(client, mirror)
            assert them.stop() == [0], them.log()
    finally:
        mirror.close()


def who_loses_a_lease_ends(kubeconfig):
    client = Client(kubeconfig)
    leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
    holders = {name: f"{leases}/{name}" for name in ("machine-controller-manager", "machine-controller")}
    mirror = Mirror(kubeconfig, {"leases": leases})
    try:
        with controllers(kubeconfig) as them:
            them.start()
            mirror.until("both leases", lambda m: all(
                m.objects["leases"].get(name, {}).get("spec", {}).get("holderIdentity") for name in holders))
            send(client, "PATCH", holders["machine-controller"], {"spec": {"holderIdentity": "another"}}, MERGE)
            assert [process.wait(timeout=60) for process in them.processes.values()] == [11], them.log()
            mirror.until("the other one is free", lambda m: not
                         m.objects["leases"]["machine-controller-manager"]["spec"].get("holderIdentity"))
            send(client, "DELETE", holders["machine-controller"])
    finally:
        mirror.close()


TESTS = (without_kinds_it_says_what_to_do, a_deployment_lives_and_goes, upstreams_two_programs_do_it_together,
         killed_and_started_again_it_comes_to_the_same_end,
         without_a_target_machines_are_just_available, who_loses_a_lease_ends)


def main():
    """Words select: real or embedded, and parts of the names of cases."""
    words = sys.argv[1:]
    places = {"real": real_server, "embedded": our_server}
    chosen = [word for word in words if word in places] or list(places)
    parts = [word for word in words if word not in places]
    failed = 0
    for place in chosen:
        with places[place]() as kubeconfig:
            # The first one leaves the kinds behind that the others need.
            for test in TESTS:
                if parts and test is not TESTS[0] and not any(part in test.__name__ for part in parts):
                    continue
                name = f"machines {place}: {test.__name__.replace('_', ' ')}"
                try:
                    test(kubeconfig)
                except AssertionError as error:
                    failed += 1
                    print(f"not ok {name}\n{error}", flush=True)
                    break
                print(f"ok {name}", flush=True)
    sys.exit(1 if failed else 0)


main()
