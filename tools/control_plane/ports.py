"""Free ports on loopback that stay ours.

Two traps. A port that the kernel picks (port 0) lies in the range it also hands to outgoing connections: while an API server is
down, a client that retries can be given that very port and even connect to itself, and the server cannot come back. So we pick
below that range. And two control planes that start at once must not pick the same one: each reserves its ports by an abstract
unix socket, a name that the kernel frees when the holder dies.
"""

import contextlib
import random
import socket

from .errors import Problem

_LOWEST = 10240
_TRIES = 500


def _first_ephemeral():
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
            return int(file.read().split()[0])
    except (OSError, ValueError):
        return 32768


def _is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the servers do: old connections do not count
        with contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return True
    return False


def reserve_one(port):
    """A reservation (keep it; close it to give the port back), or None if the port is not to be had."""
    reservation = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(OSError):
        reservation.bind(f"\0millwright-control-plane-port-{port}")
        if _is_free(port):
            return reservation
    reservation.close()
    return None


def reserve(wanted, before=None):
    """Ports by name, and their reservations. `before`: ports that an earlier run had, taken again where possible."""
    highest = max(_first_ephemeral() - 1, _LOWEST + 1000)
    chosen, reservations = {}, []
    for name in wanted:
        candidates = [before[name]] if before and name in before else []
        candidates += [random.randint(_LOWEST, highest) for _ in range(_TRIES)]
        for port in candidates:
            reservation = reserve_one(port)
            if reservation:
                chosen[name] = port
                reservations.append(reservation)
                break
        else:
            raise Problem(f"no free port on 127.0.0.1 between {_LOWEST} and {highest} for {name}")
    return chosen, reservations
