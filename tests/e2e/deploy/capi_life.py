"""Everything that the controllers do for Cluster API's objects, once: what their rights are for."""

import wishes
from clusters import MERGE, until
from wishes import BOOTSTRAP, CONTROL_PLANE, CORE, INFRASTRUCTURE, OWN_VERSION

SPACE = "fleet"
API = f"/apis/{CORE}/v1beta2/namespaces/{SPACE}/"
OWN = {group: f"/apis/{group}/{OWN_VERSION}/namespaces/{SPACE}/" for group in (INFRASTRUCTURE, BOOTSTRAP, CONTROL_PLANE)}
SECRETS = f"/api/v1/namespaces/{SPACE}/secrets"
NODES = "/api/v1/nodes"
STRATEGIC = {"Content-Type": "application/strategic-merge-patch+json"}
# Who is told to end gives its lease away, so the other one only has to look often; who is slow on a busy computer is to keep it.
ARGUMENTS = ["--leader-elect-lease-duration=60s", "--leader-elect-renew-deadline=40s", "--leader-elect-retry-period=1s"]
# A provider that somebody else wrote, played by the case: kinds in the groups that providers share.
FOREIGN = {"TestMachine": "infrastructure", "TestMachineTemplate": "infrastructure", "TestCluster": "infrastructure",
           "TestConfig": "bootstrap", "TestConfigTemplate": "bootstrap", "TestControlPlane": "controlplane"}
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def group_of(kind):
    return f"{FOREIGN[kind]}.{CORE}"


def path_of(kind):
    return f"/apis/{group_of(kind)}/v1/namespaces/{SPACE}/{kind.lower()}s"


