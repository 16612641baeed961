"""The same for the Cluster API dialect: F1 and F15."""

import contextlib
import os
import signal

import local_machines
import wishes
from crashes import _agents, _no_machine_twice
from deaths import Crawl
from ground import CLUSTER
from programs import ContractController, controller
from proxy import proxy


@contextlib.contextmanager
def disturbed(it):
    """A cluster of local machines, and controllers behind a proxy; they reach its nodes through the proxy as well."""
    with proxy(it.kubeconfig) as between, controller(between.kubeconfig, [f"--namespace={it.name}"]) as them:
        local_machines.admit_nodes(it)
        it.settle()
        it.patch("secrets", f"{CLUSTER}-kubeconfig", {"stringData": {"value": between.kubeconfig.read_text(encoding="utf-8")}})
        it.supply(provider="local", data=wishes.join_data(it.kubeconfig))
        cloud = local_machines.Cloud(them)
        try:
            yield them, between
            assert not _agents(them) and not cloud.folders(), "a machine was left behind"
        finally:
            cloud.kill_all()


def f1_in_cluster_apis_dialect_dies_before_and_after_every_write(it):
    with disturbed(it) as (them, between):
        crawl = Crawl(them, between)
        name = it.deploy(1)
        crawl.to("create", lambda: it.runs(name, 1))
        it.delete("deployments", name)
        crawl.to("delete", lambda: not it.one("deployments", name) and not any(
            it.all(kind) for kind in ("sets", "machines", "instances", "bootstraps", "nodes")))
        return crawl.report()


def f15_in_cluster_apis_dialect_two_leaders_and_one_of_them_asleep(it):
    with disturbed(it) as (first, _), proxy(it.kubeconfig) as beside:
        second = ContractController(beside.kubeconfig, first.directory, [f"--namespace={it.name}"])
        try:
            first.start()
            second.start()

            def disturb():
                sleeper = first.processes["controller"].pid
                it.mirror.after_changes(3, seconds=5)
                os.kill(sleeper, signal.SIGSTOP)
                it.mirror.after_changes(12, seconds=5)
                os.kill(sleeper, signal.SIGCONT)
                _no_machine_twice(first)
            name = it.deploy(2)
            disturb()
            it.until_running(name, 2)
            it.patch("deployments", name, {"spec": {"replicas": 3}})
            disturb()
            it.until_running(name, 3)
            it.delete("deployments", name)
            disturb()
            it.until_gone(name)
        finally:
            second.kill()


CASES = (f1_in_cluster_apis_dialect_dies_before_and_after_every_write,
         f15_in_cluster_apis_dialect_two_leaders_and_one_of_them_asleep)
