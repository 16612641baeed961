"""Pods of a Deployment, played without a kubelet: its command and its arguments, in the files of the image.

As root each has a host name of its own and sees nothing but the image, as user 65532, with the service account where pods have it.
Otherwise one process of build/millwright reads the same from kubeconfig files.
"""

import base64
import contextlib
import ctypes
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from clusters import ACCOUNT, NAMESPACE, ROOT, run, until

BINARY = ROOT / "build/millwright"
ACCOUNT_DIR = "var/run/secrets/kubernetes.io/serviceaccount"
TARGET_FILE = "var/lib/machine-controller-manager/kubeconfig"
NOBODY = 65532
PR_SET_PDEATHSIG = 1
CLONE_NEWNS, CLONE_NEWUTS = 0x00020000, 0x04000000
MS_BIND, MS_REC, MS_PRIVATE = 1 << 12, 1 << 14, 1 << 18
LIBC = ctypes.CDLL(None, use_errno=True)


def call(function, *arguments):
    if function(*arguments) != 0:
        raise OSError(ctypes.get_errno(), function.__name__)


def end_with_parent():
    """A test that is killed leaves nothing behind."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def enter_pod(rootfs, name):
    """Makes the process that calls it one with these files, that name, and no rights."""
    call(LIBC.unshare, CLONE_NEWNS | CLONE_NEWUTS)
    socket.sethostname(name)
    call(LIBC.mount, None, b"/", None, MS_REC | MS_PRIVATE, None)
    call(LIBC.mount, b"/proc", os.fsencode(rootfs / "proc"), None, MS_BIND | MS_REC, None)
    os.chroot(rootfs)
    os.chdir("/")
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    end_with_parent()  # last: a change of the user forgets it


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def like_pods():
    """Whether we may make namespaces."""
    return subprocess.run(["unshare", "--mount", "--uts", "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


class Replicas:
    NAME, NAMESPACE, ACCOUNT, LEASE = ACCOUNT, NAMESPACE, ACCOUNT, "machine-controller"

    def __init__(self, directory, deployment, control, target=None):
        self.directory = pathlib.Path(directory)
        self.container = deployment["spec"]["template"]["spec"]["containers"][0]
        self.count = deployment["spec"]["replicas"] if like_pods() else 1
        self.control, self.target = control, target
        self.ports, self.processes = {}, {}
        self.rootfs = self.directory / "rootfs"
        if like_pods():
            self._fill_rootfs()

    def _fill_rootfs(self):
        run(ROOT / "deploy/image/build", "--rootfs", self.rootfs)
        write(self.rootfs / ACCOUNT_DIR / "token", self.control.token(self.NAMESPACE, self.ACCOUNT))
        write(self.rootfs / ACCOUNT_DIR / "ca.crt", base64.b64decode(self.control.authority()).decode())
        write(self.rootfs / ACCOUNT_DIR / "namespace", self.NAMESPACE)
        if self.target:
            write(self.rootfs / TARGET_FILE, self.target.kubeconfig_of_account("kube-system"))
        (self.rootfs / "proc").mkdir()
        os.chmod(self.directory, 0o755)

    def start(self, extra=()):
        for number in range(self.count):
            name = f"{self.NAME}-{number}"
            self.ports[name] = free_port()
            words = [*self.container["command"], *self.container["args"], *self._addresses(name), *extra]
            with (self.directory / f"{name}.log").open("a", encoding="utf-8") as log:
                begin = self._as_pod(name, words) if like_pods() else self._as_process(words)
                self.processes[name] = subprocess.Popen(stdout=log, stderr=log, **begin)

    def _addresses(self, name):
        """Replicas share one network here."""
        return ["--address=127.0.0.1", f"--port={self.ports[name]}"]

    def _environment(self, _name):
        """As the manifest names it besides what kubelets set."""
        return {}

    def _as_pod(self, name, words):
        address = urllib.parse.urlparse(self.control.server())
        return {"args": words, "preexec_fn": lambda: enter_pod(self.rootfs, name),
                "env": {"KUBERNETES_SERVICE_HOST": address.hostname, "KUBERNETES_SERVICE_PORT": str(address.port),
                        **self._environment(name)}}

    def _as_process(self, words):
        control = self.directory / "control"
        write(control, self.control.kubeconfig_of_account(NAMESPACE))
        target = control
        if self.target:
            target = self.directory / "target"
            write(target, self.target.kubeconfig_of_account("kube-system"))
        return {"args": [str(BINARY), *words[1:], f"--control-kubeconfig={control}", f"--target-kubeconfig={target}"],
                "preexec_fn": end_with_parent}

    def page(self, name, path):
        """None: nobody answers, or it is not well."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[name]}{path}", timeout=10) as answer:
                return answer.read().decode()
        except (urllib.error.URLError, OSError):
            return None

    def until_ready(self):
        """By the probes of the manifest."""
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            path = self.container[probe]["httpGet"]["path"]
            for name in self.ports:
                until(f"{probe} of {name}", lambda name=name, path=path: self.alive(name) and self.page(name, path) is not None)

    def alive(self, name):
        assert self.processes[name].poll() is None, f"{name} ended with {self.processes[name].poll()}"
        return True

    def leads(self, name):
        return f'leader_election_master_status{{name="{self.LEASE}"}} 1' in (self.page(name, "/metrics") or "")

    def leader(self):
        return until("a leader", lambda: next((name for name in self.ports if self.leads(name)), None))

    def stop(self, name):
        process = self.processes.pop(name)
        process.terminate()
        del self.ports[name]
        return process.wait(timeout=60)

    def log(self):
        return "\n".join(path.read_text() for path in sorted(self.directory.glob("*.log")))


@contextlib.contextmanager
def replicas(deployment, control, target=None, kind=Replicas):
    with tempfile.TemporaryDirectory(prefix="millwright-replicas-") as directory:
        them = kind(directory, deployment, control, target)
        try:
            yield them
        except AssertionError as error:
            raise AssertionError(f"{error}\n{them.log()[-int(os.environ.get('MILLWRIGHT_TEST_LOG_BYTES', '3000')):]}") from None
        finally:
            for process in them.processes.values():
                process.kill()
                process.wait()
