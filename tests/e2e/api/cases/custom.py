"""Kinds made by CustomResourceDefinitions."""

from case import apply, case, delete, get, json_patch, merge, post, put, strategic, watch

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
NAME = "saws.{ns}.example.org"
SAWS = "/apis/{ns}.example.org/v1/namespaces/{ns}/saws"
TABLE = {"Accept": "application/json;as=Table;g=meta.k8s.io;v=v1,application/json"}

SPEC = {
    "type": "object",
    "required": ["size"],
    "properties": {
        "size": {"type": "integer", "minimum": 1, "maximum": 10},
        "teeth": {"type": "string", "default": "fine", "enum": ["fine", "coarse"]},
        "blade": {"type": "object", "properties": {"steel": {"type": "boolean", "default": True},
                                                   "length": {"x-kubernetes-int-or-string": True}}},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 5}, "maxItems": 2, "x-kubernetes-list-type": "set"},
        "parts": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                  "items": {"type": "object", "required": ["name"],
                            "properties": {"name": {"type": "string"}, "count": {"type": "integer"}}}},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "pattern": {"type": "string", "pattern": "^[a-z]+$"},
        "when": {"type": "string", "format": "date-time"},
        "replicas": {"type": "integer"},
    },
}


def crd(**more):
    version = {
        "name": "v1", "served": True, "storage": True,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {
            "spec": SPEC, "status": {"type": "object", "properties": {"replicas": {"type": "integer"},
                                                                      "phase": {"type": "string"}}}}}},
        "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas",
                                                 "statusReplicasPath": ".status.replicas"}},
        "additionalPrinterColumns": [
            {"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
            {"name": "Phase", "type": "string", "jsonPath": ".status.phase", "priority": 1},
            {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}],
    }
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": NAME},
            "spec": {"group": "{ns}.example.org", "scope": "Namespaced",
                     "names": {"plural": "saws", "singular": "saw", "kind": "Saw", "listKind": "SawList"},
                     "versions": [version], **more}}


# Established is the second condition.
MADE = [post(CRDS, crd(), quiet=True),
        get(CRDS + "/" + NAME, until={"status.conditions.1.status": "True"}, quiet=True),
        get(SAWS, until={"kind": "SawList"}, quiet=True)]


def saw(name="a", **spec):
    return {"apiVersion": "{ns}.example.org/v1", "kind": "Saw", "metadata": {"name": name}, "spec": {"size": 3, **spec}}


def custom(name, *steps):
    case("custom", name, *MADE, *steps, delete(CRDS + "/" + NAME, quiet=True))


custom("create", post(SAWS, saw()))
custom("prunes", post(SAWS, saw(unknown=1, free={"kept": 1})))
custom("prunes-strict", post(SAWS + "?fieldValidation=Strict", saw(unknown=1)))
custom("defaults-inside", post(SAWS, saw(blade={})))
custom("required", post(SAWS, {**saw(), "spec": {}}))
custom("range", post(SAWS, saw(size=11)))
custom("wrong-type", post(SAWS, saw(size="big")))
custom("enum", post(SAWS, saw(teeth="dull")))
custom("set-duplicate", post(SAWS, saw(tags=["a", "a"])))
custom("too-many-and-too-long", post(SAWS, saw(tags=["abcdef", "b", "c"])))
custom("map-duplicate", post(SAWS, saw(parts=[{"name": "x"}, {"name": "x"}])))
custom("pattern", post(SAWS, saw(pattern="A1")))
custom("format", post(SAWS, saw(when="yesterday")))
custom("int-or-string", post(SAWS, saw(blade={"length": 5})), post(SAWS, saw("b", blade={"length": "5cm"})))
custom("null-goes", post(SAWS, saw(teeth=None)))
custom("no-kind", post(SAWS, {"metadata": {"name": "a"}, "spec": {"size": 1}}))
custom("no-strategic", post(SAWS, saw(), quiet=True), strategic(SAWS + "/a", {"spec": {"size": 4}}))
custom("merge", post(SAWS, saw(), quiet=True), merge(SAWS + "/a", {"spec": {"size": 4}}))
custom("merge-invalid", post(SAWS, saw(), quiet=True), merge(SAWS + "/a", {"spec": {"size": 40}}))
custom("json-patch", post(SAWS, saw(), quiet=True), json_patch(SAWS + "/a", [{"op": "add", "path": "/spec/tags", "value": ["x"]}]))
custom("put-needs-version", post(SAWS, saw(), quiet=True), put(SAWS + "/a", saw(size=5)))
custom("status-apart", post(SAWS, {**saw(), "status": {"phase": "x"}}),
       merge(SAWS + "/a", {"status": {"phase": "y"}}), merge(SAWS + "/a/status", {"status": {"phase": "z"}, "spec": {"size": 9}}))
