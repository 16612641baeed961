#!/usr/bin/env python3
"""The Gardener dialect's cases, on a real control plane and on the embedded one: each in a namespace of its own, many at once.

Prints a line for each case. Words select: real or embedded, and parts of the names of cases. --kills N: how often the controller
is killed, in the case that does it.
"""

import concurrent.futures
import os
import pathlib
import sys
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "api"))
sys.dont_write_bytecode = True

import bad_input  # noqa: E402
import classes  # noqa: E402
import clusters  # noqa: E402
import crashes  # noqa: E402
import drains  # noqa: E402
import healing  # noqa: E402
import mixed_mode  # noqa: E402
import rollouts  # noqa: E402
import safety  # noqa: E402
import samples  # noqa: E402
import scaler  # noqa: E402
import scaling  # noqa: E402
import takeover  # noqa: E402
from kinds import define_kinds  # noqa: E402
from second_server import second_server  # noqa: E402
from servers import our_server, real_server  # noqa: E402
from yard import yard as make_yard  # noqa: E402

# The slow ones first, so that none of them is left alone at the end.
THEMES = (mixed_mode, crashes, clusters, drains, rollouts, scaling, bad_input, takeover, healing, safety, classes, scaler, samples)
AT_ONCE = 8
PLACES = {"real": real_server, "embedded": our_server}


def cases(parts):
    """Each with whether it needs a server of its own besides."""
    found = [(case, False) for theme in THEMES for case in theme.CASES]
    second = [(case, True) for case in clusters.ON_A_SECOND_SERVER]
    chosen = found[:len(mixed_mode.CASES)] + second + found[len(mixed_mode.CASES):]
    return [item for item in chosen if not parts or any(part in item[0].__name__ for part in parts)]


def run(place, kubeconfig, number, case, needs_second):
    """A line, and whether it is good."""
    name = f"gardener {place}: {case.__name__.replace('_', ' ')}"
    began = time.monotonic()
    try:
        with make_yard(kubeconfig, f"yard{number}") as yard:
            if needs_second:
                with second_server(place) as server:
                    case(yard, server)
            else:
                case(yard)
    except samples.Skip as skip:
        return f"ok {name} # skip {skip}", True
    except AssertionError as error:
        return f"not ok {name}\n{error}", False
    except Exception:  # a fault of the case: told with its place, and the others go on
        return f"not ok {name}\n{traceback.format_exc()}", False
    seconds = f" ({time.monotonic() - began:.0f} s)" if os.environ.get("MILLWRIGHT_TEST_TIMES") else ""
    return f"ok {name}{seconds}", True


def run_place(place, parts):
    chosen = cases(parts)
    if any(case in mixed_mode.CASES for case, _ in chosen):
        mixed_mode.binaries()
    good = True
    with PLACES[place]() as kubeconfig, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        define_kinds(kubeconfig)
        running = [pool.submit(run, place, kubeconfig, number, *item) for number, item in enumerate(chosen)]
        for done in concurrent.futures.as_completed(running):
            line, fine = done.result()
            good = good and fine
            print(line, flush=True)
    return good


def main():
    words = sys.argv[1:]
    if "--kills" in words:
        at = words.index("--kills")
        os.environ["MILLWRIGHT_KILLS"] = words[at + 1]
        del words[at:at + 2]
    parts = [word for word in words if word not in PLACES]
    chosen = [word for word in words if word in PLACES] or list(PLACES)
    sys.exit(0 if all([run_place(place, parts) for place in chosen]) else 1)


main()
