"""One contender's life on a fresh control plane, workload after workload."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from . import clusterapi, contenders, gardener, pods, programs, workloads
from .cloud import Cloud
from .plane import Plane

# Profile "fast": milliseconds.
TIMES = {"create": 50, "get": 10, "delete": 50, "boot": 2000}
WORK = {"gardener": gardener.Gardener, "clusterapi": clusterapi.ClusterApi}


class Life:
    def __init__(self, contender, size, options, peers, seconds=None):
        """Seconds: how long the whole life may take; what has not come by then has failed."""
        self.contender, self.size, self.options, self.peers = contender, size, options, peers
        self.deadline = time.monotonic() + seconds if seconds else None
        self.times = TIMES
        self.idle_seconds, self.churn_seconds = options.idle, options.churn
        self.driver = None
        self.rates = {}

    def run(self, chosen, note):
        """Figures by workload, noted as they come; the first that fails ends the life, with its reason."""
        results = {}
        with contextlib.ExitStack() as stack:
            directory = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="millwright-bench-")))
            self.plane = stack.enter_context(Plane(self.contender.name))
            self.server_pids = self.plane.pids()
            self.cloud = stack.enter_context(Cloud(self.peers / "bin/simulated-cloud", self.plane, self.times))
            self.work = WORK[self.contender.api](self.plane, self.peers / "definitions", self.options.sets, self.contender)
            self.work.define_kinds()
            self.rates = self._write_rates()
            self.work.prepare()
            self._start(stack, directory)
            results["start"] = {"rss": self.group.resident(), "rates": self.rates, "load": os.getloadavg()[0]}
            note("start", results)
            for name in (name for name in workloads.ALL if name in chosen):
                try:
                    self._begin_with(workloads.BEGINS_WITH_NONE.get(name, False))
                    results[name] = {**workloads.ALL[name](self), **self._length(name)}
                    self._check(name, results[name])
                except (programs.TooSlow, programs.Ended, RuntimeError) as problem:
                    results[name] = {"failed": str(problem)[:600], **self._length(name)}
                    self._keep_logs(name)
                    note(name, results)
                    break
                note(name, results)
        return results

    def _length(self, name):
        """Of workloads that last as long as is wished; those of other lengths cannot be compared with them."""
        lengths = {"W5": self.idle_seconds, "W6": self.churn_seconds}
        return {"seconds": lengths[name]} if name in lengths else {}

    def wait(self, what, condition, every=0.1):
        patience = self.options.patience
        if self.deadline:
            patience = max(1, min(patience, self.deadline - time.monotonic()))
        programs.wait_until(what, condition, patience, every, self.group.check)

    def running_pods(self):
        """Pods on each machine's node, and who starts them elsewhere when they are evicted."""
        return pods.Pods(self.plane, self.work.machine_names(), self.options.pods)

    def _begin_with(self, none):
        """What the workload asks for and the one before has not left, unmeasured."""
        if none and self.work.machine_count() > 0:
            self.work.scale(0)
            self.wait("all are gone", self.work.all_gone)
        elif not none and self.work.machine_count() == 0:
            self.work.scale(self.size)
            self.wait("all are available", self.work.all_available)

    def _start(self, stack, directory):
        place = contenders.Place(self.plane, self.peers, directory, self.contender.users[0])
        environment = {"SIMULATED_CLOUD": self.cloud.address}
        if self.contender.driver:
            self.driver = programs.Group([self.contender.driver(place)], directory / "driver.log", environment)
            stack.callback(self.driver.stop)
            self.driver.start()
        self.group = programs.Group(list(self.contender.commands(place)), directory / "controller.log", environment)
        stack.callback(self.group.stop)
        self.group.start()
        time.sleep(1)
        workloads.until_rest(self.group)

    def _write_rates(self):
        collection, made, status = self.work.write_rate()
        done = subprocess.run([self.peers / "bin/write-rate", f"--server={self.plane.state['server']}", f"--ca={self.plane.state['ca']}",
                               f"--collection={collection}", f"--object={json.dumps(made)}", f"--status={json.dumps(status)}"],
                              env={**os.environ, "CLUSTER_TOKEN": self.plane.token("driver")}, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip()[-600:])
        return json.loads(done.stdout)

    def _check(self, name, figures):
        """A run that leaks or doubles a VM has no time."""
        cloud = self.cloud.figures()
        wished = 0 if name in workloads.LEAVES_NONE else self.size
        figures["doubled"] = figures["cloud"].get("doubled", 0)
        if self.contender.not_its_work:
            return  # its cloud is in its own process, which counts for itself
        figures["leaked"] = cloud["living"] - wished

    def _keep_logs(self, name):
        kept = pathlib.Path(self.options.out) / f"{self.contender.name}-{self.size}-{name}.log"
        kept.parent.mkdir(parents=True, exist_ok=True)
        if self.group.log.exists():
            shutil.copy(self.group.log, kept)
        kept.with_suffix(".json").write_text(json.dumps(self.work.sample(), indent=1) + "\n")