custom("scale", post(SAWS, saw(), quiet=True), get(SAWS + "/a/scale"), merge(SAWS + "/a/scale", {"spec": {"replicas": 2}}),
       get(SAWS + "/a"))
custom("apply-parts", apply(SAWS + "/a?fieldManager=one", saw(parts=[{"name": "x", "count": 1}])),
       apply(SAWS + "/a?fieldManager=two", {**saw(), "spec": {"parts": [{"name": "y", "count": 1}]}}),
       apply(SAWS + "/a?fieldManager=two", {**saw(), "spec": {"parts": [{"name": "x", "count": 2}]}}))
custom("apply-unknown", apply(SAWS + "/a?fieldManager=one", saw(unknown=1)))
custom("table", post(SAWS, saw(), quiet=True), get(SAWS, headers=TABLE))
custom("list", post(SAWS, saw(), quiet=True), get(SAWS))
custom("field-selector", post(SAWS, saw(), quiet=True), get(SAWS + "?fieldSelector=metadata.name%3Da"),
       get(SAWS + "?fieldSelector=spec.size%3D3"))
custom("generation", post(SAWS, saw(), quiet=True), merge(SAWS + "/a", {"metadata": {"labels": {"a": "b"}}}),
       merge(SAWS + "/a", {"spec": {"size": 5}}), merge(SAWS + "/a/status", {"status": {"phase": "z"}}))
custom("watch", post(SAWS, saw(), keep={"rv": "metadata.resourceVersion"}, quiet=True),
       merge(SAWS + "/a", {"spec": {"size": 4}}, quiet=True), delete(SAWS + "/a", quiet=True),
       watch(SAWS + "?watch=1&resourceVersion={rv}", 2))
custom("dry-run", post(SAWS + "?dryRun=All", saw()), get(SAWS + "/a"))

case("definition", "create-and-establish", post(CRDS, crd()),
     get(CRDS + "/" + NAME, until={"status.conditions.1.status": "True"}), delete(CRDS + "/" + NAME, quiet=True))
case("definition", "wrong-name", post(CRDS, {**crd(), "metadata": {"name": "lathes.{ns}.example.org"}}))
case("definition", "no-storage-version",
     post(CRDS, crd(versions=[{**crd()["spec"]["versions"][0], "storage": False}])))
case("definition", "no-schema", post(CRDS, crd(versions=[{"name": "v1", "served": True, "storage": True}])))
case("definition", "not-structural", post(CRDS, crd(versions=[
    {**crd()["spec"]["versions"][0], "schema": {"openAPIV3Schema": {"properties": {"spec": {"type": "object"}}}}}])))
case("definition", "bad-scope", post(CRDS, crd(scope="Everywhere")))
case("definition", "no-kind-name", post(CRDS, crd(names={"plural": "saws"})))
case("definition", "gone-again", *MADE, delete(CRDS + "/" + NAME, quiet=True),
     get(CRDS + "/" + NAME, until={"code": 404}), get(SAWS, until={}))
case("definition", "removes-its-objects", *MADE, post(SAWS, saw(), quiet=True), delete(CRDS + "/" + NAME, quiet=True),
     get(CRDS + "/" + NAME, until={"code": 404}))
