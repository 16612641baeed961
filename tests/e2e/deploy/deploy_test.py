#!/usr/bin/env python3
"""What is under deploy/: applied to real API servers, and the controller living with exactly the rights that are there.

Prints a line for each case; words select cases by parts of their names.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
for folder in ("api", "machines", "capi", "providers"):
    sys.path.append(str(HERE.parent / folder))
sys.dont_write_bytecode = True

import capi_cases  # noqa: E402
from clusters import ACCOUNT, CHART, JSON, NAMESPACE, ROOT, cluster, helm, programs, run, until  # noqa: E402
from life import ARGUMENTS, Life  # noqa: E402
import monitoring  # noqa: E402
from replicas import BINARY, end_with_parent, replicas  # noqa: E402
import rights  # noqa: E402
from samples import Skip  # noqa: E402
import telling  # noqa: E402

DEPLOY = ROOT / "deploy/gardener"
MONITORING = CHART / "monitoring"
# Metrics that have no series until something goes wrong, which nothing does here.
SELDOM = {"mcm_machine_num_failed_join", "mcm_machine_stale_machines_total", "mcm_machine_set_status_condition"}


def the_chart_is_sound():
    helm("lint", "--strict", CHART)
    done = subprocess.run([programs() / "helm", "template", CHART, "--set", "replica=3"], check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    assert done.returncode and "replica" in done.stderr, "a value that it does not know was taken"


def the_plain_manifests_are_what_the_chart_gives():
    with tempfile.TemporaryDirectory(prefix="millwright-render-") as directory:
        run(DEPLOY / "render", directory)
        for made in pathlib.Path(directory).iterdir():
            there = (DEPLOY / "manifests" / made.name).read_text()
            assert made.read_text() == there, f"{made.name} is old: run deploy/gardener/render"


def the_alerts_fire_when_they_should():
    monitoring.alerts_fire_when_they_should(MONITORING)


def the_image_is_built():
    if subprocess.run(["which", "buildah"], check=False, stdout=subprocess.DEVNULL).returncode:
        raise Skip("no buildah here; deploy/image/build installs it")
    with tempfile.TemporaryDirectory(prefix="millwright-image-") as directory:
        archive = pathlib.Path(directory) / "image.tar"
        tag = f"millwright:test-{os.getpid()}"
        run(ROOT / "deploy/image/build", "--tag", tag, "--archive", archive)
        run("buildah", "rmi", tag)
        unpacked = pathlib.Path(directory) / "image"
        unpacked.mkdir()
        run("tar", "-xf", archive, "-C", unpacked)

        def blob(digest):
            return json.loads((unpacked / "blobs" / digest.replace(":", "/")).read_text())
        index = json.loads((unpacked / "index.json").read_text())
        config = blob(blob(index["manifests"][0]["digest"])["config"]["digest"])["config"]
        assert config["User"] == "65532:65532" and config["Entrypoint"] == ["/usr/bin/millwright"], config


def standalone_has_metrics_too():
    with tempfile.TemporaryDirectory(prefix="millwright-standalone-") as directory:
        words = ["--in-memory", "--listen", "127.0.0.1:0", "--data-dir", directory, "--metrics-listen", "127.0.0.1:0"]
        process = subprocess.Popen([str(BINARY), "standalone", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   preexec_fn=end_with_parent)
        try:
            address = next(line.split()[-1] for line in process.stdout if line.startswith("Metrics at "))
            with urllib.request.urlopen(address, timeout=60) as answer:
                metrics = answer.read().decode()
            for name in ("mcm_machine_items_total 0", "mcm_workqueue_depth", "process_resident_memory_bytes"):
                assert name in metrics, f"{name} is not there"
        finally:
            process.terminate()
            assert process.wait(timeout=60) == 0, "it did not end well"


def define_kinds(control):
    control.kubectl("apply", "-f", "-", given=run(BINARY, "crds", "--dialect", "gardener"))
    control.until_served()


def restricted_namespace(control):
    control.send("POST", "/api/v1/namespaces", {
        "apiVersion": "v1", "kind": "Namespace",
        "metadata": {"name": NAMESPACE, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}})


def deployment_in(control):
    return control.find(f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/{ACCOUNT}")


def pods_are_admitted(control):
    """A pod of the Deployment, by the strictest of the standards that clusters hold pods to."""
    template = deployment_in(control)["spec"]["template"]
    control.send("POST", f"/api/v1/namespaces/{NAMESPACE}/pods?dryRun=All", {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "try", "labels": template["metadata"]["labels"]},
        "spec": template["spec"]})


def live(control, target=None, extra=()):
    """A whole life by the replicas of the Deployment there; the one that works is sent away in the middle."""
    seen = []
    with replicas(deployment_in(control), control, target) as them:
        them.start([*ARGUMENTS, *extra])
        them.until_ready()

        def another_one():
            leader = them.leader()
            seen.append(them.page(leader, "/metrics"))
            if them.count > 1:
                assert them.stop(leader) == 0, "it did not end well"
                them.leader()

        Life(control, target or control, another_one).live()
        leader = them.leader()
        seen.append(them.page(leader, "/metrics"))
        assert them.stop(leader) == 0, "it did not end well"
        assert "reconcile failed" not in them.log(), them.log()
    return "".join(seen)


def refused(client, method, target, body=None):
    status, _, answer = client.ask(method, target, JSON, json.dumps(body).encode() if body else None)
    return status in (403, 422), f"{method} {target}: {status} {answer.decode()[:200]}"


def no_more_than_that(cluster_, namespace, named):
    """What a thief of the account's token would try."""
    client = cluster_.as_account(namespace)
    opaque = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "mine"}, "type": "kubernetes.io/service-account-token"}
    # A policy holds a moment after it was made.
    until("no other Secrets in kube-system",
          lambda: refused(client, "POST", "/api/v1/namespaces/kube-system/secrets?dryRun=All", opaque)[0])
    tries = [("GET", "/api/v1/secrets", None), ("GET", "/api/v1/namespaces/kube-system/secrets", None),
             ("POST", "/api/v1/namespaces/work/pods", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "mine"}}),
             ("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles", None)]
    if named:
        tries += [("GET", f"/api/v1/namespaces/{NAMESPACE}/secrets{which}", None) for which in ("", "/other")]
    for method, target, body in tries:
        was, told = refused(client, method, target, body)
        assert was, told


