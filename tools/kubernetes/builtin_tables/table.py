"""The lines of the table."""

import json

from .go_types import SPECIAL

# Zero values are in the OpenAPI documents as defaults of whatever is never left out; nothing is filled in for them. Behind a
# pointer, however, they are values like any other.
_ZERO = (None, "", 0, False, {})


def short(package, name):
    """core.v1.Pod: unique among the packages we read, and what Go itself prints, v1.Pod, is its end."""
    parts = package.split("/")
    parent = "" if parts[-1] in ("resource", "intstr", "runtime", "types") else parts[-2] + "."
    return f"{parent}{parts[-1]}.{name}"


def type_text(type_):
    match type_:
        case ("scalar", name):
            return name
        case ("ref", package, name):
            return short(package, name)
        case ("map", key, value):
            return f"map[{type_text(key)}]{type_text(value)}"
        case (prefix, inner):
            return prefix + type_text(inner)


class Table:
    """Collects the types that kinds need, and those that these need."""

    def __init__(self, sources, documents):
        self._sources = sources
        self._documents = documents
        self._blocks = {}  # short name: lines
        self._kinds = []

    def add_kind(self, api_version, kind, package):
        self._kinds.append(f"kind {api_version} {kind} {short(package, kind)}")
        self._add(package, kind)

    def text(self):
        blocks = [line for name in sorted(self._blocks) for line in self._blocks[name]]
        return "\n".join(self._kinds + blocks) + "\n"

    def _add(self, package, name):
        at = short(package, name)
        if at in self._blocks:
            return
        source = self._sources.package(package)
        if name in SPECIAL.get(package, ()):
            self._blocks[at] = [f"special {at}"]
            if package.endswith("/apiextensions/v1") and name != "JSON":
                self._add(package, "JSONSchemaProps")
        elif name in source.aliases:
            # A list that can be the value of a map has to be a message there.
            message = " message" if name in source.messages else ""
            self._blocks[at] = [f"alias {at} {type_text(source.aliases[name])}{message}"]
            self._follow(source.aliases[name])
        else:
            self._add_struct(package, name, source.structs[name])

    def _add_struct(self, package, name, fields):
        schema = self._documents.schema(package, name)
        self._compare(package, name, schema)
        head = f"struct {short(package, name)}"
        if schema.get("x-kubernetes-map-type") == "atomic":
            head += " map=atomic"
        lines = self._blocks[short(package, name)] = [head]
        for field in fields:
            self._follow(field.type)
            if field.inline and field.number == 0:  # TypeMeta
                _, inner_package, inner_name = field.type
                for inner in self._sources.package(inner_package).structs[inner_name]:
                    lines.append(self._line(inner, schema, number=0))
            else:
                lines.append(self._line(field, schema, field.number))

    def _compare(self, package, name, schema):
        """Three sources tell of each struct; fails where they differ, because then we misread one."""
        source = self._sources.package(package)
        numbers = sorted(field.number for field in source.structs[name] if field.number)
        assert numbers == sorted(source.messages[name].values()), (name, numbers, source.messages[name])
        if schema:
            known, properties = self._json_names(package, name), schema.get("properties", {}).keys()
            assert known == properties, (name, known ^ properties)

    def _json_names(self, package, name):
        names = set()
        for field in self._sources.package(package).structs[name]:
            names |= self._json_names(*field.type[1:]) if field.inline else {field.name}
        return names

    def _follow(self, type_):
        match type_:
            case ("ref", package, name):
                if name != "TypeMeta":
                    self._add(package, name)
            case ("*" | "[]", inner):
                self._follow(inner)
            case ("map", key, value):
                self._follow(key)
                self._follow(value)

    def _line(self, field, schema, number):
        words = [f"  {field.name}", str(number), type_text(field.type)]
        if field.inline:
            return " ".join([*words, "inline"])
        words += [word for word, holds in (("omitempty", field.omitempty), ("omitzero", field.omitzero),
                                           ("required", field.name in schema.get("required", ()))) if holds]
        said = schema.get("properties", {}).get(field.name, {})
        words += _said(said)
        if said.get("default") not in (None, {}) and (field.type[0] == "*" or said["default"] not in _ZERO):
            words.append("default=" + json.dumps(said["default"], separators=(",", ":")))
        assert all(" " not in word[2:] for word in words), words
        return " ".join(words)


def _choices(values):
    """Spaces part the words of a line, so they are written as underscores."""
    assert not any("_" in value or "|" in value for value in values), values
    return "|".join(values).replace(" ", "_")


def _said(said):
    """What OpenAPI adds to the Go type of a field."""
    words = []
    if list_type := said.get("x-kubernetes-list-type"):
        keys = said.get("x-kubernetes-list-map-keys", ())
        words.append(f"list={list_type}" + (f"({','.join(keys)})" if keys else ""))
    if map_type := said.get("x-kubernetes-map-type"):
        words.append(f"map={map_type}")
    if enum := said.get("enum"):
        words.append("enum=" + _choices(enum))
    if enum := said.get("items", {}).get("enum"):
        words.append("items=" + _choices(enum))
    return words
