"""The deployment for Cluster API: rendered, applied to a real API server, and alive with exactly its rights."""

import base64
import contextlib
import json
import pathlib
import subprocess
import tempfile

import monitoring
import rights
import wishes
from capi_life import ARGUMENTS, CapiLife
from capi_monitoring import METRICS_READER, metrics_are_for_those_who_may, prometheus_finds_the_replicas, scraper_of
from capi_replicas import NAMESPACE, SERVICE, CapiReplicas, own_address
from certificates import Authority
from clusters import MERGE, ROOT, cluster, helm, programs, run, until
from open_kinds import define_open
from replicas import BINARY, replicas
from samples import Skip
from wishes import CORE

DEPLOY = ROOT / "deploy/cluster-api"
CHART = DEPLOY / "chart"
MONITORING = CHART / "monitoring"
USER = f"system:serviceaccount:{NAMESPACE}:capi-manager"
DEPLOYMENT = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/capi-controller-manager"
ROLES = "/apis/rbac.authorization.k8s.io/v1/"
AGGREGATE = "cluster.x-k8s.io/aggregate-to-manager"
AGGREGATED = "capi-aggregated-manager-role"
SHARED_GROUPS = [f"{part}.cluster.x-k8s.io" for part in ("infrastructure", "bootstrap", "controlplane")]
BESIDE_PATCH = "asked beside patch when an apply makes what is not there"
OWNERS = "asked by the admission plugin OwnerReferencesPermissionEnforcement, which is on here, and not by a request"
# Rights that no request of the test shows, each with its reason.
NEVER_SEEN = {
    ("machines.cluster.x-k8s.io", "create"): BESIDE_PATCH,
    ("machinesets.cluster.x-k8s.io", "create"): BESIDE_PATCH,
    ("millwrightmachines.infrastructure.millwright.dev", "create"): BESIDE_PATCH,
    ("millwrightbootstraps.bootstrap.millwright.dev", "create"): BESIDE_PATCH,
    **{(f"*.{group}", "create"): BESIDE_PATCH for group in SHARED_GROUPS},
    ("leases.coordination.k8s.io", "create", "capi-manager-simulated"): BESIDE_PATCH,
    ("nodes", "get", "capi-manager-simulated"): "asked by a replica that takes over, which one alone does not",
    **{(f"{kind}.cluster.x-k8s.io/finalizers", "update"): OWNERS for kind in ("clusters", "machines", "machinesets", "machinedeployments")},
    ("machinehealthchecks.cluster.x-k8s.io", "delete"): "likewise: whoever sets an owner must be allowed to delete what is owned",
    ("millwrightmachinetemplates.infrastructure.millwright.dev", "delete"): "likewise",
    ("millwrightbootstraptemplates.bootstrap.millwright.dev", "delete"): "likewise",
    ("machines.cluster.x-k8s.io", "get"): "read live before an object that no machine names is removed",
    ("*.controlplane.cluster.x-k8s.io", "get"): "one rule for the three groups; templates are read in the other two",
}
# Seen only where the server does not send the first state as a watch (WatchList).
LISTED = ([f"{kind}.cluster.x-k8s.io" for kind in ("clusters", "machines", "machinesets", "machinedeployments", "machinehealthchecks", "machinedrainrules")]
          + [f"*.{group}" for group in SHARED_GROUPS] + ["secrets", "customresourcedefinitions.apiextensions.k8s.io"]
          + [f"millwright{kind}.{group}.millwright.dev" for group, kinds in {
              "infrastructure": ("machines", "machinetemplates", "clusters"), "bootstrap": ("bootstraps", "bootstraptemplates"),
              "controlplane": ("controlplanes",)}.items() for kind in kinds])


