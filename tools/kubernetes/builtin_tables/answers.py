"""Recording a real server's answers; see tools/kubernetes/builtin-answers."""

import copy
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from .openapi import running_server  # noqa: E402

TARGET = ROOT / "src/apiserver/builtin/testdata/answers.jsonl"

# What differs from run to run, or is the business of others.
_MADE_UP = ("uid", "creationTimestamp", "managedFields", "resourceVersion", "generation")
_UID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MADE_UP_IN = {
    "CertificateSigningRequest": {"spec": ("username", "groups", "extra")},
    "PersistentVolume": {"metadata": ("finalizers",), "status": ("lastPhaseTransitionTime",)},
    "PersistentVolumeClaim": {"metadata": ("finalizers",)},
    "Service": {"spec": ("clusterIP", "clusterIPs")},  # of those that have one
}


def merge(target, patch):
    """RFC 7386."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge(result.get(key), value)
    return result


class Recorder:
    def __init__(self, server):
        self._server = server
        self._paths = {}

    def answer(self, base, case):
        create = "old" not in case
        first = merge(base, case["patch"] if create else case["old"])
        if create:
            status, said = self._call("POST", first, "?dryRun=All")
            return self._failure(status, said) or {"object": _cleaned(said)}
        status, stored = self._call("POST", first)
        if status != 201:
            raise SystemExit(f"the old object of {json.dumps(case)} is no good: {stored.get('message')}")
        try:
            return self._change(stored, case)
        finally:
            self._remove(stored)

    def _change(self, stored, case):
        subresource = "/status" if case.get("status") else ""
        name = stored["metadata"]["name"]
        while True:
            changed = merge(copy.deepcopy(stored), case["patch"])
            status, said = self._call("PUT", changed, subresource + "?dryRun=All", name)
            if status != 409:  # the server itself changes CustomResourceDefinitions
                return self._failure(status, said) or {}
            _, stored = self._call("GET", stored, name=name)

    def _remove(self, stored):
        name = stored["metadata"]["name"]
        status, left = self._call("DELETE", stored, "?gracePeriodSeconds=0", name)
        if left["kind"] != "Status" and left["metadata"].get("finalizers"):
            del left["metadata"]["finalizers"]  # there is no controller that would
            self._call("PUT", left, name=name)

    def _failure(self, status, said):
        if status < 400:
            return None
        causes = said.get("details", {}).get("causes")
        if status != 422 or not causes:
            return {"refused": [status, said["message"]]}
        texts = (f"{cause.get('reason')}|{cause.get('field')}|{cause.get('message', '')}" for cause in causes)
        return {"errors": sorted(_UID.sub("UID", text) for text in texts)}

    def _call(self, method, body, query="", name=None):
        path = self._path(body) + (f"/{name}" if name else "") + query
        status, text = self._server.call(method, path, body if method in ("POST", "PUT") else None)
        return status, json.loads(text)

    def _path(self, body):
        version, kind = body["apiVersion"], body["kind"]
        root = f"/api/{version}" if "/" not in version else f"/apis/{version}"
        if version not in self._paths:
            resources = json.loads(self._server.call("GET", root)[1])["resources"]
            self._paths[version] = {r["kind"]: r for r in resources if "/" not in r["name"]}
        resource = self._paths[version][kind]
        namespace = "/namespaces/default" if resource["namespaced"] else ""
        return f"{root}{namespace}/{resource['name']}"


def _cleaned(said):
    for field in _MADE_UP:
        said["metadata"].pop(field, None)
    for part, fields in _MADE_UP_IN.get(said["kind"], {}).items():
        for field in fields:
            if said[part].get(field) not in ("None", ["None"]):
                said[part].pop(field, None)
    return _without_uid(said, "batch.kubernetes.io/controller-uid", "controller-uid")


def _without_uid(value, *labels):
    if isinstance(value, list):
        return [_without_uid(item, *labels) for item in value]
    if isinstance(value, dict):
        return {key: "UID" if key in labels else _without_uid(item, *labels) for key, item in value.items()}
    return value


def _record(server, lines):
    recorder = Recorder(server)
    bases = {}
    for line in lines:
        if "base" in line:
            bases[line["base"]] = line["object"]
        else:
            line["answer"] = recorder.answer(bases[line["of"]], line)
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print("usage: tools/kubernetes/builtin-answers [--check]", file=sys.stderr)
        return 2
    before = TARGET.read_text(encoding="utf-8").splitlines(keepends=True)
    with running_server() as server:
        after = list(_record(server, [json.loads(line) for line in before]))
    if not sys.argv[1:]:
        TARGET.write_text("".join(after), encoding="utf-8")
        return 0
    changed = [f"line {number}" for number, pair in enumerate(zip(before, after), 1) if pair[0] != pair[1]]
    print("\n".join(changed) or f"{TARGET.relative_to(ROOT)} is what the server says")
    return 1 if changed else 0
