"""Structs, aliases and field tags out of the Go sources of API types.

Such sources are regular enough for expressions: code generators of Kubernetes itself hold them to that form.
"""

import pathlib
import re
import subprocess

# Types with a JSON form or a wire form of their own. The reader of the table knows each of them by name.
SPECIAL = {
    "k8s.io/apimachinery/pkg/apis/meta/v1": {"Time", "MicroTime", "Duration", "FieldsV1"},
    "k8s.io/apimachinery/pkg/api/resource": {"Quantity"},
    "k8s.io/apimachinery/pkg/util/intstr": {"IntOrString"},
    "k8s.io/apimachinery/pkg/runtime": {"RawExtension"},
    "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": {
        "JSON", "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray"},
}

_SCALARS = {"string", "bool", "int32", "int64", "float64", "byte"}
_IMPORT = re.compile(r'^(?:import)?\s*(\w+)?\s*"([^"]+)"$')
_ALIAS = re.compile(r"^type (\w+) (?!struct\b|interface\b)([^\s{]+)$")
_STRUCT = re.compile(r"^type (\w+) struct\s*\{(\s*\})?")
_FIELD = re.compile(r"^\t(?:(\w+)\s+)?([\w.*\[\]]+)\s+`(.*)`")
_TAG = re.compile(r'(\w+):"([^"]*)"')


class Field:
    def __init__(self, name, type_, number, options):
        self.name = name  # in JSON; of an inlined struct, what protobuf calls it
        self.type = type_  # ("scalar", name), ("ref", package, name), ("*", type), ("[]", type), ("map", key, value)
        self.number = number  # in protobuf; 0 for none
        self.inline = "inline" in options
        self.omitempty = "omitempty" in options
        self.omitzero = "omitzero" in options


class Package:
    """One Go package: its structs as lists of fields, its aliases as types."""

    def __init__(self, path, directory):
        self.path = path
        self.structs = {}
        self.aliases = {}
        self.messages = _messages(directory / "generated.proto")
        for source in sorted(directory.glob("*.go")):
            if source.name.startswith("types") or path.endswith("/types"):
                self._read(source.read_text(encoding="utf-8").splitlines())

    def _read(self, lines):
        imports = {}
        struct = None
        for line in lines:
            line = line.split(" //")[0].rstrip()
            if struct is not None:
                if line == "}":
                    struct = None
                elif match := _FIELD.match(line):
                    self._add(struct, imports, *match.groups())
            elif match := _STRUCT.match(line):
                fields = self.structs.setdefault(match.group(1), [])
                struct = None if match.group(2) else fields
            elif match := _ALIAS.match(line):
                self.aliases[match.group(1)] = self._type(match.group(2), imports)
            elif match := _IMPORT.match(line):
                imports[match.group(1) or match.group(2).rsplit("/", 1)[-1]] = match.group(2)

    def _add(self, struct, imports, go_name, type_text, tag_text):
        tags = dict(_TAG.findall(tag_text))
        if "json" not in tags or tags["json"] == "-":
            return
        name, *options = tags["json"].split(",")
        wire = tags.get("protobuf", "").split(",")
        number = int(wire[1]) if len(wire) > 1 else 0
        if not name:
            options.append("inline")
            go_name = go_name or type_text.rsplit(".", 1)[-1]
            name = next((word[5:] for word in wire if word.startswith("name=")), go_name[0].lower() + go_name[1:])
        struct.append(Field(name, self._type(type_text, imports), number, options))

    def _type(self, text, imports):
        if text.startswith("*"):
            return "*", self._type(text[1:], imports)
        if text.startswith("[]"):
            return "[]", self._type(text[2:], imports)
        if match := re.match(r"map\[([\w.]+)\](.+)$", text):
            return "map", self._type(match.group(1), imports), self._type(match.group(2), imports)
        if text in _SCALARS:
            return "scalar", text
        if "." in text:
            package, name = text.split(".")
            return "ref", imports[package], name
        return "ref", self.path, text


def _messages(source):
    """The messages of a protobuf description: {message: {field: number}}."""
    messages = {}
    for line in source.read_text(encoding="utf-8").splitlines() if source.exists() else ():
        if match := re.match(r"message (\w+) \{", line):
            message = messages.setdefault(match.group(1), {})
        elif match := re.match(r"  (?:optional|repeated|required|map<).* (\w+) = (\d+);", line):
            message[match.group(1)] = int(match.group(2))
    return messages


class Sources:
    """The packages of the modules that a go.mod pins, read when first asked for."""

    def __init__(self, module_directory):
        self._directory = module_directory
        self._modules = {}
        self._packages = {}

    def version(self, module):
        return self._module(module)[0]

    def package(self, path):
        if path not in self._packages:
            module = "/".join(path.split("/")[:2])
            self._packages[path] = Package(path, self._module(module)[1] / path[len(module) + 1:])
        return self._packages[path]

    def _module(self, module):
        if module not in self._modules:
            form = "{{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}} {{.Dir}}"
            done = subprocess.run(["go", "list", "-mod=readonly", "-m", "-f", form, module],
                                  cwd=self._directory, capture_output=True, text=True, check=True)
            version, directory = done.stdout.split()
            self._modules[module] = version, pathlib.Path(directory)
        return self._modules[module]
