"""Admission and conversion by webhooks (webhook_server.py). Each configuration has one namespace in view, so that nothing
else on the server is held up."""

from case import (DEPLOYMENTS, MAPS, PODS, apply, case, config_map, delete, deployment, get, json_patch, merge, pod, post, put,
                  watch)
from cases.custom import CRDS, crd

MUTATING = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"
VALIDATING = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
CONFIG_MAPS = {"operations": ["*"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"]}
HERE = {"matchLabels": {"kubernetes.io/metadata.name": "{ns}"}}


def hook(name, path, rules=CONFIG_MAPS, server="{hook}", **more):
    return {"name": f"{name}.example.org", "clientConfig": {"url": server + path, "caBundle": "{ca}"},
            "rules": rules if isinstance(rules, list) else [rules], "admissionReviewVersions": ["v1"],
            "sideEffects": "None", "namespaceSelector": HERE, "timeoutSeconds": 5, **more}


# Denies the probe by which a case sees that its configurations count by now: a real server takes a moment.
READY = hook("ready", "/deny", objectSelector={"matchLabels": {"probe": "ready"}})


def configure(where, *hooks, name="{ns}"):
    """The last hook is the probe's, so that those before it are known when it denies."""
    kind = "MutatingWebhookConfiguration" if where == MUTATING else "ValidatingWebhookConfiguration"
    probe = {**READY, "objectSelector": {"matchLabels": {"probe": "m" if where == MUTATING else "v", "of": name}}}
    return [post(where, {"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": name},
                         "webhooks": [*[{**h, "objectSelector": h.get("objectSelector", NO_PROBE)} for h in hooks], probe]},
                 quiet=True),
            post(MAPS + "?dryRun=All", config_map("probe", labels=probe["objectSelector"]["matchLabels"]),
                 until={"code": 403}, quiet=True)]


NO_PROBE = {"matchExpressions": [{"key": "probe", "operator": "DoesNotExist"}]}


def with_hooks(name, setup, *steps, before=()):
    case("webhooks", name, *before, *setup, *steps, delete(MUTATING + "/{ns}", quiet=True),
         delete(VALIDATING + "/{ns}", quiet=True))


def mutating(name, hooks, *steps, before=()):
    with_hooks(name, configure(MUTATING, *hooks), *steps, before=before)


def validating(name, hooks, *steps, before=()):
    with_hooks(name, configure(VALIDATING, *hooks), *steps, before=before)


MADE = [post(MAPS, config_map("a"), quiet=True)]

# What is changed.
mutating("label", [hook("m", "/label")], post(MAPS, config_map("a")), get(MAPS + "/a"),
         merge(MAPS + "/a", {"metadata": {"labels": {"mutated": None, "other": "1"}}}), delete(MAPS + "/a"))
mutating("label-apply", [hook("m", "/label")], apply(MAPS + "/a?fieldManager=one", config_map("a")),
         apply(MAPS + "/a?fieldManager=one", config_map("a", {"b": "1"})))
mutating("label-generate-name", [hook("m", "/label")], post(MAPS + "?dryRun=All", {"metadata": {"generateName": "x-"}, "data": {}},
                                                            keep={"name": "metadata.name"}, quiet=True),
         post(MAPS, config_map("a")))
mutating("unknown-field", [hook("m", "/unknown-field")], post(MAPS + "?fieldValidation=Strict", config_map("a")))
mutating("invalid-after", [hook("m", "/invalid")], post(MAPS, config_map("a")))
mutating("patch-misses", [hook("m", "/patch-misses")], post(MAPS, config_map("a")))
mutating("order", [hook("m", "/sign-b"), hook("n", "/sign-a")], post(MAPS, config_map("a")))
mutating("reinvocation", [hook("k", "/sign-a", reinvocationPolicy="IfNeeded"), hook("m", "/sign-b"),
                          hook("n", "/sign-c", reinvocationPolicy="IfNeeded")], post(MAPS, config_map("a")))
mutating("not-on-delete", [hook("m", "/unknown-field", {**CONFIG_MAPS, "operations": ["DELETE"]})], delete(MAPS + "/a"),
         get(MAPS + "/a"), before=MADE)
mutating("denies", [hook("m", "/deny")], post(MAPS, config_map("a")))

# What is denied.
validating("denies", [hook("v", "/deny")], post(MAPS, config_map("a")), get(MAPS + "/a"))
validating("denies-silently", [hook("v", "/deny-silently")], post(MAPS, config_map("a")))
validating("denies-with-reason", [hook("v", "/deny-with-reason")], post(MAPS, config_map("a")))
validating("denies-with-details", [hook("v", "/deny-with-details")], post(MAPS, config_map("a")))
validating("warns", [hook("v", "/warn")], post(MAPS, config_map("a")))
validating("two-configurations", [hook("v", "/allow")], *configure(VALIDATING, hook("w", "/deny"), name="{ns}-2"),
           post(MAPS, config_map("a")), delete(VALIDATING + "/{ns}-2", quiet=True))

# What they are told.
validating("told-create", [hook("v", "/told")], post(MAPS + "?fieldManager=me&fieldValidation=Strict", config_map("a")))
mutating("told-create-first", [hook("m", "/told")], post(MAPS, {"metadata": {"generateName": "a-"}, "data": {"a": "1"}}))
validating("told-update", [hook("v", "/told")], merge(MAPS + "/a?dryRun=All", {"data": {"b": "2"}}), before=MADE)
validating("told-delete", [hook("v", "/told")],
           delete(MAPS + "/a", {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Foreground"}), before=MADE)
validating("told-scale", [hook("v", "/told", {**CONFIG_MAPS, "apiGroups": ["apps"], "resources": ["*/scale"]})],
           merge(DEPLOYMENTS + "/d/scale", {"spec": {"replicas": 3}}), before=[post(DEPLOYMENTS, deployment("d"), quiet=True)])
mutating("scale", [hook("v", "/replicas", {**CONFIG_MAPS, "apiGroups": ["apps"], "resources": ["deployments/scale"]})],
         merge(DEPLOYMENTS + "/d/scale", {"spec": {"replicas": 3}}),
         before=[post(DEPLOYMENTS, deployment("d", paused=True), quiet=True)])
NAMESPACE = {**CONFIG_MAPS, "resources": ["namespaces"], "operations": ["UPDATE", "DELETE"]}
validating("told-namespace", [hook("v", "/told", {**NAMESPACE, "scope": "Cluster"})],
           merge("/api/v1/namespaces/{ns}", {"metadata": {"labels": {"x": "y"}}}))

# Who is asked.
validating("operations", [hook("v", "/deny", {**CONFIG_MAPS, "operations": ["UPDATE"]})], post(MAPS, config_map("a")),
           merge(MAPS + "/a", {"data": {"b": "1"}}), delete(MAPS + "/a"))
validating("delete-only", [hook("v", "/deny", {**CONFIG_MAPS, "operations": ["DELETE"]})], post(MAPS, config_map("a")),
           delete(MAPS + "/a"), delete(MAPS), get(MAPS + "/a"))
validating("other-namespace", [hook("v", "/deny", namespaceSelector={"matchLabels": {"no": "such"}})], post(MAPS, config_map("a")))
validating("object-selector", [hook("v", "/deny", objectSelector={"matchLabels": {"a": "b"}})], post(MAPS, config_map("a")),
           post(MAPS, config_map("b", labels={"a": "b"})), merge(MAPS + "/a", {"metadata": {"labels": {"a": "b"}}}))
validating("scope", [hook("v", "/deny", {**CONFIG_MAPS, "scope": "Cluster"})], post(MAPS, config_map("a")))
validating("missing-namespace", [hook("v", "/deny")],
           post("/api/v1/namespaces/no-such-namespace/configmaps", config_map("a")))


def when(*expressions):
    return [{"name": f"c{i}", "expression": expression} for i, expression in enumerate(expressions)]


validating("conditions", [hook("v", "/deny", matchConditions=when("object.data.a == '1'", "request.operation == 'CREATE'"))],
           post(MAPS, config_map("a")), post(MAPS, config_map("b", {"a": "2"})), merge(MAPS + "/b", {"data": {"a": "1"}}))
validating("conditions-old", [hook("v", "/deny", matchConditions=when("oldObject != null && oldObject.metadata.name == 'b'"))],
           post(MAPS, config_map("a")), post(MAPS, config_map("b")), delete(MAPS + "/a"), delete(MAPS + "/b"))
validating("conditions-fail", [hook("v", "/deny", matchConditions=when("object.data.none == '1'"))], post(MAPS, config_map("a")))
validating("conditions-fail-twice", [hook("v", "/deny", matchConditions=when("object.data.none == '1'", "object.no == '1'"))],
           post(MAPS, config_map("a")))
validating("conditions-fail-but-false", [hook("v", "/deny", matchConditions=when("object.data.none == '1'", "false"))],
           post(MAPS, config_map("a")))
validating("conditions-ignored", [hook("v", "/deny", matchConditions=when("object.data.none == '1'"), failurePolicy="Ignore")],
           post(MAPS, config_map("a")))
case("webhooks", "conditions-wrong", *[post(VALIDATING, {"metadata": {"name": "{ns}"}, "webhooks": [
    hook("v", "/", matchConditions=when(expression))]}) for expression in ("nothing == 1", "'text'", "request.nothing == 1")])

EVICTION = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}
validating("told-eviction", [hook("v", "/told", {**CONFIG_MAPS, "resources": ["pods/eviction"]})],
           post(PODS + "/p/eviction", EVICTION), before=[post(PODS, pod("p"), quiet=True)])
validating("eviction-is-no-delete", [hook("v", "/deny", {**CONFIG_MAPS, "resources": ["pods"], "operations": ["DELETE"]})],
           post(PODS + "/p/eviction", EVICTION), before=[post(PODS, pod("p"), quiet=True)])

# Who cannot be asked.
validating("dead-port-fail", [hook("v", "/", server="{dead}")], post(MAPS, config_map("a")))
validating("dead-port-ignore", [hook("v", "/", server="{dead}", failurePolicy="Ignore")], post(MAPS, config_map("a")))
mutating("dead-port-fail-first", [hook("m", "/", server="{dead}")], post(MAPS, config_map("a")))
validating("timeout-fail", [hook("v", "/slow", timeoutSeconds=1)], post(MAPS, config_map("a")))
mutating("timeout-ignore", [hook("m", "/slow", timeoutSeconds=1, failurePolicy="Ignore"), hook("n", "/label")],
         post(MAPS, config_map("a")))
validating("not-found", [hook("v", "/no-such-path")], post(MAPS, config_map("a")))
validating("no-response", [hook("v", "/empty")], post(MAPS, config_map("a")))
validating("garbage-ignored", [hook("v", "/garbage", failurePolicy="Ignore")], post(MAPS, config_map("a")))
validating("wrong-uid-ignored", [hook("v", "/wrong-uid", failurePolicy="Ignore")], post(MAPS, config_map("a")))
mutating("no-patch-type", [hook("m", "/no-patch-type")], post(MAPS, config_map("a")))
validating("service", [{**hook("v", "/"), "clientConfig": {"caBundle": "{ca}", "service": {
    "name": "none", "namespace": "{ns}", "path": "/x"}}}], post(MAPS, config_map("a")))
validating("dry-run", [hook("v", "/deny", sideEffects="NoneOnDryRun")], post(MAPS + "?dryRun=All", config_map("a")))
case("webhooks", "side-effects", *[post(where, {"metadata": {"name": "{ns}"}, "webhooks": [hook("v", "/", sideEffects=effects)]})
                                   for where in (VALIDATING, MUTATING) for effects in ("Some", "Unknown")])

# Custom kinds, in two versions that a webhook converts.
SPEC = {"type": "object", "properties": {"size": {"type": "integer"}}}
NAME = "lathes.{ns}.example.org"
LATHES = "/apis/{ns}.example.org/%s/namespaces/{ns}/lathes"
V1, V2 = LATHES % "v1", LATHES % "v2"


def version(name, field, storage):
    spec = {"type": "object", "properties": {"size": {"type": "integer"}, field: {"type": "string"}}}
    status = {"type": "object", "properties": {"phase": {"type": "string"}}}
    return {"name": name, "served": True, "storage": storage, "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec, "status": status}}}}


DEFINITION = crd(names={"plural": "lathes", "singular": "lathe", "kind": "Lathe", "listKind": "LatheList"},
                 versions=[version("v1", "color", True), version("v2", "colour", False)],
                 conversion={"strategy": "Webhook", "webhook": {
                     "conversionReviewVersions": ["v1"],
                     "clientConfig": {"url": "{hook}/convert", "caBundle": "{ca}"}}})
DEFINITION["metadata"] = {"name": NAME}
DEFINED = [post(CRDS, DEFINITION, quiet=True),
           get(CRDS + "/" + NAME, until={"status.conditions.1.status": "True"}, quiet=True),
           get(V1, until={"kind": "LatheList"}, quiet=True), get(V2, until={"kind": "LatheList"}, quiet=True)]


def lathe(api_version, name="a", **spec):
    return {"apiVersion": "{ns}.example.org/" + api_version, "kind": "Lathe", "metadata": {"name": name}, "spec": spec}


def conversion(name, *steps):
    case("conversion", name, *DEFINED, *steps, delete(CRDS + "/" + NAME, quiet=True))


conversion("both-ways", post(V2, lathe("v2", colour="red")), get(V1 + "/a"), post(V1, lathe("v1", "b", color="blue")),
           get(V2 + "/b"))
conversion("lists", post(V2, lathe("v2", colour="red"), quiet=True), post(V1, lathe("v1", "b", color="blue"), quiet=True),
           get(V1), get(V2))
conversion("watches", post(V1, lathe("v1", color="red"), keep={"rv": "metadata.resourceVersion"}, quiet=True),
           merge(V1 + "/a", {"spec": {"color": "blue"}}, quiet=True), delete(V1 + "/a", quiet=True),
           watch(V2 + "?watch=1&resourceVersion={rv}", 2), watch(V1 + "?watch=1&resourceVersion={rv}", 2))
conversion("writes", post(V1, lathe("v1", color="red"), quiet=True), merge(V2 + "/a", {"spec": {"colour": "blue"}}),
           json_patch(V2 + "/a", [{"op": "replace", "path": "/spec/colour", "value": "pink"}]),
           merge(V2 + "/a/status", {"status": {"phase": "x"}}), get(V1 + "/a"))
conversion("put", post(V2, lathe("v2", colour="red"), keep={"rv": "metadata.resourceVersion"}, quiet=True),
           put(V2 + "/a", {**lathe("v2", colour="blue"), "metadata": {"name": "a", "resourceVersion": "{rv}"}}), get(V1 + "/a"))
conversion("fails", post(V1, lathe("v1", color="none"), quiet=True), get(V2 + "/a"), get(V2), get(V1 + "/a"))
conversion("deletes", post(V1, lathe("v1", color="red"), quiet=True), delete(V2 + "/a"), get(V1 + "/a"))


def custom(name, setup, *steps):
    case("webhooks", name, *DEFINED, *setup, *steps, delete(MUTATING + "/{ns}", quiet=True),
         delete(VALIDATING + "/{ns}", quiet=True), delete(CRDS + "/" + NAME, quiet=True))


def lathes(*versions, **more):
    return {"operations": ["*"], "apiGroups": ["{ns}.example.org"], "apiVersions": list(versions), "resources": ["lathes"], **more}


custom("custom-generation", configure(MUTATING, hook("m", "/size", lathes("v1", operations=["UPDATE"]))),
       post(V1, lathe("v1", color="red")), merge(V1 + "/a", {"metadata": {"labels": {"a": "b"}}}))
custom("custom-status", configure(MUTATING, hook("m", "/phase", lathes("v1", resources=["lathes/status"]))),
       post(V1, lathe("v1", color="red")), merge(V1 + "/a/status", {"status": {"phase": "x"}}))
custom("custom-prunes", configure(MUTATING, hook("m", "/unknown-spec", lathes("v1"))), post(V1, lathe("v1", color="red")))
custom("equivalent", configure(MUTATING, hook("m", "/colour", lathes("v2"))), post(V1, lathe("v1", color="red")))
custom("equivalent-told", configure(VALIDATING, hook("v", "/told", lathes("v2"))), post(V1, lathe("v1", color="red")))
custom("exact", configure(MUTATING, hook("m", "/colour", lathes("v2"), matchPolicy="Exact")), post(V1, lathe("v1", color="red")))
custom("warned-and-refused", [], post(V1, {**lathe("v1", size="big"), "other": 1}),
       post(MAPS, {**config_map("a", {"not a key": "1"}), "other": 1}))
