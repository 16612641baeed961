"""What is noted of a stretch of time."""

import contextlib
import os
import pathlib
import time

from . import audit
from .programs import Sampler, cpu_seconds


class Stretch:
    """Wall time, CPU, memory, requests and calls of one contender between two moments."""

    def __init__(self, life):
        self.life = life
        self.figures = {}

    def __enter__(self):
        life = self.life
        self.log = pathlib.Path(life.plane.state["audit_log"])
        time.sleep(0.2)  # kube-apiserver writes the line just after the answer has gone out
        self.offset = self.log.stat().st_size
        self.cloud = life.cloud.figures()
        self.server = self._server_cpu()
        self.cpu = life.group.cpu()
        self.driver_cpu = life.driver.cpu() if life.driver else 0
        self.sampler = Sampler(life.group)
        self.sampler.__enter__()
        self.begun = time.monotonic()
        return self

    def stop_clock(self):
        self.figures["wall_s"] = time.monotonic() - self.begun
        self.figures["cpu_s"] = self.life.group.cpu() - self.cpu
        if self.life.driver:
            self.figures["driver_cpu_s"] = self.life.driver.cpu() - self.driver_cpu

    def __exit__(self, kind, *_):
        self.sampler.__exit__()
        if kind is not None:
            return
        if "wall_s" not in self.figures:
            self.stop_clock()
        life, figures = self.life, self.figures
        time.sleep(0.3)
        rows = audit.requests(self.log, self.offset, life.contender.users)
        figures["requests"] = audit.summary(rows, life.contender.not_its_work)
        figures["peak_rss"] = self.sampler.most
        figures["rss"] = life.group.resident()
        figures["server_cpu_s"] = {name: after - self.server.get(name, 0) for name, after in self._server_cpu().items()}
        after = life.cloud.figures()
        figures["cloud"] = {name: value - self.cloud.get(name, 0) for name, value in after.items()}
        figures["load"] = os.getloadavg()[0]

    def _server_cpu(self):
        found = {}
        for name, pid in self.life.server_pids.items():
            with contextlib.suppress(OSError):
                found[name] = cpu_seconds(pid)
        return found
