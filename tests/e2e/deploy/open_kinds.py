"""Kinds that the charts use and somebody else defines."""


def define_open(server, group, *kinds):
    """With whatever in them."""
    opened = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    for kind in kinds:
        plural = kind.lower() + "s"
        server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.{group}"},
            "spec": {"group": group, "scope": "Namespaced", "names": {"kind": kind, "plural": plural},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                         "type": "object", "properties": {"spec": opened}}}}]}})
    server.until_served()
