"""The two servers that are compared, started and stopped."""

import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
MILLWRIGHT = os.environ.get("MILLWRIGHT_BINARY", str(ROOT / "build/millwright"))
START_SECONDS = 60


@contextlib.contextmanager
def real_server():
    """A kube-apiserver with its controllers; gives the admin's kubeconfig."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="millwright-real-"))
    tool = [str(ROOT / "tools/control-plane")]
    place = ["--dir", str(directory / "cp")]
    try:
        up = subprocess.run([*tool, "up", *place, "--parent-pid", str(os.getpid()), "--json",
                             # They write into nodes whenever they like.
                             "--without-controller", "node-lifecycle-controller",
                             "--without-controller", "ttl-controller"], check=True,
                            stdout=subprocess.PIPE, text=True, cwd=ROOT)
        json.loads(up.stdout)
        shown = subprocess.run([*tool, "kubeconfig", *place, "--user", "admin"], check=True, stdout=subprocess.PIPE,
                               text=True, cwd=ROOT)
        yield pathlib.Path(shown.stdout.strip())
    finally:
        subprocess.run([*tool, "down", *place], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       cwd=ROOT)


@contextlib.contextmanager
def our_server(data=None):
    """The embedded server on a disk of its own, or in that directory; gives the admin's kubeconfig."""
    with contextlib.ExitStack() as stack:
        directory = str(data) if data else stack.enter_context(tempfile.TemporaryDirectory(prefix="millwright-ours-"))
        process = subprocess.Popen([MILLWRIGHT, "standalone", "--data-dir", directory,
                                    "--listen", "127.0.0.1:0", "--without-node-lifecycle", "--dialect", "none"], stdout=subprocess.PIPE, text=True)
        kubeconfig = pathlib.Path(directory) / "kubeconfig"
        try:
            # It says so once it serves; by then the file is there.
            line = process.stdout.readline()
            deadline = time.monotonic() + START_SECONDS
            while not kubeconfig.exists():
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"the embedded server did not start: {line}")
                time.sleep(0.01)
            yield kubeconfig
        finally:
            process.terminate()
            process.wait(timeout=60)
