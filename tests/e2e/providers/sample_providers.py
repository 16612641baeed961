"""The sample providers: made ready, started, killed, started again."""

import importlib.util
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
for place in ("machines", "api"):
    sys.path.insert(0, str(ROOT / "tests/e2e" / place))

from controllers import end_with_parent  # noqa: E402
from servers import MILLWRIGHT  # noqa: E402

EXAMPLES = ROOT / "examples"
# What is fetched and built for the samples; kept, as it takes a while.
PLACE = ROOT / "build/e2e-providers"
START_SECONDS = 60
TAGS = (b"MILLWRIGHT_EXAMPLE_MACHINE=", b"SAMPLE_MACHINE=")


class CannotBeHad(Exception):
    """What a sample needs is not here and cannot be fetched."""


def fetch(what, *command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode:
        last = (done.stdout.strip().splitlines() or [""])[-1]
        raise CannotBeHad(f"{what} cannot be had: {last}")


def python_with_grpc():
    if all(importlib.util.find_spec(name) for name in ("grpc", "grpc_tools")):
        return sys.executable
    python = PLACE / "venv/bin/python"
    if not (PLACE / "venv/ready").exists():
        fetch("a virtual environment", sys.executable, "-m", "venv", PLACE / "venv")
        fetch("grpcio", python, "-m", "pip", "install", "-q", "-r", EXAMPLES / "provider-python/requirements.txt")
        (PLACE / "venv/ready").touch()
    return python


def bridge_program():
    module = EXAMPLES / "provider-bridge-go"
    if not shutil.which("go"):
        raise CannotBeHad("there is no Go")
    fetch("a Go module", "go", "mod", "download", cwd=module)
    program = PLACE / "sample-bridge"
    done = subprocess.run(["go", "build", "-o", str(program), "."], cwd=module, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, f"the bridge does not build:\n{done.stdout}"
    return program


# Name -> (the provider's name in classes, what makes the command that starts it).
SAMPLES = {
    "python": ("processes", lambda: [python_with_grpc(), "-B", EXAMPLES / "provider-python/provider.py"]),
    "bridge": ("Sample", lambda: [bridge_program()]),
}


class Provider:
    """A provider's process, and the machines that it made."""

    def __init__(self, command, directory, listen=None, certificates=None):
        self.machines = directory / "machines"
        self.log_path = directory / "provider.log"
        self.socket = directory / "provider.sock"
        self.port = listen and int(listen.rpartition(":")[2])
        listen = listen or f"unix://{self.socket}"
        self.command = [*command, "--listen", listen, "--machines", self.machines,
                        "--machine-command", f"{MILLWRIGHT} node-agent"]
        if certificates:
            self.command += ["--certs", certificates]
        self.process = None

    def start(self):
        with self.log_path.open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen([str(word) for word in self.command], stdout=log, stderr=log,
                                            preexec_fn=end_with_parent)
        deadline = time.monotonic() + START_SECONDS
        while not self.listens():
            assert self.process.poll() is None and time.monotonic() < deadline, f"it does not start:\n{self.log()}"
            time.sleep(0.02)

    def listens(self):
        with socket.socket(socket.AF_INET if self.port else socket.AF_UNIX) as probe:
            return probe.connect_ex(("127.0.0.1", self.port) if self.port else str(self.socket)) == 0

    def kill(self):
        """As power does it."""
        self.process.kill()
        self.process.wait(timeout=30)

    def log(self):
        return self.log_path.read_text(encoding="utf-8")

    def processes(self):
        """Those of its machines: number by folder."""
        inside = os.fsencode(self.machines) + b"/"
        found = {}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                environment = pathlib.Path("/proc", entry, "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            for variable in environment:
                if variable.startswith(tuple(tag + inside for tag in TAGS)):
                    found.setdefault(variable, []).append(int(entry))
        return found

    def folders(self):
        return sorted(folder.name for folder in self.machines.iterdir()) if self.machines.exists() else []

    def clean_up(self):
        if self.process and self.process.poll() is None:
            self.kill()
        for numbers in self.processes().values():
            for number in numbers:
                os.kill(number, signal.SIGKILL)
