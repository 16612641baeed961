#!/usr/bin/env python3
"""Cluster API's own programs beside ours: its providers, its core manager, clusterctl, and the cluster-autoscaler.

Prints a line for each case. Words select parts of the names of cases; --if-built skips what would have to be built first.
"""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("api", "machines", "providers"):
    sys.path.insert(0, str(HERE.parent / folder))
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import dev_life  # noqa: E402
import upstream_clients  # noqa: E402
from telling import told  # noqa: E402


def main():
    words = [word for word in sys.argv[1:] if word != "--if-built"]
    if "--if-built" in sys.argv:
        os.environ["MILLWRIGHT_ONLY_BUILT"] = "1"
    good = True
    for case in (*dev_life.CASES, *upstream_clients.CASES):
        if words and not any(word in case.__name__ for word in words):
            continue
        line, fine = told(f"capi upstream: {case.__name__.replace('_', ' ')}", case)
        good = good and fine
        print(line, flush=True)
    sys.exit(0 if good else 1)


main()
