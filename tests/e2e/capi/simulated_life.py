"""Machines of the simulated cloud: many at once, rolled, and replaced when their nodes are not well."""

import wishes
from wishes import CORE
from yard import STRATEGIC, condition


def a_deployment_lives_and_goes(it):
    with it.controllers():
        name = it.running(3)
        it.supply("other")
        before = it.names("machines")
        it.patch("deployments", name, {"spec": {"template": {"spec": {"infrastructureRef": {"name": "other"}}}}})
        it.until("three others", lambda: not before & it.names("machines") and it.runs(name, 3))
        it.end(name)


def from_nothing_to_fifty_and_back_to_five(it):
    with it.controllers():
        name = it.running(0)
        it.patch("deployments", name, {"spec": {"replicas": 50}})
        it.until_running(name, 50)
        it.patch("deployments", name, {"spec": {"replicas": 5}})
        it.until_running(name, 5)
        it.end(name)


def a_health_check_replaces_a_machine_whose_node_is_not_ready(it):
    with it.controllers():
        name = it.running(3)
        check = {"clusterName": "c", "selector": {"matchLabels": {wishes.DEPLOYMENT_LABEL: name}},
                 "checks": {"unhealthyNodeConditions": [{"type": "Ready", "status": "False", "timeoutSeconds": 1}]}}
        it.create("checks", wishes.core("MachineHealthCheck", "check", check))
        it.until("all are well", lambda: it.one("checks", "check").get("status", {}).get("currentHealthy") == 3)
        sick = sorted(it.names("machines"))[0]
        it.patch("nodes", sick, {"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "Sick", "message": "ill"}]}},
                 "/status", STRATEGIC)
        it.until("another in its place", lambda: sick not in it.names("machines") and it.runs(name, 3))
        it.delete("checks", "check")
        it.end(name)


def hooks_hold_a_deletion(it):
    with it.controllers():
        name = it.running(1)
        machine, = it.names("machines")
        drain, terminate = f"pre-drain.delete.hook.machine.{CORE}/a", f"pre-terminate.delete.hook.machine.{CORE}/b"
        it.patch("machines", machine, {"metadata": {"annotations": {drain: "x", terminate: "y"}}})
        it.delete("machines", machine)
        it.until("it waits before the drain", lambda: condition(it.one("machines", machine), "Deleting").get("reason") == "WaitingForPreDrainHook")
        assert not it.get("nodes", machine)["spec"].get("unschedulable"), "the drain has begun"
        it.patch("machines", machine, {"metadata": {"annotations": {drain: None}}})
        it.until("it waits before the end", lambda: condition(it.one("machines", machine), "Deleting").get("reason") == "WaitingForPreTerminateHook")
        assert it.get("nodes", machine)["spec"].get("unschedulable"), "it was not drained"
        assert it.get("instances", machine), "its instance is gone"
        it.patch("machines", machine, {"metadata": {"annotations": {terminate: None}}})
        it.until("it is gone", lambda: not it.one("machines", machine) and not it.one("nodes", machine))
        it.end(name)


CASES = (from_nothing_to_fifty_and_back_to_five, a_deployment_lives_and_goes, a_health_check_replaces_a_machine_whose_node_is_not_ready,
         hooks_hold_a_deletion)
