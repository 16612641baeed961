"""Each case measures one thing and adds its rows."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from . import plane as plane_module
from . import process

KIB = 1024
MIB = 1024 * 1024


def memory(plane, rows, options):
    """An idle manager, then the same with many Nodes."""
    with plane_module.Cache(plane) as cache:
        idle = cache.wait(lambda state: state["synced"] and state["objects"] == 0)
        time.sleep(2)  # for the lease to be taken and its last buffers to be freed
        anonymous, resident = process.memory(cache.pid)
        rows.add("idle manager, RssAnon", f"{anonymous / MIB:.1f} MiB", "goal 8 MiB")
        rows.add("idle manager, RSS with shared libraries", f"{resident / MIB:.1f} MiB", "goal 24 MiB")
    plane.ensure_nodes(options.nodes)
    size = int(plane.load("measure", 100))
    # A second process: what a first list leaves behind is part of the cost.
    with plane_module.Cache(plane) as cache:
        full = cache.wait(lambda state: state["synced"] and state["objects"] == options.nodes)
        time.sleep(2)
        growth = process.memory(cache.pid)[0] - anonymous
        rows.add(f"bytes per Node, growth of RssAnon at {options.nodes:,}", f"{growth / options.nodes:,.0f} B",
                 f"goal 1,024 B; the document has {size:,} B")
        rows.add("bytes per Node, in use by malloc", f"{(full['heap'] - idle['heap']) / options.nodes:,.0f} B")


class Follower:
    """A program that prints the watch of all Nodes, and what we know of it."""

    def __init__(self, name, command, count):
        self.name = name
        self.output = tempfile.NamedTemporaryFile()
        self.count = count
        self.process = subprocess.Popen(command, stdout=self.output, stderr=subprocess.DEVNULL)

    def start(self):
        self.seen_before = self.seen()
        self.cpu_before = process.cpu_seconds(self.process.pid)

    def seen(self):
        with open(self.output.name, "rb") as file:
            return self.count(file)

    def wait(self, events, seconds=60):
        """Until it has printed so many, or has ended: the server cuts off who is too slow."""
        end = time.monotonic() + seconds
        while self.seen() < self.seen_before + events and time.monotonic() < end and not self.ended():
            time.sleep(0.2)

    def ended(self):
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self):
        """Events since start(), and the CPU of each."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGTERM)
        usage = os.wait4(self.process.pid, 0)[2]
        events = self.seen() - self.seen_before
        self.output.close()
        return events, (usage.ru_utime + usage.ru_stime - self.cpu_before) / max(events, 1)


def lines(file):
    return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def followers(plane):
    _, page = plane.call("GET", "/api/v1/nodes?limit=1")
    version = json.loads(page)["metadata"]["resourceVersion"]
    url = f"{plane.state['server']}/api/v1/nodes?watch=true&resourceVersion={version}"
    yield Follower("curl", ["curl", "-sN", "--cacert", plane.state["ca"], "-H",
                            f"Authorization: Bearer {plane.token('reader')}", url], lines)
    kubectl = pathlib.Path(plane.state["bin"]) / "kubectl"
    yield Follower("kubectl get -w -o name", [kubectl, "--kubeconfig", plane.kubeconfig("reader"), "get", "nodes",
                                              "--watch-only", "-o", "name"], lines)
    yield Follower("kubectl get -w -o json", [kubectl, "--kubeconfig", plane.kubeconfig("reader"), "get", "nodes",
                                              "--watch-only", "-o", "json"],
                   lambda file: sum(line.startswith(b'    "kind": "Node"') for line in file))


def watch(plane, rows, options):
    """The same changes followed by our cache and by others, at the same time."""
    plane.ensure_nodes(options.nodes)
    with plane_module.Cache(plane) as cache:
        cache.wait(lambda state: state["synced"])
        others = list(followers(plane))
        time.sleep(5)  # for kubectl to have read the whole state
        plane.load("heartbeat", options.nodes, 100)  # and for all to be awake
        first = cache.wait(lambda state: state["events"] >= options.nodes + 100)["events"]
        for other in others:
            other.start()
        ours = process.cpu_seconds(cache.pid)
        began = time.monotonic()
        plane.load("heartbeat", options.nodes, options.events)
        cache.wait(lambda state: state["events"] >= first + options.events)
        took = time.monotonic() - began
        ours = (process.cpu_seconds(cache.pid) - ours) / options.events
        rows.add("CPU per watch event, our cache of Nodes", f"{ours * 1e6:.0f} us",
                 f"{options.events:,} events at {options.events / took:,.0f}/s")
        for other in others:
            add_follower(rows, other, ours, options.events)


