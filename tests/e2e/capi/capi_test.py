#!/usr/bin/env python3
"""The Cluster API dialect's cases, on a standalone server that has its controllers in it and on a real control plane.

Prints a line for each case. Words select: standalone or real, and parts of the names of cases.
"""

import concurrent.futures
import contextlib
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("api", "machines", "providers"):
    sys.path.insert(0, str(HERE.parent / folder))
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import commands  # noqa: E402
import contracts  # noqa: E402
import drains  # noqa: E402
import moves  # noqa: E402
import pausing  # noqa: E402
import provider  # noqa: E402
import rest  # noqa: E402
import sample_life  # noqa: E402
import simulated_life  # noqa: E402
import versions  # noqa: E402
from ground import ground  # noqa: E402
from programs import conversion, define_kinds, standalone  # noqa: E402
from servers import real_server  # noqa: E402
from telling import told  # noqa: E402

THEMES = (simulated_life, drains, contracts, versions, moves, commands, pausing, rest)
AT_ONCE = 8


@contextlib.contextmanager
def real_place():
    with real_server() as kubeconfig:
        whose = define_kinds(kubeconfig)
        print("ok capi real: upstream's own kinds" + ("" if whose == "upstream" else " # skip they are not at hand; ours are used"), flush=True)
        provider.define(kubeconfig)
        with conversion(kubeconfig):
            yield kubeconfig


@contextlib.contextmanager
def standalone_place():
    with standalone("--without-node-lifecycle") as server:
        provider.define(server.kubeconfig)
        yield server.kubeconfig


PLACES = {"standalone": standalone_place, "real": real_place}


def in_ground(place, kubeconfig, number, case):
    with ground(kubeconfig, f"yard{number}", is_served=place == "standalone") as it:
        case(it)


def run_place(place, parts, pool):
    def is_chosen(case):
        return not parts or any(part in case.__name__ for part in parts)

    def name(case):
        return f"capi {place}: {case.__name__.replace('_', ' ')}"
    # What has a server of its own goes along with the others.
    running = [pool.submit(told, name(case), case) for case in sample_life.CASES if place == "standalone" and is_chosen(case)]
    themes = [theme for theme in THEMES if place in getattr(theme, "PLACES", PLACES)]
    chosen = [case for theme in themes for case in theme.CASES if is_chosen(case)]
    good = True
    with PLACES[place]() if chosen else contextlib.nullcontext() as kubeconfig:
        running += [pool.submit(told, name(case), lambda n=number, c=case: in_ground(place, kubeconfig, n, c))
                    for number, case in enumerate(chosen)]
        for done in concurrent.futures.as_completed(running):
            line, fine = done.result()
            good = good and fine
            print(line, flush=True)
    return good


def main():
    words = sys.argv[1:]
    parts = [word for word in words if word not in PLACES]
    chosen = [word for word in words if word in PLACES] or list(PLACES)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        good = [run_place(place, parts, pool) for place in chosen]
    sys.exit(0 if all(good) else 1)


main()
