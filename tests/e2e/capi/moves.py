"""What another manager of the same objects relies on: who owns which fields, and that status can be built again."""

from ground import CLUSTER, Ground

CARRIED = ("clusters", "infrastructures", "control planes", "instance templates", "bootstrap templates", "deployments", "sets",
           "machines", "instances", "bootstraps", "secrets")


def _managers(found):
    return {entry["manager"] for entry in found["metadata"]["managedFields"] if entry["operation"] == "Apply"}


def fields_are_applied_under_upstreams_names(it):
    with it.controllers():
        it.settle()
        it.supply()
        name = it.deploy(1)
        it.patch("deployments", name, {"spec": {"template": {"metadata": {"labels": {"tier": "one"}}}}})
        it.until("it has the label", lambda: [m["metadata"]["labels"].get("tier") for m in it.all("machines")] == ["one"] and it.runs(name, 1))
        machine, = it.names("machines")
        assert _managers(it.list("sets")[0]) == {"capi-machinedeployment"}
        assert _managers(it.get("machines", machine)) == {"capi-machineset"}
        assert _managers(it.get("instances", machine)) == {"capi-machineset", "capi-machineset-metadata"}
        # Taken from the template, it goes from all that was made of it, and nothing is replaced for that.
        it.patch("deployments", name, {"spec": {"template": {"metadata": {"labels": {"tier": None}}}}})
        it.until("it lost it", lambda: not any("tier" in found["metadata"]["labels"]
                                               for kind in ("sets", "machines", "instances", "bootstraps") for found in it.all(kind)))
        assert it.names("machines") == {machine}
        it.end(name)


def _copy(found, uids):
    """As clusterctl carries an object to another cluster: no status, owners by their new identities."""
    metadata = found["metadata"]
    kept = {key: metadata[key] for key in ("name", "labels", "annotations", "finalizers") if key in metadata}
    owners = [{**owner, "uid": uids[owner["uid"]]} for owner in metadata.get("ownerReferences", [])]
    body = {key: value for key, value in found.items() if key not in ("metadata", "status")}
    return {**body, "metadata": {**kept, **({"ownerReferences": owners} if owners else {})}}


def _carry(it, other):
    """Owners before what they own."""
    left = [(kind, found) for kind in CARRIED for found in it.list(kind) if found["metadata"]["name"] not in ("kube-root-ca.crt",)]
    uids = {}
    while left:
        ready = [(kind, found) for kind, found in left
                 if all(owner["uid"] in uids for owner in found["metadata"].get("ownerReferences", []))]
        assert ready, f"owned by what is not carried: {[(k, f['metadata']['name']) for k, f in left]}"
        for kind, found in ready:
            uids[found["metadata"]["uid"]] = other.create(kind, _copy(found, uids))["metadata"]["uid"]
        left = [item for item in left if item not in ready]


def _forget(it):
    """Deleted without their finalizers, so nothing happens to the machines."""
    for kind in reversed(CARRIED):
        for found in it.list(kind):
            name = found["metadata"]["name"]
            if found["metadata"].get("finalizers"):
                it.patch(kind, name, {"metadata": {"finalizers": None}})
            it.ask("DELETE", it.path(kind, name), {"propagationPolicy": "Orphan"} if kind == "clusters" else None)


def a_copy_without_status_builds_it_again(it):
    """Another namespace, as another management cluster would be; the nodes stay where they are."""
    other = Ground(it.kubeconfig, f"{it.name}-moved", it.is_served)
    try:
        with it.controllers():
            name = it.running(2)
            machines, nodes = it.names("machines"), {n["metadata"]["uid"] for n in it.all("nodes", name)}
            it.patch("clusters", CLUSTER, {"spec": {"paused": True}})
            it.until("all pause", lambda: all(_is_paused(m) for m in it.all("machines")))
            _carry(it, other)
        with other.controllers():
            _forget(it)
            other.patch("clusters", CLUSTER, {"spec": {"paused": False}})
            other.until_running(name, 2)
            assert other.names("machines") == machines, (machines, other.names("machines"))
            assert {n["metadata"]["uid"] for n in other.all("nodes", name)} == nodes, "nodes were made again"
            other.end(name)
    finally:
        other.close()


def _is_paused(found):
    return any(c["type"] == "Paused" and c["status"] == "True" for c in found.get("status", {}).get("conditions", []))


CASES = (fields_are_applied_under_upstreams_names, a_copy_without_status_builds_it_again)
