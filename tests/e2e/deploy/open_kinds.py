"""Kinds that the charts use and somebody else defines."""

from clusters import until


def define_open(server, group, *kinds):
    """With whatever in them. Helm and kubectl have to find them."""
    opened = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    for kind in kinds:
        plural = kind.lower() + "s"
        server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.{group}"},
            "spec": {"group": group, "scope": "Namespaced", "names": {"kind": kind, "plural": plural},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                         "type": "object", "properties": {"spec": opened}}}}]}})
    until(f"{group} is discovered", lambda: set(kinds) <= discovered(server, group))


def discovered(server, group):
    """The kinds of a group, as clients of today ask for them."""
    _, answer = server.ask("GET", "/apis", headers={"Accept": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"})
    return {resource["responseKind"]["kind"] for found in answer["items"] if found["metadata"]["name"] == group
            for version in found["versions"] for resource in version.get("resources", [])}
