"""Who finds the metrics of the Deployment for Cluster API, and who may read them."""

import json

from capi_replicas import NAMESPACE
from clusters import until

METRICS_READER = "capi-metrics-reader"
MONITORS = f"/apis/monitoring.coreos.com/v1/namespaces/{NAMESPACE}/"


def prometheus_finds_the_replicas(server, deployment):
    """What the chart gives the operator, and Grafana."""
    monitor = server.find(MONITORS + "servicemonitors/capi-controller-manager")["spec"]
    labels = ",".join(f"{key}={value}" for key, value in monitor["selector"]["matchLabels"].items())
    service, = server.items(f"/api/v1/namespaces/{NAMESPACE}/services?labelSelector={labels}")
    endpoint, = monitor["endpoints"]
    target, = [port["targetPort"] for port in service["spec"]["ports"] if port["name"] == endpoint["port"]]
    container, = deployment["spec"]["template"]["spec"]["containers"]
    assert {"name": target, "containerPort": 8443, "protocol": "TCP"} in container["ports"] and endpoint["scheme"] == "https", (service, endpoint)
    assert server.find(MONITORS + "prometheusrules/capi-controller-manager")["spec"]["groups"][0]["rules"]
    shown, = server.find(f"/api/v1/namespaces/{NAMESPACE}/configmaps/capi-controller-manager-dashboard")["data"].values()
    assert json.loads(shown)["panels"]


def scraper_of(server):
    """The token of an account that may read metrics, as the README says it; one that may not is beside it."""
    for name in ("scraper", "nosy"):
        server.send("POST", f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts",
                    {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name}})
    server.kubectl("create", "clusterrolebinding", "capi-metrics", f"--clusterrole={METRICS_READER}", f"--serviceaccount={NAMESPACE}:scraper")
    return server.token(NAMESPACE, "scraper")


def metrics_are_for_those_who_may(server, them, token):
    name = next(iter(them.ports))
    # A new right holds a moment after it was given.
    until("a scraper is served", lambda: them.scrape(name, token)[0] == 200)
    for what, asked, expected in (("nobody", None, 401), ("a token of nobody", "made-up", 401), ("one who may not", server.token(NAMESPACE, "nosy"), 403)):
        status, page = them.scrape(name, asked)
        assert status == expected and "process_" not in page, f"{what}: {status} {page[:200]}"
