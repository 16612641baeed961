"""The faults: what is done to the requests, and what must come of it. Numbers are those of the plan (F1, F2, ...).

Each case has a namespace, a proxy and controllers of its own. Machines are processes of this computer where it matters that they
outlive the controller.
"""

import collections
import contextlib
import os
import signal
import time

import bodies
import local_machines
from bodies import next_version, rolling
from controllers import Controllers, controllers
from crashes import _agents, _no_machine_twice
from proxy import proxy
from watchman import watchman

POLL_SECONDS = 0.02
DEATHS_EACH = 4
CRAWL_SECONDS = 90
ALONE = "--leader-elect=false"  # a killed process leaves its lease behind


@contextlib.contextmanager
def disturbed(yard, *extra, provider="simulated"):
    """Controllers behind a proxy, and the proxy."""
    with proxy(yard.kubeconfig) as between:
        with controllers(between.kubeconfig, False, [f"--namespace={yard.name}", *extra], provider=provider) as them:
            yield them, between


def local(yard, *extra):
    local_machines.supply(yard)
    return disturbed(yard, f"--bootstrap-token-auth-extra-groups={local_machines.GROUP}", *extra, provider="local")


def live(yard, disturb):
    """Created, scaled, rolled, deleted, with a disturbance in each step."""
    name = yard.deploy(f"{yard.name}-web", 2, strategy=rolling(1, 0))
    disturb()
    yard.until_running(name, 2)
    yard.patch("deployments", name, {"spec": {"replicas": 3}})
    disturb()
    yard.until_running(name, 3)
    with watchman(yard, name) as him:
        him.keep_watch()
        yard.patch("deployments", name, next_version(2))
        disturb()
        yard.until_running(name, 3)
        assert him.lowest_available >= 3, f"only {him.lowest_available} were available: {him.at_the_lowest}"
    yard.delete("deployments", name)
    disturb()
    yard.until_gone(name)


def crawl(yard, them, between, what, goal):
    """Every process dies at a write: once before the server hears of it, once after, at each write DEATHS_EACH times. How many did.

    Not for ever at the same one, since some change nothing (a token that is there already), and then nobody comes further.
    """
    deaths = collections.Counter()
    deadline = time.monotonic() + CRAWL_SECONDS
    while True:
        for after in (False, True):
            them.start()
            process = them.processes["controller"]
            between.kill(process.pid, after, [write for write, count in deaths.items() if count >= DEATHS_EACH])
            while process.poll() is None and not goal():
                assert time.monotonic() < deadline, f"{what}: this does not come; {between.facts()}, deaths: {dict(deaths)}"
                time.sleep(POLL_SECONDS)
            if process.poll() is None:
                them.kill()
                return deaths
            written = between.facts()["killed"]
            assert written, f"{what}: it ended by itself\n{them.log()[-2000:]}"
            deaths[written] += 1
            _no_machine_twice(them)


def f1_dies_before_and_after_every_write(yard):
    with local(yard, ALONE) as (them, between):
        cloud = local_machines.Cloud(them)
        name = f"{yard.name}-web"
        try:
            yard.deploy(name, 1, strategy=rolling(1, 0))
            deaths = [crawl(yard, them, between, "create", lambda: yard.runs(name, 1))]
            before = set(cloud.processes())
            yard.patch("deployments", name, next_version(2))
            deaths.append(crawl(yard, them, between, "roll", lambda: yard.runs(name, 1) and not before & set(cloud.processes())))
            yard.delete("deployments", name)
            deaths.append(crawl(yard, them, between, "delete", lambda: not yard.one("deployments", name) and not yard.all("sets")
                                and not yard.all("machines") and not yard.all("nodes")))
            counts = [each.total() for each in deaths]
            assert all(count >= 6 for count in counts), f"too few deaths to mean anything: {deaths}"
            assert not _agents(them) and not cloud.folders(), "a machine was left behind"
            return f"{sum(counts)} deaths at {len(set().union(*deaths))} writes"
        finally:
            cloud.kill_all()


def f2_the_server_is_away(yard):
    # Without a lease: whoever cannot renew it ends, and it is not this case that starts him again.
    with disturbed(yard, ALONE) as (them, between):
        yard.supply()
        them.start()
        name = yard.deploy(f"{yard.name}-web", 3)
        yard.until_running(name, 3)
        longest = 0
        for seconds, wish in ((1, 4), (8, 5)):
            between.rule("refuse", times=-1)
            between.cut()
            yard.patch("deployments", name, {"spec": {"replicas": wish}})
            time.sleep(seconds)  # this is the fault, not a wait for something
            between.clear()
            back, asked = time.monotonic(), between.facts()["requests"]
            time.sleep(1)
            first_second = between.facts()["requests"] - asked
            assert first_second < 120, f"{first_second} requests in the first second"
            yard.until_running(name, wish)
            longest = max(longest, time.monotonic() - back)
        assert longest < 20, f"steady only {longest:.0f} s after its return"
        yard.delete("deployments", name)
        yard.until_gone(name)
        return f"steady {longest:.1f} s after its return"


