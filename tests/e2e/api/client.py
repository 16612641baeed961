"""A plain HTTPS client for one API server, as its kubeconfig describes it."""

import base64
import http.client
import json
import re
import ssl
import tempfile
import time
import urllib.parse

# What a server says of a kind that it has just begun to serve, or serves again after its definition was changed.
NOT_YET = b"storage is (re)initializing"
LONGEST_NOT_YET_SECONDS = 60
NOT_YET_PAUSE_SECONDS = 0.1


class Client:
    def __init__(self, kubeconfig):
        text = kubeconfig.read_text(encoding="utf-8")
        self.url = urllib.parse.urlparse(_field(text, "server"))
        context = ssl.create_default_context(cadata=_data(text, "certificate-authority"))
        context.check_hostname = False
        self.headers = {}
        certificate = _data(text, "client-certificate")
        if certificate:
            with tempfile.NamedTemporaryFile("w") as pem:
                pem.write(certificate + "\n" + _data(text, "client-key"))
                pem.flush()
                context.load_cert_chain(pem.name)
        else:
            self.headers["Authorization"] = "Bearer " + _field(text, "token")
        self.context = context
        self.connection = None

    def connect(self):
        return http.client.HTTPSConnection(self.url.hostname, self.url.port, context=self.context, timeout=60)

    def ask(self, method, target, headers, body):
        """The answer as (status, headers, bytes). A server that cannot serve the kind yet is asked again, and sooner
        than it says: it knows no less than a second, and most kinds are served after a tenth of that."""
        deadline = time.monotonic() + LONGEST_NOT_YET_SECONDS
        while True:
            status, answered, text = self._ask_once(method, target, headers, body)
            if status != 429 or NOT_YET not in text or time.monotonic() > deadline:
                return status, answered, text
            time.sleep(NOT_YET_PAUSE_SECONDS)

    def _ask_once(self, method, target, headers, body):
        for attempt in range(2):
            self.connection = self.connection or self.connect()
            try:
                self.connection.request(method, target, body=body, headers={**self.headers, **headers})
                response = self.connection.getresponse()
                return response.status, response.headers, response.read()
            except (OSError, http.client.HTTPException) as error:
                # Whatever became of the answer, it must not be taken for that of the next request.
                self.connection.close()
                self.connection = None
                # A connection that was idle may be gone; only the second time is it an error.
                if attempt == 1 or not isinstance(error, ConnectionError):
                    raise

    def follow(self, target, headers, count):
        """The first events of a watch, as (status, list of events); fewer if it ends before."""
        connection = self.connect()
        try:
            connection.request("GET", target, headers={**self.headers, **headers})
            response = connection.getresponse()
            if response.status != 200:
                return response.status, [json.loads(response.read())]
            events = []
            while len(events) < count:
                line = response.readline()
                if not line:
                    break
                events.append(json.loads(line))
            return response.status, events
        finally:
            connection.close()


def _field(text, name):
    match = re.search(rf"^\s*{name}:\s*\"?([^\"\n]+)\"?\s*$", text, re.MULTILINE)
    return match.group(1) if match else None


def _data(text, name):
    """Inline data, or that of a file."""
    inline = _field(text, name + "-data")
    if inline:
        return base64.b64decode(inline).decode()
    path = _field(text, name)
    if not path:
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()
