"""A webhook server for the cases: what a webhook does is its path. Both API servers call the same one, over TLS on loopback."""

import base64
import contextlib
import http.server
import json
import pathlib
import re
import ssl
import subprocess
import tempfile
import threading

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")

# Longer than any timeout of the cases.
SLOW_SECONDS = 3


def patch(*operations):
    text = json.dumps(operations).encode()
    return {"allowed": True, "patchType": "JSONPatch", "patch": base64.b64encode(text).decode()}


def label(request):
    if request["operation"] == "DELETE":
        return {"allowed": True}
    labels = request["object"]["metadata"].get("labels")
    if labels is None:
        return patch({"op": "add", "path": "/metadata/labels", "value": {"mutated": "yes"}})
    return patch({"op": "add", "path": "/metadata/labels/mutated", "value": "yes"})


def sign(name):
    """Writes its name behind those who were there before."""
    def response(request):
        seen = (request["object"].get("data") or {}).get("seen", "")
        return patch({"op": "add", "path": "/data/seen", "value": seen + name})
    return response


def deny(request):
    return {"allowed": False, "status": {"message": "not like this", "code": 403, "reason": "Forbidden"}}


def deny_with_details(request):
    return {"allowed": False, "warnings": ["think again", "think again", "twice"],
            "status": {"message": "a teapot", "code": 418, "reason": "Teapot",
                       "details": {"causes": [{"field": "data.a", "message": "too short", "reason": "TooShort"}]}}}


def told(request):
    """Denies, and tells what it was asked; without what differs from server to server."""
    request = dict(request)
    for name in ("uid", "userInfo"):
        request.pop(name)
    for name in ("object", "oldObject"):
        if request[name]:
            request[name]["metadata"].pop("managedFields", None)
            for field in ("resourceVersion", "creationTimestamp", "uid"):
                if field in request[name]["metadata"]:
                    request[name]["metadata"][field] = "there"
    text = TIME.sub("<time>", json.dumps(request, sort_keys=True))
    return {"allowed": False, "status": {"message": text, "code": 403, "reason": "Forbidden"}}


WEBHOOKS = {
    "/allow": lambda request: {"allowed": True},
    "/label": label,
    "/sign-a": sign("a"),
    "/sign-b": sign("b"),
    "/sign-c": sign("c"),
    "/deny": deny,
    "/deny-silently": lambda request: {"allowed": False},
    "/deny-with-reason": lambda request: {"allowed": False, "status": {"reason": "Whim", "code": 200}},
    "/deny-with-details": deny_with_details,
    "/warn": lambda request: {"allowed": True, "warnings": ["this \"will\" change", "", "this \"will\" change"]},
    "/told": told,
    "/unknown-field": lambda request: patch({"op": "add", "path": "/nonsense", "value": 1},
                                            {"op": "add", "path": "/data/b", "value": "2"}),
    "/unknown-spec": lambda request: patch({"op": "add", "path": "/spec/nonsense", "value": 1},
                                           {"op": "add", "path": "/spec/size", "value": 7}),
    "/invalid": lambda request: patch({"op": "add", "path": "/data/not a key", "value": "1"}),
    "/patch-misses": lambda request: patch({"op": "remove", "path": "/nowhere/at/all"}),
    "/no-patch-type": lambda request: {"allowed": True, "patch": base64.b64encode(b"[]").decode()},
    "/wrong-uid": lambda request: {"uid": "other", "allowed": True},
    "/replicas": lambda request: patch({"op": "replace", "path": "/spec/replicas", "value": 4}),
    "/phase": lambda request: patch({"op": "add", "path": "/status/phase", "value": "patched"},
                                    {"op": "add", "path": "/spec/size", "value": 9}),
    "/size": lambda request: patch({"op": "add", "path": "/spec/size", "value": 7}),
    "/colour": lambda request: patch({"op": "add", "path": "/spec/colour", "value": "green"}),
}


def convert(request):
    """v1 has spec.color, v2 spec.colour; an object that wants it cannot be converted."""
    names = {"v1": "color", "v2": "colour"}
    wanted = names[request["desiredAPIVersion"].rpartition("/")[2]]
    converted = []
    for item in request["objects"]:
        have = names[item["apiVersion"].rpartition("/")[2]]
        if item.get("spec", {}).get(have) == "none":
            return {"result": {"status": "Failed", "message": "no such colour"}}
        item["apiVersion"] = request["desiredAPIVersion"]
        if have != wanted and have in item.get("spec", {}):
            item["spec"][wanted] = item["spec"].pop(have)
        converted.append(item)
    return {"result": {"status": "Success"}, "convertedObjects": converted}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A head and its body in one packet each would otherwise wait for the other side's acknowledgement.
    disable_nagle_algorithm = True

    def do_POST(self):
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.partition("?")[0]
        request = review.pop("request")
        if path == "/slow":
            self.server.stopping.wait(SLOW_SECONDS)
        if path == "/garbage":
            return self.answer(200, b"<html>")
        if path == "/empty":
            return self.answer(200, json.dumps(review).encode())
        make = convert if path == "/convert" else WEBHOOKS.get(path)
        if make is None and path != "/slow":
            return self.answer(404, b"no such webhook")
        response = {"allowed": True} if path == "/slow" else make(request)
        review["response"] = {"uid": request["uid"], **response}
        self.answer(200, json.dumps(review).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # Who hangs up in the middle is one of the cases.
        pass


@contextlib.contextmanager
def webhook_server():
    """Gives what cases fill in: {hook} is its URL, {ca} whom to trust, {dead} a URL where nobody is."""
    with tempfile.TemporaryDirectory(prefix="millwright-webhook-") as directory:
        certificate, key = (str(pathlib.Path(directory) / name) for name in ("certificate.pem", "key.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "2", "-subj", "/CN=webhook", "-addext", "subjectAltName=IP:127.0.0.1",
                        "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server = Server(("127.0.0.1", 0), Handler)
        server.stopping = threading.Event()
        # The handshake belongs to the connection's own thread.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        ca = base64.b64encode(pathlib.Path(certificate).read_bytes()).decode()
        try:
            yield {"hook": f"https://127.0.0.1:{server.server_port}", "ca": ca, "dead": "https://127.0.0.1:1"}
        finally:
            server.stopping.set()
            server.shutdown()
            server.server_close()
