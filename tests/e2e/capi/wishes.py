"""What cases of the Cluster API dialect create, as users write it."""

import base64
import json

from client import _data, _field  # how a kubeconfig is read is known there

CORE = "cluster.x-k8s.io"
INFRASTRUCTURE = "infrastructure.millwright.dev"
BOOTSTRAP = "bootstrap.millwright.dev"
CONTROL_PLANE = "controlplane.millwright.dev"
OWN_VERSION = "v1beta1"
CLUSTER_LABEL = f"{CORE}/cluster-name"
DEPLOYMENT_LABEL = f"{CORE}/deployment-name"
BOOTSTRAP_USERS = "system:bootstrappers:millwright"


def reference(group, kind, name):
    return {"apiGroup": group, "kind": kind, "name": name}


def body(group, version, kind, name, spec=None, labels=None, **metadata):
    return {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": {"name": name, "labels": labels or {}, **metadata},
            "spec": spec if spec is not None else {}}


def core(kind, name, spec, **metadata):
    return body(CORE, "v1beta2", kind, name, spec, **metadata)


def portable_kubeconfig(path):
    """With everything in it, however the file was written."""
    text = path.read_text(encoding="utf-8")

    def inline(name):
        return base64.b64encode(_data(text, name).encode()).decode()
    user = {"token": _field(text, "token")} if _field(text, "token") else {
        "client-certificate-data": inline("client-certificate"), "client-key-data": inline("client-key")}
    return json.dumps({"apiVersion": "v1", "kind": "Config", "current-context": "it",
                       "clusters": [{"name": "it", "cluster": {"server": _field(text, "server"),
                                                               "certificate-authority-data": inline("certificate-authority")}}],
                       "users": [{"name": "it", "user": user}],
                       "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it"}}]})


def kubeconfig_secret(cluster, path):
    return {"apiVersion": "v1", "kind": "Secret", "type": f"{CORE}/secret",
            "metadata": {"name": f"{cluster}-kubeconfig", "labels": {CLUSTER_LABEL: cluster}},
            "stringData": {"value": portable_kubeconfig(path)}}


def join_data(path):
    """What a machine of this computer needs to become a node."""
    text = path.read_text(encoding="utf-8")
    return json.dumps({"server": _field(text, "server"), "token": "<<BOOTSTRAP_TOKEN>>", "nodeName": "<<MACHINE_NAME>>",
                       "caData": base64.b64encode(_data(text, "certificate-authority").encode()).decode()})


def cluster(name, infrastructure=None, control_plane=None, **spec):
    return core("Cluster", name, {
        "controlPlaneEndpoint": {"host": "127.0.0.1", "port": 6443},
        "infrastructureRef": infrastructure or reference(INFRASTRUCTURE, "MillwrightCluster", name),
        "controlPlaneRef": control_plane or reference(CONTROL_PLANE, "MillwrightControlPlane", name), **spec})


def instance_template(name, provider="simulated", spec=None):
    return body(INFRASTRUCTURE, OWN_VERSION, "MillwrightMachineTemplate", name,
                {"template": {"spec": {"provider": provider, "providerSpec": spec or {}}}})


def bootstrap_template(name, data="join <<MACHINE_NAME>>"):
    return body(BOOTSTRAP, OWN_VERSION, "MillwrightBootstrapTemplate", name,
                {"template": {"spec": {"userData": data, "tokenGroups": BOOTSTRAP_USERS}}})


def machine_spec(cluster_name, template, bootstrap, **more):
    return {"clusterName": cluster_name, "bootstrap": {"configRef": bootstrap}, "infrastructureRef": template, **more}


def deployment(name, cluster_name, replicas, template, bootstrap, machine=None, **spec):
    labels = {DEPLOYMENT_LABEL: name}
    return core("MachineDeployment", name, {
        "clusterName": cluster_name, "replicas": replicas, "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": machine_spec(cluster_name, template, bootstrap, **(machine or {}))},
        **spec}, labels={CLUSTER_LABEL: cluster_name})
