"""`standalone --dialect cluster-api --sample`: a whole cluster made of this computer, from its first machine to its last."""

import local_machines
import wishes
from ground import Ground
from programs import standalone
from rest import MetricsMeter, stays_at_rest

WORKERS = "workers"


def the_sample_lives_and_goes():
    with standalone("--sample") as server:
        it = Ground(server.kubeconfig, "default", is_served=True)
        cloud = local_machines.Cloud(server)
        try:
            _live(it, cloud, server)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{server.log()[-4000:]}") from None
        finally:
            it.close()
            cloud.kill_all()


def _live(it, cloud, server):
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

    stays_at_rest(MetricsMeter(server.metrics_port))

    it.end(WORKERS)
    it.poll("no process is left", lambda: not cloud.processes() and not cloud.folders())


CASES = (the_sample_lives_and_goes,)
