"""What an account may do, and what it did: the rules of its roles beside kube-apiserver's audit log."""

import json
import re

# Rights that no request of the test shows, each with its reason.
NEVER_SEEN = {
    ("pods", "get"): "read only if an eviction meets a conflict, to see whether the pod is still the one that was meant",
    ("machinesets.machine.sapcloud.io/finalizers", "update"):
        "asked by the admission plugin OwnerReferencesPermissionEnforcement, which is on here, and not by a request",
    ("machinedeployments.machine.sapcloud.io/finalizers", "update"): "likewise",
    ("leases.coordination.k8s.io", "create", "machine-controller-manager-simulated"):
        "asked beside patch when an apply makes what is not there",
}
# Seen only where the server does not send the first state as a watch (WatchList): the case of two clusters turns that off.
LISTED = ("machines.machine.sapcloud.io", "machinesets.machine.sapcloud.io", "machinedeployments.machine.sapcloud.io",
          "machineclasses.machine.sapcloud.io", "secrets", "nodes", "pods", "poddisruptionbudgets.policy")
# Who may what without being told: discovery, /version, /healthz.
EVERYBODYS = ("system:discovery", "system:public-info-viewer", "system:basic-user")


def full_name(group, resource):
    name, _, part = resource.partition("/")
    return name + (f".{group}" if group else "") + (f"/{part}" if part else "")


def granted(objects, all_kinds_of=()):
    """Each right as (role, resource, verb). Only of those groups all kinds may be named at once."""
    rights = set()
    for found in objects:
        if found["kind"] not in ("Role", "ClusterRole"):
            continue
        for rule in found["rules"] or []:
            wild = rule["resources"] if not set(rule["apiGroups"]) <= set(all_kinds_of) else []
            assert "*" not in [*rule["verbs"], *rule["apiGroups"], *wild], f"a wildcard: {rule}"
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    rights |= {(found["metadata"]["name"], full_name(group, resource), verb) for verb in rule["verbs"]}
    return rights


def requests(log, offset, user):
    """The audit log's entries of one user."""
    with open(log, "rb") as file:
        file.seek(offset)
        for line in file:
            if line.endswith(b"\n") and user.encode() in line:
                entry = json.loads(line)
                # A watch has a line when it begins and another one when it ends.
                ended_watch = entry["verb"] == "watch" and entry["stage"] != "ResponseStarted"
                if entry["user"].get("username") == user and not ended_watch:
                    yield entry


def role_of(entry):
    """Which role allowed it; kube-apiserver says so."""
    reason = entry["annotations"].get("authorization.k8s.io/reason", "")
    found = re.search(r'of (?:Cluster)?Role "([^"]+)"', reason)
    return found.group(1) if found else reason


def described(entry):
    reference = entry.get("objectRef", {})
    return f"{entry['verb']} {entry['requestURI'][:200]} {reference.get('name', '')}"


def is_excused(right, watch_list, never_seen, listed):
    role, resource, verb = right
    if watch_list and verb == "list" and resource in listed:
        return True
    return (resource, verb) in never_seen or (resource, verb, role) in never_seen


def covers(right, used):
    """Whether that is a use of it: a right for all kinds of a group is used by any of them."""
    role, resource, verb = right
    if not resource.startswith("*."):
        return right == used
    return (role, verb) == (used[0], used[2]) and used[1].endswith(resource[1:]) and "/" not in used[1]


def compare(objects, log, offset, user, watch_list, never_seen=None, listed=LISTED, all_kinds_of=()):
    """Nothing was denied, all that is granted was used or has its reason. Returns how many of each."""
    rights = granted(objects, all_kinds_of)
    used, denied, count = set(), set(), 0
    for entry in requests(log, offset, user):
        count += 1
        if entry["annotations"].get("authorization.k8s.io/decision") != "allow":
            denied.add(described(entry))
            continue
        role = role_of(entry)
        if role in EVERYBODYS:
            continue
        reference = entry["objectRef"]
        resource = full_name(reference.get("apiGroup", ""), "/".join(
            part for part in (reference["resource"], reference.get("subresource")) if part))
        used.add((role, resource, entry["verb"]))
    assert count, f"{user} asked for nothing"
    assert not denied, "denied:\n" + "\n".join(sorted(denied))
    foreign = {one for one in used if not any(covers(right, one) for right in rights)}
    assert not foreign, f"allowed by somebody else: {sorted(foreign)}"
    never_seen = NEVER_SEEN if never_seen is None else never_seen
    excused = {right for right in rights if is_excused(right, watch_list, never_seen, listed)}
    idle = {right for right in rights - excused if not any(covers(right, one) for one in used)}
    assert not idle, "granted and never used:\n" + "\n".join(" ".join(right) for right in sorted(idle))
    return f"{count} requests, {len(rights)} rights, {len(used)} of them used"
