"""Runs GoogleTest programs and reads what they report."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

TIME_LIMIT = 900  # seconds for one program: it hangs, it does not compute


def run_programs(results, programs, jobs=2, env=None, args=(), label=""):
    """Runs each program; `label` tells one flavour from another in failures."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for program, outcome in zip(programs, pool.map(lambda p: _run(p, env, args), programs)):
            _count(results, label + pathlib.Path(program).name, outcome)


def _run(program, env, args):
    with tempfile.TemporaryDirectory() as directory:
        report = os.path.join(directory, "report.json")
        command = [str(program), f"--gtest_output=json:{report}", "--gtest_brief=1", *args]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, timeout=TIME_LIMIT,
                                  env={**os.environ, **(env or {})})
        except subprocess.TimeoutExpired as expired:
            return "did not end within %d s" % TIME_LIMIT, (expired.stdout or b"").decode(errors="replace"), None
        output = done.stdout.decode(errors="replace")
        try:
            with open(report, encoding="utf-8") as file:
                cases = json.load(file)
        except (OSError, ValueError):
            return f"ended with code {done.returncode} and no report", output, None
        problem = f"ended with code {done.returncode}" if done.returncode not in (0, 1) else None
        return problem, output, cases


def _count(results, name, outcome):
    problem, output, report = outcome
    if problem:
        results.add_failure(name, f"{problem}\n{_tail(output)}")
    # The report does not say why a test was skipped; what was printed does, in the same order.
    reasons = iter(_SKIPPED.findall(output))
    for suite in (report or {}).get("testsuites", []):
        for case in suite.get("testsuite", []):
            _count_case(results, f"{name}: {suite['name']}.{case['name']}", case, reasons)


_SKIPPED = re.compile(r": Skipped\n(.*)")


def _count_case(results, name, case, reasons):
    if case.get("result") == "SKIPPED":
        results.add_skip(name, next(reasons, "no reason given"))
    elif case.get("failures"):
        results.add_failure(name, "\n".join(f["failure"] for f in case["failures"]))
    elif case.get("status") == "RUN":
        results.add_pass()


def _tail(text, lines=60):
    return "\n".join(text.splitlines()[-lines:])
