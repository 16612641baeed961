"""Applications on the machines: their pods, the budgets that guard them, and what a scheduler and kubelets would do for them."""

import concurrent.futures
import contextlib
import http.client
import json
import threading

from .plane import MERGE

_PODS = "/api/v1/namespaces/default/pods"
_SETS = "/apis/apps/v1/namespaces/default/replicasets"
_BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"
_OF_AN_APPLICATION = 10
_AGAIN_SECONDS = 0.2
_ELSEWHERE = "elsewhere"  # a node that is nobody's machine and has room for all


class Pods:
    """Each application has ten pods on ten machines, and a budget that wants nine of them ready. A pod that is being deleted ends at
    once, and another one starts elsewhere; so a drain is held up by the budgets and by nothing else."""

    def __init__(self, plane, nodes, on_each):
        self.plane, self.nodes = plane, nodes
        self.count = on_each * len(nodes) // _OF_AN_APPLICATION * _OF_AN_APPLICATION
        self.pool = concurrent.futures.ThreadPoolExecutor(8)
        self.ended = threading.Event()
        self.owners = {}
        self.standing = {}  # application of each pod that was seen and has not gone
        self.ending = set()
        self.again = 0
        self.watch = None

    def __enter__(self):
        self.plane.must("POST", "/api/v1/nodes", {"metadata": {"name": _ELSEWHERE}, "spec": {"providerID": "elsewhere:///1"}})
        for application in range(self.count // _OF_AN_APPLICATION):
            self._define(f"app-{application}")
        list(self.pool.map(self._place, range(self.count)))
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        with contextlib.suppress(OSError, AttributeError):
            self.watch.sock.shutdown(2)
        self.thread.join(timeout=10)
        self.pool.shutdown()
        for path in (_SETS, _PODS + "?gracePeriodSeconds=0", _BUDGETS, f"/api/v1/nodes/{_ELSEWHERE}"):
            self.plane.call("DELETE", path)

    def _define(self, application):
        """Nobody works on the set here; it is there because a pod without an owner counts as lost when it is evicted."""
        self.owners[application] = self.plane.must("POST", _SETS, _set(application))["metadata"]["uid"]
        self.plane.must("POST", _BUDGETS, _budget(application))

    def _place(self, number):
        self._start(f"app-{number // _OF_AN_APPLICATION}", f"pod-{number}", self.nodes[number % len(self.nodes)])

    def _start(self, application, name, node):
        status, value = self.plane.call("POST", _PODS, _pod(application, self.owners[application], name, node))
        if status not in (201, 409):  # it may be there: its first answer was lost
            raise RuntimeError(f"pod {name}: {status} {str(value)[:300]}")
        self.plane.must("PATCH", f"{_PODS}/{name}/status", {"status": {
            "phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}, MERGE)

    def _end(self, name):
        status, value = self.plane.call("DELETE", f"{_PODS}/{name}?gracePeriodSeconds=0")
        if status not in (200, 202, 404):
            raise RuntimeError(f"pod {name}: {status} {str(value)[:300]}")

    def _insist(self, work, *arguments):
        """Until it is done or all is over: a pod that does not come again leaves its budget short, and drains wait for ever."""
        while not self.ended.is_set():
            try:
                return work(*arguments)
            except RuntimeError:
                self.ended.wait(_AGAIN_SECONDS)

    def _follow(self):
        """Listed, then watched; listed anew when the watch has ended or cannot go on where it was."""
        while not self.ended.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError, RuntimeError):
                listed = self.plane.must("GET", _PODS)
                self._see_all(listed["items"])
                for event in self._events(listed["metadata"]["resourceVersion"]):
                    if event["type"] == "ERROR":
                        break
                    self._see(event["type"], event["object"])
            self.ended.wait(_AGAIN_SECONDS)

    def _events(self, version):
        self.watch = http.client.HTTPSConnection("127.0.0.1", int(self.plane.state["server"].rsplit(":", 1)[1]), timeout=600,
                                                 context=self.plane.tls)
        self.watch.request("GET", f"{_PODS}?watch=1&resourceVersion={version}",
                           headers={"Authorization": f"Bearer {self.plane.token('driver')}"})
        answer = self.watch.getresponse()
        while line := answer.readline():
            yield json.loads(line)

    def _see_all(self, pods):
        """What went while nobody watched is gone as well."""
        there = {pod["metadata"]["name"] for pod in pods}
        for name in [name for name in self.standing if name not in there]:
            self._gone(name)
        for pod in pods:
            self._see("MODIFIED", pod)

    def _see(self, kind, pod):
        metadata = pod["metadata"]
        name = metadata["name"]
        if kind == "DELETED":
            self._gone(name)
            return
        self.standing[name] = metadata["labels"]["app"]
        if "deletionTimestamp" in metadata and name not in self.ending:
            self.ending.add(name)
            self.pool.submit(self._insist, self._end, name)

    def _gone(self, name):
        application = self.standing.pop(name, None)
        if application is not None:
            self.again += 1
            self.pool.submit(self._insist, self._start, application, f"{name.partition('-again')[0]}-again-{self.again}", _ELSEWHERE)


_TEMPLATE = {"terminationGracePeriodSeconds": 30, "automountServiceAccountToken": False,
             "containers": [{"name": "main", "image": "none"}]}


def _set(application):
    labels = {"app": application}
    return {"metadata": {"name": application},
            "spec": {"replicas": _OF_AN_APPLICATION, "selector": {"matchLabels": labels},
                     "template": {"metadata": {"labels": labels}, "spec": _TEMPLATE}}}


def _pod(application, owner, name, node):
    reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": application, "controller": True, "uid": owner}
    return {"metadata": {"name": name, "labels": {"app": application}, "ownerReferences": [reference]},
            "spec": {"nodeName": node, **_TEMPLATE}}


def _budget(application):
    return {"metadata": {"name": application},
            "spec": {"minAvailable": _OF_AN_APPLICATION - 1, "selector": {"matchLabels": {"app": application}}}}
