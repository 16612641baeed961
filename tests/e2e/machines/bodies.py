"""What cases create: secrets, classes, deployments, as their users write them."""

GROUP = "machine.sapcloud.io/v1alpha1"
FINALIZER = "machine.sapcloud.io/machine-controller-manager"
NODE_FINALIZER = "node.machine.sapcloud.io/machine-controller"
HASH = "machine-template-hash"
NODE_TEMPLATE = {"capacity": {"cpu": "4", "gpu": "0", "memory": "8Gi"}, "instanceType": "m.small", "region": "r", "zone": "z"}


def secret(name="small", **texts):
    texts = texts or {"userData": "join <<MACHINE_NAME>> with <<BOOTSTRAP_TOKEN>>"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "stringData": texts}


def machine_class(namespace, name="small", provider="simulated", spec=None, secret_name="small", **more):
    return {"apiVersion": GROUP, "kind": "MachineClass", "metadata": {"name": name}, "provider": provider,
            "providerSpec": spec if spec is not None else {}, "secretRef": {"name": secret_name, "namespace": namespace},
            "nodeTemplate": NODE_TEMPLATE, **more}


def rolling(surge, unavailable):
    return {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable}}


def deployment(name, replicas=3, strategy=None, class_name="small", machine=None, **spec):
    """`machine`: fields of the machines' own spec, such as their time-outs."""
    labels = {"name": name}
    return {"apiVersion": GROUP, "kind": "MachineDeployment", "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "strategy": strategy or rolling(1, 0),
                     "template": {"metadata": {"labels": labels},
                                  "spec": {"class": {"kind": "MachineClass", "name": class_name}, **(machine or {})}},
                     **spec}}


def next_version(version):
    """A change that makes other machines necessary."""
    return {"spec": {"template": {"metadata": {"labels": {"version": str(version)}}}}}
