"""A line for each case, as ./test reads it."""

import os
import time
import traceback

from samples import Skip

MOST_LINES = 30  # of what is told about a failure


def told(name, run):
    """A line, and whether it is good."""
    began = time.monotonic()
    try:
        run()
    except Skip as skip:
        return f"ok {name} # skip {skip}", True
    except AssertionError as error:
        lines = str(error).splitlines()
        short = lines if len(lines) < 2 * MOST_LINES else lines[:MOST_LINES] + ["..."] + lines[-MOST_LINES:]
        return "\n".join([f"not ok {name}", *short]), False
    except Exception:  # a fault of the case: told with its place, and the others go on
        return f"not ok {name}\n{traceback.format_exc()}", False
    seconds = f" ({time.monotonic() - began:.0f} s)" if os.environ.get("MILLWRIGHT_TEST_TIMES") else ""
    return f"ok {name}{seconds}", True
