"""Faults of single requests: what is done to them, and what must come of it. Numbers are those of the plan (F1, F2, ...).

Each case has a namespace, a proxy and controllers of its own.
"""

import time

import bodies
from disturbed import ALONE, disturbed, live, rests

RETRY_AFTER_SECONDS = 2


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
        yard.poll("rest", lambda: rests(between))
        writes = between.facts()["writes"]
        # Whoever resumes is told that he cannot; whoever lists anew may.
        between.rule("error", target="resourceVersion=", status=410, times=12)
        between.cut()
        yard.poll("all watches list anew", lambda: between.facts()["applied"] >= 6)
        between.clear()
        yard.poll("rest again", lambda: rests(between))
        assert between.facts()["writes"] == writes, f"{between.facts()['writes'] - writes} needless writes"
        yard.patch("deployments", name, {"spec": {"replicas": 4}})
        yard.until_running(name, 4)
        yard.delete("deployments", name)
        yard.until_gone(name)


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


def f9_who_is_told_to_wait_waits(yard):
    """The first write after a wish is turned away, so nothing has changed that would be a reason to come again sooner."""
    with disturbed(yard, ALONE) as (them, between):
        yard.supply()
        them.start()
        name = yard.deploy(f"{yard.name}-web", 1)
        yard.until_running(name, 1)
        waits = []
        for replicas, status in ((2, 429), (3, 503), (4, 429)):
            yard.poll("rest", lambda: rests(between))
            before = len(between.record())
            between.rule("error", method="write", target="machine.sapcloud.io", status=status, retryAfter=RETRY_AFTER_SECONDS)
            yard.patch("deployments", name, {"spec": {"replicas": replicas}})
            yard.until_running(name, replicas)
            waits.append(_wait(between.record()[before:]))
        assert min(waits) >= RETRY_AFTER_SECONDS, f"told to wait {RETRY_AFTER_SECONDS} s, it came again after {min(waits):.3f} s"
        yard.delete("deployments", name)
        yard.until_gone(name)
        return f"told to wait {RETRY_AFTER_SECONDS} s, it came again after {min(waits):.2f} to {max(waits):.2f} s"


def _wait(record):
    """Seconds until a request of the kind that was turned away came again."""
    refused = next(entry for entry in record if "retryAfter" in entry)
    again = next(entry for entry in record[record.index(refused) + 1:] if entry["request"] == refused["request"])
    return again["came"] - refused["answered"]


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


CASES = (f4_watches_are_half_open, f2_the_server_is_away, f9_requests_fail_and_answers_are_lost, f9_who_is_told_to_wait_waits, f4_watches_are_cut_and_repeated,
         f3_the_history_is_gone, f11_the_cloud_makes_it_and_its_answer_is_lost)
