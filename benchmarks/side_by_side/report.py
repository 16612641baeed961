"""What was measured: for a terminal, as a Markdown table, as plots."""

import dataclasses
import json
import statistics

from . import contenders, plot

_MIB = 1024 * 1024


def _writes(figures):
    return figures["requests"]["writes"]


def times_own_writes(figures):
    """How much longer it took than this server needs for the very writes that were sent."""
    rates = figures.get("rates")
    if not rates:
        return None
    needed = (_of_verbs(figures, "create") / rates["create"] + _of_verbs(figures, "patch", "update") / rates["patch"]
              + _of_verbs(figures, "delete") / rates["delete"])
    return figures["wall_s"] / needed if needed else None


def _of_verbs(figures, *verbs):
    return sum(figures["requests"]["by_verb"].get(verb, 0) for verb in verbs)


def _requests(each, count):
    """Rows of a table: requests by verb for each machine, or whatever `count` counts."""
    def reader(*verbs):
        return lambda f, n: _of_verbs(f, *verbs) / count(f, n) if count(f, n) else None
    return [(f"{title}/{each}", reader(*verbs)) for title, verbs in (
        ("creates", ("create",)), ("updates and patches", ("update", "patch")), ("deletes", ("delete", "deletecollection")),
        ("gets", ("get",)), ("lists", ("list",)), ("watches", ("watch",)))]


_OF_MACHINES = _requests("machine", lambda f, n: n)
_OF_DELETIONS = _requests("deletion", lambda f, n: f.get("deleted"))


def _of_deletion(read):
    return lambda f, n: read(f) / f["deleted"] if f.get("deleted") else None


# For each workload: column, how it is read from figures and the size.
_UP_AND_DOWN = [
    ("wall, s", lambda f, n: f["wall_s"]),
    ("machines/s", lambda f, n: n / f["wall_s"]),
    ("times the floor", lambda f, n: f["wall_s"] / f["floor_s"]),
    ("times its own writes", lambda f, n: times_own_writes(f)),
    ("CPU, ms/machine", lambda f, n: 1000 * f["cpu_s"] / n),
    ("driver's CPU, ms/machine", lambda f, n: 1000 * f["driver_cpu_s"] / n if "driver_cpu_s" in f else None),
    ("writes/machine", lambda f, n: _writes(f) / n),
    ("reads/machine", lambda f, n: f["requests"]["reads"] / n),
    ("conflicts/machine", lambda f, n: f["requests"]["conflicts"] / n),
    *_OF_MACHINES,
    ("peak RSS, MiB", lambda f, n: f["peak_rss"] / _MIB),
    ("API server + etcd CPU, ms/machine", lambda f, n: 1000 * sum(f["server_cpu_s"].values()) / n if f["server_cpu_s"] else None),
]
_REACTION = [("node ready to next write, p50 ms", lambda f, n: _milli(f.get("reaction_p50_s"))),
             ("node ready to next write, p99 ms", lambda f, n: _milli(f.get("reaction_p99_s")))]
