"""The command line of ./bench."""

import argparse
import datetime
import hashlib
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import time

from . import contenders, instructions, plan, programs, report, work, workloads
from .life import TIMES, Life
from .programs import ROOT

_EXAMPLES = """examples:
  ./bench quick                                   a few minutes: 50 machines, ours and one peer
  ./bench                                         100 machines, all contenders, one round
  ./bench W2 W4 --n 1000 --peers ours,gardener-lifted --rounds 3
  ./bench W10 --n 1000 --sets 100 --peers ours    over 100 deployments
  ./bench --plan quiet --minutes 35               what matters most, as much of it as fits; for a machine that is left alone
  ./bench --plan steady --minutes 60              five minutes at rest and five of churn, 1,000 machines
  ./bench W12                                     instructions of the hot paths, against the stored ones
  ./bench report                                  tables and plots of what has been measured so far

workloads:
  W1  the controller starts while N machines are well    W5  nothing happens but the nodes' reports
  W2  from none to N                                     W6  ten machines are deleted each second
  W3  a new template                                     W8  from none to N while the API server is killed
  W4  from N to none                                     W4P the same with pods and disruption budgets
  W10 W2 and W4 over many deployments (--sets)           W12 instruction counts
"""


def main():
    options = _options()
    if options.workloads == ["report"]:
        report.write(pathlib.Path(options.out), options.all)
        return 0
    if options.workloads and options.workloads[0] == "W12":
        return instructions.main(options)
    _shorthands(options)
    _check_shares(options)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as after Ctrl-C, programs are ended and tables written
    subprocess.run([ROOT / "tools/kubernetes/build"], check=True)
    subprocess.run([ROOT / "benchmarks/peers/build"], check=True)
    peers = pathlib.Path(subprocess.run([ROOT / "benchmarks/peers/build", "--print-dir"], check=True, stdout=subprocess.PIPE,
                                        text=True).stdout.strip())
    session = _Session(options, peers)
    try:
        if options.plan:
            entries = [entry.lasting(options.idle, options.churn) for entry in plan.ALL[options.plan]()]
            plan.run(entries, 60 * options.minutes, session.live, time.monotonic,
                     lambda text: print(text, flush=True))
        else:
            session.all_rounds(options.workloads or list(workloads.ALL))
    finally:
        report.write(pathlib.Path(options.out), options.all)
    return 1 if session.failures and not options.plan else 0


def _shorthands(options):
    if options.workloads == ["quick"]:
        options.n, options.rounds = options.n or [50], 1
        options.idle = 5 if options.idle is None else options.idle
        options.peers = ["ours", "ours-capi", "gardener-lifted"]
        options.workloads = ["W2", "W5", "W1", "W4"]
        options.patience = min(options.patience, 180)
    if options.workloads == ["W10"]:
        options.workloads = ["W2", "W4"]
        options.sets = options.sets if options.sets > 1 else 10


def _check_shares(options):
    for size in options.n or [100]:
        try:
            work.share(size, options.sets)
        except ValueError as problem:
            sys.exit(f"./bench: {problem}")


class _Session:
    """Lives one after the other, each with a fresh control plane."""

    def __init__(self, options, peers):
        self.options, self.peers = options, peers
        self.failures = 0

    def all_rounds(self, chosen):
        for size in self.options.n or [100]:
            for number in range(self.options.rounds):  # one after the other in each round, so that a noisy hour hits them all
                for name in self.options.peers:
                    print(f"{name}, {size} machines, round {number + 1}", flush=True)
                    seconds = {"idle": 60 if self.options.idle is None else self.options.idle,
                               "churn": 30 if self.options.churn is None else self.options.churn}
                    self._live(name, size, chosen, self.options.life_seconds, sets=self.options.sets, **seconds)

    def live(self, entry, seconds):
        self._live(entry.contender, entry.size, entry.workloads, seconds, sets=entry.sets, idle=entry.idle, churn=entry.churn)

    def _live(self, name, size, chosen, seconds, **its_own):
        options = argparse.Namespace(**{**vars(self.options), **its_own})
        store = _Store(options, name, size)
        try:
            results = Life(contenders.ALL[name], size, options, self.peers, seconds).run(chosen, store.note)
            self.failures += sum("failed" in figures or report.is_spoiled(figures) for figures in results.values())
        except (RuntimeError, OSError, programs.Ended, programs.TooSlow) as problem:  # before its first workload
            self.failures += 1
            print(f"  no life: {str(problem)[:600]}", flush=True)
        store.close()


