"""As many machines as are wished for."""

import re

from watchman import watchman


def cloud_calls(them, service):
    """How often the cloud was asked for something."""
    found = re.findall(rf'mcm_cloud_api_requests_total{{[^}}]*service="{service}"}} (\S+)', them.metrics())
    return sum(int(float(count)) for count in found)


def from_none_to_fifty_to_five(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 0)
        yard.until_running(name, 0)
        with watchman(yard, name) as him:
            yard.patch("deployments", name, {"spec": {"replicas": 50}})
            yard.until_running(name, 50)
            assert him.highest_total == 50, him.highest_total
            yard.patch("deployments", name, {"spec": {"replicas": 5}})
            yard.until_running(name, 5)
            assert len(him.ever) == 50, f"{len(him.ever)} machines for 50"
        calls = (cloud_calls(them, "create_machine"), cloud_calls(them, "delete_machine"))
        assert calls == (50, 45), f"{calls} calls to create and delete"
        yard.delete("deployments", name)
        yard.until_gone(name)
        assert not yard.all("nodes"), yard.names("nodes")
        assert them.stop() == [0], them.log()


CASES = (from_none_to_fifty_to_five,)
