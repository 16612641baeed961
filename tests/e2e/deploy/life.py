"""Everything that the controller does for machines, once: what its rights are for."""

from clusters import MERGE, NAMESPACE, until

API = f"/apis/machine.sapcloud.io/v1alpha1/namespaces/{NAMESPACE}/"
GROUP = "machine.sapcloud.io/v1alpha1"
SECRETS = f"/api/v1/namespaces/{NAMESPACE}/secrets"
TOKENS = "/api/v1/namespaces/kube-system/secrets?fieldSelector=type=bootstrap.kubernetes.io/token"
NODES = "/api/v1/nodes"
PODS = "/api/v1/namespaces/work/pods"
ATTACHMENTS = "/apis/storage.k8s.io/v1/volumeattachments"
BUDGETS = "/apis/policy/v1/namespaces/work/poddisruptionbudgets"
# So that times pass quickly: nobody attaches a volume here, and one class fails at first. Who is told to end gives its lease away, so
# the other one only has to look often; who is slow on a busy computer is to keep it.
ARGUMENTS = ["--machine-pv-detach-timeout=1s", "--machine-pv-reattach-timeout=1s", "--resource-exhausted-retry=1s",
             "--machine-safety-apiserver-statuscheck-period=1s", "--leader-elect-lease-duration=60s",
             "--leader-elect-renew-deadline=40s", "--leader-elect-retry-period=1s"]


def secret():
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "small"},
            "stringData": {"userData": "join <<MACHINE_NAME>> with <<BOOTSTRAP_TOKEN>>"}}


def machine_class(name, spec):
    return {"apiVersion": GROUP, "kind": "MachineClass", "metadata": {"name": name}, "provider": "simulated", "providerSpec": spec,
            "secretRef": {"name": "small", "namespace": NAMESPACE},
            "nodeTemplate": {"capacity": {"cpu": "4", "gpu": "0", "memory": "8Gi"}, "instanceType": "m.small", "region": "r",
                             "zone": "z"}}


def deployment(name, replicas, class_name):
    return {"apiVersion": GROUP, "kind": "MachineDeployment", "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"name": name}},
                     "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}},
                     "template": {"metadata": {"labels": {"name": name}},
                                  "spec": {"class": {"kind": "MachineClass", "name": class_name},
                                           "nodeTemplate": {"spec": {"taints": [
                                               {"key": "ours", "value": "yes", "effect": "PreferNoSchedule"}]}}}}}}


def pod(name, node, claim=None):
    """Nobody runs it, so it goes at once when it is told to."""
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}] if claim else []
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": "work"}},
            "spec": {"nodeName": node, "terminationGracePeriodSeconds": 0, "volumes": volumes,
                     "containers": [{"name": "it", "image": "it"}]}}


def volume(name):
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
            "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
                     "claimRef": {"namespace": "work", "name": name}, "csi": {"driver": "example.com", "volumeHandle": name}}}


def claim(name):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name},
            "spec": {"accessModes": ["ReadWriteOnce"], "volumeName": name, "storageClassName": "",
                     "resources": {"requests": {"storage": "1Gi"}}}}


def attachment(name, node):
    return {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment", "metadata": {"name": name},
            "spec": {"attacher": "example.com", "nodeName": node, "source": {"persistentVolumeName": name}}}


