#!/usr/bin/env python3
"""Faults between the real binary and a real kube-apiserver: cases.py, many at once.

Prints a line for each case. Words select cases by parts of their names.
"""

import concurrent.futures
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE.parents[1] / "e2e/api", HERE.parents[1] / "e2e/machines", HERE):
    sys.path.insert(0, str(folder))
sys.dont_write_bytecode = True

from cases import CASES  # noqa: E402
from kinds import define_kinds  # noqa: E402
from servers import real_server  # noqa: E402
from yard import yard as make_yard  # noqa: E402

AT_ONCE = 4  # one of them only waits; more would be slowed by each other, and time is part of what is asked


def run(kubeconfig, number, case):
    """A line, and whether it is good."""
    name = f"faults: {case.__name__.replace('_', ' ')}"
    began = time.monotonic()
    try:
        with make_yard(kubeconfig, f"fault{number}") as yard:
            note = case(yard)
    except AssertionError as error:
        return f"not ok {name}\n{error}", False
    except Exception:  # a fault of the case: told with its place, and the others go on
        return f"not ok {name}\n{traceback.format_exc()}", False
    return f"ok {name} ({time.monotonic() - began:.0f} s{', ' + note if note else ''})", True


def main():
    parts = sys.argv[1:]
    chosen = [case for case in CASES if not parts or any(part in case.__name__ for part in parts)]
    good = True
    with real_server() as kubeconfig, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        define_kinds(kubeconfig)
        running = [pool.submit(run, kubeconfig, number, case) for number, case in enumerate(chosen)]
        for done in concurrent.futures.as_completed(running):
            line, fine = done.result()
            good = good and fine
            print(line, flush=True)
    sys.exit(0 if good else 1)


main()