def add_follower(rows, other, ours, events):
    other.wait(events)
    seen, theirs = other.end()
    note = f"; cut off by the server after {seen:,} events" if seen < events else ""
    rows.add(f"CPU per watch event, {other.name}", f"{theirs * 1e6:.0f} us", f"ours is {ours / theirs:.2f} of it{note}")


def decode(_, rows, __):
    """The part of that which is ours: from the bytes of an event to the cache's verdict."""
    done = subprocess.run([plane_module.PROGRAMS / "node_event_bench", "--benchmark_format=json"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    by_name = {run["name"]: run["cpu_time"] / 1000 for run in json.loads(done.stdout)["benchmarks"]}
    ours, tree = by_name["DecodeNodeEvent"], by_name["DecodeNodeEventByTree"]
    rows.add("decoding one Node event to a projection", f"{ours:.1f} us", f"{ours / tree:.2f} of building a JSON tree")


def restart(plane, rows, options):
    """How long after the server is ready again our cache shows a change, after a short and a long absence."""
    plane.ensure_nodes(options.nodes)
    with plane_module.Cache(plane, "--no-lease") as cache:
        cache.wait(lambda state: state["synced"])
        for away in (0, 20):
            one_restart(plane, rows, cache, away)


def one_restart(plane, rows, cache, away):
    plane.control("kill-apiserver")
    time.sleep(away)
    restarting = threading.Thread(target=plane.control, args=["restart-apiserver"])
    began = time.monotonic()
    restarting.start()
    ready = poll(lambda: plane.call("GET", "/readyz")[0] == 200)
    node = "/api/v1/nodes/ip-10-0-0-0.eu-central-1.compute.internal"
    text = {}

    def patched():
        status, text["node"] = plane.call("PATCH", node, {"metadata": {"annotations": {"restart": str(began)}}})
        return status == 200

    poll(patched)
    version = int(json.loads(text["node"])["metadata"]["resourceVersion"])
    space = f"restart-{away}"
    poll(lambda: plane.call("POST", "/api/v1/namespaces", {"metadata": {"name": space}})[0] in (201, 409))
    others = {}
    peer = threading.Thread(target=lambda: others.update(peer=poll(lambda: plane.call(
        "GET", f"/api/v1/namespaces/{space}/configmaps/kube-root-ca.crt")[0] == 200, every=0.05)))
    peer.start()
    state = cache.wait(lambda now: now["newest"] >= version, every=0.01)
    caught_up = time.monotonic()
    peer.join()
    restarting.join()
    label = "killed and restarted at once" if away == 0 else f"after {away} s of absence"
    rows.add(f"API server ready to cache caught up, {label}", f"{caught_up - ready:.2f} s",
             f"kube-controller-manager (client-go) {others['peer'] - ready:.2f} s; server start {ready - began:.1f} s; "
             f"{state['lists']} lists so far")


def poll(condition, every=0.01, seconds=120):
    """When it became true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("this does not happen")
        time.sleep(every)
    return time.monotonic()


def size(_, rows, __):
    """The one program that people install."""
    program = plane_module.ROOT / "build/millwright"
    with tempfile.TemporaryDirectory() as directory:
        stripped = pathlib.Path(directory) / "millwright"
        shutil.copy(program, stripped)
        subprocess.run([shutil.which("llvm-strip-19") or "strip", stripped], check=True)
        rows.add("binary size, release", f"{os.path.getsize(program) / MIB:.1f} MiB", "with line tables (-g1)")
        rows.add("binary size, release, stripped", f"{os.path.getsize(stripped) / MIB:.1f} MiB")


def requests(plane, rows, _):
    """Over one HTTP/2 connection (benchmarks/http_bench.cc), beside h2load in the same run."""
    program = plane_module.PROGRAMS / "http_bench"
    if not program.exists() or not shutil.which("h2load"):
        rows.add("requests/s", "not measured", "it needs build/benchmarks/http_bench and h2load (nghttp2-client)")
        return
    add_requests(rows, "nghttpd", [program])
    add_requests(rows, "the API server", [program, "--kubeconfig", plane.kubeconfig("millwright"), "--requests", "5000"])


def add_requests(rows, server, command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    for line in done.stdout.splitlines():
        cells = line.split()
        if len(cells) != 7 or not cells[0].isdigit():
            continue
        in_flight, ours, _, theirs, _, speed, cpu = cells
        rows.add(f"requests/s to {server}, {in_flight} in flight", ours,
                 f"h2load {theirs}: {speed} of its speed at {cpu} of its CPU")


# In this order: the idle manager is measured before there are Nodes.
ALL = {"memory": memory, "watch": watch, "decode": decode, "restart": restart, "requests": requests, "size": size}
