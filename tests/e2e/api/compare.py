"""Answers of two servers, made comparable: what must differ (times, identities, revisions) is given a name instead."""

import json
import re

TIMES = {"creationTimestamp", "deletionTimestamp", "time", "lastTransitionTime", "lastUpdateTime", "lastHeartbeatTime",
         "renewTime", "acquireTime", "eventTime", "firstTimestamp", "lastTimestamp", "expirationTimestamp"}
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

TOKEN_VOLUME = re.compile(r"kube-api-access-[a-z0-9]{5}\b")

AGE = re.compile(r"(\d+[smhdy]){1,2}")


class Names:
    """Equal values get equal names, in the order in which they appear."""

    def __init__(self):
        self.known = {}

    def of(self, kind, value):
        if value in ("", None):
            return value
        names = self.known.setdefault(kind, {})
        return names.setdefault(value, f"<{kind} {len(names) + 1}>")


class Normalizer:
    """For all the answers of one server to one case."""

    def __init__(self, namespace):
        self.namespace = namespace
        self.names = Names()

    def __call__(self, value, key=""):
        if isinstance(value, dict):
            value = without_wording(value)
            return {name: self(inner, name) for name, inner in sorted(value.items())}
        if isinstance(value, list):
            items = [self(item, key) for item in value]
            return items
        if key in TIMES and isinstance(value, str):
            return "<time>"
        if key == "resourceVersion" and isinstance(value, str) and value != "0":
            return "<version>"
        if key == "cells" and isinstance(value, str) and AGE.fullmatch(value):
            return "<age>"
        if key == "continue" and value:
            return "<continue>"
        if isinstance(value, str):
            return self.text(value)
        return value

    def text(self, value):
        value = value.replace(self.namespace, "<ns>")
        value = TOKEN_VOLUME.sub("kube-api-access-<suffix>", value)
        value = UUID.sub(lambda match: self.names.of("uid", match.group()), value)
        return re.sub(r"in record \(\d+\)", "in record (<version>)", value)


# Refusals whose wording clients show, and some even read. The words of the others tell of Go's types and libraries.
WORDED = {"NotFound", "AlreadyExists", "Conflict", "Invalid", "Forbidden", "Expired"}

# Where even those tell of the inside: keys of etcd, Go's structs, the text of a patched object.
INTERNAL = r'StorageError|Precondition failed|patch: Invalid value|rejected our request|\[\{"Name"'

# What webhooks say, and that they could not be asked, is told alike.
WEBHOOK = "admission webhook|failed calling webhook|conversion webhook"


def without_wording(value):
    """What may be said in other words, left out."""
    if value.get("kind") == "Status" and value.get("status") == "Failure":
        internal = re.search(INTERNAL, value.get("message", ""))
        by_webhook = re.search(WEBHOOK, value.get("message", ""))
        if (value.get("reason") not in WORDED or internal) and not by_webhook:
            value = {name: inner for name, inner in value.items() if name != "message"}
        if value.get("reason") == "InternalError" and not by_webhook:
            value = {name: inner for name, inner in value.items() if name != "details"}
    if value.get("field") == "patch" or '[{"Name"' in str(value.get("message", "")):
        value = {name: inner for name, inner in value.items() if name != "message"}
    if value.get("columnDefinitions"):
        columns = [{**column, "description": ""} for column in value["columnDefinitions"]]
        value = {**value, "columnDefinitions": columns}
    return value


def differences(real, ours, path=""):
    """One line for each place in which two normalized answers differ."""
    if type(real) is not type(ours):
        return [f"{path or '.'}: real {shown(real)}, ours {shown(ours)}"]
    if isinstance(real, dict):
        found = []
        for key in sorted(real.keys() | ours.keys()):
            at = f"{path}.{key}"
            if key not in ours:
                found.append(f"{at}: real {shown(real[key])}, ours has none")
            elif key not in real:
                found.append(f"{at}: real has none, ours {shown(ours[key])}")
            else:
                found += differences(real[key], ours[key], at)
        return found
    if isinstance(real, list):
        found = []
        if len(real) != len(ours):
            found.append(f"{path}: real has {len(real)} items, ours {len(ours)}")
        for i, (a, b) in enumerate(zip(real, ours)):
            found += differences(a, b, f"{path}[{i}]")
        return found
    return [] if real == ours else [f"{path or '.'}: real {shown(real)}, ours {shown(ours)}"]


def shown(value):
    text = json.dumps(value)
    return text if len(text) < 400 else text[:400] + "..."
