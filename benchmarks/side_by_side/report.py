"""What was measured: for a terminal, as a Markdown table, as plots."""

import json
import statistics

from . import contenders, plot

_MIB = 1024 * 1024


def _per(figures, key, size):
    return figures[key] / size


def _writes(figures):
    return figures["requests"]["writes"]


def times_own_writes(figures):
    """How much longer it took than this server needs for the very writes that were sent."""
    rates, verbs = figures.get("rates"), figures["requests"]["by_verb"]
    if not rates:
        return None
    patches = sum(verbs.get(verb, 0) for verb in ("patch", "update"))
    return figures["wall_s"] / (verbs.get("create", 0) / rates["create"] + patches / rates["patch"] + verbs.get("delete", 0) / rates["delete"])


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
    "W6": [("wall, s", lambda f, n: f["wall_s"]), ("CPU, s", lambda f, n: f["cpu_s"]), ("writes", lambda f, n: _writes(f)),
           ("peak RSS, MiB", lambda f, n: f["peak_rss"] / _MIB), *_REMOVAL],
    "W4P": [*_UP_AND_DOWN, *_REMOVAL, ("pods/machine", lambda f, n: f["pods"] / n), ("pods evicted", lambda f, n: f["evicted"]),
            ("evictions that budgets refused", lambda f, n: f["evictions_refused"]),
            ("pods deleted past their budgets", lambda f, n: f["pods_deleted"])],
    "W8": [("wall, s", lambda f, n: f["wall_s"]), ("after the server was ready, s", lambda f, n: f["after_ready_s"]),
           ("CPU, ms/machine", lambda f, n: 1000 * f["cpu_s"] / n), ("writes/machine", lambda f, n: _writes(f) / n)],
}
TITLES = {"start": "Before: this API server, and each contender without machines", "W2": "W2: from none to N",
          "W4": "W4: from N to none, empty nodes", "W3": "W3: a new template, 25% surge, none unavailable",
          "W5": "W5: at rest, each node reports every 30 s", "W1": "W1: cold start with N machines",
          "W6": "W6: ten machines a second deleted and replaced", "W8": "W8: from none to N, API server killed for 10 s",
          "W4P": "W4P: from N to none, pods with budgets (one of ten may be away)"}
PLOTS = {"W2": ("wall, s", "CPU, ms/machine", "writes/machine", "peak RSS, MiB"), "W4": ("wall, s", "CPU, ms/machine", "writes/machine"),
         "W3": ("wall, s", "CPU, ms/machine"), "W1": ("at rest after, s", "CPU, s")}


def _milli(value):
    return None if value is None else 1000 * value


def print_workload(name, figures, size):
    said = f"failed: {figures['failed'][:200]}" if "failed" in figures else "; ".join(
        f"{title} {plot.number(value)}" for title, value in _row(name, figures, size) if value is not None)
    print(f"  {name:5} {said}", flush=True)


def _row(workload, figures, size):
    return [(title, read(figures, size)) for title, read in COLUMNS[workload]]


def write(folder):
    """results.md and the plots, from all lives in the folder."""
    lives = [json.loads(path.read_text()) for path in sorted((folder / "lives").glob("*.json"))]
    for life in lives:
        for figures in life["results"].values():
            figures.setdefault("rates", life["results"].get("start", {}).get("rates"))
    parts = []
    for size, sets in sorted({(life["size"], life["sets"]) for life in lives}):
        there = [life for life in lives if (life["size"], life["sets"]) == (size, sets)]
        for workload in TITLES:
            table = _table(workload, size, there)
            if table:
                over = f", over {sets} deployments" if sets > 1 else ""
                parts.append(f"### {TITLES[workload]} (N = {size:,}{over})\n\n{table}\n")
                if sets == 1:
                    _plots(folder, workload, size, there)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.md").write_text("\n".join(parts))


def _gather(workload, size, lives):
    """By contender: each column's values of all rounds, or why there are none."""
    gathered = {}
    for name in contenders.ALL:
        mine = [life["results"][workload] for life in lives if life["contender"] == name and workload in life["results"]]
        good = [figures for figures in mine if "failed" not in figures]
        spoiled = [figures for figures in good if figures.get("doubled") or figures.get("leaked")]
        if mine:
            gathered[name] = (good, len(mine) - len(good), len(spoiled))
    return gathered


def _table(workload, size, lives):
    """A row for each figure, a column for each contender."""
    gathered = _gather(workload, size, lives)
    if not gathered:
        return None
    rows = [["", *(contenders.ALL[name].title + _note(*gathered[name][1:]) for name in gathered)],
            ["---"] * (1 + len(gathered))]
    for title, read in COLUMNS[workload]:
        cells = [_cell([read(figures, size) for figures in good]) for good, _, _ in gathered.values()]
        if any(cell != "-" for cell in cells):
            rows.append([title, *cells])
    rounds = [len(good) for good, _, _ in gathered.values()]
    if max(rounds) > 1:
        rows.append(["rounds", *map(str, rounds)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _note(failed, spoiled):
    said = [text for text, count in (("failed", failed), ("doubled or leaked a VM", spoiled)) if count]
    return f" ({', '.join(said)})" if said else ""


def _cell(values):
    """Median, and the range if there is one."""
    values = [value for value in values if value is not None]
    if not values:
        return "-"
    middle = plot.number(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({plot.number(min(values))}-{plot.number(max(values))})"


def _plots(folder, workload, size, lives):
    gathered = _gather(workload, size, lives)
    readers = dict(COLUMNS[workload])
    for index, column in enumerate(PLOTS.get(workload, ())):
        rows = []
        for name, (good, _, _) in gathered.items():
            values = [value for figures in good if (value := readers[column](figures, size)) is not None]
            rows.append((contenders.ALL[name].title, statistics.median(values) if values else None, name.startswith("ours")))
        title, _, unit = column.partition(", ")
        text = plot.bars(f"{TITLES[workload]}, N = {size:,}: {title}", unit or column, rows)
        (folder / f"{workload}-{size}-{index + 1}.svg").write_text(text)
