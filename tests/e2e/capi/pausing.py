"""A Cluster that is paused: everything of it is left alone, at once."""

import time

import wishes
from ground import CLUSTER, phase
from wishes import BOOTSTRAP, INFRASTRUCTURE
from yard import condition

# Upstream looks at such machines again every ten minutes.
AT_ONCE_SECONDS = 120


def _alone(it):
    """A machine that no set made, with its two objects."""
    name = f"{it.name}-alone"
    it.create("instances", wishes.body(INFRASTRUCTURE, wishes.OWN_VERSION, "MillwrightMachine", name, {"provider": "simulated", "providerSpec": {}}))
    it.create("bootstraps", wishes.body(BOOTSTRAP, wishes.OWN_VERSION, "MillwrightBootstrap", name, {"userData": "join <<MACHINE_NAME>>"}))
    it.create("machines", wishes.core("Machine", name, wishes.machine_spec(
        CLUSTER, wishes.reference(INFRASTRUCTURE, "MillwrightMachine", name), wishes.reference(BOOTSTRAP, "MillwrightBootstrap", name))))
    return name


def pausing_reaches_machines_that_stand_alone_at_once(it):
    with it.controllers():
        it.settle()
        name = _alone(it)
        it.until("it runs", lambda: phase(it.one("machines", name)) == "Running")
        for paused in (True, False):
            began = time.monotonic()
            it.patch("clusters", CLUSTER, {"spec": {"paused": paused}})
            it.until("it says so", lambda wanted=str(paused): condition(it.one("machines", name), "Paused").get("status") == wanted)
            assert time.monotonic() - began < AT_ONCE_SECONDS, f"after {time.monotonic() - began:.0f} s"
        it.delete("machines", name)
        it.until("it is gone", lambda: not it.one("machines", name) and not it.one("instances", name))


CASES = (pausing_reaches_machines_that_stand_alone_at_once,)
