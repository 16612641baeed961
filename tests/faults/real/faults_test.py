#!/usr/bin/env python3
"""Faults between the real binary and a real kube-apiserver, many at once: of single requests (cases.py), deaths (deaths.py),
leaders (leaders.py), the same in Cluster API's dialect (contract.py), and of the server itself (own_server.py).

Prints a line for each case. Words select cases by parts of their names.
"""

import concurrent.futures
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("e2e/providers", "e2e/capi", "e2e/api", "e2e/machines", "faults/real"):
    sys.path.insert(0, str(HERE.parents[1] / folder))
sys.dont_write_bytecode = True

import cases  # noqa: E402
import contract  # noqa: E402
import deaths  # noqa: E402
import leaders  # noqa: E402
import own_server  # noqa: E402
import programs  # noqa: E402
from ground import ground  # noqa: E402
from kinds import define_kinds  # noqa: E402
from samples import Skip  # noqa: E402
from servers import real_server  # noqa: E402
from yard import yard  # noqa: E402

AT_ONCE = 4  # one of them only waits; more would be slowed by each other, and time is part of what is asked


def place(kubeconfig, name, case):
    return ground(kubeconfig, name, is_served=False) if case in contract.CASES else yard(kubeconfig, name)


def run(kubeconfig, number, case):
    """A line is printed; whether it is good."""
    name = f"faults: {case.__name__.replace('_', ' ')}"
    began = time.monotonic()
    try:
        with place(kubeconfig, f"fault{number}", case) as it:
            note = case(it)
    except Skip as skip:
        return told(f"ok {name} # skip {skip}", True)
    except AssertionError as error:
        return told(f"not ok {name}\n{error}", False)
    except Exception:  # a fault of the case: told with its place, and the others go on
        return told(f"not ok {name}\n{traceback.format_exc()}", False)
    return told(f"ok {name} ({time.monotonic() - began:.0f} s{', ' + note if note else ''})", True)


def told(line, good):
    print(line + "\n", end="", flush=True)  # in one piece: others print, too
    return good


def run_with_own_server(chosen):
    """One after the other: each is about the server itself."""
    with real_server() as kubeconfig:
        define_kinds(kubeconfig)
        return all([run(kubeconfig, number, case) for number, case in enumerate(chosen)])


def run_together(chosen):
    with real_server() as kubeconfig, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        define_kinds(kubeconfig)
        if any(case in contract.CASES for case in chosen):
            programs.define_kinds(kubeconfig)
        return all(list(pool.map(lambda one: run(kubeconfig, *one), enumerate(chosen))))


def main():
    parts = sys.argv[1:]

    def chosen(*themes):
        return [case for theme in themes for case in theme.CASES if not parts or any(part in case.__name__ for part in parts)]
    work = [(run_with_own_server, chosen(own_server)), (run_together, chosen(cases, deaths, contract, leaders))]
    with concurrent.futures.ThreadPoolExecutor(len(work)) as pool:
        running = [pool.submit(how, some) for how, some in work if some]
        good = [one.result() for one in running]
    sys.exit(0 if good and all(good) else 1)


main()
