"""F15: two processes that both lead, or of which one does not know yet that it leads no more."""

import contextlib
import os
import signal
import subprocess

import local_machines
from bodies import next_version
from controllers import Controllers
from crashes import _agents, _no_machine_twice
from disturbed import ALONE, live, local
from proxy import proxy
from samples import Skip

LOST_LEASE = 11  # exit code
QUICK_LEASE = ("--leader-elect-lease-duration=4s", "--leader-elect-renew-deadline=3s", "--leader-elect-retry-period=500ms")
LEASES = "/apis/coordination.k8s.io/v1/namespaces/{}/leases"


@contextlib.contextmanager
def pair(yard, *extra):
    """Two controllers of the same machines, each with its own way to the server."""
    with local(yard, *extra) as (first, _), proxy(yard.kubeconfig) as beside:
        second = Controllers(beside.kubeconfig, first.directory, extra=[
            f"--namespace={yard.name}", f"--bootstrap-token-auth-extra-groups={local_machines.GROUP}", *extra], provider="local")
        cloud = local_machines.Cloud(first)
        try:
            yield first, second
            assert not _agents(first), "a machine was left behind"
            assert not cloud.folders(), "a machine's folder was left behind"
        finally:
            second.kill()
            cloud.kill_all()


def f15_two_leaders_and_one_of_them_asleep(yard):
    with pair(yard, ALONE) as (first, second):
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


def f15_a_leader_sleeps_past_its_lease(yard):
    """It is stopped in the middle of a roll-out, another takes over, and it goes on while that one is in the middle of the next."""
    with pair(yard, *QUICK_LEASE) as (first, second):
        name = f"{yard.name}-web"
        _elsewhere(second)
        first.start()
        yard.poll("a leader", lambda: holders(yard))
        leader = holders(yard)
        second.start()
        yard.deploy(name, 2)
        yard.until_running(name, 2)
        yard.patch("deployments", name, next_version(2))
        yard.mirror.after_changes(5, seconds=5)
        sleeper = first.processes["controller"]
        os.kill(sleeper.pid, signal.SIGSTOP)
        try:
            yard.poll("another leader", lambda: holders(yard) and not holders(yard) & leader)
            yard.until_running(name, 2)
            yard.patch("deployments", name, next_version(3))
            yard.mirror.after_changes(5, seconds=5)
        finally:
            os.kill(sleeper.pid, signal.SIGCONT)
        assert sleeper.wait(timeout=30) == LOST_LEASE, f"it ended with {sleeper.returncode}\n{first.log()[-2000:]}"
        _no_machine_twice(first)
        yard.until_running(name, 2)
        assert not holders(yard) & leader, "the old one took the lease back"
        _no_machine_twice(first)
        yard.delete("deployments", name)
        yard.until_gone(name)


def _elsewhere(them):
    """On a host of another name: processes of one host hold their leases under one name, as upstream's do."""
    if subprocess.run(["unshare", "--uts", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        raise Skip("this user may not give a process another host name")
    for name, command in them.commands.items():
        them.commands[name] = ["unshare", "--uts", "sh", "-c", 'hostname elsewhere && exec "$@"', "sh", *command]


def holders(yard):
    """Who holds the leases of this namespace."""
    found = yard.send("GET", LEASES.format(yard.name))["items"]
    return {lease["spec"]["holderIdentity"] for lease in found if lease["spec"].get("holderIdentity")}


CASES = (f15_two_leaders_and_one_of_them_asleep, f15_a_leader_sleeps_past_its_lease)
