"""x-kubernetes-validations: rules in CEL, of definitions and on objects."""

from case import apply, case, delete, get, json_patch, merge, post, put

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
NAME = "drills.{ns}.example.org"
DRILLS = "/apis/{ns}.example.org/v1/namespaces/{ns}/drills"


def rule(text, **more):
    return {"rule": text, **more}


def text(length=20, **more):
    return {"type": "string", "maxLength": length, **more}


# What rules are about. Sizes are limited: a real server refuses rules that could take too long.
def spec(rules=(), **properties):
    schema = {
        "type": "object",
        "properties": {
            "low": {"type": "integer"},
            "high": {"type": "integer"},
            "name": text(),
            "mode": text(),
            "either": {"x-kubernetes-int-or-string": True},
            "tags": {"type": "array", "maxItems": 5, "x-kubernetes-list-type": "set", "items": text(10)},
            "plain": {"type": "array", "maxItems": 5, "items": text(10)},
            "bits": {"type": "array", "maxItems": 5, "x-kubernetes-list-type": "map",
                     "x-kubernetes-list-map-keys": ["name"],
                     "items": {"type": "object", "required": ["name"],
                               "properties": {"name": text(10), "size": {"type": "integer"}}}},
            "labels": {"type": "object", "maxProperties": 5, "additionalProperties": text(10)},
            "when": {"type": "string", "format": "date-time"},
            "span": {"type": "string", "format": "duration"},
            "namespace": text(10),
            "dash-ed": {"type": "integer"},
            **properties,
        },
    }
    if rules:
        schema["x-kubernetes-validations"] = list(rules)
    return schema


def crd(of_spec, of_root=()):
    schema = {"type": "object", "properties": {
        "spec": of_spec, "status": {"type": "object", "properties": {"turns": {"type": "integer"}},
                                    "x-kubernetes-validations": [rule("self.turns >= 0", message="turns forward")]}}}
    if of_root:
        schema["x-kubernetes-validations"] = list(of_root)
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": NAME},
            "spec": {"group": "{ns}.example.org", "scope": "Namespaced",
                     "names": {"plural": "drills", "singular": "drill", "kind": "Drill", "listKind": "DrillList"},
                     "versions": [{"name": "v1", "served": True, "storage": True,
                                   "schema": {"openAPIV3Schema": schema}, "subresources": {"status": {}}}]}}


def drill(called="a", /, **of_spec):
    return {"apiVersion": "{ns}.example.org/v1", "kind": "Drill", "metadata": {"name": called}, "spec": of_spec}


def refused(name, *rules, **properties):
    """A definition that is not accepted."""
    case("cel", name, post(CRDS + "?dryRun=All", crd(spec(rules, **properties))))


def judged(name, definition, *steps):
    """Objects of a definition that is."""
    case("cel", name, post(CRDS, definition, quiet=True),
         get(CRDS + "/" + NAME, until={"status.conditions.1.status": "True"}, quiet=True),
         get(DRILLS, until={"kind": "DrillList"}, quiet=True), *steps, delete(CRDS + "/" + NAME, quiet=True))


def creates(name, rules, *objects):
    judged(name, crd(spec(rules)), *[post(DRILLS, drill(f"o{i}", **fields)) for i, fields in enumerate(objects)])


# Definitions.
refused("unknown-field", rule("self.nope > 1"))
refused("unknown-name", rule("nope > 1"))
refused("unknown-function", rule("self.low.nope() > 1"))
refused("no-overload", rule("self.low + self.name == 'a'"))
refused("no-bool", rule("self.low"))
refused("unfinished", rule("self.low >"))
refused("unclosed", rule("(self.low > 1"))
refused("too-much", rule("self.low > 1 self"))
refused("bad-character", rule("self.low # 1"))
refused("bad-regex", rule("self.name.matches('(')"))
refused("bad-duration", rule("self.span < duration('soon')"))
refused("bad-literals", rule("[1, 'a'].size() == self.low"))
refused("two-errors", rule("nope > 1 && self.gone"))
refused("second-rule", rule("self.low > 1"), rule("self.low > 'a'"))
refused("message-expression-type", rule("self.low > 1", messageExpression="self.low"))
refused("message-expression-broken", rule("self.low > 1", messageExpression="nope"))
refused("field-path", rule("self.low > 1", fieldPath=".nope"))
refused("reason", rule("self.low > 1", reason="Whim"))
refused("optional-without-old", rule("self.low > 1", optionalOldSelf=True))
refused("old-in-plain-list", plain={"type": "array", "maxItems": 5, "items": text(
    10, **{"x-kubernetes-validations": [rule("self == oldSelf")]})})
