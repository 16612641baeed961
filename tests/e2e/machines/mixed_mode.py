"""Beside Gardener's own programs: each half of ours with the other half of theirs, and all of it from one to the other and back."""

import functools

from bodies import next_version, rolling
from samples import Skip
from takeover import identities, untouched
from upstream_programs import directory, upstream_programs

binaries = functools.cache(directory)


def programs(yard):
    if not binaries():
        raise Skip("Gardener's programs cannot be built here")
    return upstream_programs(yard, binaries())


def _live(yard):
    """Two machines, two others in their place, none."""
    name = yard.deploy(f"{yard.name}-web", 2, strategy=rolling(2, 1))
    yard.until_running(name, 2)
    before = yard.names("machines")
    yard.patch("deployments", name, next_version(2))
    yard.until("two others", lambda: yard.runs(name, 2) and not before & yard.names("machines"))
    yard.delete("deployments", name)
    yard.until_gone(name)


def our_sets_with_their_machines(yard):
    yard.supply()
    with programs(yard) as theirs, yard.controllers(only="machine-controller-manager") as ours:
        theirs.start("machine-controller")
        ours.start()
        _live(yard)
        assert len(set(theirs.calls("create"))) == 4 and len(set(theirs.calls("delete"))) == 4, theirs.calls("")
        assert not [f for f in theirs.cloud.iterdir() if "." not in f.name], "nothing is left in the cloud"


def their_sets_with_our_machines(yard):
    yard.supply()
    with programs(yard) as theirs, yard.controllers(only="machine-controller") as ours:
        theirs.start("machine-controller-manager")
        ours.start()
        _live(yard)


def from_theirs_to_ours_and_back(yard):
    yard.supply()
    with programs(yard) as theirs:
        both = ("machine-controller-manager", "machine-controller")
        theirs.start(*both)
        name = yard.deploy(f"{yard.name}-web", 2)
        yard.until_running(name, 2)
        theirs.stop()
        before = identities(yard)
        with yard.controllers() as ours:
            ours.start()
            untouched(yard, ours, before)
            yard.patch("deployments", name, {"spec": {"replicas": 3}})
            yard.until_running(name, 3)
            assert ours.stop() == [0], ours.log()
        before = identities(yard)
        made = len(theirs.calls("create"))
        theirs.start(*both)
        yard.poll("they hold the leases", lambda: all(
            yard.send("GET", f"/apis/coordination.k8s.io/v1/namespaces/{yard.name}/leases/{lease}")["spec"].get("holderIdentity")
            for lease in both))
        yard.throughout("nothing happens", lambda: identities(yard) == before, 10)
        assert len(theirs.calls("create")) == made and not theirs.calls("delete"), (theirs.calls("create"), theirs.calls("delete"))
        assert len(yard.all("sets")) == 1, "their template is ours"
        yard.delete("deployments", name)
        yard.until_gone(name)
        assert len(set(theirs.calls("delete"))) == 3, theirs.calls("delete")


CASES = (our_sets_with_their_machines, their_sets_with_our_machines, from_theirs_to_ours_and_back)
