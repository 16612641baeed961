"""What the audit log says of a stretch of time."""

import collections
import datetime
import sys

from .programs import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from control_plane import audit  # noqa: E402

WRITES = audit.WRITES


def requests(path, begin, users):
    """The users' requests after an offset of the log: rows of verb, resource and code."""
    rows = collections.Counter()
    for entry in audit.entries(path, begin):
        if entry["user"].get("username") in users:
            rows[(entry["verb"], _resource(entry), entry.get("responseStatus", {}).get("code", 0))] += 1
    return rows


def summary(rows, without=()):
    """Counts by verb, writes and reads, conflicts; leases are kept apart, and what `without` names as (verb, resource)."""
    by_verb, writes, reads, conflicts, leases = collections.Counter(), 0, 0, 0, 0
    by_resource = collections.Counter()
    for (verb, resource, code), count in rows.items():
        if resource.startswith("leases"):
            leases += count
            continue
        if (verb, resource) in without:
            continue
        by_verb[verb] += count
        by_resource[f"{verb} {resource}"] += count
        writes += count if verb in WRITES else 0
        reads += count if verb in ("get", "list") else 0
        conflicts += count if code == 409 else 0
    return {"by_verb": dict(by_verb.most_common()), "by_resource": dict(by_resource.most_common()), "writes": writes,
            "reads": reads, "conflicts": conflicts, "leases": leases}


def reactions(path, begin, users):
    """Seconds from a Node's creation to the users' next write on that Node or its machine."""
    seen, found = {}, []
    for entry in audit.entries(path, begin):
        reference = entry.get("objectRef") or {}
        name, resource = reference.get("name"), reference.get("resource")
        if entry["verb"] == "create" and resource == "nodes":
            seen[name] = _time(entry["stageTimestamp"])
        elif (name in seen and entry["verb"] in WRITES and resource in ("nodes", "machines")
              and entry["user"].get("username") in users and not _made_by(entry)):
            asked = _time(entry["requestReceivedTimestamp"])
            if asked >= seen[name]:
                found.append(asked - seen.pop(name))
    return found


def removals(path, begin):
    """Seconds from the first deletion of a machine object to the last write on it: the removal of its finalizer."""
    first, last = {}, {}
    for entry in audit.entries(path, begin):
        reference = entry.get("objectRef") or {}
        if reference.get("resource") != "machines" or entry["verb"] not in WRITES or "name" not in reference:
            continue
        if entry.get("responseStatus", {}).get("code", 0) >= 300:
            continue
        name = reference["name"]
        if entry["verb"] == "delete":
            first.setdefault(name, _time(entry["stageTimestamp"]))
        if name in first:
            last[name] = _time(entry["stageTimestamp"])
    return [last[name] - begun for name, begun in first.items()]


def evictions(path, begin, users):
    """How many pods were evicted, how often a budget refused it, and how many pods the users deleted without asking one."""
    granted, refused, deleted = 0, 0, 0
    for (verb, resource, code), count in requests(path, begin, users).items():
        if (verb, resource) == ("create", "pods/eviction"):
            granted += count if code in (200, 201) else 0
            refused += count if code == 429 else 0
        elif resource == "pods" and verb in ("delete", "deletecollection") and code < 300:
            deleted += count
    return {"evicted": granted, "evictions_refused": refused, "pods_deleted": deleted}


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else None


def _made_by(entry):
    return entry["verb"] == "create" and (entry.get("objectRef") or {}).get("resource") == "nodes"


def _resource(entry):
    return audit._resource(entry)


def _time(text):
    return datetime.datetime.fromisoformat(text).timestamp()
