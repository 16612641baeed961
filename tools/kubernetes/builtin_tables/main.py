"""Where the facts come from, and where they go."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from . import kinds, openapi  # noqa: E402
from .go_types import Sources  # noqa: E402
from .table import Table  # noqa: E402

TARGET = ROOT / "src/apiserver/builtin/kinds.txt"


def build():
    sources = Sources(HERE.parent / "kubernetes")
    with openapi.running_server() as server:
        table = Table(sources, openapi.Documents(server))
    for api_version, kind, package in kinds.all_kinds():
        table.add_kind(api_version, kind, package)
    version = sources.version("k8s.io/api").replace("v0.", "1.", 1)
    return f"# Made by tools/kubernetes/builtin-tables from Kubernetes {version}; table.h explains it.\n" + table.text()


def main():
    match sys.argv[1:]:
        case []:
            TARGET.write_text(build(), encoding="utf-8")
            return 0
        case ["--check"]:
            same = TARGET.read_text(encoding="utf-8") == build()
            print(f"{TARGET.relative_to(ROOT)} is {'up to date' if same else 'not what this tool writes'}")
            return 0 if same else 1
        case _:
            print("usage: tools/kubernetes/builtin-tables [--check]", file=sys.stderr)
            return 2
