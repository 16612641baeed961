"""Once all is as it should be, nobody asks a server for anything: counted, not guessed."""

import re
import sys
import time
import urllib.request

from controllers import ROOT

sys.path.append(str(ROOT / "tools"))
from control_plane import audit  # noqa: E402

# Longer than any look again: 15 s and 20 s upstream.
REST_SECONDS = 25
# So long nothing is written: then what a change makes others write is over.
QUIET_SECONDS = 3
LONGEST_SECONDS = 120
PLACES = ("real",)


class AuditMeter:
    """Requests of our program about one namespace, and about its nodes, from the audit log of a real server."""

    def __init__(self, it):
        self.it = it
        self.log = it.kubeconfig.parents[1] / "audit.log"

    def _is_ours(self, entry):
        reference = entry.get("objectRef", {})
        about = reference.get("namespace") == self.it.name or (
            reference.get("resource") == "nodes" and reference.get("name", "").startswith(self.it.name))
        return about and entry.get("userAgent", "").startswith("millwright")

    def count(self, offset):
        """What was asked for since then, a watch aside: it lasts."""
        return [f"{entry['verb']} {entry['requestURI']}" for entry in audit.entries(self.log, offset)
                if self._is_ours(entry) and entry["verb"] != "watch"]

    def mark(self):
        return self.log.stat().st_size


class MetricsMeter:
    """Requests of the controllers within a standalone server, from its own count."""

    WRITES = ("POST", "PUT", "PATCH", "DELETE")

    def __init__(self, port):
        self.address = f"http://127.0.0.1:{port}/metrics"

    def _counts(self):
        with urllib.request.urlopen(self.address, timeout=60) as answer:
            text = answer.read().decode()
        lines = re.findall(r"^rest_client_requests_total\{(.*)\} (\S+)$", text, re.MULTILINE)
        assert lines, "nobody counts"
        return {labels: float(value) for labels, value in lines if any(f'method="{write}"' in labels for write in self.WRITES)}

    def count(self, before):
        now = self._counts()
        return sorted(f"{labels}: {now[labels] - before.get(labels, 0):.0f}" for labels in now if now[labels] != before.get(labels, 0))

    def mark(self):
        return self._counts()


def until_quiet(meter):
    deadline = time.monotonic() + LONGEST_SECONDS
    while True:
        mark = meter.mark()
        time.sleep(QUIET_SECONDS)
        asked = meter.count(mark)
        if not asked:
            return
        assert time.monotonic() < deadline, f"it does not come to rest: {asked[:20]}"


def stays_at_rest(meter):
    until_quiet(meter)
    mark = meter.mark()
    time.sleep(REST_SECONDS)
    asked = meter.count(mark)
    assert not asked, f"asked for at rest: {asked[:20]}"


def nothing_is_asked_at_rest(it):
    with it.controllers():
        name = it.running(3)
        stays_at_rest(AuditMeter(it))
        it.end(name)


CASES = (nothing_is_asked_at_rest,)
