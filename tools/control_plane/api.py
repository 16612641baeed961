"""The few calls that we make ourselves: to kube-apiserver as admin, and to etcd through its JSON gateway."""

import http.client
import json
import ssl

from .errors import Problem


class ApiServer:
    def __init__(self, port, pki):
        self.port = port
        self.tls = ssl.create_default_context(cafile=pki.authority)
        self.tls.load_cert_chain(pki.directory / "clients/admin.crt", pki.directory / "clients/admin.key")

    def call(self, method, path, body=None, timeout=60):
        """Status and text. Raises OSError or HTTPException when the server does not answer."""
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=self.tls)
        try:
            headers = {"Content-Type": "application/json", "User-Agent": "control-plane"}
            connection.request(method, path, json.dumps(body) if body else None, headers)
            response = connection.getresponse()
            return response.status, response.read().decode(errors="replace")
        finally:
            connection.close()

    def answers(self, path):
        try:
            return self.call("GET", path, timeout=10)[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def ensure(self, path, body):
        """Creates an object, or finds it there."""
        status, text = self.call("POST", path, body)
        if status not in (200, 201, 409):
            raise Problem(f"kube-apiserver answered {status} to the creation of {body['metadata']['name']}: {text.strip()}")


def plain_answers(port, path):
    """Whether a program answers 200 over plain HTTP."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Etcd:
    def __init__(self, port):
        self.port = port

    def call(self, path, body, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request("POST", path, json.dumps(body))
            response = connection.getresponse()
            text = response.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            raise Problem(f"etcd does not answer on port {self.port}: {error}") from None
        finally:
            connection.close()
        if response.status != 200:
            raise Problem(f"etcd answered {response.status} to {path}: {text.strip()}")
        return json.loads(text)

    def revision(self):
        return int(self.call("/v3/kv/range", {"key": "AA==", "count_only": True})["header"]["revision"])

    def compact(self):
        """Forgets all history before the current revision; returns that revision once it is gone from the disk, too."""
        revision = self.revision()
        self.call("/v3/kv/compaction", {"revision": revision, "physical": True})
        return revision
