"""Machines from a foreign provider's objects, which are filled late, in another order, or never."""

import provider
from ground import phase
from yard import condition


def _machine(it):
    """The one of the deployment, once both of its objects are there."""
    it.until("both objects of a machine", lambda: all(
        len(it.all(kind)) == 1 for kind in ("machines", "test machines", "test bootstraps")))
    return it.all("machines")[0]["metadata"]["name"]


def _owner(found):
    owner, = found["metadata"]["ownerReferences"]
    return owner["kind"], owner["name"], owner.get("controller")


def a_slow_provider_is_waited_for(it):
    with it.controllers():
        it.settle()
        provider.supply(it)
        name = provider.deploy(it, 1)
        machine = _machine(it)
        it.until("it owns both", lambda: _owner(it.all("test machines")[0]) == ("Machine", machine, True)
                 and _owner(it.all("test bootstraps")[0]) == ("Machine", machine, True))
        instance, = it.all("test machines")
        assert instance["spec"]["size"] == "large", instance["spec"]
        assert instance["metadata"]["annotations"]["cluster.x-k8s.io/cloned-from-name"] == "t", instance["metadata"]
        it.until("it waits", lambda: phase(it.one("machines", machine)) == "Pending" and
                 condition(it.one("machines", machine), "BootstrapConfigReady").get("status") == "False")
        provider.bootstrap(it, machine)
        it.until("it has data", lambda: it.one("machines", machine)["spec"]["bootstrap"].get("dataSecretName") == machine
                 and phase(it.one("machines", machine)) == "Provisioning")
        provider.make(it, machine)
        it.until("it is provisioned", lambda: phase(it.one("machines", machine)) == "Provisioned")
        assert it.one("machines", machine)["spec"]["providerID"] == f"test:///{it.name}/{machine}"
        provider.join(it, machine)
        it.until_running(name, 1)
        it.end(name)


def the_other_order_comes_to_the_same(it):
    """A node before its instance, and an instance before its data."""
    with it.controllers():
        it.settle()
        provider.supply(it)
        name = provider.deploy(it, 1)
        machine = _machine(it)
        provider.join(it, machine)
        provider.make(it, machine)
        it.until("the instance is seen", lambda: condition(it.one("machines", machine), "InfrastructureReady").get("status") == "True")
        provider.bootstrap(it, machine)
        it.until_running(name, 1)
        it.end(name)


def a_stuck_provider_holds_only_its_own(it):
    """One never makes its instance and will not let it go; the other lives."""
    with it.controllers():
        it.settle()
        provider.supply(it)
        name = provider.deploy(it, 2)
        it.until("both have their objects", lambda: len(it.all("test machines")) == 2 and len(it.all("test bootstraps")) == 2)
        stuck, fine = sorted(m["metadata"]["name"] for m in it.all("test machines"))
        provider.hold(it, stuck)
        provider.bootstrap(it, fine)
        provider.make(it, fine)
        provider.join(it, fine)
        it.until("one runs", lambda: phase(it.one("machines", fine)) == "Running")
        it.patch("deployments", name, {"spec": {"replicas": 1}})
        it.until("the stuck one is chosen", lambda: phase(it.one("machines", stuck)) == "Deleting" and
                 condition(it.one("machines", stuck), "Deleting").get("reason") == "WaitingForInfrastructureDeletion")
        it.throughout("it stays while its instance does", lambda: it.one("machines", stuck) and phase(it.one("machines", fine)) == "Running", 2)
        provider.release(it, stuck)
        it.until_running(name, 1)
        assert it.names("machines") == {fine}, it.names("machines")
        it.end(name)


CASES = (a_slow_provider_is_waited_for, the_other_order_comes_to_the_same, a_stuck_provider_holds_only_its_own)