class _Store:
    """One file for each life, written after each workload, so that an interrupted run loses nothing."""

    def __init__(self, options, name, size):
        now = datetime.datetime.now(datetime.timezone.utc)
        self.begun, self.results = time.monotonic(), {}
        self.life = {"contender": name, "size": size, "sets": options.sets, "at": now.isoformat(timespec="seconds"), "times_ms": TIMES,
                     "machine": {"cores": os.cpu_count(), "kernel": platform.release()}, **_stamp()}
        folder = pathlib.Path(options.out) / "lives"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{now:%Y%m%dT%H%M%S}-{name}-{size}-{options.sets}.json"

    def note(self, workload, results):
        self.results = results
        self._write()
        report.print_workload(workload, results[workload], self.life["size"])

    def close(self):
        self.life["took_s"] = time.monotonic() - self.begun
        if self.results:
            self._write()

    def _write(self):
        self.path.write_text(json.dumps({**self.life, "results": self.results}, indent=1) + "\n")


def _stamp():
    """What was measured: the program itself, which need not be that of the sources beside it, and where those stand."""
    program = ROOT / "build/millwright"
    return {"commit": _said("git", "rev-parse", "--short", "HEAD"),
            "dirty": bool(_said("git", "status", "--porcelain", "--untracked-files=no")),
            "binary": {"version": _said(program, "--version"), "sha256": hashlib.sha256(program.read_bytes()).hexdigest()[:12]}}


def _said(*command):
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip()


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
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=f"quick, report, W10, W12, or of: {' '.join(workloads.ALL)}")
    parser.add_argument("--n", type=lambda text: [int(word) for word in text.split(",")], default=None, metavar="N,...",
                        help="how many machines (default: 100)")
    parser.add_argument("--peers", type=_words(contenders.ALL), default=[name for name in contenders.ALL if name != "ours-inside"],
                        metavar="NAME,...",
                        help=f"who runs, of: {', '.join(contenders.ALL)}")
    parser.add_argument("--rounds", type=int, default=1, help="how often (default: 1)")
    parser.add_argument("--sets", type=int, default=1, help="over how many deployments (default: 1)")
    parser.add_argument("--pods", type=int, default=2, metavar="COUNT", help="pods on each machine in W4P (default: 2)")
    parser.add_argument("--plan", choices=list(plan.ALL), help="a list of lives instead, as many as --minutes allows")
    parser.add_argument("--minutes", type=float, default=35, help="how long a plan may take (default: 35)")
    parser.add_argument("--life-seconds", type=int, default=None, metavar="SECONDS", help="after which a life has failed")
    parser.add_argument("--update", action="store_true", help="W12: store what was counted as what is to be compared with")
    parser.add_argument("--idle", type=int, default=None, metavar="SECONDS", help="how long W5 takes (default: 60, or as a plan says)")
    parser.add_argument("--churn", type=int, default=None, metavar="SECONDS",
                        help="how long W6 deletes (default: 30, or as a plan says)")
    parser.add_argument("--all", action="store_true", help="tables with lives of all our commits; else of the newest only")
    parser.add_argument("--patience", type=int, default=900, metavar="SECONDS", help="after which a workload has failed")
    parser.add_argument("--out", default=str(ROOT / "build/bench"), help="where results go (default: build/bench)")
    options = parser.parse_args()
    alone = ("quick", "report", "W10", "W12")
    for word in options.workloads:
        if word not in workloads.ALL and options.workloads != [word] or word not in (*workloads.ALL, *alone):
            parser.error(f"{word!r} is none of {', '.join(workloads.ALL)}, nor alone one of {', '.join(alone)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