def it_lives_with_the_charts_rights_in_one_cluster():
    with cluster() as one:
        define_kinds(one)
        restricted_namespace(one)
        chart = [ACCOUNT, CHART, "--namespace", NAMESPACE, "--kubeconfig", one.kubeconfig,
                 "--set", "provider=simulated", "--set", "secretNames={small}"]
        helm("install", *chart)
        pods_are_admitted(one)
        helm("upgrade", *chart, "--set", "monitoring.dashboard=true")
        objects = [*one.items(f"/apis/rbac.authorization.k8s.io/v1/roles?labelSelector=role={ACCOUNT}"),
                   *one.items(f"/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=role={ACCOUNT}")]
        kinds = ["Role" if "namespace" in found["metadata"] else "ClusterRole" for found in objects]
        objects = [{**found, "kind": kind} for found, kind in zip(objects, kinds)]
        assert len(objects) == 5, [found["metadata"]["name"] for found in objects]
        offset = one.audit_offset()
        metrics = live(one)
        told = rights.compare(objects, one.audit_log, offset, f"system:serviceaccount:{NAMESPACE}:{ACCOUNT}", watch_list=True)
        monitoring.they_ask_for_what_is_there(MONITORING, metrics, SELDOM)
        no_more_than_that(one, NAMESPACE, named=True)
        helm("uninstall", ACCOUNT, "--namespace", NAMESPACE, "--kubeconfig", one.kubeconfig)
        assert not one.find(f"/apis/rbac.authorization.k8s.io/v1/clusterroles/{ACCOUNT}-target") and not deployment_in(one)
        return told


def it_lives_with_the_plain_manifests_in_two_clusters():
    with cluster(watch_list=False) as control, cluster(watch_list=False) as target:
        define_kinds(control)
        in_control = control.apply((DEPLOY / "manifests/control-cluster.yaml").read_text())
        in_target = target.apply((DEPLOY / "manifests/target-cluster.yaml").read_text())
        simulated = helm("template", ACCOUNT, CHART, "--namespace", "kube-system", "--set", "install=target-rights",
                         "--set", "provider=simulated", "--show-only", "templates/simulated-rights.yaml")
        in_target += target.apply(simulated)
        pods_are_admitted(control)
        offsets = control.audit_offset(), target.audit_offset()
        live(control, target, ["--provider=simulated"])
        told = rights.compare(in_control, control.audit_log, offsets[0], f"system:serviceaccount:{NAMESPACE}:{ACCOUNT}",
                              watch_list=False)
        more = rights.compare(in_target, target.audit_log, offsets[1], f"system:serviceaccount:kube-system:{ACCOUNT}",
                              watch_list=False)
        no_more_than_that(target, "kube-system", named=False)
        return f"control: {told}; target: {more}"


TESTS = (the_chart_is_sound, the_plain_manifests_are_what_the_chart_gives, the_alerts_fire_when_they_should, the_image_is_built,
         standalone_has_metrics_too,
         it_lives_with_the_charts_rights_in_one_cluster, it_lives_with_the_plain_manifests_in_two_clusters,
         *capi_cases.CASES)


def main():
    failed = 0
    for test in TESTS:
        if sys.argv[1:] and not any(word in test.__name__ for word in sys.argv[1:]):
            continue
        name = f"deploy: {test.__name__.replace('_', ' ')}"
        figures = []
        line, fine = telling.told(name, lambda: figures.append(test()))
        failed += not fine
        print("\n  ".join([line, *filter(None, figures)]), flush=True)
    sys.exit(1 if failed else 0)


main()
