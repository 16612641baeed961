"""A server that a case has for itself: to be killed, and started again where it was."""

import contextlib
import os
import pathlib
import subprocess
import tempfile

from client import Client
from controllers import BINARY, ROOT, end_with_parent, free_port

START_SECONDS = 60


class RealServer:
    def __init__(self, directory):
        self.tool = str(ROOT / "tools/control-plane")
        self.place = ["--dir", str(directory / "cp")]
        self._run("up", "--parent-pid", str(os.getpid()), "--without-controller", "node-lifecycle-controller",
                  "--without-controller", "ttl-controller")
        self.kubeconfig = pathlib.Path(self._run("kubeconfig", "--user", "admin").strip())

    def _run(self, command, *words):
        return subprocess.run([self.tool, command, *self.place, *words], check=True, stdout=subprocess.PIPE, text=True,
                              cwd=ROOT).stdout

    def kill(self):
        self._run("kill-apiserver")

    def restart(self):
        self._run("restart-apiserver")

    def close(self):
        subprocess.run([self.tool, "down", *self.place], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class EmbeddedServer:
    def __init__(self, directory):
        self.directory = directory
        self.listen = f"127.0.0.1:{free_port()}"
        self.kubeconfig = directory / "kubeconfig"
        self.restart()

    def restart(self):
        self.process = subprocess.Popen(
            [str(BINARY), "standalone", "--data-dir", str(self.directory), "--listen", self.listen,
             "--without-node-lifecycle", "--dialect", "none"], stdout=subprocess.PIPE, text=True, preexec_fn=end_with_parent)
        assert self.process.stdout.readline(), "the embedded server did not start"  # it says so once it serves
        status, _, _ = Client(self.kubeconfig).ask("GET", "/readyz", {}, None)
        assert status == 200, status

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=30)

    def close(self):
        self.kill()


@contextlib.contextmanager
def second_server(place):
    with tempfile.TemporaryDirectory(prefix="millwright-second-") as directory:
        server = {"real": RealServer, "embedded": EmbeddedServer}[place](pathlib.Path(directory))
        try:
            yield server
        finally:
            server.close()