_REMOVAL = [("one removal, p50 s", lambda f, n: f.get("removal_p50_s")), ("one removal, p99 s", lambda f, n: f.get("removal_p99_s"))]
_CLOUD = [("cloud calls/machine", lambda f, n: sum(v for k, v in f["cloud"].items() if k.startswith("calls-")) / n or None)]
COLUMNS = {
    "start": [("RSS without machines, MiB", lambda f, n: f["rss"] / _MIB),
              ("W of this server, creates/s", lambda f, n: f["rates"]["create"]), ("status patches/s", lambda f, n: f["rates"]["patch"]),
              ("deletes/s", lambda f, n: f["rates"]["delete"]), ("load", lambda f, n: f["load"])],
    "W2": [*_UP_AND_DOWN, *_REACTION, *_CLOUD],
    "W4": [*_UP_AND_DOWN, *_REMOVAL, *_CLOUD],
    "W3": [*_UP_AND_DOWN, ("times the ideal", lambda f, n: f["wall_s"] / f["ideal_s"])],
    "W5": [("CPU, % of a core", lambda f, n: 100 * f["cpu_s"] / f["wall_s"]),
           ("CPU, us per node report", lambda f, n: 1e6 * f["cpu_s"] / f["cloud"]["heartbeats"] if f["cloud"].get("heartbeats") else None),
           ("requests/min", lambda f, n: 60 * sum(f["requests"]["by_verb"].values()) / f["wall_s"]),
           ("writes", lambda f, n: _writes(f)), ("RSS, MiB", lambda f, n: f["rss"] / _MIB)],
    "W1": [("at rest after, s", lambda f, n: f["rest_after_s"]), ("CPU, s", lambda f, n: f["cpu_s"]), ("writes", lambda f, n: _writes(f)),
           ("peak RSS, MiB", lambda f, n: f["peak_rss"] / _MIB), ("RSS, MiB", lambda f, n: f["rss"] / _MIB)],
    "W6": [("wall, s", lambda f, n: f["wall_s"]), ("deleted", lambda f, n: f.get("deleted")), ("CPU, s", lambda f, n: f["cpu_s"]),
           ("CPU, ms/deletion", _of_deletion(lambda f: 1000 * f["cpu_s"])), ("writes/deletion", _of_deletion(_writes)),
           *_OF_DELETIONS,
           ("RSS before, MiB", lambda f, n: f["rss_before"] / _MIB if "rss_before" in f else None),
           ("RSS after, MiB", lambda f, n: f["rss"] / _MIB), ("peak RSS, MiB", lambda f, n: f["peak_rss"] / _MIB), *_REMOVAL],
    "W4P": [*_UP_AND_DOWN, *_REMOVAL, ("pods/machine", lambda f, n: f["pods"] / n), ("pods evicted", lambda f, n: f["evicted"]),
            ("evictions that budgets refused", lambda f, n: f["evictions_refused"]),
            ("pods deleted past their budgets", lambda f, n: f["pods_deleted"])],
    "W8": [("wall, s", lambda f, n: f["wall_s"]), ("after the server's first answer, s", lambda f, n: f.get("after_answer_s")),
           ("CPU, ms/machine", lambda f, n: 1000 * f["cpu_s"] / n), ("writes/machine", lambda f, n: _writes(f) / n), *_OF_MACHINES],
}
TITLES = {"start": "Before: this API server, and each contender without machines", "W2": "W2: from none to N",
          "W4": "W4: from N to none, empty nodes", "W3": "W3: a new template, 25% surge, none unavailable",
          "W5": "W5: at rest, each node reports every 30 s", "W1": "W1: cold start with N machines",
          "W6": "W6: ten machines a second deleted and replaced", "W8": "W8: from none to N, API server killed for 10 s",
          "W4P": "W4P: from N to none, pods with budgets (one of ten may be away)"}
PLOTS = {"W2": ("wall, s", "CPU, ms/machine", "writes/machine", "peak RSS, MiB"), "W4": ("wall, s", "CPU, ms/machine", "writes/machine"),
         "W3": ("wall, s", "CPU, ms/machine"), "W1": ("at rest after, s", "CPU, s"), "W5": ("CPU, % of a core", "RSS, MiB"),
         "W6": ("CPU, ms/deletion", "RSS after, MiB"), "W8": ("after the server's first answer, s", "CPU, ms/machine"),
         "W4P": ("wall, s", "CPU, ms/machine")}


def _milli(value):
    return None if value is None else 1000 * value


def print_workload(name, figures, size):
    said = f"failed: {figures['failed'][:200]}" if "failed" in figures else "; ".join(
        f"{title} {plot.number(value)}" for title, value in _row(name, figures, size) if value is not None)
    spoiled = "DOUBLED OR LEAKED A VM, DOES NOT COUNT: " if is_spoiled(figures) else ""
    print(f"  {name:5} {spoiled}{said}", flush=True)


def is_spoiled(figures):
    """Whoever leaks or doubles a VM has no time: whatever else it took, it was not for this work."""
    return bool(figures.get("doubled") or figures.get("leaked"))


def _row(workload, figures, size):
    return [(title, read(figures, size)) for title, read in COLUMNS[workload]]


