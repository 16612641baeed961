#!/usr/bin/env python3
"""Machines of the sample providers, from the wish to their end, on a standalone server. Prints a line for each case."""

import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
for path in (HERE, HERE.parent / "api", HERE.parent / "machines", HERE.parents[2] / "examples/provider-python"):
    sys.path.insert(0, str(path))

from certificates import Authority  # noqa: E402
from client import Client  # noqa: E402
from controllers import end_with_parent, free_port  # noqa: E402
from mirror import Mirror  # noqa: E402
from sample import objects  # noqa: E402
from sample_providers import EXAMPLES, PLACE, SAMPLES, CannotBeHad, Provider  # noqa: E402
from servers import MILLWRIGHT  # noqa: E402

API = "/apis/machine.sapcloud.io/v1alpha1/namespaces/default/"
COLLECTIONS = {"deployments": API + "machinedeployments", "sets": API + "machinesets", "machines": API + "machines",
               "classes": API + "machineclasses", "nodes": "/api/v1/nodes",
               "events": "/api/v1/namespaces/default/events"}
PLACES = {"Secret": "/api/v1/namespaces/default/secrets", "MachineClass": API + "machineclasses",
          "MachineDeployment": API + "machinedeployments"}
JSON = {"Content-Type": "application/json"}
MERGE = {"Content-Type": "application/merge-patch+json"}
WORKERS = API + "machinedeployments/workers"
# Nobody but the provider may ever see it.
PASSWORD = "correct horse battery staple"
# For a test that hangs; none comes near it.
HANGS_SECONDS = 90


def wait_until(what, condition):
    deadline = time.monotonic() + HANGS_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"{what}: this does not come"
        time.sleep(0.05)


