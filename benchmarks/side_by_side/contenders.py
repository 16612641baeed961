"""The programs of each contender, and their flags. All without leader election, which is no part of the work."""

import dataclasses
import subprocess

from .programs import ROOT, free_port

LIFTED_QPS = 10000


@dataclasses.dataclass(frozen=True)
class Contender:
    name: str
    title: str
    api: str                  # whose words it speaks: gardener or clusterapi
    users: tuple              # its identities at the API server; the first is the one it is started with
    commands: object          # of a Place: command lines
    driver: object = None     # of a Place: the command line of a driver in a process of its own
    provider_spec: dict = dataclasses.field(default_factory=dict)
    not_its_work: tuple = ()  # (verb, resource) that a cloud inside of the process does


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a contender runs."""
    plane: object
    programs: object  # directory of the peers' programs
    directory: object
    user: str

    @property
    def kubeconfig(self):
        return self.plane.kubeconfig(self.user)


def _gardener(*flags):
    def commands(place):
        for program in ("machine-controller-manager", "machine-controller"):
            yield [place.programs / "bin" / program, f"--control-kubeconfig={place.kubeconfig}",
                   f"--target-kubeconfig={place.kubeconfig}", "--namespace=default", "--address=127.0.0.1",
                   f"--port={free_port()}", "--leader-elect=false", *flags]
    return commands


def _ours(provider, *flags):
    def commands(place):
        yield [ROOT / "build/millwright", "controller", "--dialect=gardener", f"--provider={provider(place)}",
               f"--control-kubeconfig={place.kubeconfig}", f"--target-kubeconfig={place.kubeconfig}", "--namespace=default",
               "--address=127.0.0.1", f"--port={free_port()}", f"--data-dir={place.directory}", "--leader-elect=false", *flags]
    return commands


def _socket(place):
    return place.directory / "driver.socket"


def _by_driver(place):
    return f"Bench=unix://{_socket(place)}"


def _driver(place):
    return [place.programs / "bin/millwright-driver", f"--protocols={ROOT / 'src/providers/grpc'}", f"--socket={_socket(place)}"]


def _clusterapi(*flags):
    def commands(place):
        pair = _certificate(place.directory)
        yield [place.programs / "bin/core", f"--kubeconfig={place.kubeconfig}", f"--webhook-cert-dir={pair}",
               f"--webhook-port={free_port()}", f"--health-addr=127.0.0.1:{free_port()}",
               f"--diagnostics-address=127.0.0.1:{free_port()}", "--insecure-diagnostics", *flags]
    return commands


def _ours_clusterapi(*flags):
    def commands(place):
        yield [ROOT / "build/millwright", "controller", "--dialect=cluster-api", f"--kubeconfig={place.kubeconfig}",
               f"--health-addr=127.0.0.1:{free_port()}", f"--diagnostics-address=127.0.0.1:{free_port()}",
               "--insecure-diagnostics", "--webhook-port=0", f"--data-dir={place.directory}", *flags]
    return commands


def _infrastructure(place):
    return [place.programs / "bin/infrastructure-provider", f"--kubeconfig={place.plane.kubeconfig('peer-3')}"]


def _certificate(directory):
    """Its webhooks are served although nobody calls them here."""
    pair = directory / "webhook"
    pair.mkdir()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-keyout", pair / "tls.key", "-out", pair / "tls.crt"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return pair


# The simulated cloud in our own process, with the same times; its Nodes are written under our identity.
_INSIDE = {"provider_spec": {"createSeconds": 0.05, "bootSeconds": 2}, "not_its_work": (("create", "nodes"),)}

_LIFTED = (f"--kube-api-qps={LIFTED_QPS}", f"--kube-api-burst={LIFTED_QPS}", "--concurrent-syncs=100")

ALL = {contender.name: contender for contender in (
    Contender("ours", "Millwright", "gardener", ("millwright",), _ours(_by_driver), driver=_driver),
    Contender("ours-held", "Millwright, 20/30 requests/s", "gardener", ("millwright",),
              _ours(_by_driver, "--kube-api-qps=20", "--kube-api-burst=30"), driver=_driver),
    Contender("ours-inside", "Millwright, simulated cloud inside", "gardener", ("millwright",),
              _ours(lambda place: "simulated"), **_INSIDE),
    Contender("ours-capi", "Millwright, Cluster API dialect", "clusterapi", ("millwright",), _ours_clusterapi(),
              driver=_infrastructure),
    Contender("gardener", "Gardener MCM, as shipped", "gardener", ("peer-1",), _gardener()),
    Contender("gardener-lifted", "Gardener MCM, limits lifted", "gardener", ("peer-1",), _gardener(*_LIFTED)),
    Contender("cluster-api", "Cluster API core, as shipped", "clusterapi", ("peer-2",), _clusterapi(), driver=_infrastructure),
    Contender("cluster-api-lifted", "Cluster API core, limits lifted", "clusterapi", ("peer-2",),
              _clusterapi(f"--kube-api-qps={LIFTED_QPS}", f"--kube-api-burst={LIFTED_QPS}",
                          f"--clustercache-client-qps={LIFTED_QPS}", f"--clustercache-client-burst={LIFTED_QPS}"),
              driver=_infrastructure),
)}
