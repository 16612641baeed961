"""A machine that goes empties its node: as disruption budgets and drain rules allow it."""

import wishes
from yard import condition


def _pod(it, name, node, labels):
    """That runs, as far as the server knows: no kubelet is here."""
    it.create("pods", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": labels},
                       "spec": {"nodeName": node, "terminationGracePeriodSeconds": 0,
                                "containers": [{"name": "c", "image": "none.example/none"}]}})
    it.patch("pods", name, {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}, "/status")


def _one_running(it):
    name = it.running(1)
    machine, = it.names("machines")
    return name, machine


def _deleting(it, machine):
    return condition(it.one("machines", machine), "Deleting")


def a_budget_holds_a_drain(it):
    with it.controllers():
        name, machine = _one_running(it)
        it.create("budgets", {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "all"},
                              "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "kept"}}}})
        _pod(it, "kept", machine, {"app": "kept"})
        _pod(it, "free", machine, {"app": "free"})
        it.delete("machines", machine)
        it.until("the other pod is gone", lambda: not it.one("pods", "free"))
        it.until("it says what it waits for", lambda: _deleting(it, machine).get("reason") == "DrainingNode"
                 and "kept" in _deleting(it, machine).get("message", ""))
        assert it.get("pods", "kept") and it.get("instances", machine), "the budget was not kept"
        it.delete("budgets", "all")
        it.until("it is gone", lambda: not it.one("pods", "kept") and not it.one("machines", machine))
        it.end(name)


def a_rule_lets_pods_be(it):
    with it.controllers():
        name, machine = _one_running(it)
        rule = {"drain": {"behavior": "Skip"}, "machines": [{"selector": {"matchLabels": {wishes.DEPLOYMENT_LABEL: name}}}],
                "pods": [{"selector": {"matchLabels": {"app": "stays"}}}]}
        it.create("rules", wishes.core("MachineDrainRule", "skip", rule))
        hook = f"pre-terminate.delete.hook.machine.{wishes.CORE}/look"
        it.patch("machines", machine, {"metadata": {"annotations": {hook: ""}}})
        _pod(it, "stays", machine, {"app": "stays"})
        _pod(it, "goes", machine, {"app": "goes"})
        it.delete("machines", machine)
        it.until("it is drained", lambda: _deleting(it, machine).get("reason") == "WaitingForPreTerminateHook")
        assert it.get("pods", "stays") and not it.get("pods", "goes"), [p["metadata"]["name"] for p in it.list("pods")]
        it.patch("machines", machine, {"metadata": {"annotations": {hook: None}}})
        it.until("it is gone", lambda: not it.one("machines", machine))
        it.end(name)


CASES = (a_budget_holds_a_drain, a_rule_lets_pods_be)
