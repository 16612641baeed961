"""The one process that owns a control plane: starts it, answers commands on a socket, and takes everything down when it ends.

It restarts nothing on its own: a server that a test killed stays down until the test says otherwise.
It has one thread (see processes.py), so it answers one command after the other.
"""

import contextlib
import json
import os
import select
import signal
import socket
import time

from . import audit, objects, places, ports, programs
from .api import ApiServer, Etcd, plain_answers
from .errors import Problem
from .identities import Identities, kubeconfig_text
from .processes import Child

SOCKET = "control.sock"
_START_SECONDS = 120  # a machine that compiles on all cores is slow
_STOP_SECONDS = 15


class Stop(Exception):
    """The end was asked for: by a signal, by `down`, or by the death of a process we were told to follow."""


def socket_path(directory):
    """A path of any directory that fits into the 108 bytes of a socket address. Keep the first value open while you use it."""
    handle = os.open(directory, os.O_PATH | os.O_DIRECTORY)
    return handle, f"/proc/self/fd/{handle}/{SOCKET}"


class Supervisor:
    def __init__(self, directory, options, when_ready, starter=None):
        """options: of `up`. when_ready: called with the state. starter: a pipe whose reader waits for us to be ready."""
        self.directory = directory
        self.options = options
        self.when_ready = when_ready
        self.starter = starter
        self.parent = None
        self.children = {}
        self.phase = "starting"
        self.identities = Identities(directory)
        self.binaries, self.ports, self.server, self.took = None, {}, None, None

    # The whole life.

    def run(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        lock = None
        try:
            self.binaries = programs.require()
            self._follow_parent()
            lock = self._take_directory()
            self._start()
            self.when_ready(self.state())
            self._serve()
        except Stop:
            pass
        except Exception:
            self.options.keep = self.phase == "up"  # our own fault, so somebody will want to read supervisor.log
            raise
        finally:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            if lock:
                self._take_down()

    def _on_signal(self, number, frame):
        raise Stop

    def _follow_parent(self):
        pid = self.options.parent_pid
        if pid:
            try:
                self.parent = os.pidfd_open(pid)
            except OSError as error:
                raise Problem(f"cannot follow process {pid}: {error.strerror}") from None

    def _take_directory(self):
        if not places.is_ours(self.directory):
            raise Problem(f"{self.directory} has files that are not a control plane's; give an empty or a new directory")
        if not self.options.dir:
            places.make_root(self.directory.parent)
        with places.housekeeping():
            lock = places.take(self.directory)
        if lock and (self.directory / places.KEPT).exists() and not self.options.durable:
            raise Problem(f"{self.directory} is kept from an earlier run; go on with it by `up --durable`, "
                          f"or remove it by `down --delete`")
        if not lock:
            raise Problem(f"{self.options.name} is up already, in {self.directory}; "
                          f"take it down with `tools/control-plane down`, or choose another --name")
        return lock

    def _take_down(self):
        for name in ("kwok", "kube-controller-manager", "kube-apiserver", "etcd"):
            if name in self.children:
                if self.options.durable:
                    self.children[name].stop(_STOP_SECONDS)
                else:
                    self.children[name].kill()
        self.phase = "down"
        if self.options.keep:
            (self.directory / places.KEPT).touch()
        if self.options.keep or self.options.durable:
            self._write_state()
        else:
            places.remove(self.directory)

    # Starting.

    def _start(self):
        began = time.monotonic()
        binaries, directory, options = self.binaries, self.directory, self.options
        before = self._prepare_directory()
        self.ports, self.reservations = ports.reserve(("etcd", "etcd-peer", "apiserver", "kwok"), before.get("ports"))
        self.server = f"https://127.0.0.1:{self.ports['apiserver']}"
        self._write_state()
        self._listen()

        self._add("etcd", programs.etcd(binaries, directory / "etcd", self.ports, options.durable))
        self.children["etcd"].start()
        self.identities.pki.make()
        self.identities.make(self.server, options.identity)
        self.api, self.etcd = ApiServer(self.ports["apiserver"], self.identities.pki), Etcd(self.ports["etcd"])
        self._wait("etcd", "does not become healthy", lambda: plain_answers(self.ports["etcd"], "/health"))

        self._add("kube-apiserver", programs.apiserver(binaries, directory, self.ports, self.identities,
                                                       options.controller_manager, options.apiserver_arg))
        self._start_apiserver()
        objects.create(self.api, kubeconfig_text(self.server, self.identities.pki.authority))
        if options.controller_manager:
            self._add("kube-controller-manager", programs.controller_manager(
                binaries, self.identities, options.controllers, options.controller_manager_arg))
            self.children["kube-controller-manager"].start()
            if "serviceaccount-controller" in options.controllers:  # until then pods are refused
                self._wait("kube-controller-manager", "does not make the default service account",
                           lambda: self.api.answers("/api/v1/namespaces/default/serviceaccounts/default"))
        self._add("kwok", programs.kwok(binaries, self.ports, self.identities))
        if options.kwok:
            self.do_start_kwok()
        audit.set_mark(directory, "ready")
        self.phase = "up"
        self.took = round(time.monotonic() - began, 1)
        self._write_state()

    def _prepare_directory(self):
        """Returns the state of an earlier run if this goes on with it."""
        before, kept = {}, self.directory / places.KEPT
        if kept.exists():
            with contextlib.suppress(OSError, ValueError):
                before = json.loads((self.directory / places.STATE).read_text())
        else:
            places.empty(self.directory)
        if self.options.durable:
            kept.touch()
        (self.directory / "logs").mkdir(exist_ok=True)
        (self.directory / "etcd").mkdir(mode=0o700, exist_ok=True)
        (self.directory / "audit-policy.yaml").write_text(audit.POLICY)
        (self.directory / "audit.log").touch(mode=0o600)
        return before

    def _add(self, name, command):
        self.children[name] = Child(name, command, self.directory / "logs" / f"{name}.log")

    def _start_apiserver(self):
        self.children["kube-apiserver"].start()
        self._wait("kube-apiserver", "does not become ready", lambda: self.api.answers("/readyz"))
        # Made by the server itself, shortly after it is ready.
        for namespace in ("default", "kube-system", "kube-public"):
            self._wait("kube-apiserver", f"does not make the namespace {namespace}",
                       lambda: self.api.answers(f"/api/v1/namespaces/{namespace}"))

    def _wait(self, name, trouble, done):
        child, deadline = self.children[name], time.monotonic() + _START_SECONDS
        while not done():
            if not child.runs():
                raise programs.logs_of(child, "ended while it was starting")
            if time.monotonic() > deadline:
                raise programs.logs_of(child, f"{trouble} within {_START_SECONDS} s")
            self._look_around(0.05)

    def _look_around(self, seconds, listener=None):
        """Waits for the time to pass, or for a command. Stops if a process that we follow has died."""
        poll = select.poll()
        if self.parent is not None:
            poll.register(self.parent, select.POLLIN)
        if self.starter is not None and self.phase == "starting":
            poll.register(self.starter, 0)  # only its error counts: nobody waits for us any more
        if listener:
            poll.register(listener, select.POLLIN)
        ready = [fd for fd, _ in poll.poll(None if seconds is None else seconds * 1000)]
        if self.parent in ready or self.starter in ready:
            raise Stop

    # Answering.

    def _listen(self):
        handle, path = socket_path(self.directory)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(16)
        os.close(handle)

    def _serve(self):
        while True:
            self._look_around(None, self.listener)
            with self.listener.accept()[0] as connection:
                connection.settimeout(5)  # a caller who was killed in the middle must not stop the others
                try:
                    request = json.loads(connection.makefile().readline())
                except (OSError, ValueError):
                    continue
                answer = self._answer(request)
                with contextlib.suppress(OSError):
                    connection.sendall(json.dumps(answer).encode() + b"\n")

    def _answer(self, request):
        try:
            command = getattr(self, "do_" + request["command"].replace("-", "_"), None)
            if not command:
                raise Problem(f"there is no command {request['command']}")
            answer = {"result": command(**request.get("arguments", {}))}
        except (Problem, OSError) as problem:
            answer = {"problem": str(problem)}
        self._write_state()
        return answer

    def do_status(self):
        return self.state()

    def do_down(self, keep, delete):
        self.options.keep = keep
        if delete:
            self.options.durable = False
        raise Stop

    def do_kill_apiserver(self):
        self._running_apiserver().kill()

    def do_stop_apiserver(self):
        self._running_apiserver().stop(_STOP_SECONDS)

    def do_pause_apiserver(self):
        self._running_apiserver().pause()

    def do_resume_apiserver(self):
        self._running_apiserver().resume()

    def do_restart_apiserver(self):
        self.children["kube-apiserver"].kill()
        self._start_apiserver()

    def do_compact(self):
        return self.etcd.compact()

    def do_start_kwok(self):
        if not self.children["kwok"].runs():
            self.children["kwok"].start()
            self._wait("kwok", "does not become healthy", lambda: plain_answers(self.ports["kwok"], "/healthz"))

    def do_stop_kwok(self):
        self.children["kwok"].kill()

    def _running_apiserver(self):
        child = self.children["kube-apiserver"]
        if not child.runs():
            raise Problem(f"kube-apiserver does not run ({child.condition()}); `restart-apiserver` starts it again")
        return child

    def state(self):
        return {
            "name": self.options.name, "phase": self.phase, "dir": str(self.directory), "durable": self.options.durable,
            "supervisor_pid": os.getpid(), "started_in_seconds": self.took, "server": self.server, "ports": self.ports,
            "bin": str(self.binaries), "kubeconfig": str(self.identities.kubeconfig("admin")),
            "kubeconfigs": {name: str(self.identities.kubeconfig(name)) for name in self.identities.names()},
            "ca": str(self.identities.pki.authority),
            "audit_log": str(self.directory / "audit.log"), "logs": str(self.directory / "logs"),
            "processes": {child.name: {"pid": child.pid(), "condition": child.condition(), "log": str(child.log)}
                          for child in self.children.values()},
        }

    def _write_state(self):
        """Written beside and renamed, so that a reader never sees half of it."""
        new = self.directory / (places.STATE + ".new")
        new.write_text(json.dumps(self.state(), indent=2) + "\n")
        new.replace(self.directory / places.STATE)
