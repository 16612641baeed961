"""Counting requests in kube-apiserver's audit log: the meter of the benchmarks.

A long-running request (a watch) has a line when it starts and another when it ends; it is counted once, at the start, because a
watch that is still open must count and one that ends after a mark must not count again.
"""

import collections
import json

from .errors import Problem

# What kube-apiserver logs: who asked for what, not the contents. Health probes are left out: they are ours.
POLICY = """apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  nonResourceURLs: ["/healthz*", "/livez*", "/readyz*"]
- level: Metadata
"""

FIELDS = ("user", "verb", "resource", "namespace", "code", "agent")
WRITES = {"create", "update", "patch", "delete", "deletecollection"}


def _resource(entry):
    reference = entry.get("objectRef")
    if not reference or "resource" not in reference:
        return entry["requestURI"].partition("?")[0]
    group, sub = reference.get("apiGroup"), reference.get("subresource")
    return reference["resource"] + (f".{group}" if group else "") + (f"/{sub}" if sub else "")


def _field(entry, name):
    if name == "user":
        return entry["user"].get("username", "")
    if name == "resource":
        return _resource(entry)
    if name == "namespace":
        return entry.get("objectRef", {}).get("namespace", "")
    if name == "code":
        return entry.get("responseStatus", {}).get("code", 0)
    if name == "agent":
        return entry.get("userAgent", "")
    return entry[name]


def entries(path, offset=0):
    """One entry for each request after the offset."""
    with open(path, "rb") as file:
        file.seek(offset)
        for line in file:
            if not line.endswith(b"\n"):
                return  # still being written
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # a line that kill-apiserver cut short, glued to the next server's first
            if entry["verb"] == "watch" and entry["stage"] != "ResponseStarted":
                continue
            yield entry


def _marks(directory):
    try:
        return json.loads((directory / "marks.json").read_text())
    except FileNotFoundError:
        return {}


def set_mark(directory, label):
    """Remembers the end of the log, so that a later count can begin there."""
    marks = _marks(directory)
    marks[label] = (directory / "audit.log").stat().st_size
    (directory / "marks.json").write_text(json.dumps(marks) + "\n")


def mark(directory, label):
    marks = _marks(directory)
    if label not in marks:
        raise Problem(f"there is no mark {label!r}; there are: {', '.join(sorted(marks)) or 'none'}")
    return marks[label]


def count(path, offset=0, user=None, by=("user", "verb", "resource")):
    """Rows with the most requests first, the number of all, and of those that write."""
    rows, total, writes = collections.Counter(), 0, 0
    for entry in entries(path, offset):
        if user and _field(entry, "user") != user:
            continue
        total += 1
        writes += entry["verb"] in WRITES
        rows[tuple(_field(entry, name) for name in by)] += 1
    ordered = sorted(rows.items(), key=lambda row: (-row[1], row[0]))
    return {"total": total, "writes": writes,
            "rows": [dict(zip(by, key), count=number) for key, number in ordered]}
