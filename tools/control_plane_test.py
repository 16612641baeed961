#!/usr/bin/env python3
"""Tests of tools/control-plane, most of them against the real programs.

Run: python3 tools/control_plane_test.py
"""

import base64
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
TOOLS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(TOOLS))

from control_plane import audit, places, ports, programs  # noqa: E402

BINARIES = programs.directory()
_scratch = tempfile.TemporaryDirectory(prefix="millwright-control-plane-test-")
SCRATCH = pathlib.Path(_scratch.name)
os.environ["MILLWRIGHT_CONTROL_PLANES"] = str(SCRATCH / "planes")  # so that a developer's own ones are left alone

needs_programs = unittest.skipUnless(BINARIES.is_dir(), "the Kubernetes programs are not built: run tools/kubernetes/build")


def command(*arguments, check=True):
    done = subprocess.run([TOOLS / "control-plane", *arguments], capture_output=True, text=True)
    if check and done.returncode:
        raise AssertionError(f"control-plane {' '.join(arguments)} failed:\n{done.stderr}")
    return done


def up(name, *options):
    """A control plane that goes away with this test, however it ends."""
    return json.loads(command("up", "--name", name, "--parent-pid", str(os.getpid()), "--json", *options).stdout)


def kubectl(kubeconfig, *arguments, stdin=None, check=True):
    done = subprocess.run([BINARIES / "kubectl", "--kubeconfig", kubeconfig, "--request-timeout=5s", *arguments],
                          input=stdin, capture_output=True, text=True)
    if check and done.returncode:
        raise AssertionError(f"kubectl {' '.join(arguments)} failed:\n{done.stderr}")
    return done


def eventually(check, what, seconds=20):
    deadline = time.monotonic() + seconds
    while not check():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def alive(pid):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def pids(state):
    return [process["pid"] for process in state["processes"].values() if process["pid"]] + [state["supervisor_pid"]]


def wait_until_dead(test, state):
    eventually(lambda: not any(map(alive, pids(state))), "all processes are gone")
    test.assertGreaterEqual(len(pids(state)), 3)


def listening(pid):
    """The addresses, in the kernel's hexadecimal, that a process listens on."""
    sockets = {os.readlink(path) for path in pathlib.Path(f"/proc/{pid}/fd").iterdir()}
    for table in ("tcp", "tcp6"):
        for line in pathlib.Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            columns = line.split()
            if columns[3] == "0A" and f"socket:[{columns[9]}]" in sockets:
                yield columns[1].partition(":")[0]