class Standalone:
    """A server with controllers that know the provider by a name."""

    def __init__(self, directory, provider_flags):
        self.data = directory / "data"
        self.log_path = directory / "standalone.log"
        with self.log_path.open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [MILLWRIGHT, "standalone", "--data-dir", str(self.data), "--listen", "127.0.0.1:0", *provider_flags],
                stdout=log, stderr=log, preexec_fn=end_with_parent)
        wait_until("the server", lambda: "export KUBECONFIG" in self.log() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log()
        self.url = self.log().split("Serving the Kubernetes API at ")[1].split()[0]
        self.client = Client(self.data / "kubeconfig")
        wait_until("the kinds", lambda: self.ask("GET", API + "machinedeployments")[0] == 200)
        self.mirror = Mirror(self.data / "kubeconfig", COLLECTIONS, HANGS_SECONDS)

    def log(self):
        return self.log_path.read_text(encoding="utf-8")

    def ask(self, method, target, body=None, headers=None):
        status, _, answer = self.client.ask(method, target, headers or JSON, json.dumps(body).encode() if body else None)
        return status, answer

    def send(self, method, target, body=None, headers=None):
        status, answer = self.ask(method, target, body, headers)
        assert status in (200, 201), f"{method} {target}: {status} {answer.decode()[:400]}"

    def begin(self, provider):
        for shown in objects(self.url, (self.data / "pki/ca.pem").read_bytes(), provider):
            if shown["kind"] == "Secret":
                shown["stringData"]["password"] = PASSWORD
            self.send("POST", PLACES[shown["kind"]], shown)

    def scale(self, replicas):
        self.send("PATCH", WORKERS, {"spec": {"replicas": replicas}}, MERGE)

    def machines(self):
        return {machine["metadata"]["name"]: machine for machine in self.mirror.all("machines")}

    def until_running(self, provider, count):
        def holds(mirror):
            phases = [m.get("status", {}).get("currentStatus", {}).get("phase") for m in mirror.all("machines")]
            nodes = {node["metadata"]["name"] for node in mirror.all("nodes")}
            return phases == ["Running"] * count and nodes == set(self.machines())
        self.mirror.until(f"{count} machines run", holds)
        check_processes(provider, count)

    def until_said(self, words):
        """A machine says so, and so does an event."""
        self.mirror.until(f"a machine that says {words!r}", lambda mirror: any(
            words in m.get("status", {}).get("lastOperation", {}).get("description", "") for m in mirror.all("machines")))

    def end(self, provider):
        self.send("DELETE", WORKERS)
        self.until_nothing_is_left(provider)

    def until_nothing_is_left(self, provider):
        kinds = ("deployments", "sets", "machines", "nodes")
        self.mirror.until("nothing left", lambda m: not any(m.all(kind) for kind in kinds))
        assert provider.processes() == {} and provider.folders() == [], (provider.processes(), provider.folders())

    def close(self):
        self.mirror.close()
        self.process.terminate()
        code = self.process.wait(timeout=60)
        assert code == 0, f"it ended with {code}\n{self.log()}"


def check_processes(provider, count):
    """So many machines, each with one process: none twice, none left over."""
    found = provider.processes()
    assert len(found) == count and all(len(numbers) == 1 for numbers in found.values()), found
    assert len(provider.folders()) == count, provider.folders()


@contextlib.contextmanager
def world(sample, tls=False):
    """A provider that runs, with a directory for the test."""
    _, make = sample
    with tempfile.TemporaryDirectory(prefix="mw-providers-") as made:
        directory = pathlib.Path(made)
        if tls:
            authority = Authority(directory / "authority")
            provider = Provider(make(), directory, f"127.0.0.1:{free_port()}", authority.issue(directory / "server"))
            provider.authority = authority
        else:
            provider = Provider(make(), directory)
        provider.start()
        servers = []

        def serve(*flags):
            servers.append(Standalone(directory, flags))
            return servers[-1]
        try:
            yield directory, provider, serve
        finally:
            for server in servers:
                server.process.kill()
            provider.clean_up()


def a_deployment_lives_and_goes(sample):
    name = sample[0]
    with world(sample) as (_, provider, serve):
        server = serve("--provider", f"{name}=unix://{provider.socket}")
        server.begin(name)
        server.until_running(provider, 3)
        server.scale(5)
        server.until_running(provider, 5)
        server.scale(1)
        server.until_running(provider, 1)
        seen = json.dumps([server.mirror.all("machines"), server.mirror.all("events")])
        server.end(provider)
        server.close()
        for where, text in (("our log", server.log()), ("its log", provider.log()), ("objects", seen)):
            assert PASSWORD not in text, f"the secret is in {where}"


def unreachable_is_not_gone(sample):
    name = sample[0]
    with world(sample) as (_, provider, serve):
        server = serve("--provider", f"{name}=unix://{provider.socket}")
        server.begin(name)
        server.until_running(provider, 3)
        before = server.machines()
        processes = provider.processes()
        provider.kill()
        # One is to go, and its replacement is to come. Neither can, and nobody pretends.
        doomed = sorted(before)[0]
        server.send("DELETE", f"{API}machines/{doomed}")
        server.until_said("could not connect")
        server.mirror.until("the doomed one says so", lambda m: "could not connect" in m.objects["machines"].get(doomed, {})
                            .get("status", {}).get("lastOperation", {}).get("description", ""))
        assert set(before) <= set(server.machines()), "a machine went while nobody could say that it is gone"
        assert len(server.machines()) <= len(before) + 1, "more than one replacement"
        assert provider.processes() == processes, "somebody touched the machines"
        provider.start()
        server.mirror.until("the doomed one is gone", lambda m: doomed not in m.objects["machines"])
        server.until_running(provider, 3)
        assert len(set(before) & set(server.machines())) == 2, "a machine was replaced that was well"
        server.end(provider)
        server.close()


def killed_in_the_middle_it_makes_no_machine_twice(sample):
    name = sample[0]
    with world(sample) as (_, provider, serve):
        server = serve("--provider", f"{name}=unix://{provider.socket}")
        server.begin(name)
        server.until_running(provider, 3)
        server.scale(12)
        wait_until("some new processes", lambda: len(provider.processes()) > 4)
        provider.kill()
        provider.start()
        server.until_running(provider, 12)
        server.send("DELETE", WORKERS)
        wait_until("some fewer processes", lambda: len(provider.processes()) < 11)
        provider.kill()
        provider.start()
        server.until_nothing_is_left(provider)
        server.close()


def over_tls_both_show_who_they_are(sample):
    name = sample[0]
    with world(sample, tls=True) as (directory, provider, serve):
        stranger = Authority(directory / "stranger")
        certificates = stranger.issue(directory / "client", trusted=provider.authority)
        address = provider.command[provider.command.index("--listen") + 1]
        server = serve("--provider", f"{name}=https://{address}", "--provider-certs", str(certificates))
        server.begin(name)
        server.until_said("certificate")
        assert provider.processes() == {}, "it listens to strangers"
        # The right one, without a restart.
        provider.authority.issue(certificates)
        server.until_running(provider, 3)
        server.end(provider)
        server.close()


def a_server_that_is_not_the_providers_is_not_believed(sample):
    name = sample[0]
    with world(sample, tls=True) as (directory, provider, serve):
        stranger = Authority(directory / "stranger")
        certificates = provider.authority.issue(directory / "client", trusted=stranger)
        address = provider.command[provider.command.index("--listen") + 1]
        server = serve("--provider", f"{name}=https://{address}", "--provider-certs", str(certificates))
        server.begin(name)
        server.until_said("not signed by an authority we trust")
        assert provider.processes() == {}
        server.close()


def another_provider_behind_the_socket_is_refused(sample):
    with world(sample) as (_, provider, serve):
        server = serve("--provider", f"other=unix://{provider.socket}")
        server.begin("other")
        server.until_said(f"which serves {sample[0]} and not other")
        server.send("DELETE", WORKERS)
        server.close()


CASES = (a_deployment_lives_and_goes, unreachable_is_not_gone, killed_in_the_middle_it_makes_no_machine_twice,
         over_tls_both_show_who_they_are, a_server_that_is_not_the_providers_is_not_believed,
         another_provider_behind_the_socket_is_refused)


def the_bridges_own_tests_pass(_):
    done = subprocess.run(["go", "test", "./..."], cwd=EXAMPLES / "provider-bridge-go", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout


def cases_of(sample):
    return (*CASES, the_bridges_own_tests_pass) if sample == "bridge" else CASES


def run(sample, case):
    """How the line of a case goes on."""
    try:
        case(sample)
    except AssertionError as error:
        return "not ok", f"\n{error}"
    return "ok", ""


def main():
    """Words select: python or bridge, and parts of the names of cases."""
    words = sys.argv[1:]
    chosen = [word for word in words if word in SAMPLES] or list(SAMPLES)
    parts = [word for word in words if word not in SAMPLES]
    PLACE.mkdir(parents=True, exist_ok=True)
    failed = 0
    for sample in chosen:
        try:
            SAMPLES[sample][1]()
        except CannotBeHad as why:
            print(f"ok providers {sample} # skip {why}", flush=True)
            continue
        for case in cases_of(sample):
            name = case.__name__.replace("_", " ")
            if parts and not any(part in name for part in parts):
                continue
            outcome, details = run(SAMPLES[sample], case)
            failed += outcome != "ok"
            print(f"{outcome} providers {sample}: {name}{details}", flush=True)
    sys.exit(1 if failed else 0)


main()