def write(folder, all_commits=False):
    """results.md and the plots, from the lives in the folder: of our own contenders the newest commit's, or all."""
    lives = [json.loads(path.read_text()) for path in sorted((folder / "lives").glob("*.json"))]
    for life in lives:
        for figures in life["results"].values():
            figures.setdefault("rates", life["results"].get("start", {}).get("rates"))
    parts = []
    for size, sets in sorted({(life["size"], life["sets"]) for life in lives}):
        there = [life for life in lives if (life["size"], life["sets"]) == (size, sets)]
        for workload, seconds in _tables(there):
            gathered = _gather(workload, seconds, there, all_commits)
            over = (f", {seconds} s" if seconds else "") + (f", over {sets} deployments" if sets > 1 else "")
            parts.append(f"### {TITLES[workload]} (N = {size:,}{over})\n\n{_table(workload, size, gathered)}\n")
            if sets == 1:
                _plots(folder, workload, size, seconds, gathered)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.md").write_text("\n".join(parts))


def _tables(lives):
    """Each workload that was run, and each length of one that has a length."""
    for workload in TITLES:
        lengths = {_seconds(workload, life["results"][workload]) for life in lives if workload in life["results"]}
        yield from ((workload, seconds) for seconds in sorted(lengths))


def _seconds(workload, figures):
    """How long it was told to last; 0 for those that take what they need, and where older lives do not say it."""
    if workload == "W5":
        return figures.get("seconds", round(figures.get("wall_s", 0)))
    return figures.get("seconds", 0)


@dataclasses.dataclass
class Gathered:
    """What is known of one contender in one table."""
    good: list
    failed: int
    spoiled: int
    builds: list


def _gather(workload, seconds, lives, all_commits=False):
    """By contender. Lives of several commits of ours are several programs; only those of the newest stand together."""
    gathered = {}
    for name in contenders.ALL:
        mine = sorted((life for life in lives if life["contender"] == name and workload in life["results"]
                       and _seconds(workload, life["results"][workload]) == seconds), key=lambda life: life.get("at", ""))
        if not mine:
            continue
        if _is_ours(name) and not all_commits:
            mine = [life for life in mine if _build(life) == _build(mine[-1])]
        figures = [life["results"][workload] for life in mine]
        done = [one for one in figures if "failed" not in one]
        good = [one for one in done if not is_spoiled(one)]
        builds = list(dict.fromkeys(map(_build, mine))) if _is_ours(name) else []
        gathered[name] = Gathered(good, len(figures) - len(done), len(done) - len(good), builds)
    return gathered


def _is_ours(name):
    return name.startswith("ours")


def _build(life):
    """Which program it was: the commit, and the program itself where that was noted."""
    binary = life.get("binary", {}).get("sha256")
    return (life.get("commit", "?") + (" and changes" if life.get("dirty") else "")) + (f", binary {binary}" if binary else "")


def _table(workload, size, gathered):
    """A row for each figure, a column for each contender."""
    rows = [["", *(contenders.ALL[name].title + _note(its) for name, its in gathered.items())],
            ["---"] * (1 + len(gathered))]
    for title, read in COLUMNS[workload]:
        cells = [_cell([read(figures, size) for figures in its.good]) for its in gathered.values()]
        if any(cell != "-" for cell in cells):
            rows.append([title, *cells])
    rounds = [len(its.good) for its in gathered.values()]
    if max(rounds) > 1:
        rows.append(["rounds", *map(str, rounds)])
    if any(its.builds for its in gathered.values()):
        rows.append(["commit", *("; ".join(its.builds) or "-" for its in gathered.values())])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _note(its):
    """What is not in the figures."""
    said = [f"{count} {text}" for text, count in (("failed", its.failed), ("spoiled: doubled or leaked a VM", its.spoiled)) if count]
    return f" ({', '.join(said)})" if said else ""


def _cell(values):
    """Median, and the range if there is one."""
    values = [value for value in values if value is not None]
    if not values:
        return "-"
    middle = plot.number(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({plot.number(min(values))}-{plot.number(max(values))})"


def _plots(folder, workload, size, seconds, gathered):
    readers = dict(COLUMNS[workload])
    length = f"-{seconds}s" if seconds else ""
    for index, column in enumerate(PLOTS.get(workload, ())):
        rows = []
        for name, its in gathered.items():
            values = [value for figures in its.good if (value := readers[column](figures, size)) is not None]
            rows.append((contenders.ALL[name].title, statistics.median(values) if values else None, _is_ours(name)))
        if all(value is None for _, value, _ in rows):
            continue
        title, _, unit = column.partition(", ")
        text = plot.bars(f"{TITLES[workload]}, N = {size:,}: {title}", unit or column, rows)
        (folder / f"{workload}-{size}{length}-{index + 1}.svg").write_text(text)
