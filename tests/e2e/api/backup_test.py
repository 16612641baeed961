#!/usr/bin/env python3
"""A backup of a server that runs, and a server that starts from it."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from client import Client  # noqa: E402
from servers import MILLWRIGHT, our_server  # noqa: E402

MAPS = "/api/v1/namespaces/default/configmaps"
JSON = {"Content-Type": "application/json"}


def backup(data, to):
    return subprocess.run([MILLWRIGHT, "standalone", "backup", "--data-dir", str(data), "--to", str(to)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)


def statuses(kubeconfig):
    client = Client(kubeconfig)
    return [client.ask("GET", f"{MAPS}/{name}", {}, None)[0] for name in ("before", "after")]


def of_a_running_server(file):
    with our_server() as kubeconfig:
        client = Client(kubeconfig)
        client.ask("POST", MAPS, JSON, b'{"metadata":{"name":"before"}}')
        made = backup(kubeconfig.parent, file)
        assert made.returncode == 0, made.stdout
        client.ask("POST", MAPS, JSON, b'{"metadata":{"name":"after"}}')
        assert statuses(kubeconfig) == [200, 200], statuses(kubeconfig)
        again = backup(kubeconfig.parent, file)
        assert again.returncode == 1 and "exists" in again.stdout, again.stdout
        assert not list(kubeconfig.parent.glob("backup-*")), "something is left behind"


def can_be_started_from(file):
    data = file.parent / "data"
    data.mkdir()
    shutil.copy(file, data / "store.db")
    with our_server(data) as kubeconfig:
        assert statuses(kubeconfig) == [200, 404], statuses(kubeconfig)


def main():
    with tempfile.TemporaryDirectory(prefix="millwright-backup-") as directory:
        for test in (of_a_running_server, can_be_started_from):
            name = "backup " + test.__name__.replace("_", " ")
            try:
                test(pathlib.Path(directory) / "copy.db")
            except AssertionError as error:
                print(f"not ok {name}\n{error}")
                sys.exit(1)
            print(f"ok {name}")


main()