def f3_the_history_is_gone(yard):
    with disturbed(yard) as (them, between):
        yard.supply()
        them.start()
        name = yard.deploy(f"{yard.name}-web", 3)
        yard.until_running(name, 3)
        yard.poll("rest", lambda: _rests(between))
        writes = between.facts()["writes"]
        # Whoever resumes is told that he cannot; whoever lists anew may.
        between.rule("error", target="resourceVersion=", status=410, times=12)
        between.cut()
        yard.poll("all watches list anew", lambda: between.facts()["applied"] >= 6)
        between.clear()
        yard.poll("rest again", lambda: _rests(between))
        assert between.facts()["writes"] == writes, f"{between.facts()['writes'] - writes} needless writes"
        yard.patch("deployments", name, {"spec": {"replicas": 4}})
        yard.until_running(name, 4)
        yard.delete("deployments", name)
        yard.until_gone(name)


def _rests(between):
    """Nothing is written for a second."""
    before = between.facts()["writes"]
    time.sleep(1)
    return between.facts()["writes"] == before


def f4_watches_are_cut_and_repeated(yard):
    with disturbed(yard) as (them, between):
        yard.supply()
        between.rule("repeat", target="watch=true", times=-1)
        them.start()

        def disturb():
            for count in (1, 2, 5, 9):
                yard.mirror.after_changes(count, seconds=5)
                between.cut()
        live(yard, disturb)


def f4_watches_are_half_open(yard):
    with disturbed(yard) as (them, between):
        yard.supply()
        them.start()
        name = yard.deploy(f"{yard.name}-web", 1)
        yard.until_running(name, 1)
        between.rule("freeze", target="watch=true", times=12)
        between.cut()
        yard.poll("frozen watches", lambda: between.facts()["applied"] >= 6)
        between.clear()
        began = time.monotonic()
        yard.patch("deployments", name, {"spec": {"replicas": 2}})
        yard.until_running(name, 2)
        seconds = time.monotonic() - began
        yard.delete("deployments", name)
        yard.until_gone(name)
        return f"seen after {seconds:.0f} s"


def f9_requests_fail_and_answers_are_lost(yard):
    with disturbed(yard) as (them, between):
        yard.supply()
        for skip, status in enumerate((429, 500, 502, 503, 504)):
            between.rule("error", method="write", status=status, skip=2 * skip, times=2, retryAfter=1)
        between.rule("delay", method="write", seconds=2, skip=5, times=2)
        for skip in range(0, 80, 7):
            between.rule("lose", method="write", target="machine.sapcloud.io", skip=skip, times=1)
            between.rule("lose", method="write", target="/nodes", skip=skip, times=1)
        them.start()
        live(yard, lambda: None)
        return f"{between.facts()['applied']} faults"


def f11_the_cloud_makes_it_and_its_answer_is_lost(yard):
    with disturbed(yard) as (them, _):
        yard.create("secrets", bodies.secret())
        spec = {"fail": {"create": {"code": "DeadlineExceeded", "effect": "after", "times": 4}}}
        yard.create("classes", bodies.machine_class(yard.name, spec=spec))
        them.start()
        name = yard.deploy(f"{yard.name}-web", 4)
        yard.until_running(name, 4)
        assert len(yard.names("nodes", name)) == 4, "a node for each VM, and a VM for each machine"
        yard.delete("deployments", name)
        yard.until_gone(name)


def f15_two_leaders_and_one_of_them_asleep(yard):
    with local(yard, ALONE) as (first, between):
        cloud = local_machines.Cloud(first)
        with proxy(yard.kubeconfig) as beside:
            # The same cloud, another way to the server.
            second = Controllers(beside.kubeconfig, first.directory, extra=[
                f"--namespace={yard.name}", f"--bootstrap-token-auth-extra-groups={local_machines.GROUP}", ALONE], provider="local")
            try:
                first.start()
                second.start()

                def disturb():
                    sleeper = first.processes["controller"].pid
                    yard.mirror.after_changes(3, seconds=5)
                    os.kill(sleeper, signal.SIGSTOP)
                    yard.mirror.after_changes(12, seconds=5)
                    os.kill(sleeper, signal.SIGCONT)
                    _no_machine_twice(first)
                live(yard, disturb)
                assert not _agents(first), "a machine was left behind"
                assert not cloud.folders(), "a machine's folder was left behind"
            finally:
                second.kill()
                cloud.kill_all()


CASES = (f4_watches_are_half_open, f1_dies_before_and_after_every_write, f15_two_leaders_and_one_of_them_asleep,
         f2_the_server_is_away, f9_requests_fail_and_answers_are_lost, f4_watches_are_cut_and_repeated, f3_the_history_is_gone,
         f11_the_cloud_makes_it_and_its_answer_is_lost)
