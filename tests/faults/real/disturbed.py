"""Controllers behind a proxy, and the life that they care for."""

import contextlib
import time

import local_machines
from bodies import next_version, rolling
from controllers import controllers
from proxy import proxy
from watchman import watchman

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


def rests(between):
    """Nothing is written for a second."""
    before = between.facts()["writes"]
    time.sleep(1)
    return between.facts()["writes"] == before
