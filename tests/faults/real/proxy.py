"""The fault proxy as a process of a test (fault_proxy.cc), and a kubeconfig that leads through it."""

import contextlib
import http.client
import json
import pathlib
import subprocess
import tempfile

from controllers import ROOT, end_with_parent

BINARY = ROOT / "build/tests/fault_proxy"
KUBECONFIG = """apiVersion: v1
kind: Config
current-context: proxied
clusters: [{{name: proxied, cluster: {{server: "http://127.0.0.1:{}"}}}}]
contexts: [{{name: proxied, context: {{cluster: proxied, user: proxied}}}}]
users: [{{name: proxied, user: {{}}}}]
"""


class Proxy:
    def __init__(self, kubeconfig, directory):
        self.process = subprocess.Popen([str(BINARY), str(kubeconfig)], stdout=subprocess.PIPE, text=True,
                                        preexec_fn=end_with_parent)
        self.port = int(self.process.stdout.readline())
        self.kubeconfig = pathlib.Path(directory) / "kubeconfig"
        self.kubeconfig.write_text(KUBECONFIG.format(self.port), encoding="utf-8")

    def _say(self, method, what="", body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, f"/_faults{what}", body=json.dumps(body) if body is not None else None)
            answer = connection.getresponse()
            text = answer.read().decode()
            assert answer.status == 200, f"{what}: {answer.status} {text}"
            return json.loads(text)
        finally:
            connection.close()

    def rule(self, fault, **more):
        """See rule_text.h."""
        return self._say("POST", "/rule", {"fault": fault, **more})

    def clear(self):
        return self._say("POST", "/clear")

    def cut(self):
        """Every watch ends."""
        return self._say("POST", "/cut")

    def kill(self, pid, points):
        """At the next write, before the server hears of it, or after. Points are (write, whether after it) that need not be again."""
        return self._say("POST", "/kill", {"pid": pid, "before": [write for write, after in points if not after],
                                           "after": [write for write, after in points if after]})

    def record(self):
        """Of each write that is about no event and no lease, in the order in which they came; see fault_proxy.cc."""
        return self._say("GET", "/record")

    def facts(self):
        return self._say("GET")

    def close(self):
        self.process.kill()
        self.process.wait(timeout=30)


@contextlib.contextmanager
def proxy(kubeconfig):
    with tempfile.TemporaryDirectory(prefix="millwright-proxy-") as directory:
        one = Proxy(kubeconfig, directory)
        try:
            yield one
        finally:
            one.close()
