"""What a process has used, from /proc."""

import pathlib


def cpu_seconds(pid):
    """On all its threads, to the nanosecond; what threads used that have ended is not in it."""
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def memory(pid):
    """RssAnon and VmRSS in bytes."""
    fields = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
    return tuple(int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "VmRSS"))
