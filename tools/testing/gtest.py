"""Runs GoogleTest programs and reads what they report."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

TIME_LIMIT = 900  # seconds for one program: it hangs, it does not compute


@dataclasses.dataclass
class Outcome:
    code: int | None      # None: it did not end
    output: str
    report: dict | None


def run_programs(results, programs, jobs=2, env=None, args=(), label=""):
    """Runs each program; `label` tells one flavour from another in failures."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        for program, outcome in zip(programs, pool.map(lambda p: _run(p, env, args), programs)):
            count(results, label + pathlib.Path(program).name, outcome)


def _run(program, env, args):
    with tempfile.TemporaryDirectory() as directory:
        report = os.path.join(directory, "report.json")
        command = [str(program), f"--gtest_output=json:{report}", "--gtest_brief=1", *args]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, timeout=TIME_LIMIT,
                                  env={**os.environ, **(env or {})})
        except subprocess.TimeoutExpired as expired:
            return Outcome(None, (expired.stdout or b"").decode(errors="replace"), None)
        output = done.stdout.decode(errors="replace")
        try:
            with open(report, encoding="utf-8") as file:
                return Outcome(done.returncode, output, json.load(file))
        except (OSError, ValueError):
            return Outcome(done.returncode, output, None)


def count(results, name, outcome):
    """Each case, and the program itself if its end cannot be laid to a case."""
    # The report does not say why a test was skipped; what was printed does, in the same order.
    reasons = iter(_SKIPPED.findall(outcome.output))
    cases, failed = 0, 0
    for suite in (outcome.report or {}).get("testsuites", []):
        for case in suite.get("testsuite", []):
            cases += 1
            failed += bool(case.get("failures"))
            _count_case(results, f"{name}: {suite['name']}.{case['name']}", case, reasons)
    if problem := _problem(outcome, cases, failed):
        results.add_failure(name, f"{problem}\n{_tail(outcome.output)}")


def _problem(outcome, cases, failed):
    """What is wrong with the program as a whole."""
    if outcome.code is None:
        return f"did not end within {TIME_LIMIT} s"
    if outcome.report is None:
        return f"ended with code {outcome.code} and no report"
    # 1 says that cases failed, and is also how the address sanitizer ends a program after the last of them.
    if outcome.code not in (0, 1) or outcome.code == 1 and not failed:
        return f"ended with code {outcome.code}, and {failed} of {cases} cases failed"
    return None if cases else "has no cases"


_SKIPPED = re.compile(r": Skipped\n(.*)")


def _count_case(results, name, case, reasons):
    if case.get("failures"):
        results.add_failure(name, "\n".join(f["failure"] for f in case["failures"]))
    elif case.get("result") == "SKIPPED":
        results.add_skip(name, next(reasons, "no reason given"))
    elif case.get("status") == "RUN":
        results.add_pass()
    else:
        results.add_skip(name, "disabled")


def _tail(text, lines=60):
    return "\n".join(text.splitlines()[-lines:])
