"""Machines that do not come up, or stop being well."""

import bodies
from watchman import watchman
from yard import STRATEGIC, operation, phase


def set_ready(yard, node, status):
    yard.patch("nodes", node, {"status": {"conditions": [{"type": "Ready", "status": status, "reason": "Test",
                                                          "lastTransitionTime": "2026-01-01T00:00:00Z",
                                                          "lastHeartbeatTime": "2026-01-01T00:00:00Z"}]}},
               "/status", STRATEGIC)


def lost_nodes_are_replaced_one_at_a_time(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 4, machine={"healthTimeout": "2s"})
        yard.until_running(name, 4)
        lost = sorted(yard.names("machines", name))[:3]
        with watchman(yard, name) as him:
            for machine in lost:
                set_ready(yard, yard.one("machines", machine)["metadata"]["labels"]["node"], "Unknown")
            yard.until("three others", lambda: yard.runs(name, 4) and not set(lost) & yard.names("machines", name))
            for machine in lost:
                assert him.phases[machine][-4:-1] == ["Running", "Unknown", "Failed"], him.phases[machine]
            assert him.most_failed == 1 and not him.trouble, (him.most_failed, him.trouble)
            assert him.highest_total <= 5, him.highest_total


def a_node_that_comes_back_keeps_its_machine(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 1, machine={"healthTimeout": "60s"})
        yard.until_running(name, 1)
        machine, = yard.all("machines", name)
        node = machine["metadata"]["labels"]["node"]
        set_ready(yard, node, "False")
        yard.until("it is unwell", lambda: yard.phases(name) == ["Unknown"])
        set_ready(yard, node, "True")
        yard.until_running(name, 1)
        assert yard.names("machines", name) == {machine["metadata"]["name"]}


def a_deleted_node_takes_its_machine_along(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 2)
        yard.until_running(name, 2)
        victim = sorted(yard.names("machines", name))[0]
        node = yard.one("machines", victim)["metadata"]["labels"]["node"]
        # A moment after its machine runs. A node that goes before that is lost, not deleted: another case.
        yard.until("its deletion will be seen",
                   lambda: bodies.NODE_FINALIZER in yard.one("nodes", node)["metadata"].get("finalizers", []))
        yard.delete("nodes", node)
        yard.until("another one", lambda: yard.runs(name, 2) and victim not in yard.names("machines", name))


def what_does_not_join_in_time_is_replaced(yard):
    yard.supply(spec={"bootSeconds": 100000})
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 1, machine={"creationTimeout": "3s"})
        with watchman(yard, name) as him:
            yard.until("it waits", lambda: yard.phases(name) == ["Pending"])
            first, = yard.names("machines", name)
            yard.until("it was given up", lambda: first not in yard.names("machines", name))
            assert him.phases[first][:3] in (["", "Pending", "Failed"], ["Pending", "Failed", "Terminating"]), him.phases[first]
        yard.patch("classes", "small", {"providerSpec": {"bootSeconds": 0}})
        yard.until_running(name, 1)


def a_cloud_without_room_is_asked_again(yard):
    """As the autoscaler reads it: no room, so it looks elsewhere."""
    yard.supply(spec={"fail": {"create": {"code": "ResourceExhausted", "times": 2}}})
    with yard.controllers("--resource-exhausted-retry=2s") as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 1)
        yard.until("it says why", lambda: [
            (phase(m), operation(m).get("type"), operation(m).get("state"), operation(m).get("errorCode"))
            for m in yard.all("machines", name)] == [("CrashLoopBackOff", "Create", "Failed", "ResourceExhausted")])
        machine, = yard.names("machines", name)
        yard.until("an event", lambda: yard.events(machine, "FailedCreate"))
        yard.until_running(name, 1)
        assert yard.names("machines", name) == {machine}


CASES = (lost_nodes_are_replaced_one_at_a_time, a_node_that_comes_back_keeps_its_machine, a_deleted_node_takes_its_machine_along,
         what_does_not_join_in_time_is_replaced, a_cloud_without_room_is_asked_again)
