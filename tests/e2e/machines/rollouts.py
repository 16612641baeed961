"""Other machines in place of those that are there: how many may be missing, and how many too many."""

import contextlib
import math

from bodies import next_version, rolling
from watchman import watchman
from yard import condition

PREFER_NOT = "deployment.machine.sapcloud.io/prefer-no-schedule"
REPLICAS = 8
LIMITS = ((1, 0), (0, 1), (2, 1), (3, 3), ("25%", "25%"), ("50%", 0), (0, "30%"), (0, 0))


def resolve(surge, unavailable):
    """As Deployments do it: a surge is rounded up, what may be missing down; nothing at all would not move."""
    def count(amount, rounded):
        return rounded(int(amount[:-1]) * REPLICAS / 100) if isinstance(amount, str) else amount
    surge, unavailable = count(surge, math.ceil), count(unavailable, math.floor)
    return surge, unavailable if surge or unavailable else 1


def updates_keep_their_promises(yard):
    yard.supply()
    names = {f"{yard.name}-{i}": limits for i, limits in enumerate(LIMITS)}
    with yard.controllers() as them:
        them.start()
        for name, limits in names.items():
            yard.deploy(name, REPLICAS, strategy=rolling(*limits))
        for name, limits in names.items():
            yard.until_running(name, REPLICAS)
        with contextlib.ExitStack() as stack:
            men = {name: stack.enter_context(watchman(yard, name)) for name in names}
            before = {name: yard.names("machines", name) for name in names}
            for name, him in men.items():
                him.keep_watch()
                yard.patch("deployments", name, next_version(2))
            for name, him in men.items():
                yard.until(f"{name} is rolled", lambda: yard.runs(name, REPLICAS) and not before[name] & yard.names("machines", name))
                _judge(him, names[name])
        yard.until("one set each has machines", lambda: all(
            sorted(s["spec"].get("replicas", 0) for s in yard.all("sets", name)) == [0, REPLICAS] for name in names))


def _judge(him, limits):
    surge, unavailable = resolve(*limits)
    assert him.highest_total <= REPLICAS + surge, f"{limits}: {him.highest_total} machines at once"
    assert him.lowest_available >= REPLICAS - unavailable, f"{limits}: only {him.lowest_available} available"
    assert len(him.ever) == 2 * REPLICAS, f"{limits}: {len(him.ever)} machines for {2 * REPLICAS}"


def recreate_ends_all_before_it_begins(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 4, strategy={"type": "Recreate"})
        yard.until_running(name, 4)
        with watchman(yard, name) as him:
            him.keep_watch()
            before = yard.names("machines", name)
            yard.patch("deployments", name, next_version(2))
            yard.until("others", lambda: yard.runs(name, 4) and not before & yard.names("machines", name))
            assert him.lowest_available == 0 and him.highest_total == 4, (him.lowest_available, him.highest_total)
            assert not him.generations_together, "old and new machines at once"


def paused_it_scales_and_does_not_roll(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 2)
        yard.until_running(name, 2)
        before = yard.names("machines", name)
        yard.patch("deployments", name, {"spec": {"paused": True}})
        yard.until("it says so", lambda: condition(yard.one("deployments", name), "Progressing").get("reason") == "DeploymentPaused")
        yard.patch("deployments", name, next_version(2))
        yard.patch("deployments", name, {"spec": {"replicas": 4}})
        yard.until("two more of the old", lambda: yard.phases(name) == ["Running"] * 4)
        assert before <= yard.names("machines", name) and len(yard.all("sets", name)) == 1
        yard.throughout("nothing rolls", lambda: len(yard.all("sets", name)) == 1, 1)
        old = yard.names("machines", name)
        yard.patch("deployments", name, {"spec": {"paused": False}})
        yard.until("it rolls", lambda: yard.runs(name, 4) and not old & yard.names("machines", name))


def a_rollback_brings_the_old_template_back(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 3)
        yard.until_running(name, 3)
        yard.patch("deployments", name, next_version(2))
        yard.until("version 2", lambda: yard.runs(name, 3) and all(
            m["metadata"]["labels"].get("version") == "2" for m in yard.all("machines", name)))
        yard.patch("deployments", name, {"spec": {"rollbackTo": {"revision": 0}}})
        yard.until("version 1 again", lambda: yard.runs(name, 3) and all(
            "version" not in m["metadata"]["labels"] for m in yard.all("machines", name)))
        found = yard.one("deployments", name)
        assert "rollbackTo" not in found["spec"], found["spec"]
        assert found["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "3", found["metadata"]["annotations"]
        assert len(yard.all("sets", name)) == 2, "the old set is used again"
        yard.until("an event", lambda: yard.events(name, "DeploymentRollback"))
        yard.until("no mark of an old set is left", lambda: not any(
            taint["key"] == PREFER_NOT for node in yard.all("nodes", name) for taint in node["spec"].get("taints", [])))
        yard.patch("deployments", name, {"spec": {"rollbackTo": {"revision": 77}}})
        yard.until("no such revision", lambda: yard.events(name, "DeploymentRollbackRevisionNotFound")
                   and "rollbackTo" not in yard.one("deployments", name)["spec"])


CASES = (updates_keep_their_promises, recreate_ends_all_before_it_begins, paused_it_scales_and_does_not_roll,
         a_rollback_brings_the_old_template_back)
