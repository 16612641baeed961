"""The simulated cloud's process."""

import http.client
import json
import os
import subprocess


class Cloud:
    def __init__(self, program, plane, times):
        self.command = [program, *(f"--{name}={value}" for name, value in times.items()),
                        f"--server={plane.state['server']}", f"--ca={plane.state['ca']}"]
        # Its own identity, so that the Nodes it posts are not counted as anybody's work.
        self.environment = {**os.environ, "CLUSTER_TOKEN": plane.token("writer")}

    def __enter__(self):
        self.process = subprocess.Popen([str(word) for word in self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=self.environment)
        self.address = self.process.stdout.readline().strip()
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=10)

    def _call(self, method, path, body=None):
        connection = http.client.HTTPConnection(self.address.removeprefix("http://"), timeout=30)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status >= 300:
                raise RuntimeError(f"the cloud answers {answer.status}: {text[:200]}")
            return json.loads(text) if text else None
        finally:
            connection.close()

    def figures(self):
        return self._call("GET", "/figures")

    def heartbeats(self, period_seconds, nodes=()):
        """Each of the nodes reports once in a period; 0 ends that."""
        self._call("PUT", "/heartbeats", {"period": int(period_seconds * 1000), "nodes": list(nodes)})
