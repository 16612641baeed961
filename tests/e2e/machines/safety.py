"""What nobody owns, and what there is too much of."""

import datetime
import json
import uuid

import bodies
import local_machines
from yard import condition

EXTRA = 3
UNFREEZE = "safety.machine.sapcloud.io/unfreeze"


def planted(cloud, name, class_name, age):
    """An instance that says it was made for a machine of that name."""
    uid = str(uuid.uuid4())
    folder = cloud.folder / uid
    folder.mkdir(parents=True)
    made = datetime.datetime.now(datetime.timezone.utc) - age
    (folder / "machine.json").write_text(json.dumps({"name": name, "namespace": "default", "uid": uid, "class": class_name,
                                                     "made": made.strftime("%Y-%m-%dT%H:%M:%SZ")}), encoding="utf-8")
    return uid


def instances_without_a_machine_go(yard):
    """Only those that have been nobody's for a while, and of this class."""
    local_machines.supply(yard)
    with local_machines.controllers(yard) as them:
        cloud = local_machines.Cloud(them)
        try:
            hour = datetime.timedelta(hours=1)
            old = planted(cloud, f"{yard.name}-old", "small", hour)
            other = planted(cloud, f"{yard.name}-other", "another", hour)
            young = planted(cloud, f"{yard.name}-young", "small", datetime.timedelta(0))
            them.start()
            name = yard.deploy(f"{yard.name}-web", 1)
            yard.until_running(name, 1)
            yard.poll("the orphan is gone", lambda: old not in cloud.folders())
            machine, = yard.all("machines", name)
            assert set(cloud.folders()) == {other, young, machine["metadata"]["uid"]}, cloud.folders().keys()
            yard.delete("deployments", name)
            yard.until_gone(name)
            assert set(cloud.folders()) == {other, young}, cloud.folders().keys()
        finally:
            cloud.kill_all()


def far_too_many_machines_freeze_their_set(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 2, strategy=bodies.rolling(0, 1))
        yard.until_running(name, 2)
        machine_set, = yard.all("sets", name)
        for i in range(EXTRA):
            _add_machine(yard, machine_set, f"{machine_set['metadata']['name']}-extra-{i}")
        yard.until("all are frozen", lambda: _is_frozen(yard, name, machine_set["metadata"]["name"]))
        yard.until("an event", lambda: yard.events(machine_set["metadata"]["name"], "FrozeMachineSet"))
        yard.patch("deployments", name, {"spec": {"replicas": 3}})
        yard.until("the set is to have three", lambda: yard.all("sets", name)[0]["spec"]["replicas"] == 3)
        yard.throughout("nothing is made", lambda: len(yard.all("machines", name)) == 2 + EXTRA, 1)
        for i in range(EXTRA):
            yard.patch("machines", f"{machine_set['metadata']['name']}-extra-{i}", {"metadata": {"finalizers": None}})
        yard.until("it is let go, and makes the third", lambda: yard.runs(name, 3) and not _is_frozen(
            yard, name, machine_set["metadata"]["name"]))
        yard.until("an event", lambda: yard.events(machine_set["metadata"]["name"], "UnfrozeMachineSet"))
        found = yard.one("deployments", name)
        assert not condition(found, "Frozen") and "freeze" not in found["metadata"].get("labels", {}), found


def a_person_unfreezes(yard):
    """By the deployment, or by the set. There are still too many, so it freezes again, and says both."""
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 2, strategy=bodies.rolling(0, 1))
        yard.until_running(name, 2)
        machine_set, = yard.all("sets", name)
        set_name = machine_set["metadata"]["name"]
        for i in range(EXTRA):
            _add_machine(yard, machine_set, f"{set_name}-extra-{i}")
        for number, (kind, of) in enumerate((("deployments", name), ("sets", set_name)), 1):
            yard.until("all are frozen", lambda: _is_frozen(yard, name, set_name))
            yard.until("it is said", lambda n=number: _count(yard, set_name, "FrozeMachineSet") == n)
            yard.patch(kind, of, {"metadata": {"annotations": {UNFREEZE: "True"}}})
            yard.until("it was unfrozen, and is frozen again", lambda n=number: _count(yard, set_name, "UnfrozeMachineSet") == n
                       and _count(yard, set_name, "FrozeMachineSet") == n + 1 and _is_frozen(yard, name, set_name))
            yard.until("the wish is granted, and gone", lambda: not any(
                UNFREEZE in found["metadata"].get("annotations", {}) for found in (yard.one("deployments", name), yard.one("sets", set_name))))
        for i in range(EXTRA):
            yard.patch("machines", f"{set_name}-extra-{i}", {"metadata": {"finalizers": None}})
        yard.until("it is as it should be", lambda: yard.runs(name, 2) and not _is_frozen(yard, name, set_name))


def _count(yard, name, reason):
    """How often it was said."""
    return sum(event.get("count", 1) for event in yard.events(name, reason))


def _is_frozen(yard, deployment, machine_set):
    found = (yard.one("deployments", deployment), yard.one("sets", machine_set))
    return (all(o["metadata"].get("labels", {}).get("freeze") == "True" for o in found)
            and condition(found[0], "Frozen").get("status") == "True"
            and condition(found[1], "Frozen", "machineSetCondition").get("status") == "True")


def _add_machine(yard, machine_set, name):
    """One that the set did not ask for, and that stays although it is deleted."""
    metadata = machine_set["metadata"]
    template = machine_set["spec"]["template"]
    yard.create("machines", {
        "apiVersion": bodies.GROUP, "kind": "Machine",
        "metadata": {"name": name, "labels": template["metadata"]["labels"], "finalizers": ["millwright.dev/test"],
                     "ownerReferences": [{"apiVersion": bodies.GROUP, "kind": "MachineSet", "name": metadata["name"],
                                          "uid": metadata["uid"], "controller": True, "blockOwnerDeletion": True}]},
        "spec": template["spec"]})


CASES = (instances_without_a_machine_go, far_too_many_machines_freeze_their_set, a_person_unfreezes)
