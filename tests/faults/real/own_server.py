"""What is done to the server itself, so these cases have one of their own, one after the other."""

import http.client
import json
import pathlib
import subprocess
import threading
import time

import bodies
from controllers import ROOT
from disturbed import ALONE, disturbed, rests

AWAY_SECONDS = 30
MACHINES = 60
STEADY_SECONDS = 60  # on two cores with two servers that others use, too; the time it took is told
FEWEST_LISTS = 5  # deployments, sets, machines, classes, nodes


def control(yard, command):
    """tools/control-plane, for the server of this kubeconfig: it lies in a folder of the control plane's directory."""
    done = subprocess.run([str(ROOT / "tools/control-plane"), command, "--dir", str(_directory(yard))], cwd=ROOT, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}"


def _directory(yard):
    return pathlib.Path(yard.kubeconfig).parents[1]


def f2_the_server_is_killed(yard):
    """kube-apiserver dies in the middle of a scaling up, and comes again after half a minute."""
    yard.supply()
    with yard.controllers(ALONE) as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 2)
        yard.until_running(name, 2)
        before = yard.names("machines")
        yard.patch("deployments", name, {"spec": {"replicas": MACHINES}})
        yard.mirror.after_changes(5, seconds=5)
        control(yard, "kill-apiserver")
        assert not yard.runs(name, MACHINES), "all were there before the server was killed, which means nothing"
        time.sleep(AWAY_SECONDS)  # this is the fault, not a wait for something
        restart = threading.Thread(target=control, args=[yard, "restart-apiserver"])  # it returns long after the first answer
        restart.start()
        yard.poll("the server's first answer", lambda: _answers(yard))
        back = time.monotonic()
        yard.until_running(name, MACHINES)
        took = time.monotonic() - back
        restart.join()
        assert them.processes["controller"].poll() is None, f"it ended\n{them.log()[-2000:]}"
        assert took < STEADY_SECONDS, f"steady only {took:.0f} s after its return"
        assert before <= yard.names("machines"), "machines that were well were replaced"
        yard.delete("deployments", name)
        yard.until_gone(name)
        return f"steady {took:.1f} s after its return"


def _answers(yard):
    try:
        return yard.client.ask("GET", "/readyz", {}, None)[0]
    except (OSError, http.client.HTTPException):
        yard.client.connection = None
        return None


def f3_the_history_is_compacted(yard):
    """Watches are cut, etcd forgets what was before, and the server with it: whoever resumes is too late and lists anew."""
    with disturbed(yard, ALONE) as (them, between):
        yard.supply()
        them.start()
        name = yard.deploy(f"{yard.name}-web", 3)
        yard.until_running(name, 3)
        yard.poll("rest", lambda: rests(between))
        writes = between.facts()["writes"]
        between.rule("refuse", times=-1)
        between.cut()
        for number in range(5):  # changes that nobody who resumes has seen, and that ask for nothing
            yard.create("secrets", bodies.secret(f"nobodys-{number}"))
        control(yard, "compact")
        mark = _log(yard).stat().st_size
        control(yard, "restart-apiserver")  # its cache of events would bridge the gap
        between.clear()
        yard.poll("lists anew", lambda: _lists(yard, mark) >= FEWEST_LISTS)
        yard.poll("rest again", lambda: rests(between))
        assert between.facts()["writes"] == writes, f"{between.facts()['writes'] - writes} needless writes: {between.record()[writes:]}"
        yard.patch("deployments", name, {"spec": {"replicas": 4}})
        yard.until_running(name, 4)
        yard.delete("deployments", name)
        yard.until_gone(name)
        return f"{_lists(yard, mark)} lists anew, 0 needless writes"


def _log(yard):
    return _directory(yard) / "audit.log"


def _lists(yard, mark):
    """How often ours has listed since then. A watch that is too late is told so within an answer of 200, which the log does not show."""
    count = 0
    with _log(yard).open("rb") as log:
        log.seek(mark)
        for line in log:
            if line.endswith(b"\n") and line.startswith(b"{"):
                entry = json.loads(line)
                is_list = entry["verb"] == "list" or "sendInitialEvents=true" in entry["requestURI"] and entry["stage"] == "ResponseStarted"
                count += is_list and entry.get("userAgent", "").startswith("millwright")
    return count


CASES = (f2_the_server_is_killed, f3_the_history_is_compacted)
