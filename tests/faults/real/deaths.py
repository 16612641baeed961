"""F1: the controller dies at every write, before the server hears of it and after. Machines are processes of this computer, so that
what outlives the controller shows."""

import time

import local_machines
from bodies import next_version, rolling
from crashes import _agents, _no_machine_twice
from disturbed import ALONE, local

POLL_SECONDS = 0.02
CRAWL_SECONDS = 90
FEWEST_DEATHS = 6
LEAST_SHARE = 0.8  # of the points: some writes are needed no more when he who sent them comes again


class Crawl:
    """How far one comes who dies at every write, once before it and once after."""

    def __init__(self, them, between):
        self.them, self.between = them, between
        self.covered, self.missed = 0, []

    def to(self, what, goal):
        """Each write of this stretch kills twice; a write that changes nothing comes again, and is let through then."""
        begun, points = len(self.between.record()), set()
        deadline = time.monotonic() + CRAWL_SECONDS
        while True:
            self.them.start()
            process = self.them.processes["controller"]
            self.between.kill(process.pid, points)
            while process.poll() is None and not goal():
                assert time.monotonic() < deadline, f"{what}: this does not come; {self.between.facts()}, deaths: {sorted(points)}"
                time.sleep(POLL_SECONDS)
            if process.poll() is None:
                self.them.kill()
                break
            facts = self.between.facts()
            assert facts["killed"], f"{what}: it ended by itself\n{self.them.log()[-2000:]}"
            points.add((facts["killed"], facts["after"]))
            _no_machine_twice(self.them)
        assert len(points) >= FEWEST_DEATHS, f"{what}: too few deaths to mean anything: {sorted(points)}"
        seen = {(entry["request"], after) for entry in self.between.record()[begun:] for after in (False, True)}
        self.covered += len(points)
        self.missed += sorted(seen - points)

    def report(self):
        total = self.covered + len(self.missed)
        assert self.covered >= LEAST_SHARE * total, f"only {self.covered} of {total} points covered, not {self.missed}"
        return f"{self.covered} of {total} points covered, before and after each write"


def f1_dies_before_and_after_every_write(yard):
    with local(yard, ALONE) as (them, between):
        cloud = local_machines.Cloud(them)
        crawl = Crawl(them, between)
        name = f"{yard.name}-web"
        try:
            yard.deploy(name, 1, strategy=rolling(1, 0))
            crawl.to("create", lambda: yard.runs(name, 1))
            before = set(cloud.processes())
            yard.patch("deployments", name, next_version(2))
            crawl.to("roll", lambda: yard.runs(name, 1) and not before & set(cloud.processes()))
            yard.delete("deployments", name)
            crawl.to("delete", lambda: not yard.one("deployments", name) and not yard.all("sets")
                     and not yard.all("machines") and not yard.all("nodes"))
            assert not _agents(them) and not cloud.folders(), "a machine was left behind"
            return crawl.report()
        finally:
            cloud.kill_all()


CASES = (f1_dies_before_and_after_every_write,)