class WithoutPrograms(unittest.TestCase):
    @unittest.skipUnless(os.environ.get("CI") == "true", "only where continuous integration runs")
    def test_the_programs_are_built(self):
        self.assertTrue(BINARIES.is_dir(), "in continuous integration a missing control plane is a failure, not a skip")

    def log(self, *lines):
        path = SCRATCH / "sample.log"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    def entry(self, verb, stage="ResponseComplete", user="millwright", **reference):
        return {"verb": verb, "stage": stage, "user": {"username": user}, "requestURI": "/version?x=1", "objectRef": reference}

    def test_requests_are_counted_by_user_verb_and_resource(self):
        machines = {"resource": "machines", "apiGroup": "cluster.k8s.io"}
        patch = self.entry("patch", subresource="status", **machines)
        path = self.log(patch, patch, self.entry("get"), self.entry("list", user="other", resource="nodes"))
        counted = audit.count(path)
        self.assertEqual((counted["total"], counted["writes"]), (4, 2))
        self.assertEqual(counted["rows"][0], {"user": "millwright", "verb": "patch",
                                              "resource": "machines.cluster.k8s.io/status", "count": 2})
        self.assertEqual(audit.count(path, user="other")["total"], 1)
        self.assertEqual([row["resource"] for row in audit.count(path, by=("resource",))["rows"]],
                         ["machines.cluster.k8s.io/status", "/version", "nodes"])

    def test_a_watch_is_counted_once_at_its_start(self):
        path = self.log(self.entry("watch", "ResponseStarted", resource="nodes"), self.entry("watch", resource="nodes"))
        self.assertEqual(audit.count(path)["total"], 1)
        self.assertEqual(audit.count(path, offset=len(path.read_text().splitlines(True)[0]))["total"], 0)

    def test_a_port_is_reserved_for_one_holder_and_lies_below_those_of_clients(self):
        chosen, reservations = ports.reserve(["a", "b"])
        self.assertNotEqual(chosen["a"], chosen["b"])
        self.assertLess(max(chosen.values()), ports._first_ephemeral())
        self.assertIsNone(ports.reserve_one(chosen["a"]))
        for reservation in reservations:
            reservation.close()
        again, reservations = ports.reserve(["a"], before=chosen)
        self.assertEqual(again["a"], chosen["a"])
        reservations[0].close()

    def test_a_directory_has_one_owner_and_stale_ones_are_removed(self):
        mine, stale, kept = (places.temporary_root() / name for name in ("mine", "stale", "kept"))
        lock = places.take(mine)
        for path in (stale, kept):
            places.take(path).close()
        (kept / places.KEPT).touch()
        self.assertIsNone(places.take(mine))
        places.remove_stale()
        self.assertEqual([path.exists() for path in (mine, stale, kept)], [True, False, True])
        lock.close()
        self.assertFalse(places.is_taken(mine))
        for path in (mine, kept):
            places.remove(path)

    def test_wrong_use_says_what_to_do(self):
        for arguments, expected in ((["status", "--name", "none"], "start one with"),
                                    (["up", "--without-controller", "nonsense"], "there are: bootstrap-signer-controller"),
                                    (["kubeconfig", "--name", "none"], "start one with")):
            done = command(*arguments, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(expected, done.stderr)
        self.assertEqual(command("down", "--name", "none").stdout, "none was not up\n")


@needs_programs
class OneControlPlane(unittest.TestCase):
    """In the order of the names; those that disturb the API server come last."""

    @classmethod
    def setUpClass(cls):
        cls.state = up("one")

    @classmethod
    def tearDownClass(cls):
        command("down", "--name", "one")

    def kubectl(self, *arguments, user="admin", **more):
        return kubectl(self.state["kubeconfigs"][user], *arguments, **more)

    def run_command(self, *arguments, **more):
        return command(arguments[0], "--name", "one", *arguments[1:], **more)

    def apply(self, *objects):
        text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
        return self.kubectl("create", "-o", "json", "-f", "-", stdin=text)

    def exists(self, *what):
        return self.kubectl("get", *what, check=False).returncode == 0

    def test_a_each_identity_is_who_it_says(self):
        for user, path in self.state["kubeconfigs"].items():
            who = kubectl(path, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}").stdout
            self.assertEqual(who, user)
        for user in ("admin", "driver", "millwright", "peer-4", "writer"):
            self.assertEqual(self.kubectl("auth", "can-i", "delete", "nodes", user=user).stdout, "yes\n")
        self.assertEqual(self.kubectl("auth", "can-i", "delete", "nodes", user="reader", check=False).stdout, "no\n")
        self.kubectl("get", "--raw", "/api/v1/secrets", user="reader")
        self.assertIn("Forbidden", self.kubectl("get", "ns", user="nobody", check=False).stderr)

    def test_a_identities_are_made_later(self):
        path = self.run_command("identity", "eve", "--group", "dev", "--group", "ops").stdout.strip()
        groups = kubectl(path, "auth", "whoami", "-o", "jsonpath={.status.userInfo.groups}").stdout
        self.assertEqual(json.loads(groups), ["dev", "ops", "system:authenticated"])
        path = self.run_command("identity", "late", "--group", "system:masters", "--expired").stdout.strip()
        self.assertIn("Unauthorized", kubectl(path, "get", "ns", check=False).stderr)
        self.assertIn("--identity", self.run_command("identity", "fay", "--token", check=False).stderr)

    def test_a_everything_listens_on_loopback_only(self):
        for pid in pids(self.state):
            for address in listening(pid):
                self.assertEqual(address, "0100007F")

    def test_a_requests_are_counted(self):
        self.run_command("mark")
        for _ in range(3):
            self.kubectl("get", "--raw", "/api/v1/namespaces/default", user="peer-1")
        self.kubectl("delete", "--raw", "/api/v1/namespaces/default/pods/none", user="peer-1", check=False)
        counted = json.loads(self.run_command("requests", "--since-mark", "--user", "peer-1", "--json").stdout)
        self.assertEqual(counted, {"total": 4, "writes": 1, "rows": [
            {"user": "peer-1", "verb": "get", "resource": "namespaces", "count": 3},
            {"user": "peer-1", "verb": "delete", "resource": "pods", "count": 1}]})
        self.assertIn("there are: mark, ready", self.run_command("requests", "--since-mark", "x", check=False).stderr)

    def test_b_owned_objects_are_collected(self):
        owner = json.loads(self.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "owner"}}).stdout)
        reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"]}
        self.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "owned", "ownerReferences": [reference]}})
        self.kubectl("delete", "configmap", "owner")
        eventually(lambda: not self.exists("configmap", "owned"), "the owned object is collected")

    def test_b_namespaces_go(self):
        self.kubectl("create", "namespace", "short")
        self.kubectl("delete", "namespace", "short", "--wait=false")
        eventually(lambda: not self.exists("namespace", "short"), "the namespace is gone")

    def test_b_a_budget_refuses_an_eviction(self):
        self.apply({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "guarded", "labels": {"app": "guarded"}},
                    "spec": {"containers": [{"name": "c", "image": "none"}]}},
                   {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "guard"},
                    "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "guarded"}}}})
        ready = {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
        self.kubectl("patch", "pod", "guarded", "--subresource=status", "-p", json.dumps(ready))
        eventually(lambda: self.kubectl("get", "pdb", "guard", "-o", "jsonpath={.status.currentHealthy}").stdout == "1",
                   "the budget has seen the pod")
        eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "guarded", "namespace": "default"}}
        path = "/api/v1/namespaces/default/pods/guarded/eviction"
        refused = self.kubectl("create", "--raw", path, "-f", "-", stdin=json.dumps(eviction), check=False)
        self.assertIn("disruption budget", refused.stderr)
        self.kubectl("delete", "pdb", "guard")
        eventually(lambda: self.kubectl("create", "--raw", path, "-f", "-", stdin=json.dumps(eviction),
                                        check=False).returncode == 0, "the eviction is granted")

    def test_b_custom_resources_work(self):
        schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        self.apply({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                    "metadata": {"name": "mills.test.millwright.dev"},
                    "spec": {"group": "test.millwright.dev", "scope": "Namespaced", "names": {"kind": "Mill", "plural": "mills"},
                             "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                                           "schema": {"openAPIV3Schema": schema}}]}})
        self.kubectl("wait", "--for=condition=Established", "crd/mills.test.millwright.dev")
        self.apply({"apiVersion": "test.millwright.dev/v1", "kind": "Mill", "metadata": {"name": "water"}, "spec": {"a": 1}})
        self.assertEqual(self.kubectl("get", "mill", "water", "-o", "jsonpath={.spec.a}").stdout, "1")

    def test_b_a_node_joins_with_a_bootstrap_token(self):
        self.apply({"apiVersion": "v1", "kind": "Secret", "type": "bootstrap.kubernetes.io/token",
                    "metadata": {"name": "bootstrap-token-abcdef", "namespace": "kube-system"},
                    "stringData": {"token-id": "abcdef", "token-secret": "0123456789abcdef",
                                   "usage-bootstrap-authentication": "true", "usage-bootstrap-signing": "true"}})
        signed = "jsonpath={.data.jws-kubeconfig-abcdef}"
        eventually(lambda: self.kubectl("get", "configmap", "-n", "kube-public", "cluster-info", "-o", signed).stdout,
                   "cluster-info is signed for the token")
        work = SCRATCH / "join"
        work.mkdir()
        subprocess.run(["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", work / "key", "-out", work / "request", "-subj", "/O=system:nodes/CN=system:node:n1"],
                       check=True, capture_output=True)
        request = {"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "metadata": {"name": "n1"},
                   "spec": {"signerName": "kubernetes.io/kube-apiserver-client-kubelet",
                            "usages": ["digital signature", "client auth"],
                            "request": base64.b64encode((work / "request").read_bytes()).decode()}}
        bare = work / "kubeconfig"
        bare.write_text("")
        subprocess.run([BINARIES / "kubectl", "--kubeconfig", bare, "--server", self.state["server"], "--token",
                        "abcdef.0123456789abcdef", "--certificate-authority", self.state["ca"], "create", "-f", "-"],
                       input=json.dumps(request), text=True, check=True, capture_output=True)
        eventually(lambda: self.kubectl("get", "csr", "n1", "-o", "jsonpath={.status.certificate}").stdout,
                   "the node's certificate is approved and signed")

    def test_c_kwok_makes_nodes_ready(self):
        self.run_command("start-kwok")
        self.apply({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "played"}})
        self.kubectl("wait", "--for=condition=Ready", "node/played", "--timeout=20s")
        state = json.loads(self.run_command("status", "--json").stdout)
        self.assertEqual(list(listening(state["processes"]["kwok"]["pid"])), ["0100007F"])
        self.run_command("stop-kwok")

    def test_d_a_killed_apiserver_stays_down_until_it_is_restarted(self):
        self.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "before"}})
        self.run_command("kill-apiserver")
        self.assertIn("refused", self.kubectl("get", "ns", check=False).stderr)
        self.assertIn("ended by SIGKILL", self.run_command("status").stdout)
        self.assertIn("restart-apiserver", self.run_command("kill-apiserver", check=False).stderr)
        self.run_command("restart-apiserver")
        self.assertTrue(self.exists("configmap", "before"))

    def test_d_a_paused_apiserver_does_not_answer(self):
        self.run_command("pause-apiserver")
        done = self.kubectl("get", "--raw", "/version", "--request-timeout=1s", check=False)
        self.assertNotEqual(done.returncode, 0)
        self.run_command("resume-apiserver")
        self.kubectl("get", "--raw", "/version")

    def test_d_history_from_before_a_compaction_and_a_restart_is_gone(self):
        page = json.loads(self.kubectl("get", "--raw", "/api/v1/configmaps?limit=1").stdout)["metadata"]
        self.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "newer"}})
        self.run_command("stop-apiserver")
        self.assertIn("kube-apiserver           ended with status 0", self.run_command("status").stdout)
        self.assertIn("revision", self.run_command("compact").stdout)
        self.run_command("restart-apiserver")
        since = f"watch=1&resourceVersion={page['resourceVersion']}&timeoutSeconds=3"
        answer = self.kubectl("get", "--raw", f"/api/v1/configmaps?{since}", check=False)
        self.assertIn("too old resource version", answer.stdout + answer.stderr)
        answer = self.kubectl("get", "--raw", f"/api/v1/configmaps?limit=1&continue={page['continue']}", check=False)
        self.assertIn("Expired", answer.stderr)