refused("default-breaks-a-rule", size={"type": "integer", "default": 3, "x-kubernetes-validations": [
    rule("self > 5", message="five")]})
refused("default-breaks-a-rule-inside", box={"type": "object", "default": {"x": 1}, "properties": {
    "x": {"type": "integer", "x-kubernetes-validations": [rule("self > 5")]}}})
refused("could-take-too-long", rule("self.words.all(a, self.words.all(b, a == b))"),
        words={"type": "array", "items": {"type": "string"}})
refused("reserved-word-as-a-field", rule("self.namespace == 'a'"))
refused("accepted", rule("self.low <= self.high", message="low is not above high"),
        rule("self.tags.all(t, t.startsWith('a'))"), rule("oldSelf.low == self.low"))

# Objects.
creates("messages",
        [rule("self.low <= self.high"), rule("self.low < 10", message="too low by far"),
         rule("self.high < 100", messageExpression="'high is too high for ' + self.mode")],
        {"low": 1, "high": 2}, {"low": 3, "high": 2}, {"low": 11, "high": 12}, {"low": 1, "high": 200, "mode": "this"}, {"low": 1, "high": 200})
creates("reasons",
        [rule("self.low > 1", reason="FieldValueForbidden", fieldPath=".low", message="m"),
         rule("self.high > 1", reason="FieldValueRequired", fieldPath=".high", message="m"),
         rule("self.high > 1", reason="FieldValueDuplicate", message="m"),
         rule("self.high > 1", reason="FieldValueInvalid", fieldPath=".labels['a.b']")],
        {"low": 1, "high": 2}, {"low": 2, "high": 1})
creates("runtime-errors", [rule("self.high / self.low > 0")],
        {"low": 0, "high": 1}, {"low": 1}, {"low": 1, "high": 9223372036854775807})
creates("index-out-of-bounds", [rule("self.plain[1] == 'a'", message="the second is a")],
        {"plain": ["a"]}, {"plain": ["b", "a"]})
creates("missing-key", [rule("self.labels['a'] == 'b'")], {"labels": {"b": "c"}}, {"labels": {"a": "b"}})
creates("overflow", [rule("self.low + self.high > 0")], {"low": 9223372036854775807, "high": 1})
creates("int-or-string", [rule("type(self.either) == int ? self.either < 10 : self.either.endsWith('%')")],
        {"either": 5}, {"either": 50}, {"either": "5%"}, {"either": "5"})
creates("int-or-string-overload", [rule("self.either.startsWith('a')")], {"either": 5})
creates("names", [rule("self.__namespace__ == 'n' && self.dash__dash__ed == 1")],
        {"namespace": "n", "dash-ed": 1}, {"namespace": "m", "dash-ed": 1})
creates("times", [rule("self.when > timestamp('2026-01-01T00:00:00Z')"), rule("self.span < duration('1h')")],
        {"when": "2026-02-01T00:00:00Z", "span": "10m"}, {"when": "2025-02-01T00:00:00Z", "span": "2h"})
creates("optional-fields", [rule("!has(self.name) || self.name == 'a'"), rule("self.?mode.orValue('x') == 'x'")],
        {}, {"name": "b"}, {"mode": "y"})
creates("macros", [rule("self.plain.all(p, p != '')"), rule("self.plain.exists(p, p == 'x')"),
                   rule("self.plain.exists_one(p, p == 'x')"), rule("self.plain.map(p, size(p)).sum() < 5"),
                   rule("self.plain.filter(p, p == 'x').size() < 3")],
        {"plain": ["x", "y"]}, {"plain": ["y", ""]}, {"plain": ["x", "x", "x", "yyy"]})
creates("sets-and-maps", [rule("self.tags == ['a', 'b']"), rule("'k' in self.labels")],
        {"tags": ["b", "a"], "bits": [], "labels": {"k": "v"}}, {"tags": ["a"], "labels": {}})
creates("libraries", [rule("isURL(self.name) || self.name == 'no'"), rule("self.mode.matches('^[a-z]+$')"),
                      rule("quantity(self.__namespace__).isGreaterThan(quantity('1Gi'))")],
        {"name": "no", "mode": "a", "namespace": "2Gi"}, {"name": "http://a", "mode": "B", "namespace": "1Mi"},
        {"name": "x", "mode": "a", "namespace": "lots"})
