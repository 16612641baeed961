"""The command line of ./bench."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

from . import contenders, report, workloads
from .life import TIMES, Life
from .programs import ROOT

_EXAMPLES = """examples:
  ./bench quick                                   a few minutes: 50 machines, ours and one peer
  ./bench                                         100 machines, all contenders, one round
  ./bench W2 W4 --n 1000 --peers ours,gardener-lifted --rounds 3
  ./bench W2 --n 1000 --sets 100 --peers ours     over 100 deployments (W10)
  ./bench report                                  tables and plots of what has been measured so far

workloads:
  W1  the controller starts while N machines are well    W5  nothing happens but the nodes' reports
  W2  from none to N                                     W6  ten machines are deleted each second
  W3  a new template                                     W8  from none to N while the API server is killed
  W4  from N to none
"""


def main():
    options = _options()
    if options.workloads == ["report"]:
        report.write(pathlib.Path(options.out))
        return 0
    if options.workloads == ["quick"]:
        options.n, options.peers, options.rounds, options.idle = [50], ["ours", "gardener-lifted"], 1, 10
        options.workloads = ["W2", "W5", "W1", "W4"]
    chosen = options.workloads or list(workloads.ALL)
    subprocess.run([ROOT / "tools/kubernetes/build"], check=True)
    subprocess.run([ROOT / "benchmarks/peers/build"], check=True)
    peers = pathlib.Path(subprocess.run([ROOT / "benchmarks/peers/build", "--print-dir"], check=True, stdout=subprocess.PIPE,
                                        text=True).stdout.strip())
    failures = 0
    for size in options.n:
        for number in range(options.rounds):  # one after the other in each round, so that a noisy hour hits them all
            for name in options.peers:
                print(f"{name}, {size} machines, round {number + 1}", flush=True)
                store = _Store(options, name, size)
                results = Life(contenders.ALL[name], size, options, peers).run(chosen, store.note)
                failures += sum("failed" in figures for figures in results.values())
    report.write(pathlib.Path(options.out))
    return 1 if failures else 0


class _Store:
    """One file for each life, written after each workload, so that an interrupted run loses nothing."""

    def __init__(self, options, name, size):
        now = datetime.datetime.now(datetime.timezone.utc)
        self.life = {"contender": name, "size": size, "sets": options.sets, "at": now.isoformat(timespec="seconds"), "times_ms": TIMES,
                     "machine": {"cores": os.cpu_count(), "kernel": platform.release()}}
        folder = pathlib.Path(options.out) / "lives"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{now:%Y%m%dT%H%M%S}-{name}-{size}-{options.sets}.json"

    def note(self, workload, results):
        self.path.write_text(json.dumps({**self.life, "results": results}, indent=1) + "\n")
        report.print_workload(workload, results[workload], self.life["size"])


def _words(known):
    def read(text):
        words = text.split(",")
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(known)}")
        return words
    return read


def _options():
    parser = argparse.ArgumentParser(
        prog="./bench", epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs ours and the systems it replaces on the same work, and says how they did.")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=f"quick, report, or of: {' '.join(workloads.ALL)}")
    parser.add_argument("--n", type=lambda text: [int(word) for word in text.split(",")], default=[100], metavar="N,...",
                        help="how many machines (default: 100)")
    parser.add_argument("--peers", type=_words(contenders.ALL), default=[name for name in contenders.ALL if name != "ours-inside"],
                        metavar="NAME,...",
                        help=f"who runs, of: {', '.join(contenders.ALL)}")
    parser.add_argument("--rounds", type=int, default=1, help="how often (default: 1)")
    parser.add_argument("--sets", type=int, default=1, help="over how many deployments (default: 1)")
    parser.add_argument("--idle", type=int, default=60, metavar="SECONDS", help="how long W5 takes (default: 60)")
    parser.add_argument("--churn", type=int, default=30, metavar="SECONDS", help="how long W6 deletes (default: 30)")
    parser.add_argument("--patience", type=int, default=900, metavar="SECONDS", help="after which a workload has failed")
    parser.add_argument("--out", default=str(ROOT / "build/bench"), help="where results go (default: build/bench)")
    options = parser.parse_args()
    for word in options.workloads:
        if word not in (*workloads.ALL, "quick", "report"):
            parser.error(f"{word!r} is none of quick, report, {', '.join(workloads.ALL)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
