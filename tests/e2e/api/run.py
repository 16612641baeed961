#!/usr/bin/env python3
"""Asks a real kube-apiserver and the embedded one the same, and compares their answers.

  tests/e2e/api/run.py                                     start both and ask all
  tests/e2e/api/run.py --real KUBECONFIG --ours KUBECONFIG [--only ROW/NAME] [-v]

Prints a line for each case that differs; exits with 1 if one does that known_differences.txt does not name, or if one that
is named there does not differ any more.
"""

import argparse
import contextlib
import importlib
import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from case import CASES, fill  # noqa: E402
from client import Client  # noqa: E402
from compare import Normalizer, differences, shown  # noqa: E402
from servers import our_server, real_server  # noqa: E402
from webhook_server import webhook_server  # noqa: E402

# A controller that takes longer than this does not do its work.
PATIENCE_SECONDS = 60


def find(value, path):
    for part in path.split("."):
        if isinstance(value, list):
            value = value[int(part)] if int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def decoded(body):
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")


class Run:
    """One case on one server, in a namespace of its own."""

    def __init__(self, client, case, namespace, webhooks):
        self.client = client
        self.case = case
        self.values = {"ns": namespace, **webhooks}
        self.normalize = Normalizer(namespace)
        body = json.dumps({"metadata": {"name": namespace}}).encode()
        status, _, answer = client.ask("POST", "/api/v1/namespaces", {"Content-Type": "application/json"}, body)
        assert status == 201, f"{namespace}: {answer}"

    def answers(self):
        return [self.answer(step) for step in self.case.steps]

    def answer(self, step):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            result, value = self.ask(step)
            settled = all(find(value, path) == want for path, want in step.until.items())
            if settled or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        for name, path in step.keep.items():
            self.values[name] = find(value, path)
        return None if step.quiet else self.normalize(result)

    def ask(self, step):
        target = fill(step.target, self.values)
        headers = {"User-Agent": "conformance/1", "Accept": "application/json",
                   **{k: fill(v, self.values) for k, v in step.headers.items()}}
        if step.events:
            status, events = self.client.follow(target, headers, step.events)
            return {"status": status, "events": events}, events
        payload = step.payload(self.values)
        if payload is not None:
            headers["Content-Type"] = step.content_type
        status, answer_headers, body = self.client.ask(step.method, target, headers, payload)
        value = decoded(body)
        result = {"status": status, "body": value}
        warnings = answer_headers.get_all("Warning")
        if warnings:
            result["warnings"] = sorted(warnings)
        return result, value


def known_differences():
    """Case -> reason."""
    known = {}
    for line in (HERE / "known_differences.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(": ")
            known[name] = reason
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--real", type=pathlib.Path, help="kubeconfig of a kube-apiserver; none: start one")
    parser.add_argument("--ours", type=pathlib.Path, help="kubeconfig of the embedded server; none: start it")
    parser.add_argument("--only", default="", help="run only cases whose name begins so")
    parser.add_argument("-v", "--verbose", action="store_true", help="show whole answers of cases that differ")
    options = parser.parse_args()
    for module in sorted((HERE / "cases").glob("*.py")):
        importlib.import_module(f"cases.{module.stem}")
    with contextlib.ExitStack() as servers:
        real = options.real or servers.enter_context(real_server())
        ours = options.ours or servers.enter_context(our_server())
        webhooks = servers.enter_context(webhook_server())
        failed = compare(Client(real), Client(ours), webhooks, options)
    sys.exit(1 if failed else 0)


def compare(real, ours, webhooks, options):
    """How many cases differ that should not."""
    known = known_differences()
    stamp = int(time.time()) % 100000
    failed = 0
    chosen = [case for case in CASES if case.id.startswith(options.only)]
    for number, case in enumerate(chosen):
        namespace = f"case-{stamp}-{number}"
        real_answers = Run(real, case, namespace, webhooks).answers()
        our_answers = Run(ours, case, namespace, webhooks).answers()
        found = []
        for step, a, b in zip(case.steps, real_answers, our_answers):
            lines = [] if step.quiet else differences(a, b)
            found += [f"    {step.method} {step.target}{line}" if line.startswith("[") else
                      f"    {step.method} {step.target}: {line}" for line in lines]
            if lines and options.verbose:
                found += [f"      real: {shown(a)}", f"      ours: {shown(b)}"]
        if bool(found) == (case.id in known):
            print(f"ok {case.id}")
            continue
        failed += 1
        print(f"not ok {case.id}")
        print("\n".join(found) if found else "    no longer differs: take it out of known_differences.txt")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return failed


main()