@needs_programs
class Lives(unittest.TestCase):
    """How control planes begin and end. Without kube-controller-manager, to be quick."""

    def up(self, name, *options):
        return up(name, "--no-controller-manager", *options)

    def test_two_stand_side_by_side_and_neither_leaves_anything(self):
        first = self.up("first")
        second = self.up("second", "--identity", "guest=dev,ops")
        self.assertFalse(set(first["ports"].values()) & set(second["ports"].values()))
        groups = kubectl(second["kubeconfigs"]["guest"], "auth", "whoami", "-o", "jsonpath={.status.userInfo.groups}").stdout
        self.assertEqual(json.loads(groups), ["dev", "ops", "system:authenticated"])
        kubectl(first["kubeconfig"], "run", "p", "--image=none")  # a pod is admitted, though nobody makes service accounts
        again = command("up", "--name", "first", check=False)
        self.assertEqual(again.returncode, 1)
        self.assertIn("is up already", again.stderr)

        os.kill(first["supervisor_pid"], signal.SIGKILL)
        wait_until_dead(self, first)
        self.assertTrue(pathlib.Path(first["dir"]).exists())
        command("up", "--name", "third", "--parent-pid", "999999999", check=False)  # fails, but cleans first
        self.assertFalse(pathlib.Path(first["dir"]).exists())

        kubectl(second["kubeconfig"], "get", "ns")
        command("down", "--name", "second")
        self.assertFalse(any(map(alive, pids(second))))
        self.assertFalse(pathlib.Path(second["dir"]).exists())
        self.assertEqual(command("list").stdout, "")

    def test_it_goes_with_its_parent(self):
        parent = subprocess.Popen(["sleep", "600"])
        state = json.loads(command("up", "--name", "child", "--no-controller-manager", "--json",
                                   "--parent-pid", str(parent.pid)).stdout)
        parent.kill()
        wait_until_dead(self, state)
        self.assertFalse(pathlib.Path(state["dir"]).exists())
        parent.wait()

    def test_it_goes_when_whoever_waits_for_its_start_is_killed(self):
        directory = places.temporary_root() / "unwanted"
        starter = subprocess.Popen([TOOLS / "control-plane", "up", "--name", "unwanted"])
        eventually(lambda: (directory / "logs/kube-apiserver.log").exists(), "kube-apiserver starts")
        state = json.loads((directory / places.STATE).read_text())
        starter.kill()
        starter.wait()
        eventually(lambda: not directory.exists(), "the directory is gone")
        eventually(lambda: not alive(state["supervisor_pid"]), "the supervisor is gone")

    def test_a_durable_one_goes_on_where_it_was(self):
        directory = SCRATCH / "durable"
        place = ("--dir", str(directory))
        first = self.up("durable", *place, "--durable")
        kubectl(first["kubeconfig"], "create", "configmap", "lasting")
        command("down", *place)
        self.assertIn("--durable", command("up", *place, check=False).stderr)
        second = self.up("durable", *place, "--durable")
        self.assertEqual(first["ports"], second["ports"])
        kubectl(second["kubeconfig"], "get", "configmap", "lasting")
        command("down", *place, "--delete")
        self.assertFalse(directory.exists())

    def test_a_directory_with_something_else_in_it_is_refused(self):
        directory = SCRATCH / "mine"
        directory.mkdir()
        (directory / "thesis").touch()
        self.assertIn("not a control plane's", command("up", "--dir", str(directory), check=False).stderr)
        self.assertTrue((directory / "thesis").exists())

    def test_foreground_ends_with_an_interrupt(self):
        process = subprocess.Popen([TOOLS / "control-plane", "up", "--name", "front", "--no-controller-manager", "--foreground",
                                    "--json"], stdout=subprocess.PIPE, text=True)
        text = ""
        for line in process.stdout:
            text += line
            if line == "}\n":
                break
        state = json.loads(text)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 0)
        process.stdout.close()
        self.assertFalse(any(map(alive, pids(state))))
        self.assertFalse(pathlib.Path(state["dir"]).exists())


if __name__ == "__main__":
    try:
        unittest.main(verbosity=2)
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
