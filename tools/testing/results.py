"""Counts what passed, failed and was skipped, and shows it as it happens."""

import sys
import time


class Results:
    def __init__(self):
        self.passed = 0
        self.failures = []  # (name, details)
        self.skipped = []  # (name, reason)
        self._began = time.monotonic()

    def minutes(self):
        """Since the start."""
        return (time.monotonic() - self._began) / 60

    def say(self, text):
        minutes, seconds = divmod(int(time.monotonic() - self._began), 60)
        print(f"[{minutes:2}:{seconds:02}] {text}", flush=True)

    def add_pass(self, count=1):
        self.passed += count

    def add_failure(self, name, details):
        self.failures.append((name, details))
        print(f"FAILED {name}\n{details.rstrip()}\n", file=sys.stderr, flush=True)

    def add_skip(self, name, reason):
        self.skipped.append((name, reason))

    def close(self):
        """Prints the summary; returns the exit code."""
        by_reason = {}
        for name, reason in self.skipped:
            by_reason.setdefault(reason, []).append(name)
        for reason, names in by_reason.items():
            print(f"skipped {', '.join(names)}: {reason}")
        for name, _ in self.failures:
            print(f"failed  {name}")
        print(f"{self.passed} passed, {len(self.failures)} failed, {len(self.skipped)} skipped")
        return 1 if self.failures or self.passed == 0 else 0
