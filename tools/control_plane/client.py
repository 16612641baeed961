"""Talking to a supervisor from the command line, and starting one."""

import contextlib
import json
import os
import select
import socket
import struct
import sys
import traceback

from .errors import Problem
from .supervisor import Supervisor, socket_path

_DOWN_SECONDS = 60


def ask(directory, command, **arguments):
    """Sends one command and returns its result."""
    with _connection(directory) as connection:
        _send(connection, command, arguments)
        try:
            line = connection.makefile().readline()
        except ConnectionResetError:
            line = ""
    if not line:
        raise Problem(f"the supervisor of {directory} ended before it had done {command}")
    answer = json.loads(line)
    if "problem" in answer:
        raise Problem(answer["problem"])
    return answer["result"]


def take_down(directory, **arguments):
    """Sends the command `down` and waits until the supervisor's process, the last one, is gone."""
    with _connection(directory) as connection:
        pid, _, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        process = os.pidfd_open(pid)
        with contextlib.suppress(BrokenPipeError):  # it is going down already
            _send(connection, "down", arguments)
        if not select.select([process], [], [], _DOWN_SECONDS)[0]:
            raise Problem(f"the supervisor of {directory}, process {pid}, has not ended within {_DOWN_SECONDS} s")
        os.close(process)


def _connection(directory):
    try:
        handle, path = socket_path(directory)
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        os.close(handle)
        return connection
    except (FileNotFoundError, ConnectionRefusedError):
        raise Problem(f"no control plane is up in {directory}; start one with `tools/control-plane up`") from None


def _send(connection, command, arguments):
    connection.sendall(json.dumps({"command": command, "arguments": arguments}).encode() + b"\n")


def start_detached(directory, options):
    """Starts a supervisor in the background and waits until it is ready. Returns the state.

    A fork and not a new program: this process has one thread and has not opened anything yet. The pipe tells both sides about
    the other: we read the outcome, and a supervisor whose starter was killed sees nobody at the other end and gives up.
    """
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        _become_supervisor(directory, options, writer)
    os.close(writer)
    with open(reader) as pipe:
        outcome = json.loads(pipe.read() or '{"problem": "the supervisor was killed while it was starting"}')
    if "problem" in outcome:
        raise Problem(outcome["problem"])
    return outcome["state"]


def _become_supervisor(directory, options, writer):
    """Never returns: whatever happens, the forked copy must not go on as the command line."""
    status = 1
    try:
        os.setsid()
        _let_go_of_the_caller(writer)

        reports = [writer]

        def report(outcome):
            """Only the first one: whoever started us has gone on with it."""
            if reports:
                with contextlib.suppress(BrokenPipeError), open(reports.pop(), "w") as pipe:
                    json.dump(outcome, pipe)

        def when_ready(state):
            report({"state": state})
            os.dup2(os.open(directory / "logs/supervisor.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 2)

        try:
            Supervisor(directory, options, when_ready, starter=writer).run()
            report({"problem": "the control plane was stopped while it was starting"})
            status = 0
        except Problem as problem:
            report({"problem": str(problem)})
        except BaseException:
            report({"problem": traceback.format_exc()})
            traceback.print_exc()
            sys.stderr.flush()
    finally:
        os._exit(status)


def _let_go_of_the_caller(writer):
    """A caller that reads our output, or waits on any pipe it handed down, must not wait for the supervisor."""
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    for fd in map(int, os.listdir("/proc/self/fd")):
        if fd > 2 and fd != writer:
            with contextlib.suppress(OSError):
                os.close(fd)