class Life:
    """`goes_on` is called in the middle: another replica may take over there."""

    def __init__(self, control, target, goes_on=lambda: None):
        self.control, self.target, self.goes_on = control, target, goes_on

    def machines(self, of="web"):
        return {machine["metadata"]["name"]: machine for machine in self.control.items(API + "machines")
                if machine["metadata"]["labels"].get("name") == of}

    def running(self, count, of="web"):
        machines = self.machines(of).values()
        nodes = {node["metadata"]["name"] for node in self.target.items(NODES)}
        return len(machines) == count and all(
            machine.get("status", {}).get("currentStatus", {}).get("phase") == "Running" and
            machine["metadata"]["labels"].get("node") in nodes for machine in machines)

    def live(self):
        self.begin()
        self.adopt()
        self.work_on_nodes()
        self.roll_past_a_budget()
        self.goes_on()
        self.remove_one_by_force()
        self.fail_at_first()
        self.end()

    def begin(self):
        self.control.send("POST", SECRETS, secret())
        self.control.send("POST", API + "machineclasses", machine_class("small", {}))
        self.control.send("POST", API + "machinedeployments", deployment("web", 3, "small"))
        until("three machines", lambda: self.running(3))

    def adopt(self):
        """A set and a machine that belong to nobody, and fit."""
        owned = self.control.items(API + "machinesets")[0]
        labels = owned["spec"]["selector"]["matchLabels"]
        template = owned["spec"]["template"]
        self.control.send("POST", API + "machines", {
            "apiVersion": GROUP, "kind": "Machine", "metadata": {"name": "stray", "labels": template["metadata"]["labels"]},
            "spec": template["spec"]})
        other = {"name": "web", "stray": "yes"}
        self.control.send("POST", API + "machinesets", {
            "apiVersion": GROUP, "kind": "MachineSet", "metadata": {"name": "stray", "labels": other},
            "spec": {"replicas": 0, "selector": {"matchLabels": other},
                     "template": {**template, "metadata": {"labels": other}}}})
        # It may be one too many, and go again.
        def adopted(kind):
            found = self.control.find(API + kind + "/stray")
            return found is None or found["metadata"].get("ownerReferences")
        until("the machine is adopted", lambda: adopted("machines"))
        until("the set is adopted", lambda: adopted("machinesets"))
        assert labels, owned
        until("three machines again", lambda: self.running(3))

    def work_on_nodes(self):
        """A pod on each node, the first with a volume; a budget that lets none go."""
        self.target.send("POST", "/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "work"}})
        until("its account", lambda: self.target.find("/api/v1/namespaces/work/serviceaccounts/default"))
        self.target.send("POST", "/api/v1/persistentvolumes", volume("data"))
        self.target.send("POST", "/api/v1/namespaces/work/persistentvolumeclaims", claim("data"))
        nodes = sorted(machine["metadata"]["labels"]["node"] for machine in self.machines().values())
        self.target.send("POST", ATTACHMENTS, attachment("data", nodes[0]))
        for number, node in enumerate(nodes):
            self.target.send("POST", PODS, pod(f"pod-{number}", node, "data" if number == 0 else None))
            self.target.send("PATCH", f"{PODS}/pod-{number}/status", {
                "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}, MERGE)
        self.target.send("POST", BUDGETS, {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "all"},
                                           "spec": {"minAvailable": 3, "selector": {"matchLabels": {"app": "work"}}}})
        until("the budget counts", lambda: self.target.find(BUDGETS + "/all")["status"].get("currentHealthy") == 3)

    def roll_past_a_budget(self):
        before = set(self.machines())
        self.control.send("PATCH", API + "machinedeployments/web",
                          {"spec": {"template": {"metadata": {"labels": {"version": "2"}}}}}, MERGE)
        until("a machine says what blocks it", lambda: any(
            "work/all" in machine.get("status", {}).get("lastOperation", {}).get("description", "")
            for machine in self.machines().values()))
        self.target.send("DELETE", BUDGETS + "/all")
        until("three others", lambda: self.running(3) and not before & set(self.machines()))
        assert not self.target.items(PODS), "pods outlived their nodes"
        self.target.send("DELETE", ATTACHMENTS + "/data")

    def remove_one_by_force(self):
        name, machine = sorted(self.machines().items())[0]
        node = machine["metadata"]["labels"]["node"]
        self.target.send("POST", PODS, pod("stays", node))
        self.target.send("POST", ATTACHMENTS, attachment("held", node))
        self.target.send("PATCH", f"{NODES}/{node}/status", {
            "status": {"volumesAttached": [{"name": "kubernetes.io/csi/example.com^held", "devicePath": ""}]}}, MERGE)
        self.control.send("PATCH", f"{API}machines/{name}", {"metadata": {"labels": {"force-deletion": "True"}}}, MERGE)
        self.control.send("DELETE", f"{API}machines/{name}")
        until("it is gone", lambda: name not in self.machines())
        until("its pod and its volume are free", lambda: not self.target.items(PODS) and not self.target.items(ATTACHMENTS))
        until("three machines after that", lambda: self.running(3))

    def fail_at_first(self):
        """Thrice: an event that is repeated is counted."""
        self.control.send("POST", API + "machineclasses", machine_class(
            "flaky", {"fail": {"create": {"code": "ResourceExhausted", "times": 3}}}))
        self.control.send("POST", API + "machinedeployments", deployment("flaky", 1, "flaky"))
        until("it runs in the end", lambda: self.running(1, "flaky"))
        until("an event that was counted", lambda: any(
            event.get("count", 1) > 1 for event in self.control.items(f"/api/v1/namespaces/{NAMESPACE}/events")))

    def end(self):
        for name in ("web", "flaky"):
            self.control.send("DELETE", API + "machinedeployments/" + name)
        until("nothing is left", lambda: not any(
            self.control.items(API + kind) for kind in ("machinedeployments", "machinesets", "machines")))
        until("no node and no token is left", lambda: not self.target.items(NODES) and not self.target.items(TOKENS))
        for target in (API + "machineclasses/small", API + "machineclasses/flaky", SECRETS + "/small"):
            self.control.send("DELETE", target)
        until("no class is left", lambda: not self.control.items(API + "machineclasses"))
        until("its Secret is gone", lambda: not self.control.find(SECRETS + "/small"))
