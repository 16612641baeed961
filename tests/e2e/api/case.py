"""Cases of the API: what is asked, in order. What the answers should be is what a real kube-apiserver gives."""

import dataclasses
import json


@dataclasses.dataclass
class Step:
    method: str
    target: str
    body: object = None
    content_type: str = "application/json"
    headers: dict = dataclasses.field(default_factory=dict)
    # Of a watch: how many events to read.
    events: int = 0
    # Keep something of the answer for later steps: {"rv": "metadata.resourceVersion"}.
    keep: dict = dataclasses.field(default_factory=dict)
    # Ask again until the answer is like that: for what controllers do. Path -> value.
    until: dict = dataclasses.field(default_factory=dict)
    # Not compared: it only prepares.
    quiet: bool = False

    def payload(self, values):
        if self.body is None:
            return None
        text = self.body if isinstance(self.body, str) else json.dumps(self.body)
        return fill(text, values).encode()


def fill(text, values):
    """{ns} and what was kept; other braces stay as they are."""
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


@dataclasses.dataclass
class Case:
    row: str  # which semantics it is about
    name: str
    steps: list

    @property
    def id(self):
        return f"{self.row}/{self.name}"


CASES = []


def case(row, name, *steps):
    CASES.append(Case(row, name, list(steps)))


def get(target, **more):
    return Step("GET", target, **more)


def post(target, body, **more):
    return Step("POST", target, body, **more)


def put(target, body, **more):
    return Step("PUT", target, body, **more)


def delete(target, body=None, **more):
    return Step("DELETE", target, body, **more)


def merge(target, body, **more):
    return Step("PATCH", target, body, content_type="application/merge-patch+json", **more)


def json_patch(target, body, **more):
    return Step("PATCH", target, body, content_type="application/json-patch+json", **more)


def strategic(target, body, **more):
    return Step("PATCH", target, body, content_type="application/strategic-merge-patch+json", **more)


def apply(target, body, **more):
    return Step("PATCH", target, body, content_type="application/apply-patch+yaml", **more)


def watch(target, events, **more):
    return Step("GET", target, events=events, **more)


# Short ways to the places that most cases use.
MAPS = "/api/v1/namespaces/{ns}/configmaps"
PODS = "/api/v1/namespaces/{ns}/pods"
SECRETS = "/api/v1/namespaces/{ns}/secrets"
DEPLOYMENTS = "/apis/apps/v1/namespaces/{ns}/deployments"


def config_map(name, data=None, **metadata):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **metadata}, "data": data or {"a": "1"}}


def pod(name, **spec):
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": {"app": name}},
        "spec": {"containers": [{"name": "main", "image": "registry.example/main:1"}], **spec},
    }


def deployment(name, **spec):
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "main", "image": "registry.example/main:1"}]},
            },
            **spec,
        },
    }
