"""Gardener's own programs: machine-controller-manager, and a machine-controller around a driver whose cloud is a folder."""

import contextlib
import pathlib
import signal
import subprocess
import tempfile

from controllers import ROOT, end_with_parent, free_port

BUILD = ROOT / "tests/e2e/upstream/gardener-mcm/build"


def directory():
    """Where they are; None if they cannot be built here."""
    if subprocess.run([str(BUILD)], check=False).returncode:
        return None
    shown = subprocess.run([str(BUILD), "--print-dir"], stdout=subprocess.PIPE, text=True, check=True)
    return pathlib.Path(shown.stdout.strip())


class UpstreamPrograms:
    def __init__(self, yard, binaries, home):
        self.yard = yard
        self.binaries = binaries
        self.home = pathlib.Path(home)
        self.cloud = self.home / "cloud"
        self.processes = []

    def start(self, *names):
        for name in names:
            kubeconfig = str(self.yard.kubeconfig)
            command = [str(self.binaries / name), f"--control-kubeconfig={kubeconfig}", f"--target-kubeconfig={kubeconfig}",
                       f"--namespace={self.yard.name}", "--address=127.0.0.1", f"--port={free_port()}",
                       "--kube-api-qps=500", "--kube-api-burst=1000", "--v=2"]
            if name == "machine-controller":
                command.append(f"--cloud-folder={self.cloud}")
            with (self.home / f"{name}.log").open("a", encoding="utf-8") as log:
                self.processes.append(subprocess.Popen(command, stdout=log, stderr=log, preexec_fn=end_with_parent))

    def stop(self):
        for process in self.processes:
            process.send_signal(signal.SIGKILL)  # it has no other way to end soon
            process.wait(timeout=30)
        self.processes = []

    def calls(self, kind):
        """The machines that the cloud was asked to create or delete."""
        log = self.cloud / "calls.log"
        lines = log.read_text(encoding="utf-8").split("\n") if log.exists() else []
        return [line.split()[1] for line in lines if line.startswith(kind)]

    def logs(self):
        return "\n".join(f"{f.name}: {f.read_text(encoding='utf-8')[-1500:]}" for f in self.home.glob("*.log"))


@contextlib.contextmanager
def upstream_programs(yard, binaries):
    with tempfile.TemporaryDirectory(prefix="millwright-upstream-") as home:
        theirs = UpstreamPrograms(yard, binaries, home)
        try:
            yield theirs
        except AssertionError as error:
            raise AssertionError(f"{error}\n{theirs.logs()}") from None
        finally:
            theirs.stop()
