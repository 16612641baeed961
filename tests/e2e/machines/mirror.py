"""What a server has, followed by watches, so that a test can wait for a state and never sleeps."""

import http.client
import json
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "api"))

from client import Client  # noqa: E402

# For a test that hangs; none comes near it.
HANGS_SECONDS = 120
# Between two attempts to reach a server that is away.
AWAY_SECONDS = 0.1


class Mirror:
    def __init__(self, kubeconfig, collections, hangs_seconds=HANGS_SECONDS):
        self.kubeconfig = kubeconfig
        self.hangs_seconds = hangs_seconds
        self.changed = threading.Condition()
        self.listener = None
        self.changes = 0
        self.objects = {name: {} for name in collections}
        self.stopped = False
        self.connections = {}
        self.threads = [threading.Thread(target=self._follow, args=item, daemon=True) for item in collections.items()]
        for thread in self.threads:
            thread.start()

    def all(self, collection):
        return list(self.objects[collection].values())

    def until(self, what, condition):
        """Waits until the condition holds, looking at each change."""
        with self.changed:
            if not self.changed.wait_for(lambda: condition(self), self.hangs_seconds):
                raise AssertionError(f"{what}: this does not come\n{self._tell()}")

    def after_changes(self, count, seconds=None):
        """Waits until so many more changes were seen, or so long."""
        with self.changed:
            goal = self.changes + count
            self.changed.wait_for(lambda: self.changes >= goal, seconds or self.hangs_seconds)

    def share(self, other):
        """Whoever waits at the other one is woken by what we see."""
        self.listener = other

    def close(self):
        self.stopped = True
        for connection in self.connections.values():
            connection.sock and connection.sock.close()

    def _tell(self):
        lines = []
        for collection in self.objects:
            for found in self.all(collection):
                status = json.dumps(found.get("status", {}))
                lines.append(f"{collection} {found['metadata']['name']} {status[:600]}")
        return "\n".join(lines)

    def _tell_listener(self):
        if self.listener:
            with self.listener.changed:
                self.listener.changed.notify_all()

    def _follow(self, name, target):
        client = Client(self.kubeconfig)
        while not self.stopped:
            try:
                status, _, body = client.ask("GET", target, {}, None)
                if status != 200:
                    time.sleep(AWAY_SECONDS)  # not served yet
                    continue
                listed = json.loads(body)
                with self.changed:
                    self.objects[name] = {item["metadata"]["name"]: item for item in listed["items"]}
                    self.changes += 1
                    self.changed.notify_all()
                self._tell_listener()
                self._watch(client, name, f"{target}?watch=true&resourceVersion={listed['metadata']['resourceVersion']}")
            except (OSError, ValueError, http.client.HTTPException):
                time.sleep(AWAY_SECONDS)

    def _watch(self, client, name, target):
        connection = client.connect()
        connection.timeout = None
        self.connections[name] = connection
        connection.request("GET", target, headers=client.headers)
        response = connection.getresponse()
        while response.status == 200 and not self.stopped:
            line = response.readline()
            if not line:
                return
            event = json.loads(line)
            if event["type"] not in ("ADDED", "MODIFIED", "DELETED"):
                return
            key = event["object"]["metadata"]["name"]
            with self.changed:
                if event["type"] == "DELETED":
                    self.objects[name].pop(key, None)
                else:
                    self.objects[name][key] = event["object"]
                self.changes += 1
                self.changed.notify_all()
            self._tell_listener()
