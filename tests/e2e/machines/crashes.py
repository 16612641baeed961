"""The controller is killed again and again in the middle of things; the machines are processes, so that what is left behind shows.

MILLWRIGHT_SEED chooses when and what; MILLWRIGHT_KILLS how often.
"""

import os
import pathlib
import random

import local_machines
from bodies import next_version, rolling

KILLS = 20
MOST_MACHINES = 6


def kills_leave_nothing_behind(yard):
    seed = int(os.environ.get("MILLWRIGHT_SEED", str(random.randrange(1 << 32))))
    kills = int(os.environ.get("MILLWRIGHT_KILLS", str(KILLS)))
    try:
        _live_through(yard, random.Random(seed), kills)
    except AssertionError as error:
        raise AssertionError(f"MILLWRIGHT_SEED={seed} MILLWRIGHT_KILLS={kills}\n{error}") from None


def _live_through(yard, chance, kills):
    local_machines.supply(yard)
    with local_machines.controllers(yard) as them:
        cloud = local_machines.Cloud(them)

        def disturb():
            nonlocal kills
            for _ in range(min(kills, 3)):
                yard.mirror.after_changes(chance.randrange(1, 25), seconds=5)
                them.kill()
                them.start()
                kills -= 1
                _no_machine_twice(them)
        try:
            them.start()
            version = 1
            while kills > 0:
                name = yard.deploy(f"{yard.name}-{version}", chance.randrange(1, MOST_MACHINES), strategy=rolling(2, 1))
                count = _change(yard, name, chance, disturb, version)
                yard.until_running(name, count)
                assert set(cloud.processes()) == {m["metadata"]["uid"] for m in yard.all("machines")}, "one process for each machine"
                yard.delete("deployments", name)
                disturb()
                yard.until_gone(name)
                version += 1
            yard.poll("no process is left", lambda: not cloud.folders() and not _agents(them))
            tokens = yard.send("GET", "/api/v1/namespaces/kube-system/secrets")["items"]
            left = [t["metadata"]["name"] for t in tokens if yard.name in t.get("data", {}).get("description", "") or
                    yard.name in str(t.get("stringData", ""))]
            assert not left, left
            assert not yard.all("sets") and not yard.all("nodes"), (yard.names("sets"), yard.names("nodes"))
        finally:
            cloud.kill_all()


def _change(yard, name, chance, disturb, version):
    """What users do, each with kills in the middle of it; how many machines there are to be in the end."""
    disturb()
    count = chance.randrange(1, MOST_MACHINES)
    yard.patch("deployments", name, {"spec": {"replicas": count}})
    disturb()
    yard.patch("deployments", name, next_version(version))
    disturb()
    return count


def _agents(them):
    """The machines' processes, by what they say they are."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0") if entry.name.isdigit() else []
        except OSError:
            continue
        if len(words) > 2 and words[1] == "node-agent" and any(str(them.directory) in word for word in words):
            found.append(words[words.index("--provider-id") + 1])
    return found


def _no_machine_twice(them):
    agents = _agents(them)
    assert len(agents) == len(set(agents)), f"a machine has two processes: {sorted(agents)}"


CASES = (kills_leave_nothing_behind,)
