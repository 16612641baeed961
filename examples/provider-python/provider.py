#!/usr/bin/env python3
"""A provider for Millwright in one file: its machines are processes of this computer.

A machine has a folder, and its process a variable in its environment that names the folder. By that it is found again,
as a cloud's instances are by their tags, so the provider may be killed and started at any time.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import grpc

HERE = pathlib.Path(__file__).resolve().parent
# Where the protocol is; a provider of your own keeps a copy of the file.
sys.path.insert(0, os.environ.get("MILLWRIGHT_PROTOCOL", str(HERE.parents[1] / "src/providers/grpc")))
pb, services = grpc.protos_and_services("millwright/provider/v1/provider.proto")

PROVIDER = "processes"
SCHEME = "processes:///"
TAG = b"MILLWRIGHT_EXAMPLE_MACHINE="
# How long a machine has to end by itself, and how often Millwright asks whether it has.
GRACE_SECONDS = 5
ASK_AGAIN_SECONDS = 0.2


class Cloud:
    """The processes, and their folders."""

    def __init__(self, folder, command):
        self.folder = folder
        self.command = command
        self.ending = {}  # folder -> when it was first asked to end
        # A call that comes again while the first still runs must not start a second process.
        self.changing = threading.Lock()

    def folder_of(self, machine):
        # An orphan has no UID, only the id that we once gave.
        name = pathlib.Path(machine.uid or machine.provider_id.removeprefix(SCHEME)).name
        # All machines are in the folder whose name is nothing.
        if not name:
            raise ValueError("a machine without UID and provider id")
        return self.folder / name

    def process_of(self, folder):
        wanted = TAG + os.fsencode(folder)
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                environment = pathlib.Path("/proc", entry, "environ").read_bytes()
            except (FileNotFoundError, PermissionError, ProcessLookupError):
                continue  # gone meanwhile, or not ours
            if wanted in environment.split(b"\0"):
                return int(entry)
        return None

    def instance(self, folder):
        return pb.Instance(provider_id=SCHEME + folder.name, machine_uid=folder.name,
                           machine_name=(folder / "name").read_text(), node_name=(folder / "name").read_text())

    def create(self, machine, class_name, user_data):
        folder = self.folder_of(machine)
        with self.changing:
            self.ensure(folder, machine.name, class_name, user_data)
        return self.instance(folder)

    def ensure(self, folder, machine_name, class_name, user_data):
        if self.process_of(folder) is None:
            (folder / "state").mkdir(parents=True, exist_ok=True, mode=0o700)
            for name, text in {"name": machine_name.encode(), "class": class_name.encode(), "user-data": user_data}.items():
                path = folder / name
                path.touch(mode=0o600)
                path.write_bytes(text)
            self.start(folder, machine_name)

    def start(self, folder, name):
        with (folder / "log").open("ab") as log:
            # A session of its own: it outlives us.
            subprocess.Popen([*self.command, "--user-data", folder / "user-data", "--state-dir", folder / "state",
                              "--name", name, "--provider-id", SCHEME + folder.name],
                             stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                             env={**os.environ, TAG[:-1].decode(): str(folder)})

    def remove(self, machine):
        """True once nothing is left."""
        folder = self.folder_of(machine)
        with self.changing:
            return self.end(folder)

    def end(self, folder):
        process = self.process_of(folder)
        if process is None:
            self.ending.pop(folder, None)
            shutil.rmtree(folder, ignore_errors=True)
            return True
        since = self.ending.setdefault(folder, time.monotonic())
        os.kill(process, signal.SIGKILL if time.monotonic() - since > GRACE_SECONDS else signal.SIGTERM)
        return False

    def all(self, class_name):
        """Folders whose process has ended are listed too, so that somebody cleans up."""
        return [self.instance(folder) for folder in sorted(self.folder.iterdir())
                if (folder / "class").exists() and (folder / "class").read_text() == class_name]


class Identity(services.IdentityServicer):
    def GetInfo(self, request, context):
        return pb.GetInfoResponse(name="provider-python", version="1", providers=[PROVIDER])

    def GetCapabilities(self, request, context):
        return pb.GetCapabilitiesResponse(capabilities=[pb.CAPABILITY_STATUS, pb.CAPABILITY_LIST])

    def Probe(self, request, context):
        return pb.ProbeResponse()


class Machines(services.MachinesServicer):
    """Requests have secrets in them: what is logged is the method and the machine's name."""

    def __init__(self, cloud):
        self.cloud = cloud

    def Create(self, request, context):
        print("create", request.machine.name, flush=True)
        if not request.user_data:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "there is no user data")
        return pb.CreateResponse(
            instance=self.cloud.create(request.machine, request.machine_class.name, request.user_data))

    def Delete(self, request, context):
        print("delete", request.machine.name, flush=True)
        answer = pb.DeleteResponse()
        if not self.cloud.remove(request.machine):
            answer.pending.retry_after.FromMilliseconds(int(ASK_AGAIN_SECONDS * 1000))
        return answer

    def GetStatus(self, request, context):
        folder = self.cloud.folder_of(request.machine)
        if self.cloud.process_of(folder) is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "no such machine")
        return pb.GetStatusResponse(instance=self.cloud.instance(folder))

    def List(self, request, context):
        return pb.ListResponse(instances=self.cloud.all(request.machine_class.name))


def bind(server, listen, certificates):
    if listen.startswith("unix://"):
        # Whoever may open the socket may use the credentials that travel through it.
        os.umask(0o077)
        server.add_insecure_port(listen)
        return
    if certificates is None:
        sys.exit("TCP needs --certs")
    own = [((certificates / "tls.key").read_bytes(), (certificates / "tls.crt").read_bytes())]
    server.add_secure_port(listen, grpc.ssl_server_credentials(own, (certificates / "ca.crt").read_bytes(),
                                                               require_client_auth=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--listen", required=True, help="unix:///PATH or HOST:PORT")
    parser.add_argument("--certs", type=pathlib.Path, help="folder with ca.crt, tls.crt and tls.key, for HOST:PORT")
    parser.add_argument("--machines", type=pathlib.Path, default="machines", help="folder of the machines")
    parser.add_argument("--machine-command", default="millwright node-agent", help="what a machine runs")
    options = parser.parse_args()
    options.machines.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # machines that end leave no zombies

    server = grpc.server(concurrent.futures.ThreadPoolExecutor(8))
    services_of = Machines(Cloud(options.machines.resolve(), shlex.split(options.machine_command)))
    services.add_IdentityServicer_to_server(Identity(), server)
    services.add_MachinesServicer_to_server(services_of, server)
    bind(server, options.listen, options.certs)
    server.start()
    print("serving at", options.listen, flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main()
