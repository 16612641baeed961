"""Controller processes of a test: started, killed, started again."""

import contextlib
import ctypes
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("MILLWRIGHT_BINARY", ROOT / "build/millwright"))


PR_SET_PDEATHSIG = 1


def end_with_parent():
    """A test that is killed leaves no controller behind."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def listens(port):
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


class Controllers:
    """One process that does all, or the two of upstream under their names, or one of those."""

    def __init__(self, kubeconfig, directory, split=False, extra=(), target=None, provider="simulated", only=None):
        self.directory = pathlib.Path(directory)
        self.log_path = self.directory / "controller.log"
        split = split or only is not None
        names = ["machine-controller-manager", "machine-controller"] if split else ["controller"]
        names = [only] if only else names
        self.commands = {}
        self.ports = {}
        self.processes = {}
        for name in names:
            self.ports[name] = free_port()
            if split:
                link = self.directory / name
                link.symlink_to(BINARY)
                program = [str(link)]
            else:
                program = [str(BINARY), "controller", "--dialect", "gardener"]
            self.commands[name] = [*program, *([f"--provider={provider}"] if provider else []),
                                   f"--control-kubeconfig={kubeconfig}", f"--target_kubeconfig={target or kubeconfig}",
                                   "--address=127.0.0.1",
                                   f"--port={self.ports[name]}", f"--data-dir={self.directory}", *extra]

    def start(self):
        for name, command in self.commands.items():
            with self.log_path.open("a", encoding="utf-8") as log:
                self.processes[name] = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.directory,
                                                        preexec_fn=end_with_parent)

    def kill(self):
        """As power does it."""
        for process in self.processes.values():
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=30)

    def stop(self):
        """How each ended."""
        for process in self.processes.values():
            if process.poll() is None:
                process.terminate()
        return [process.wait(timeout=60) for process in self.processes.values()]

    def metrics(self):
        """Of all of them; nothing from those that do not serve yet."""
        pages = []
        for name in self.ports:
            with contextlib.suppress(OSError):
                pages.append(self.page(name, "/metrics"))
        return "".join(pages)

    def page(self, name, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[name]}{path}", timeout=60) as answer:
            return answer.read().decode()

    def log(self):
        return self.log_path.read_text(encoding="utf-8") if self.log_path.exists() else ""


@contextlib.contextmanager
def controllers(kubeconfig, split=False, extra=(), target=None, provider="simulated", only=None):
    with tempfile.TemporaryDirectory(prefix="millwright-machines-") as directory:
        them = Controllers(kubeconfig, directory, split, extra, target, provider, only)
        try:
            yield them
        except AssertionError as error:
            size = int(os.environ.get("MILLWRIGHT_TEST_LOG_BYTES", "4000"))
            raise AssertionError(f"{error}\n{them.log()[-size:]}") from None
        finally:
            with contextlib.suppress(subprocess.TimeoutExpired):
                them.stop()
            for process in them.processes.values():
                process.kill()
