"""Runs programs that print a line for each case, and reads them.

"ok NAME", "ok NAME # skip REASON", or "not ok NAME" and what is wrong in the lines after it; "# NOTE" is for people.
"""

import re
import subprocess
import threading

_CASE = re.compile(r"(ok|not ok)( |$)")
_MOST_LINES = 40  # of the beginning of what is wrong, and of its end


def notes(line):
    return line.startswith("# ")


def notes_and_cases(line):
    return line.startswith(("# ", "ok "))


def everything(_):
    return True


def run(results, arguments, limit, root, shown=notes):
    """`limit`: seconds after which it hangs. What is `shown` of its lines goes to the terminal as it comes."""
    name = " ".join(str(word) for word in arguments)
    reader, hung = Reader(results), threading.Event()
    with subprocess.Popen([str(word) for word in arguments], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace") as process:
        watchdog = threading.Timer(limit, lambda: (hung.set(), process.kill()))
        watchdog.start()
        for line in process.stdout:
            if shown(line):
                print("  " + line.rstrip(), flush=True)
            reader.read(line.rstrip())
        watchdog.cancel()
    reader.close(name, process.returncode, f"did not end within {limit:.0f} s" if hung.is_set() else None)


class Reader:
    """Counts cases as their lines come. A case is over when the next one, or the end, is there: what is wrong comes after its name."""

    def __init__(self, results):
        self.results = results
        self.last = None  # the line of a case
        self.details = []
        self.cases, self.failed = 0, 0

    def read(self, line):
        if _CASE.match(line):
            self._end_case()
            self.last = line
            self.cases += 1
        elif not line.startswith("# "):
            self.details.append(line)

    def close(self, name, code, problem=None):
        """The program has ended. One that fails without a word of why, or that had no cases at all, has failed itself."""
        rest = self.details if self.last is None or self.last.startswith("ok") else []
        self._end_case()
        if problem is None and code and not self.failed:
            problem = f"ended with code {code}"
        if problem is None and not self.cases:
            problem = "had no cases"
        if problem:
            self.results.add_failure(name, "\n".join([problem, *rest[-_MOST_LINES:]]))

    def _end_case(self):
        if self.last is None:
            pass
        elif self.last.startswith("not ok"):
            self.failed += 1
            self.results.add_failure(self.last[7:], "\n".join(shortened(self.details)))
        elif " # skip " in self.last:
            self.results.add_skip(*self.last[3:].split(" # skip ", 1))
        else:
            self.results.add_pass()
        self.last, self.details = None, []


def shortened(lines, most=_MOST_LINES):
    """The beginning says what is wrong, the end how to see it again."""
    left_out = len(lines) - 2 * most
    return lines if left_out <= 0 else [*lines[:most], f"... {left_out} lines ...", *lines[-most:]]
