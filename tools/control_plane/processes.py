"""Child processes that cannot outlive the supervisor.

The kernel kills a child when its parent dies, if the child asked for it (PR_SET_PDEATHSIG). The fine print: "parent" is the
*thread* that forked, so children must be started from a thread that lives as long as the process. The supervisor has only one.
"""

import ctypes
import os
import signal
import subprocess

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)  # loaded here: between fork and exec it is too late to load anything


def _die_with(parent):
    if _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0 or os.getppid() != parent:
        os._exit(1)  # refused, or the parent died before we asked


class Child:
    """A program that runs, or did."""

    def __init__(self, name, command, log):
        self.name = name
        self.command = [str(word) for word in command]
        self.log = log
        self.process = None
        self.paused = False

    def start(self):
        parent = os.getpid()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
                                            start_new_session=True, preexec_fn=lambda: _die_with(parent))
        self.paused = False

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def pid(self):
        return self.process.pid if self.runs() else None

    def condition(self):
        """One word, or a few, for people."""
        if self.process is None:
            return "not started"
        code = self.process.poll()
        if code is None:
            return "paused" if self.paused else "running"
        return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"

    def kill(self):
        """At once, as a crash would. Returns when it is gone."""
        if self.runs():
            self.process.kill()
            self.process.wait()

    def stop(self, seconds):
        """Asks it to end, and kills it if it has not done so in time."""
        if self.runs():
            self.resume()
            self.process.terminate()
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)
        self.paused = True

    def resume(self):
        self.process.send_signal(signal.SIGCONT)
        self.paused = False

    def last_words(self, lines=15):
        try:
            with open(self.log, errors="replace") as log:
                return "".join(log.readlines()[-lines:])
        except OSError:
            return ""