creates("types-come-first", [rule("self.low > 1")], {"low": "many"}, {"low": 0, "name": "x" * 30})

judged("on-a-scalar", crd(spec(size={"type": "integer", "x-kubernetes-validations": [rule("self % 2 == 0", message="even")]},
                               word=text(10, **{"x-kubernetes-validations": [rule("self != 'bad'")]}))),
       post(DRILLS, drill(size=3, word="good")), post(DRILLS, drill(size=4, word="bad")),
       post(DRILLS, drill(size=4, word="good")))
judged("on-items", crd(spec(sizes={"type": "array", "maxItems": 4, "items": {
    "type": "object", "properties": {"n": {"type": "integer"}}, "x-kubernetes-validations": [rule("self.n > 0")]}})),
       post(DRILLS, drill(sizes=[{"n": 1}, {"n": 0}, {}])))
judged("on-map-values", crd(spec(flags={"type": "object", "maxProperties": 4, "additionalProperties": text(
    10, **{"x-kubernetes-validations": [rule("self != 'off'", message="on")]})})),
       post(DRILLS, drill(flags={"a.b": "off"})))
judged("on-the-root", crd(spec(), [rule("self.metadata.name != 'bad'", message="a better name")]),
       post(DRILLS, drill("bad")), post(DRILLS, drill("good")))
judged("root-knows-no-labels", crd(spec()), post(CRDS + "?dryRun=All", crd(spec(), [rule("self.metadata.labels.size() > 0")])))
judged("transition", crd(spec([rule("self.low >= oldSelf.low", message="never down")])),
       post(DRILLS, drill(low=2)), merge(DRILLS + "/a", {"spec": {"low": 3}}), merge(DRILLS + "/a", {"spec": {"low": 1}}),
       json_patch(DRILLS + "/a", [{"op": "replace", "path": "/spec/low", "value": 0}]),
       put(DRILLS + "/a", drill(low=0)),
       apply(DRILLS + "/a?fieldManager=me&force=true", drill(low=0)))
judged("transition-of-a-new-field", crd(spec(size={"type": "integer", "x-kubernetes-validations": [
    rule("self == oldSelf", message="never changes")]})),
       post(DRILLS, drill()), merge(DRILLS + "/a", {"spec": {"size": 1}}), merge(DRILLS + "/a", {"spec": {"size": 2}}),
       merge(DRILLS + "/a", {"spec": {"size": None}}))
judged("optional-old-self", crd(spec([rule("oldSelf.hasValue() || self.low == 1", optionalOldSelf=True, message="begins with 1")])),
       post(DRILLS, drill(low=2)), post(DRILLS, drill(low=1)), merge(DRILLS + "/a", {"spec": {"low": 2}}))
judged("keyed-items-keep-their-past", crd(spec(parts={
    "type": "array", "maxItems": 4, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
    "items": {"type": "object", "required": ["name"], "properties": {"name": text(10), "size": {"type": "integer"}},
              "x-kubernetes-validations": [rule("self.size >= oldSelf.size", message="grows")]}})),
       post(DRILLS, drill(parts=[{"name": "x", "size": 5}])),
       merge(DRILLS + "/a", {"spec": {"parts": [{"name": "y", "size": 1}, {"name": "x", "size": 4}]}}),
       merge(DRILLS + "/a", {"spec": {"parts": [{"name": "y", "size": 1}, {"name": "x", "size": 6}]}}))
judged("status", crd(spec([rule("self.low > 0")])),
       post(DRILLS, drill(low=1)), merge(DRILLS + "/a/status", {"status": {"turns": -1}}),
       merge(DRILLS + "/a/status", {"status": {"turns": 1}}))
judged("unchanged-is-forgiven", crd(spec()),
       post(DRILLS, drill(low=1), quiet=True),
       merge(CRDS + "/" + NAME, {"spec": {"versions": crd(spec([rule("self.low > 5", message="five")]))["spec"]["versions"]}},
             quiet=True),
       post(DRILLS + "?dryRun=All", drill("probe", low=1), until={"code": 422}, quiet=True),
       merge(DRILLS + "/a", {"metadata": {"labels": {"x": "y"}}}),
       merge(DRILLS + "/a", {"spec": {"high": 1}}),
       merge(DRILLS + "/a", {"spec": {"low": 6}}))
