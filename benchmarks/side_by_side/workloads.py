"""What each workload does to a contender that runs. Each returns figures; each begins with N machines that are well, and leaves
them, but where the tables at the end say otherwise."""

import random
import threading
import time

from . import audit, programs
from .measure import Stretch

KINDS_OF_WRITES_UP, KINDS_OF_WRITES_DOWN = ("create", "patch", "patch"), ("patch", "patch", "delete", "delete")


def floor(rates, count, kinds):
    """The time in which this API server can commit what any correct controller has to write."""
    return count * sum(1 / rates[kind] for kind in kinds)


def w1_cold_start(life):
    """N machines are well; the controller starts, and comes to rest."""
    life.group.stop()
    with Stretch(life) as stretch:
        stretch.cpu = 0  # of new processes
        life.group.start()
        stretch.figures["rest_after_s"] = until_rest(life.group)
        stretch.stop_clock()
    return stretch.figures


def until_rest(group, quiet=3.0, every=0.1, seconds=120):
    """When the processes went quiet: less than 2% of a core, for a while."""
    begun = time.monotonic()
    busy_at, last = begun, 0.0
    samples = []
    while time.monotonic() - busy_at < quiet:
        time.sleep(every)
        group.check()
        now, used = time.monotonic(), group.cpu()
        samples.append((now, used))
        before = [sample for sample in samples if sample[0] <= now - 0.5]
        if not before or used - before[-1][1] > 0.02 * (now - before[-1][0]) + 0.011:  # one tick is 10 ms
            busy_at = now
        if now - begun > seconds:
            raise programs.TooSlow(f"not at rest within {seconds} s")
    return busy_at - begun


def w2_scale_up(life):
    """From none to N in one step, until the deployment says that all are available."""
    with Stretch(life) as stretch:
        life.work.scale(life.size)
        life.wait("all are available", life.work.all_available)
        stretch.stop_clock()
    figures = stretch.figures
    figures["floor_s"] = floor(life.rates, life.size, KINDS_OF_WRITES_UP)
    _add_quantiles(figures, "reaction", audit.reactions(stretch.log, stretch.offset, life.contender.users))
    return figures


def w3_roll(life):
    """A new template, with 25% more machines than wished and none less."""
    before = set(life.work.machine_names())
    with Stretch(life) as stretch:
        life.work.roll(f"roll-{int(time.time())}")
        life.wait("all are new", life.work.rolled, every=0.3)
        stretch.stop_clock()
    if before & set(life.work.machine_names()):
        raise RuntimeError("machines that should have been replaced are still there")
    # Four waves, in each of which machines are made and boot; the deletion of a wave's old ones is on nobody's way.
    stretch.figures["ideal_s"] = 4 * (life.times["create"] + life.times["boot"] + life.times["delete"]) / 1000
    stretch.figures["floor_s"] = floor(life.rates, life.size, KINDS_OF_WRITES_UP + KINDS_OF_WRITES_DOWN)
    return stretch.figures


def w4_scale_down(life):
    """From N to none, with empty nodes, until no machine object is left."""
    with Stretch(life) as stretch:
        life.work.scale(0)
        life.wait("all are gone", life.work.all_gone)
        stretch.stop_clock()
    figures = stretch.figures
    figures["floor_s"] = floor(life.rates, life.size, KINDS_OF_WRITES_DOWN)
    _add_quantiles(figures, "removal", audit.removals(stretch.log, stretch.offset))
    return figures


def w4_with_pods(life):
    """From N to none while pods run on the nodes, ten to an application, of which its budget lets one go at a time."""
    with life.running_pods() as pods, Stretch(life) as stretch:
        life.work.scale(0)
        life.wait("all are gone", life.work.all_gone)
        stretch.stop_clock()
    figures = stretch.figures
    figures["floor_s"] = floor(life.rates, life.size, KINDS_OF_WRITES_DOWN)
    figures["pods"] = pods.count
    figures.update(audit.evictions(stretch.log, stretch.offset, life.contender.users))
    _add_quantiles(figures, "removal", audit.removals(stretch.log, stretch.offset))
    return figures


def w5_idle(life):
    """Nothing happens but the nodes' reports: each once in 30 s, ten times as often as kubelets do."""
    nodes = [item["metadata"]["name"] for item in life.plane.must("GET", "/api/v1/nodes")["items"]]
    until_rest(life.group)  # of what W2 has left to be done
    life.cloud.heartbeats(30, nodes)
    try:
        with Stretch(life) as stretch:
            time.sleep(life.idle_seconds)
            stretch.stop_clock()
    finally:
        life.cloud.heartbeats(0)
    return stretch.figures


def w6_churn(life, every_second=10):
    """Machines are deleted at random, some each second, and replaced."""
    chance = random.Random(7)
    before, deleted = life.group.resident(), 0
    with Stretch(life) as stretch:
        begun = time.monotonic()
        for second in range(life.churn_seconds):
            names = life.work.staying_names()
            deleted += life.work.delete_machines(chance.sample(names, min(every_second, len(names))))
            life.group.check()
            time.sleep(max(0, begun + second + 1 - time.monotonic()))
        # Counts alone may be those from before.
        life.wait("all are available again", lambda: life.work.all_available() and life.work.machine_count() == life.size
                  and len(life.work.staying_names()) == life.size, every=0.3)
        stretch.stop_clock()
    stretch.figures.update(deleted=deleted, rss_before=before)
    _add_quantiles(stretch.figures, "removal", audit.removals(stretch.log, stretch.offset))
    return stretch.figures


def w8_restart(life, away=10):
    """From none to N, and the API server is killed in the middle, for ten seconds."""
    with Stretch(life) as stretch:
        life.work.scale(life.size)
        life.wait("some machines", lambda: life.work.machine_count() >= life.size // 4)
        life.plane.control("kill-apiserver")
        time.sleep(away)
        # The command returns long after the server's first answer; whoever is quick is done by then.
        restart = threading.Thread(target=life.plane.control, args=["restart-apiserver"])
        restart.start()
        life.wait("the server's first answer", lambda: life.plane.call("GET", "/readyz")[0] is not None, every=0.02)
        answered = time.monotonic()
        life.wait("all are available", life.work.all_available)
        stretch.stop_clock()
        stretch.figures["after_answer_s"] = time.monotonic() - answered
        restart.join()
        life.server_pids = life.plane.pids()
    stretch.figures["server_cpu_s"] = {}
    return stretch.figures


def _add_quantiles(figures, name, values):
    for label, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0)):
        figures[f"{name}_{label}_s"] = audit.quantile(values, share)


# In this order in a life: from none, through everything with N machines, to none.
ALL = {"W2": w2_scale_up, "W5": w5_idle, "W1": w1_cold_start, "W3": w3_roll, "W6": w6_churn, "W4": w4_scale_down,
       "W8": w8_restart, "W4P": w4_with_pods}
BEGINS_WITH_NONE = {"W2": True, "W8": True}
LEAVES_NONE = ("W4", "W4P")