def the_chart_for_cluster_api_is_sound():
    helm("lint", "--strict", CHART)
    for wrong in (["--set", "replica=3"], ["--set", "webhooks.certManager=false"]):
        done = subprocess.run([programs() / "helm", "template", CHART, *wrong], check=False, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        assert done.returncode, f"{wrong} was taken"
    narrow = run(programs() / "helm", "template", CHART, "--namespace", NAMESPACE, "--set", "watchNamespace=fleet", "--show-only",
                 "templates/rights.yaml")
    assert "kind: RoleBinding\nmetadata:\n  name: capi-manager-rolebinding\n  namespace: fleet\n" in narrow, narrow


def the_alerts_for_cluster_api_fire_when_they_should():
    monitoring.alerts_fire_when_they_should(MONITORING)


def what_is_made_for_cluster_api_is_what_its_sources_give():
    with tempfile.TemporaryDirectory(prefix="millwright-render-") as directory:
        run(DEPLOY / "render", directory)
        for made in (path for path in pathlib.Path(directory).rglob("*") if path.is_file()):
            there = DEPLOY / made.relative_to(directory)
            assert made.read_text() == there.read_text(), f"{made.name} is old: run deploy/cluster-api/render"


@contextlib.contextmanager
def certificates():
    """The folder that is mounted, and who vouches for it."""
    with tempfile.TemporaryDirectory(prefix="millwright-certificates-") as directory:
        authority = Authority(pathlib.Path(directory) / "authority")
        folder = authority.issue(pathlib.Path(directory) / "certs", names=f"DNS:{SERVICE}.{NAMESPACE}.svc")
        yield folder


@contextlib.contextmanager
def management(watch_list):
    if not own_address():
        raise Skip("this computer has no address but loopback, and servers send webhooks to no such one")
    # Without kube-proxy the server itself finds who is behind a service.
    with cluster(watch_list, ["--enable-aggregator-routing=true"]) as one:
        yield one


def pods_are_admitted(server):
    template = server.find(DEPLOYMENT)["spec"]["template"]
    server.send("POST", f"/api/v1/namespaces/{NAMESPACE}/pods?dryRun=All", {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "try", "labels": template["metadata"]["labels"]}, "spec": template["spec"]})


def granted_roles(server):
    """Those that the account is bound to: what is labelled is in the one that gathers it, a moment later."""
    until("the roles are gathered", lambda: all(
        rule in (server.find(f"{ROLES}clusterroles/{AGGREGATED}")["rules"] or [])
        for role in server.items(ROLES + f"clusterroles?labelSelector={AGGREGATE}=true") for rule in role["rules"]))
    cluster_wide = [{**found, "kind": "ClusterRole"} for found in server.items(ROLES + "clusterroles?labelSelector=cluster.x-k8s.io/provider=cluster-api")
                    if AGGREGATE not in found["metadata"]["labels"]
                    and found["metadata"]["name"] != METRICS_READER]
    local = [{**found, "kind": "Role"} for found in server.items(ROLES + "roles?labelSelector=cluster.x-k8s.io/provider=cluster-api")]
    assert {found["metadata"]["name"] for found in [*cluster_wide, *local]} == {
        AGGREGATED, "capi-definitions-role", "capi-leader-election-role", "capi-manager-simulated"}, cluster_wide
    return [*cluster_wide, *local]


def live(server, folder):
    """What its metrics were in the middle and at the end."""
    CapiReplicas.certificates = folder
    pages = []
    with replicas(server.find(DEPLOYMENT), server, kind=CapiReplicas) as them:
        them.start(ARGUMENTS)
        them.until_ready()
        them.announce()
        # A server sends webhooks behind a service a moment after that is announced.
        until("webhooks are reached", lambda: server.ask(
            "POST", f"/apis/{CORE}/v1beta2/namespaces/{NAMESPACE}/clusters?dryRun=All", wishes.cluster("try"))[0] == 201)
        token = scraper_of(server)
        metrics_are_for_those_who_may(server, them, token)

        def another_one():
            pages.append(them.metrics(token))
            if them.count > 1:
                assert them.stop(them.leader()) == 0, "it did not end well"
            them.leader()

        CapiLife(server, another_one).live()
        pages.append(them.metrics(token))
        assert them.stop(them.leader()) == 0, "it did not end well"
        assert "kind=permission" not in them.log(), them.log()
    return "".join(pages)


