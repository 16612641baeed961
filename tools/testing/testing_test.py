#!/usr/bin/env python3
"""That ./test itself hides nothing: how it reads what programs say."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

import gtest  # noqa: E402
import lines  # noqa: E402
from results import Results  # noqa: E402


def quietly(work, *arguments):
    """What it returns, and what it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        return work(*arguments), out.getvalue()


class Lines(unittest.TestCase):
    def read(self, text, code=0, problem=None):
        results = Results()

        def work():
            reader = lines.Reader(results)
            for line in text.splitlines():
                reader.read(line)
            reader.close("program", code, problem)
        quietly(work)
        return results

    def test_cases_are_counted(self):
        results = self.read("ok a\nok b # skip no cloud\nnot ok c\nit is broken\n# a note\nok d")
        self.assertEqual((results.passed, results.skipped, results.failures),
                         (2, [("b", "no cloud")], [("c", "it is broken")]))

    def test_the_last_case_may_fail(self):
        self.assertEqual(self.read("ok a\nnot ok b\nwhy", code=1).failures, [("b", "why")])

    def test_a_code_without_a_failed_case_is_a_failure(self):
        self.assertEqual(self.read("ok a\nsegmentation fault", code=-11).failures,
                         [("program", "ended with code -11\nsegmentation fault")])

    def test_a_program_without_cases_is_a_failure(self):
        self.assertEqual(self.read("# nothing fits\nokay").failures, [("program", "had no cases\nokay")])

    def test_one_that_hangs_is_a_failure_whatever_failed_before(self):
        self.assertEqual([name for name, _ in self.read("not ok a\nwhy", -9, "did not end").failures], ["a", "program"])

    def test_of_much_the_beginning_and_the_end_are_shown(self):
        self.assertEqual(lines.shortened(list("abcdefg"), 2), ["a", "b", "... 3 lines ...", "f", "g"])
        self.assertEqual(lines.shortened(list("abcd"), 2), list("abcd"))

    def test_notes_are_seen_as_they_come(self):
        results = Results()
        script = ["sh", "-c", "echo '# 12 covered of 12'; echo 'ok 12 runs'; echo trace"]
        for shown, wanted in ((lines.notes, "  # 12 covered of 12\n"), (lines.notes_and_cases, "  # 12 covered of 12\n  ok 12 runs\n"),
                              (lines.everything, "  # 12 covered of 12\n  ok 12 runs\n  trace\n")):
            _, said = quietly(lambda: lines.run(results, script, 60, "/", shown=shown))
            self.assertEqual(said, wanted)
        self.assertEqual((results.passed, results.failures), (3, []))


def report(*cases):
    return {"testsuites": [{"name": "Suite", "testsuite": [{"name": f"Case{number}", **case} for number, case in enumerate(cases)]}]}


RUN = {"status": "RUN", "result": "COMPLETED"}


class Gtest(unittest.TestCase):
    def count(self, code, cases):
        results = Results()
        quietly(gtest.count, results, "program", gtest.Outcome(code, "what it printed", cases))
        return results

    def test_failed_cases_are_the_reason_of_code_1(self):
        results = self.count(1, report(RUN, {**RUN, "failures": [{"failure": "1 is not 2"}]}))
        self.assertEqual((results.passed, results.failures), (1, [("program: Suite.Case1", "1 is not 2")]))

    def test_code_1_without_a_failed_case_is_a_failure(self):
        self.assertEqual([name for name, _ in self.count(1, report(RUN)).failures], ["program"])

    def test_no_report_and_no_cases_are_failures(self):
        self.assertEqual(len(self.count(0, None).failures), 1)
        self.assertEqual(len(self.count(0, report()).failures), 1)

    def test_disabled_cases_are_skips(self):
        self.assertEqual(self.count(0, report(RUN, {"status": "NOTRUN"})).skipped, [("program: Suite.Case1", "disabled")])


class Summary(unittest.TestCase):
    def test_all_that_was_skipped_is_named(self):
        results = Results()
        results.add_pass()
        for number in range(9):
            results.add_skip(f"case {number}", "no cloud")
        code, said = quietly(results.close)
        self.assertEqual(code, 0)
        self.assertTrue(all(f"case {number}" in said for number in range(9)), said)

    def test_nothing_that_passed_is_a_failure(self):
        self.assertEqual(quietly(Results().close)[0], 1)


if __name__ == "__main__":
    unittest.main()
