"""Processes of a benchmark: started, followed in /proc, ended."""

import ctypes
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")
_PR_SET_PDEATHSIG = 1


def _end_with_parent():
    """A benchmark that is killed leaves nothing behind."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def cpu_seconds(pid):
    """User and system time of the whole process, its ended threads too."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    fields = text[text.rindex(")") + 2:].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory(pid, field="VmRSS"):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    return 0


def forget_peak(pid):
    """VmHWM begins anew."""
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


class Group:
    """The programs of one contender, as one."""

    def __init__(self, commands, log, environment=None, nice=0):
        self.commands = commands
        self.log = pathlib.Path(log)
        self.environment = {**os.environ, **(environment or {})}
        self.processes = []

    def start(self):
        with self.log.open("ab") as log:
            self.processes = [subprocess.Popen([str(word) for word in command], stdout=log, stderr=log,
                                               stdin=subprocess.DEVNULL, env=self.environment, cwd=self.log.parent,
                                               preexec_fn=_end_with_parent) for command in self.commands]

    def check(self):
        for process, command in zip(self.processes, self.commands):
            if process.poll() is not None:
                raise Ended(f"{command[0]} ended with {process.returncode}: {self.tail()}")

    def stop(self, seconds=20):
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []

    def tail(self, size=1500):
        return self.log.read_bytes()[-size:].decode(errors="replace") if self.log.exists() else ""

    def pids(self):
        return [process.pid for process in self.processes]

    def cpu(self):
        return sum(map(cpu_seconds, self.pids()))

    def resident(self):
        return sum(map(memory, self.pids()))


class Ended(Exception):
    """A program that should run has ended."""


class Sampler:
    """The most memory that a group had at once. VmHWM of each alone would add peaks of different moments."""

    def __init__(self, group, every=0.2):
        self.group, self.every = group, every
        self.most = 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def _run(self):
        while not self.ended.wait(self.every):
            try:
                self.most = max(self.most, self.group.resident())
            except OSError:
                pass  # one of them is being started again


def wait_until(what, condition, seconds, every=0.1, meanwhile=lambda: None):
    """Returns when the condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        meanwhile()
        if time.monotonic() > end:
            raise TooSlow(f"{what}: not within {seconds:.0f} s")
        time.sleep(every)


class TooSlow(Exception):
    """Something has not come in its time."""
