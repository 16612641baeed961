"""W12: how many instructions the hot paths take, counted by callgrind, against those that are stored.

Instructions do not depend on who else uses the machine, so a few percent are visible. They do depend on the compiler and on which
variants of memcpy and the like the processor gets; the stored counts say where they were taken."""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

from .programs import ROOT

STORED = ROOT / "benchmarks/instructions.json"
PROGRAM = ROOT / "build/benchmarks/hot_paths_bench"
LIMIT = 0.03
_FEW, _MANY = 50, 250
# simdjson chooses its kernel by the processor; this one is there on every processor and in callgrind.
_ENVIRONMENT = {**os.environ, "SIMDJSON_FORCE_IMPLEMENTATION": "westmere"}


def main(options):
    if shutil.which("valgrind") is None:
        print("W12 needs valgrind (Debian's package of that name)")
        return 3
    subprocess.run([ROOT / "tools/build", "release", "hot_paths_bench"], check=True)
    folder = pathlib.Path(options.out) / "callgrind"
    folder.mkdir(parents=True, exist_ok=True)
    # Debian 12's valgrind gives up on the debug information that clang writes; symbols are enough for profiles.
    program = folder / "hot_paths_bench"
    subprocess.run(["objcopy", "--strip-debug", PROGRAM, program], check=True)
    counted = {name: count(program, name, folder) for name in _names(program)}
    if options.update:
        STORED.write_text(json.dumps({"made_by": _made_by(), "instructions": counted}, indent=1) + "\n")
        print(f"stored in {STORED.relative_to(ROOT)}")
        return 0
    stored = json.loads(STORED.read_text())
    rows = compare(stored["instructions"], counted)
    print(table(rows))
    if stored["made_by"] != _made_by():
        print(f"The stored counts were taken elsewhere ({stored['made_by']}; here {_made_by()}): differences may be due to that.")
    slower = [name for name, _, _, change in rows if change is not None and change > LIMIT]
    if slower:
        print(f"slower by more than {LIMIT:.0%}: {', '.join(slower)}. Profiles are in {folder} (callgrind_annotate). "
              "If it is meant: ./bench W12 --update")
    return 1 if slower else 0


def count(program, name, folder):
    """Instructions of one piece of work: the difference between many and few, so that what is done once does not count."""
    few, many = (_run(program, name, times, folder) for times in (_FEW, _MANY))
    return round((many - few) / (_MANY - _FEW))


def compare(stored, counted):
    """Rows of name, instructions before and now, and the change as a share; none where one of them is missing."""
    rows = []
    for name in dict.fromkeys([*stored, *counted]):
        before, now = stored.get(name), counted.get(name)
        rows.append((name, before, now, now / before - 1 if before and now else None))
    return rows


def table(rows):
    lines = ["| | stored | now | change |", "| --- | ---: | ---: | ---: |"]
    for name, before, now, change in rows:
        said = "-" if change is None else f"{change:+.1%}" + (" **slower**" if change > LIMIT else "")
        lines.append(f"| {name} | {_number(before)} | {_number(now)} | {said} |")
    return "\n".join(lines)


def _number(value):
    return "-" if value is None else f"{value:,}"


def _names(program):
    return subprocess.run([program, "--names"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def _run(program, name, times, folder):
    out = folder / f"{name}-{times}.out"
    with tempfile.TemporaryFile("w+") as said:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, "--do", name, str(times)],
                              env=_ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=said, check=False)
        said.seek(0)
        text = said.read()
    found = re.search(r"Collected : (\d+)", text)
    if done.returncode or not found:
        raise RuntimeError(f"callgrind on {name}: {text[-600:]}")
    return int(found.group(1))


def _made_by():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    compiler = subprocess.run(["clang++-19", "--version"], check=False, stdout=subprocess.PIPE, text=True).stdout.split("\n")[0]
    return {"processor": model.group(1) if model else platform.machine(), "compiler": compiler,
            "libc": " ".join(platform.libc_ver())}
