"""Two clusters, one of which goes away for a while: the machine objects in one, the nodes in the other, or both in one."""

from kinds import define_upstreams_kinds
from yard import phase, yard as make_yard

QUICK = ("--machine-safety-apiserver-statuscheck-timeout=2s", "--machine-safety-apiserver-statuscheck-period=2s",
         # Else who cannot renew his lease ends before he freezes.
         "--leader-elect-lease-duration=120s", "--leader-elect-renew-deadline=100s")
OLD_NODE = "stranger"


def is_frozen(them):
    return "\nmcm_machine_controller_frozen 1\n" in them.metrics()  # not its description, which says what 1 means


def a_lost_cluster_freezes_and_thaws(yard, server):
    """One pair of controllers has its nodes there, another one everything."""
    define_upstreams_kinds(server.kubeconfig)
    with make_yard(yard.kubeconfig, f"{yard.name}-apart", target=server.kubeconfig) as apart, \
            make_yard(server.kubeconfig, f"{yard.name}-whole") as whole:
        yards = (apart, whole)
        with apart.controllers(*QUICK) as them_apart, whole.controllers(*QUICK, "--machine-creation-timeout=1s") as them_whole:
            all_of_them = (them_apart, them_whole)
            for it, them in zip(yards, all_of_them):
                them.start()
                it.supply()
                it.deploy(f"{it.name}-web", 2, machine={"healthTimeout": "1s", "creationTimeout": "60s"})
            for it in yards:
                it.until_running(f"{it.name}-web", 2)
            assert not apart.list_nodes_here(), "the nodes are in the other cluster"
            before = [it.names("machines") for it in yards]

            server.kill()
            for it, them in zip(yards, all_of_them):
                it.poll("it is frozen", lambda: is_frozen(them))
            # What is said now, and what is asked for, is not acted upon.
            apart.patch("deployments", f"{apart.name}-web", {"spec": {"replicas": 3}})
            apart.until("a third machine is asked for", lambda: len(apart.all("machines")) == 3)
            apart.throughout("and not made", lambda: sorted(map(phase, apart.all("machines"))) == ["", "Running", "Running"], 1)

            server.restart()
            for it, them in zip(yards, all_of_them):
                it.poll("it works again", lambda: not is_frozen(them))
            apart.until_running(f"{apart.name}-web", 3)
            whole.patch("deployments", f"{whole.name}-web", {"spec": {"replicas": 3}})
            whole.until_running(f"{whole.name}-web", 3)
            for it, old in zip(yards, before):
                assert old <= it.names("machines"), "no machine was given up for that"
            nodes_without_a_machine_are_let_be(whole)
            for it in yards:
                it.delete("deployments", f"{it.name}-web")
            for it in yards:
                it.until_gone(f"{it.name}-web")


def nodes_without_a_machine_are_let_be(whole):
    """Older than a machine may take to join, so it is nobody's; ours is marked as such, and stays."""
    name = f"{whole.name}-{OLD_NODE}"
    whole.create("nodes", {"apiVersion": "v1", "kind": "Node", "metadata": {
        "name": name, "finalizers": ["node.machine.sapcloud.io/machine-controller"]}})
    whole.until("it is none of ours", lambda: _is_disowned(whole.one("nodes", name)))
    whole.delete("nodes", name)


def _is_disowned(node):
    metadata = node.get("metadata", {})
    return (metadata.get("annotations", {}).get("node.machine.sapcloud.io/not-managed-by-mcm") == "1"
            and "finalizers" not in metadata)


CASES = ()
ON_A_SECOND_SERVER = (a_lost_cluster_freezes_and_thaws,)
