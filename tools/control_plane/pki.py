"""Certificates, made with the openssl command: the standard library can read but not sign them.

One authority signs everything: the API server's serving certificate, clients, and (through kube-controller-manager) nodes.
"""

import datetime
import pathlib
import subprocess
import tempfile

from .errors import Problem

_VALID = datetime.timedelta(days=3650)

# `openssl ca` and not `openssl x509`: only it can set the start and the end of validity, which an expired one needs.
_CONFIG = """
[ca]
default_ca = here
[here]
database = {work}/index.txt
new_certs_dir = {work}
default_md = sha256
policy = any
preserve = yes
unique_subject = no
rand_serial = yes
[any]
commonName = supplied
organizationName = optional
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign, digitalSignature
subjectKeyIdentifier = hash
[client]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = clientAuth
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = {names}
[req]
distinguished_name = empty
[empty]
"""


def _openssl(*arguments):
    try:
        done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
    except FileNotFoundError:
        raise Problem("the openssl command is missing; install the openssl package") from None
    if done.returncode:
        raise Problem(f"openssl {arguments[0]} failed: {done.stderr.strip()}")


def _escape(text):
    for special in "\\/+=":
        text = text.replace(special, "\\" + special)
    return text


def _subject(common_name, groups):
    return "".join(f"/O={_escape(group)}" for group in groups) + f"/CN={_escape(common_name)}"


def make_key(path):
    path.touch(mode=0o600)
    _openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)


def _sign(authority, certificate, key, kind, subject, names="DNS:unused", expired=False):
    """authority: (certificate, key), or None for one that signs itself."""
    end = datetime.datetime.now(datetime.timezone.utc) + (datetime.timedelta(days=-1) if expired else _VALID)
    start = end - _VALID - datetime.timedelta(hours=1)  # a little in the past: clocks differ
    with tempfile.TemporaryDirectory() as work:  # one for each call, so that two calls at once share no database
        work = pathlib.Path(work)
        (work / "index.txt").touch()
        config, request = work / "openssl.cnf", work / "request"
        config.write_text(_CONFIG.format(work=work, names=names))
        _openssl("req", "-new", "-config", config, "-key", key, "-subj", subject, "-out", request)
        by = ["-cert", authority[0], "-keyfile", authority[1]] if authority else ["-selfsign", "-keyfile", key]
        _openssl("ca", "-batch", "-notext", "-config", config, "-extensions", kind, *by,
                 "-startdate", f"{start:%Y%m%d%H%M%SZ}", "-enddate", f"{end:%Y%m%d%H%M%SZ}",
                 "-in", request, "-out", certificate)


class Pki:
    """The files of one control plane. What is there already is kept, so that a durable one keeps its identities."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.authority, self.authority_key = self.directory / "ca.crt", self.directory / "ca.key"
        self.server, self.server_key = self.directory / "apiserver.crt", self.directory / "apiserver.key"
        self.account_key, self.account_public = self.directory / "service-account.key", self.directory / "service-account.pub"

    def make(self):
        self.directory.mkdir(mode=0o700, exist_ok=True)
        if self.account_public.exists():  # the last one made
            return
        make_key(self.authority_key)
        _sign(None, self.authority, self.authority_key, "authority", "/CN=millwright-test-ca")
        make_key(self.server_key)
        dns = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"]
        _sign((self.authority, self.authority_key), self.server, self.server_key, "server", "/CN=kube-apiserver",
              ",".join([f"DNS:{name}" for name in dns] + ["IP:127.0.0.1", "IP:10.0.0.1"]))
        make_key(self.account_key)
        _openssl("pkey", "-in", self.account_key, "-pubout", "-out", self.account_public)

    def client(self, name, groups, expired=False):
        """Signs a client certificate. Returns the paths of certificate and key."""
        folder = self.directory / "clients"
        folder.mkdir(mode=0o700, exist_ok=True)
        certificate, key = folder / f"{name}.crt", folder / f"{name}.key"
        make_key(key)
        _sign((self.authority, self.authority_key), certificate, key, "client", _subject(name, groups), expired=expired)
        return certificate, key
