"""Lives to be run within a time that is given: which ones, in which order, and which fit."""

import dataclasses

_LIFE = ("W2", "W5", "W1", "W3", "W4")
_UP_AND_DOWN = ("W2", "W4")
_WITHOUT_ROLL = ("W2", "W5", "W1", "W4")


@dataclasses.dataclass(frozen=True)
class Entry:
    contender: str
    size: int
    workloads: tuple
    expected: int  # seconds that it takes on two quiet cores, until it was seen here
    limit: int     # seconds after which what has not come counts as failed
    sets: int = 1
    idle: int = 20   # seconds of W5
    churn: int = 30  # seconds in which W6 deletes

    def lasting(self, idle=None, churn=None):
        """The same with other lengths of W5 and W6, where they are given and there is one; its limits move with them."""
        idle = idle if idle is not None and "W5" in self.workloads else self.idle
        churn = churn if churn is not None and "W6" in self.workloads else self.churn
        longer = idle - self.idle + churn - self.churn
        return dataclasses.replace(self, idle=idle, churn=churn, expected=self.expected + longer, limit=self.limit + longer)

    def __str__(self):
        over = f" over {self.sets} deployments" if self.sets > 1 else ""
        return f"{self.contender}, {self.size:,} machines{over}: {' '.join(self.workloads)}"


def quiet():
    """For a machine that nobody else uses for half an hour or more: what matters most comes first; contenders take turns; whatever
    time is left goes to further rounds."""
    large = [Entry("ours", 1000, _WITHOUT_ROLL, 130, 400), Entry("gardener-lifted", 1000, _WITHOUT_ROLL, 330, 480),
             Entry("cluster-api-lifted", 1000, _WITHOUT_ROLL, 330, 480), Entry("ours-capi", 1000, _WITHOUT_ROLL, 140, 400)]
    small = [Entry("ours", 100, _LIFE, 80, 200), Entry("gardener-lifted", 100, _LIFE, 190, 300),
             Entry("cluster-api", 100, _LIFE, 160, 300), Entry("ours-capi", 100, _LIFE, 90, 200),
             Entry("gardener", 100, _UP_AND_DOWN, 120, 240)]
    again = [Entry(entry.contender, entry.size, _UP_AND_DOWN, expected, entry.limit) for entry, expected in zip(small, (35, 80, 60, 40, 120))]
    larger = [Entry("ours", 10000, _UP_AND_DOWN, 400, 700)]
    large_again = [Entry("ours", 1000, _UP_AND_DOWN, 80, 400), Entry("ours-capi", 1000, _UP_AND_DOWN, 90, 400),
                   Entry("gardener-lifted", 1000, _UP_AND_DOWN, 290, 480), Entry("cluster-api-lifted", 1000, _UP_AND_DOWN, 290, 480)]
    faults = [Entry(name, 100, ("W6", "W8", "W4P"), 150, 400) for name in ("ours", "cluster-api", "ours-capi", "gardener-lifted")]
    return [*large, *small, *larger, *again, *again, *large_again, *again, *faults, *large_again, *(again * 10)]


def steady():
    """Five minutes at rest and five of churn for each, with 1,000 machines: CPU and memory that drift show only then."""
    way_up = {"ours": 40, "gardener-lifted": 150, "cluster-api-lifted": 180, "ours-capi": 60}
    return [Entry(name, 1000, ("W2", "W5", "W6"), seconds + 300 + 300 + 60, seconds + 300 + 300 + 360, idle=300, churn=300)
            for name, seconds in way_up.items()]


ALL = {"quiet": quiet, "steady": steady}


def run(entries, seconds, live, clock, say=print):
    """Runs what fits into the seconds that are left, one after the other. `live` runs an entry within a limit and returns when it is
    over. What was seen to take so long once is expected to take so long again."""
    end = clock() + seconds
    seen, left_out = {}, []
    for entry in entries:
        left = end - clock()
        expected = seen.get(entry, entry.expected)
        if expected > left:
            left_out.append(entry)
            continue
        say(f"{entry} ({left / 60:.0f} minutes left)")
        begun = clock()
        live(entry, min(entry.limit, left))
        seen[entry] = max(seen.get(entry, 0), clock() - begun)
    for entry in dict.fromkeys(left_out):
        if entry not in seen:
            say(f"no time for {entry}")
    return seen
