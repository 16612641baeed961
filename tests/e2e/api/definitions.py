"""Kinds that were just defined: until a server serves them.

Not by `kubectl wait`, which fails on a definition that has no conditions yet: they are null then, and it wants a list.
"""

import json
import time

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
# What kubectl, helm and controllers look kinds up in. It follows a definition a moment later.
DISCOVERY = {"Accept": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"}
LONGEST_SECONDS = 120


def until_served(client, *names):
    """Those definitions, or all that there are: established, found by clients, and listed."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while missing := _missing(client, names):
        assert time.monotonic() < deadline, f"not served: {missing}"
        time.sleep(0.05)


def _missing(client, names):
    there = {found["metadata"]["name"]: found for found in _read(client, CRDS)["items"]}
    missing = set(names) - set(there)
    known = _discovered(client)
    for name, found in there.items():
        if names and name not in names:
            continue
        versions = [version["name"] for version in found["spec"]["versions"] if version["served"]]
        served = all((found["spec"]["group"], version, found["spec"]["names"]["plural"]) in known for version in versions)
        if not _is_established(found) or not served or not _is_listed(client, found):
            missing.add(name)
    return sorted(missing)


def _is_established(found):
    return any(c["type"] == "Established" and c["status"] == "True" for c in found.get("status", {}).get("conditions") or [])


def _is_listed(client, found):
    """In the version that is stored, for which nobody has to convert."""
    stored, = [version for version in found["spec"]["versions"] if version["storage"]]
    path = f"/apis/{found['spec']['group']}/{stored['name']}/{found['spec']['names']['plural']}?limit=1"
    return not stored["served"] or client.ask("GET", path, {}, None)[0] == 200


def _discovered(client):
    """Group, version and plural of everything."""
    return {(group["metadata"]["name"], version["version"], resource["resource"]) for group in _read(client, "/apis", DISCOVERY)["items"]
            for version in group["versions"] for resource in version.get("resources", [])}


def _read(client, path, headers=None):
    status, _, answer = client.ask("GET", path, headers or {}, None)
    assert status == 200, f"GET {path}: {status} {answer.decode()[:300]}"
    return json.loads(answer)
