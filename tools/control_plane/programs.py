"""The command lines of the programs. Everything listens on 127.0.0.1 only."""

import pathlib
import subprocess

from .errors import Problem

_BUILD = pathlib.Path(__file__).resolve().parent.parent / "kubernetes" / "build"

# What our product and its peers rely on. kube-controller-manager has some fifty; each further one costs memory and requests.
CONTROLLERS = [
    "bootstrap-signer-controller",
    "certificatesigningrequest-approving-controller",
    "certificatesigningrequest-cleaner-controller",
    "certificatesigningrequest-signing-controller",
    "clusterrole-aggregation-controller",
    "disruption-controller",
    "garbage-collector-controller",
    "namespace-controller",
    "node-lifecycle-controller",
    "pod-garbage-collector-controller",
    "root-ca-certificate-publisher-controller",
    "serviceaccount-controller",
    "serviceaccount-token-controller",
    "taint-eviction-controller",
    "token-cleaner-controller",
    "ttl-controller",
]


def directory():
    """Where tools/kubernetes/build puts the programs; they may be absent."""
    done = subprocess.run([_BUILD, "--print-dir"], capture_output=True, text=True, check=True)
    return pathlib.Path(done.stdout.strip())


def require():
    found = directory()
    if not found.is_dir():
        raise Problem("the Kubernetes programs are not built yet; run tools/kubernetes/build (some minutes, once)")
    return found


def etcd(binaries, data, ports, durable):
    client, peer = (f"http://127.0.0.1:{ports[name]}" for name in ("etcd", "etcd-peer"))
    command = [binaries / "etcd", "--name=default", f"--data-dir={data}", "--log-level=warn",
               f"--listen-client-urls={client}", f"--advertise-client-urls={client}",
               f"--listen-peer-urls={peer}", f"--initial-advertise-peer-urls={peer}", f"--initial-cluster=default={peer}",
               f"--quota-backend-bytes={8 << 30}"]
    if not durable:
        command.append("--unsafe-no-fsync")  # a crash of the machine would lose data that nobody wants to keep
    return command


def apiserver(binaries, directory, ports, identities, controller_manager, more):
    pki = identities.pki
    command = [
        binaries / "kube-apiserver",
        f"--etcd-servers=http://127.0.0.1:{ports['etcd']}",
        "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", f"--secure-port={ports['apiserver']}",
        "--endpoint-reconciler-type=none",  # loopback is no valid endpoint, and nobody comes through the service
        "--service-cluster-ip-range=10.0.0.0/24", "--allow-privileged=true",
        f"--tls-cert-file={pki.server}", f"--tls-private-key-file={pki.server_key}",
        f"--client-ca-file={pki.authority}", f"--token-auth-file={identities.token_file}",
        "--enable-bootstrap-token-auth=true", "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",  # as kubeadm: a node may change only itself
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={pki.account_public}", f"--service-account-signing-key-file={pki.account_key}",
        f"--audit-policy-file={directory / 'audit-policy.yaml'}", f"--audit-log-path={directory / 'audit.log'}",
        "--shutdown-watch-termination-grace-period=2s",  # else stop-apiserver waits a minute for watches to end by themselves
        "--audit-log-maxsize=0",  # no rotation: marks are offsets in the one file
    ]
    if not controller_manager:
        command.append("--disable-admission-plugins=ServiceAccount")  # nobody makes the accounts that pods would need
    return command + more


def controller_manager(binaries, identities, controllers, more):
    pki = identities.pki
    return [
        binaries / "kube-controller-manager",
        f"--kubeconfig={identities.kubeconfig('system:kube-controller-manager')}",
        f"--controllers={','.join(controllers)}",
        "--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port=0",
        "--use-service-account-credentials=true",  # each controller has a name of its own in the audit log
        f"--service-account-private-key-file={pki.account_key}", f"--root-ca-file={pki.authority}",
        f"--cluster-signing-cert-file={pki.authority}", f"--cluster-signing-key-file={pki.authority_key}",
        "--kube-api-qps=1000", "--kube-api-burst=2000",  # it is never what is measured, so it should never be waited for
        *more]


def kwok(binaries, ports, identities):
    return [binaries / "kwok", f"--kubeconfig={identities.kubeconfig('kwok')}", f"--config={binaries / 'kwok-stages.yaml'}",
            "--manage-all-nodes=true", "--node-lease-duration-seconds=40",
            f"--server-address=127.0.0.1:{ports['kwok']}",  # for its health
            "--node-port=0"]  # nodes name no kubelet port; any other value would make it listen on all addresses


def logs_of(child, what):
    """A problem with the end of a program's log."""
    return Problem(f"{child.name} {what} ({child.condition()}). The end of its log, {child.log}:\n{child.last_words()}")