def no_more_than_that(server):
    """What a thief of the account's token would try."""
    client = server.as_account(NAMESPACE, "capi-manager")

    def refused(method, target, body=None):
        status, _, answer = client.ask(method, target, {"Content-Type": "application/json"}, json.dumps(body).encode() if body else None)
        return status in (403, 422), f"{method} {target}: {status} {answer.decode()[:200]}"
    token = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "mine", "annotations": {"kubernetes.io/service-account.name": "default"}},
             "type": "kubernetes.io/service-account-token"}
    until("no Secrets but those of clusters", lambda: refused("POST", "/api/v1/namespaces/kube-system/secrets?dryRun=All", token)[0])
    for method, target, body in (("DELETE", "/api/v1/namespaces/kube-system/secrets/x", None), ("GET", ROLES + "clusterroles", None),
                                 ("POST", "/api/v1/namespaces/default/pods", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "mine"}}),
                                 ("PATCH", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/machines.cluster.x-k8s.io", {})):
        was, told = refused(method, target, body)
        assert was, told


def compare(server, roles, offset, watch_list):
    return rights.compare(roles, server.audit_log, offset, USER, watch_list, NEVER_SEEN, LISTED, SHARED_GROUPS)


def clusters_live_with_the_charts_rights():
    with management(watch_list=True) as one, certificates() as folder:
        one.send("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {
            "name": NAMESPACE, "labels": {"pod-security.kubernetes.io/enforce": "restricted"}}})
        where = ["--namespace", NAMESPACE, "--kubeconfig", one.kubeconfig]
        define_open(one, "monitoring.coreos.com", "ServiceMonitor", "PrometheusRule")
        helm("install", "capi", CHART, *where, "--set", "webhooks.certManager=false", "--set", "providers.simulated=true",
             "--set-file", f"webhooks.caBundle={folder / 'ca.crt'}",
             *(word for what in ("serviceMonitor", "rules", "dashboard") for word in ("--set", f"monitoring.{what}=true")))
        one.until_served()
        pods_are_admitted(one)
        prometheus_finds_the_replicas(one, one.find(DEPLOYMENT))
        roles = granted_roles(one)
        offset = one.audit_offset()
        metrics = live(one, folder)
        told = compare(one, roles, offset, watch_list=True)
        monitoring.they_ask_for_what_is_there(MONITORING, metrics)
        no_more_than_that(one)
        helm("uninstall", "capi", *where)
        assert not one.find(DEPLOYMENT) and not one.find(f"{ROLES}clusterroles/{AGGREGATED}")
        assert one.find("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/machines.cluster.x-k8s.io"), "machines went with the release"
        return told


# The part of cert-manager.

def inject_authority(server, objects, authority):
    """Into what asks for it by its annotation, as cert-manager's injector does."""
    bundle = base64.b64encode(authority).decode()
    asked = [found for found in objects if found["metadata"].get("annotations", {}).get("cert-manager.io/inject-ca-from")]
    kinds = sorted({found["kind"] for found in asked})
    assert kinds == ["CustomResourceDefinition", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"], kinds
    for found in asked:
        name = found["metadata"]["name"]
        if found["kind"] == "CustomResourceDefinition":
            patch = {"spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": bundle}}}}}
            server.send("PATCH", f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}", patch, MERGE)
            continue
        for webhook in found["webhooks"]:
            webhook["clientConfig"]["caBundle"] = bundle
        plural = found["kind"].lower() + "s"
        server.send("PATCH", f"/apis/admissionregistration.k8s.io/v1/{plural}/{name}", {"webhooks": found["webhooks"]}, MERGE)


def clusters_live_with_the_plain_manifests():
    with management(watch_list=False) as one, certificates() as folder:
        define_open(one, "cert-manager.io", "Certificate", "Issuer")
        made = one.apply(run(BINARY, "crds", "--dialect", "cluster-api", "--webhook-service", f"{NAMESPACE}/{SERVICE}",
                             "--inject-ca-from", f"{NAMESPACE}/capi-serving-cert"))
        made += one.apply((DEPLOY / "manifests/manager.yaml").read_text())
        one.until_served()
        inject_authority(one, made, (folder / "ca.crt").read_bytes())
        one.apply(helm("template", "capi", CHART, "--namespace", NAMESPACE, "--set", "providers.simulated=true",
                       "--show-only", "templates/rights.yaml"))
        pods_are_admitted(one)
        roles = granted_roles(one)
        offset = one.audit_offset()
        live(one, folder)
        return compare(one, roles, offset, watch_list=False)


CASES = (the_chart_for_cluster_api_is_sound, the_alerts_for_cluster_api_fire_when_they_should,
         what_is_made_for_cluster_api_is_what_its_sources_give, clusters_live_with_the_charts_rights, clusters_live_with_the_plain_manifests)
