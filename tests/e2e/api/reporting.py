"""What ./test reads of a program: "ok NAME", "not ok NAME" and what is wrong, "ok NAME # skip REASON"."""

import sys
import time
import traceback

_failures = []


def check(name, test, *arguments):
    """Runs one case, which fails by an assertion; returns whether it held."""
    try:
        note = test(*arguments)
    except Exception as error:  # pylint: disable=broad-except
        _failures.append(name)
        detail = str(error) if isinstance(error, AssertionError) and str(error) else traceback.format_exc()
        print(f"not ok {name}\n{detail}", flush=True)
        return False
    print(f"ok {name}" + (f": {note}" if note else ""), flush=True)
    return True


def skip(name, reason):
    print(f"ok {name} # skip {reason}", flush=True)


def failed():
    return bool(_failures)


def finish():
    sys.exit(1 if _failures else 0)


def eventually(what, seconds=60):
    """What a controller does takes a while: asks until the answer is true, and gives it; the limit is for what hangs."""
    deadline = time.monotonic() + seconds
    while True:
        answer = what()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"does not come true: {what.__name__}"
        time.sleep(0.05)
