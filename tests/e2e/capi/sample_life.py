"""`standalone --dialect cluster-api --sample`: a whole cluster made of this computer, from its first machine to its last."""

import threading

import local_machines
import wishes
from ground import Ground
from programs import standalone

WORKERS = "workers"
# Longer than any look again: 15 s and 20 s upstream.
REST_SECONDS = 25
# What a change still makes others write comes sooner.
SETTLE_SECONDS = 3


def stays_at_rest(it):
    """Nothing is written by anybody once all is as it should be."""
    threading.Event().wait(SETTLE_SECONDS)
    before = it.versions()
    threading.Event().wait(REST_SECONDS)
    after = it.versions()
    written = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    assert not written, f"written at rest: {written}"


def the_sample_lives_and_goes():
    with standalone("--sample") as server:
        it = Ground(server.kubeconfig, "default", is_served=True)
        cloud = local_machines.Cloud(server)
        try:
            _live(it, cloud)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{server.log()[-4000:]}") from None
        finally:
            it.close()
            cloud.kill_all()


def _live(it, cloud):
    it.until_running(WORKERS, 3)
    assert len(cloud.processes()) == 3, cloud.processes()
    it.patch("deployments", WORKERS, {"spec": {"replicas": 5}})
    it.until_running(WORKERS, 5)
    it.patch("deployments", WORKERS, {"spec": {"replicas": 1}})
    it.until_running(WORKERS, 1)
    it.poll("the others' processes are gone", lambda: len(cloud.processes()) == 1)

    before = it.names("machines")
    it.create("instance templates", wishes.instance_template("larger", "local", {"cpu": "4", "memory": "8Gi"}))
    it.patch("deployments", WORKERS, {"spec": {"template": {"spec": {"infrastructureRef": {"name": "larger"}}}}})
    it.until("another machine", lambda: not before & it.names("machines") and it.runs(WORKERS, 1))

    stays_at_rest(it)

    it.end(WORKERS)
    it.poll("no process is left", lambda: not cloud.processes() and not cloud.folders())


CASES = (the_sample_lives_and_goes,)
