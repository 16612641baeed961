"""A cluster of upstream's own providers: kubeadm's bootstrap and control plane, and the dev provider, whose machines are in memory."""

import base64
import contextlib
import pathlib
import tempfile

import wishes
from client import Client
from ground import CLUSTER, CORE_PATH, PATHS, Ground, phase
from wishes import reference
from yard import condition

INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io"
BOOTSTRAP = "bootstrap.cluster.x-k8s.io"
CONTROL_PLANE = "controlplane.cluster.x-k8s.io"
VERSION = "v1beta2"
KUBERNETES = "v1.35.0"  # what its machines say that they run
WORKERS = "workers"

DEV_PATH = f"/apis/{INFRASTRUCTURE}/{VERSION}/namespaces/{{}}/"
BOOTSTRAP_PATH = f"/apis/{BOOTSTRAP}/{VERSION}/namespaces/{{}}/"
KUBELET = {"nodeRegistration": {"criSocket": "unix:///var/run/containerd/containerd.sock"}}


# The provider writes into the annotations of its cluster without looking whether there are any, and panics if not.
ANNOTATED = {"annotations": {"test.millwright.dev/some": "annotation"}}


def _dev(kind, name, backend, is_template=False):
    spec = {"backend": {"inMemory": backend}}
    return wishes.body(INFRASTRUCTURE, VERSION, kind, name, {"template": {"spec": spec}} if is_template else spec, **ANNOTATED)


def _starting(*parts):
    return {part: {"provisioning": {"startupDuration": "1s"}} for part in parts}


class DevGround(Ground):
    paths = {
        **PATHS,
        "dev clusters": DEV_PATH + "devclusters",
        "dev machines": DEV_PATH + "devmachines",
        "dev machine templates": DEV_PATH + "devmachinetemplates",
        "kubeadm configs": BOOTSTRAP_PATH + "kubeadmconfigs",
        "kubeadm config templates": BOOTSTRAP_PATH + "kubeadmconfigtemplates",
        "kubeadm control planes": f"/apis/{CONTROL_PLANE}/{VERSION}/namespaces/{{}}/kubeadmcontrolplanes",
        "pools": CORE_PATH + "machinepools",
    }
    watched = ("clusters", "deployments", "sets", "machines", "checks", "dev clusters", "dev machines", "kubeadm configs",
               "kubeadm control planes", "secrets")

    def settle_dev(self, workers, control_planes=1):
        self.create("dev clusters", _dev("DevCluster", CLUSTER, {}))
        self.create("dev machine templates", _dev("DevMachineTemplate", "control-plane", _starting("vm", "node", "apiServer", "etcd"), True))
        self.supply_dev("worker")
        self.create("kubeadm config templates", wishes.body(BOOTSTRAP, VERSION, "KubeadmConfigTemplate", "worker", {
            "template": {"spec": {"joinConfiguration": KUBELET}}}))
        self.create("kubeadm control planes", wishes.body(CONTROL_PLANE, VERSION, "KubeadmControlPlane", CLUSTER, {
            "replicas": control_planes, "version": KUBERNETES,
            "machineTemplate": {"spec": {"infrastructureRef": reference(INFRASTRUCTURE, "DevMachineTemplate", "control-plane")}},
            "kubeadmConfigSpec": {"initConfiguration": KUBELET, "joinConfiguration": KUBELET}}))
        self.create("clusters", wishes.core("Cluster", CLUSTER, {
            "clusterNetwork": {"pods": {"cidrBlocks": ["192.168.0.0/16"]}, "services": {"cidrBlocks": ["10.128.0.0/12"]}},
            "infrastructureRef": reference(INFRASTRUCTURE, "DevCluster", CLUSTER),
            "controlPlaneRef": reference(CONTROL_PLANE, "KubeadmControlPlane", CLUSTER)}))
        self.create("deployments", wishes.deployment(
            WORKERS, CLUSTER, workers, reference(INFRASTRUCTURE, "DevMachineTemplate", "worker"),
            reference(BOOTSTRAP, "KubeadmConfigTemplate", "worker"), machine={"version": KUBERNETES}))

    def supply_dev(self, name):
        self.create("dev machine templates", _dev("DevMachineTemplate", name, _starting("vm", "node"), True))

    def workers(self):
        return {m["metadata"]["name"] for m in self.all("machines") if m["metadata"]["labels"].get(wishes.DEPLOYMENT_LABEL) == WORKERS}

    def runs_dev(self, workers, control_planes=1):
        """All machines run with their nodes and are up to date, and so say the deployment, the control plane and the cluster."""
        machines = self.all("machines")
        return (len(machines) == workers + control_planes and len(self.workers()) == workers
                and all(phase(m) == "Running" and m["status"].get("nodeRef", {}).get("name") for m in machines)
                and all(condition(m, kind).get("status") == "True" for m in machines for kind in ("Available", "Ready", "UpToDate"))
                and _counts(self.one("deployments", WORKERS), workers) and self.control_plane_counts(control_planes)
                and condition(self.one("clusters", CLUSTER), "RemoteConnectionProbe").get("status") == "True")

    def control_plane_counts(self, count):
        return _counts(self.one("kubeadm control planes", CLUSTER), count)

    def until_dev_runs(self, workers, control_planes=1):
        self.until(f"{workers} workers and {control_planes} control planes", lambda: self.runs_dev(workers, control_planes))

    @contextlib.contextmanager
    def workload(self):
        """A client to the cluster in memory."""
        found = self.get("secrets", f"{CLUSTER}-kubeconfig")
        with tempfile.TemporaryDirectory(prefix="millwright-workload-") as home:
            path = pathlib.Path(home) / "kubeconfig"
            path.write_bytes(base64.b64decode(found["data"]["value"]))
            yield Client(path)

    def until_dev_gone(self):
        self.until("nothing is left", lambda: not any(self.all(kind) for kind in (
            "clusters", "deployments", "sets", "machines", "dev clusters", "dev machines", "kubeadm configs", "kubeadm control planes")))


def _counts(found, count):
    status = found.get("status", {})
    return (all(status.get(name, 0) == count for name in ("replicas", "readyReplicas", "availableReplicas", "upToDateReplicas"))
            and status.get("observedGeneration") == found["metadata"]["generation"])