def definition(kind):
    plural = kind.lower() + "s"
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{group_of(kind)}", "labels": {f"{CORE}/v1beta2": "v1"}},
            "spec": {"group": group_of(kind), "scope": "Namespaced",
                     "names": {"kind": kind, "plural": plural, "singular": kind.lower(), "listKind": f"{kind}List"},
                     "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                                   "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": OPEN, "status": OPEN}}}}]}}


class CapiLife:
    """`goes_on` is called in the middle: another replica may take over there."""

    def __init__(self, server, goes_on=lambda: None):
        self.server, self.goes_on = server, goes_on
        self.joined = None  # the name of a node that the case made

    # What there is.

    def machines(self, of):
        return {machine["metadata"]["name"]: machine for machine in self.server.items(API + "machines")
                if machine["metadata"]["labels"].get(wishes.DEPLOYMENT_LABEL) == of}

    def running(self, count, of="web"):
        found = self.server.find(API + "machinedeployments/" + of)
        status = found.get("status", {})
        return (len(self.machines(of)) == count and status.get("availableReplicas") == count and status.get("upToDateReplicas") == count
                and status.get("observedGeneration") == found["metadata"]["generation"])

    def create(self, collection, body):
        return self.server.send("POST", collection, body)

    # The life.

    def live(self):
        self.settle()
        self.begin()
        self.old_version()
        self.heal()
        self.roll()
        self.goes_on()
        self.fail_at_first()
        self.drain()
        self.serve_a_foreign_provider()
        self.end()

    def settle(self):
        self.create("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": SPACE}})
        for kind in FOREIGN:
            self.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition(kind))

    def make_cluster(self, name, **references):
        self.create(SECRETS, wishes.kubeconfig_secret(name, self.server.kubeconfig))
        self.create(API + "clusters", wishes.cluster(name, **references))

    def begin(self):
        self.create(OWN[INFRASTRUCTURE] + "millwrightclusters", wishes.body(INFRASTRUCTURE, OWN_VERSION, "MillwrightCluster", "own"))
        self.create(OWN[CONTROL_PLANE] + "millwrightcontrolplanes",
                    wishes.body(CONTROL_PLANE, OWN_VERSION, "MillwrightControlPlane", "own"))
        self.make_cluster("own")
        for name in ("small", "other"):
            self.create(OWN[INFRASTRUCTURE] + "millwrightmachinetemplates", wishes.instance_template(name))
        self.create(OWN[BOOTSTRAP] + "millwrightbootstraptemplates", wishes.bootstrap_template("small"))
        self.create(API + "machinedeployments", wishes.deployment(
            "web", "own", 2, wishes.reference(INFRASTRUCTURE, "MillwrightMachineTemplate", "small"),
            wishes.reference(BOOTSTRAP, "MillwrightBootstrapTemplate", "small")))
        until("two machines", lambda: self.running(2))

    def old_version(self):
        """Converted by whoever stands behind the service; and what is wrong is refused there."""
        old = self.server.send("GET", API.replace("v1beta2", "v1beta1") + "machinedeployments/web")
        assert old["apiVersion"].endswith("/v1beta1") and old["status"]["availableReplicas"] == 2, old
        bad = wishes.deployment("bad", "own", 1, {}, {})
        bad["spec"]["selector"] = {"matchLabels": {"not": "there"}}
        status, answer = self.server.ask("POST", API + "machinedeployments", bad)
        assert status == 422, f"{status} {answer}"

    def heal(self):
        check = {"clusterName": "own", "selector": {"matchLabels": {wishes.DEPLOYMENT_LABEL: "web"}},
                 "checks": {"unhealthyNodeConditions": [{"type": "Ready", "status": "False", "timeoutSeconds": 1}]}}
        self.create(API + "machinehealthchecks", wishes.core("MachineHealthCheck", "check", check))
        until("the check counts", lambda: self.server.find(API + "machinehealthchecks/check").get("status", {}).get("currentHealthy") == 2)
        sick = sorted(self.machines("web"))[0]
        self.server.send("PATCH", f"{NODES}/{sick}/status", {
            "status": {"conditions": [{"type": "Ready", "status": "False", "reason": "Sick", "message": "ill"}]}}, STRATEGIC)
        until("another in its place", lambda: sick not in self.machines("web") and self.running(2))
        self.server.send("DELETE", API + "machinehealthchecks/check")

    def roll(self):
        before = set(self.machines("web"))
        self.server.send("PATCH", API + "machinedeployments/web",
                         {"spec": {"template": {"spec": {"infrastructureRef": {"name": "other"}}}}}, MERGE)
        until("two others", lambda: self.running(2) and not before & set(self.machines("web")))

    def fail_at_first(self):
        """Thrice: an event that is repeated is counted."""
        self.create(OWN[INFRASTRUCTURE] + "millwrightmachinetemplates", wishes.instance_template(
            "flaky", spec={"fail": {"create": {"code": "Unavailable", "times": 3}}}))
        self.create(API + "machinedeployments", wishes.deployment(
            "flaky", "own", 1, wishes.reference(INFRASTRUCTURE, "MillwrightMachineTemplate", "flaky"),
            wishes.reference(BOOTSTRAP, "MillwrightBootstrapTemplate", "small")))
        until("it runs in the end", lambda: self.running(1, "flaky"))
        until("an event that was counted", lambda: any(
            event.get("count", 1) > 1 for event in self.server.items(f"/api/v1/namespaces/{SPACE}/events")))

    def drain(self):
        """A drain rule lets a pod be."""
        name = sorted(self.machines("web"))[0]
        self.create(API + "machinedrainrules", wishes.core("MachineDrainRule", "skip", {
            "drain": {"behavior": "Skip"}, "pods": [{"selector": {"matchLabels": {"app": "stays"}}}]}))
        until("its account", lambda: self.server.find(f"/api/v1/namespaces/{SPACE}/serviceaccounts/default"))
        pods = f"/api/v1/namespaces/{SPACE}/pods"
        for app in ("stays", "goes"):
            self.create(pods, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": app, "labels": {"app": app}},
                               "spec": {"nodeName": name, "terminationGracePeriodSeconds": 0,
                                        "containers": [{"name": "it", "image": "it"}]}})
        self.server.send("DELETE", API + "machines/" + name)
        until("it is gone", lambda: name not in self.machines("web"))
        # At once: pods of nodes that are gone are collected after 40 s.
        assert self.server.find(pods + "/stays") and not self.server.find(pods + "/goes"), "the rule was not kept"
        until("it is replaced", lambda: self.running(2))
        self.server.ask("DELETE", pods + "/stays")

    def serve_a_foreign_provider(self):
        """With one machine, and a control plane of its own."""
        for kind, name in (("TestCluster", "foreign"), ("TestControlPlane", "foreign"), ("TestMachineTemplate", "t"), ("TestConfigTemplate", "t")):
            spec = {"template": {"spec": {}}} if kind.endswith("Template") else {}
            self.create(path_of(kind), wishes.body(group_of(kind), "v1", kind, name, spec))
        self.make_cluster("foreign", infrastructure=wishes.reference(group_of("TestCluster"), "TestCluster", "foreign"),
                          control_plane=wishes.reference(group_of("TestControlPlane"), "TestControlPlane", "foreign"))
        self.fill("TestCluster", "foreign", {"initialization": {"provisioned": True}})
        self.fill("TestControlPlane", "foreign", {"initialization": {"controlPlaneInitialized": True}, "externalManagedControlPlane": True})
        self.create(API + "machinedeployments", wishes.deployment(
            "far", "foreign", 1, wishes.reference(group_of("TestMachine"), "TestMachineTemplate", "t"),
            wishes.reference(group_of("TestConfig"), "TestConfigTemplate", "t")))
        until("both objects", lambda: self.server.items(path_of("TestMachine")) and self.server.items(path_of("TestConfig")))
        name = self.server.items(path_of("TestMachine"))[0]["metadata"]["name"]
        self.create(SECRETS, {"apiVersion": "v1", "kind": "Secret", "type": f"{CORE}/secret", "stringData": {"value": "x"},
                              "metadata": {"name": name, "labels": {wishes.CLUSTER_LABEL: "foreign"}}})
        self.fill("TestConfig", name, {"initialization": {"dataSecretCreated": True}, "dataSecretName": name})
        self.server.send("PATCH", f"{path_of('TestMachine')}/{name}", {"spec": {"providerID": f"test:///{name}"}}, MERGE)
        self.fill("TestMachine", name, {"initialization": {"provisioned": True}})
        self.joined = name
        self.create(NODES, {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {"providerID": f"test:///{name}"},
                            "status": {"conditions": [{"type": kind, "status": "True" if kind == "Ready" else "False", "reason": "x"}
                                                      for kind in ("Ready", "MemoryPressure", "DiskPressure", "PIDPressure")]}})
        until("it runs", lambda: self.running(1, "far"))

    def fill(self, kind, name, status):
        self.server.send("PATCH", f"{path_of(kind)}/{name}/status", {"status": status}, MERGE)

    def until_no_nodes(self):
        left = []

        def none():
            left[:] = [node["metadata"]["name"] for node in self.server.items(NODES)]
            return not left
        try:
            until("no node is left", none)
        except AssertionError as error:
            raise AssertionError(f"{error}: {left}, of which that were made by the case: {self.joined}") from None

    def end(self):
        """Machines first, as the nodes of a Cluster that goes are left alone; it takes all the rest of its own along."""
        for name in ("web", "flaky", "far"):
            self.server.send("PATCH", API + "machinedeployments/" + name, {"spec": {"replicas": 0}}, MERGE)
        until("no machine is left", lambda: not self.server.items(API + "machines"))
        self.until_no_nodes()
        for name in ("own", "foreign"):
            self.server.send("DELETE", API + "clusters/" + name)
        kinds = ("clusters", "machinedeployments", "machinesets", "machines")
        until("nothing is left", lambda: not any(self.server.items(API + kind) for kind in kinds))
        until("nothing of providers is left", lambda: not any(self.server.items(path_of(kind)) for kind in (
            "TestMachine", "TestConfig", "TestCluster", "TestControlPlane")) and not self.server.items(OWN[INFRASTRUCTURE] + "millwrightmachines"))
