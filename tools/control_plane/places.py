"""Which directory a control plane lives in, who owns it, and removing what dead ones left behind.

A directory belongs to the process that holds the lock on its `lock` file. The kernel drops that lock however the process
ends, so "is it up?" needs no process ids, which get reused.
"""

import contextlib
import errno
import fcntl
import os
import pathlib
import shutil
import tempfile
import time

from .errors import Problem

LOCK = "lock"
STATE = "state.json"
KEPT = "kept"  # a marker file: this directory outlives its control plane

_SHARED_MEMORY = "/dev/shm"
_SHARED_MEMORY_NEEDED = 4 << 30  # containers often have 64 MiB there, which one etcd fills


def _folder_name():
    return f"millwright-control-planes-{os.getuid()}"


def temporary_root():
    """In memory where there is room, so that the disk is no part of what a benchmark measures.

    Decided by the size and not by the free space, so that every call on one machine gives the same answer.
    """
    override = os.environ.get("MILLWRIGHT_CONTROL_PLANES")
    if override:
        return pathlib.Path(override).absolute()
    with contextlib.suppress(OSError):
        size = os.statvfs(_SHARED_MEMORY)
        if size.f_blocks * size.f_frsize >= _SHARED_MEMORY_NEEDED and os.access(_SHARED_MEMORY, os.W_OK):
            return pathlib.Path(_SHARED_MEMORY) / _folder_name()
    return pathlib.Path(tempfile.gettempdir()) / _folder_name()


def durable_root():
    override = os.environ.get("MILLWRIGHT_CONTROL_PLANES")
    if override:
        return pathlib.Path(override).absolute() / "durable"
    return pathlib.Path("/var/tmp") / _folder_name()


def make_root(root):
    """Private keys lie below it, and it stands in a directory that everybody may write to."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    if root.is_symlink() or root.stat().st_uid != os.getuid():
        raise Problem(f"{root} belongs to somebody else; set MILLWRIGHT_CONTROL_PLANES to a directory of yours")


def choose(name, directory, durable):
    """Where a new control plane goes."""
    if directory:
        return pathlib.Path(directory).absolute()
    return (durable_root() if durable else temporary_root()) / name


def find(name, directory):
    """Where an existing control plane is, or would be."""
    if directory:
        return pathlib.Path(directory).absolute()
    for root in (temporary_root(), durable_root()):
        if (root / name / LOCK).exists():
            return root / name
    return temporary_root() / name


def everywhere():
    """The directories of all control planes that were not given a directory of their own."""
    for root in (temporary_root(), durable_root()):
        if root.is_dir():
            yield from sorted(path.parent for path in root.glob(f"[!.]*/{LOCK}"))


def take(directory):
    """Makes the directory ours. Returns the open lock, or None if another process holds it."""
    for _ in range(10):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = open(directory / LOCK, "a")
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The owner before us may have removed the directory between our open and our lock.
            if os.stat(directory / LOCK).st_ino == os.fstat(lock.fileno()).st_ino:
                return lock
        lock.close()
        time.sleep(0.02)  # somebody may only be asking (is_taken), which holds the lock for a moment
    return None


def is_taken(directory):
    """Whether a living process owns the directory. A shared lock, so that two who ask do not see each other."""
    try:
        with open(directory / LOCK) as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return True
        raise
    return False


def is_ours(directory):
    """Whether the directory holds a control plane or nothing, so that removing it can lose nothing of the user's."""
    return not directory.exists() or (directory / LOCK).exists() or not any(directory.iterdir())


def remove(directory):
    """Renamed first, so that it is gone at once: whoever uses the name next gets a directory that nobody is deleting.

    What is left under the new name if we are killed here is found by remove_stale, like everything without an owner.
    """
    going = directory.with_name(f".removing-{directory.name}-{os.getpid()}")
    try:
        directory.rename(going)
    except OSError:
        going = directory  # a mount point, or a parent that we may not write to
    shutil.rmtree(going, ignore_errors=True)


def empty(directory):
    """Removes everything but the lock."""
    for path in directory.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()


def remove_stale():
    """Removes what control planes left whose supervisor was killed, except what somebody asked to keep."""
    root = temporary_root()
    if not root.is_dir():
        return
    with housekeeping():
        for path in root.glob(f"*/{LOCK}"):
            if not (path.parent / KEPT).exists() and not is_taken(path.parent):
                remove(path.parent)


@contextlib.contextmanager
def housekeeping():
    """Held while directories are taken or removed, so that nobody removes one between its creation and its lock."""
    root = temporary_root()
    make_root(root)
    with open(root / ".housekeeping", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
