"""Classes and secrets: who needs them keeps them, and a new one reaches new machines."""

import json

import bodies
import local_machines


def a_class_stays_while_it_is_used(yard):
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 2)
        yard.until_running(name, 2)
        yard.until("it is protected", lambda: bodies.FINALIZER in yard.one("classes", "small")["metadata"].get("finalizers", []))
        yard.delete("classes", "small")
        yard.delete("secrets", "small")
        yard.until("it says why it stays", lambda: yard.events("small", "StillUsed"))
        yard.throughout("both stay", lambda: yard.get("classes", "small") and yard.get("secrets", "small"), 1)
        assert yard.phases(name) == ["Running"] * 2
        yard.delete("deployments", name)
        yard.until_gone(name)
        yard.until("nobody needs it", lambda: not yard.one("classes", "small"))
        yard.poll("nor its secret", lambda: yard.get("secrets", "small") is None)


def a_rotated_secret_reaches_new_machines(yard):
    """Those that are there keep what they were given, and are not replaced."""
    local_machines.supply(yard)
    with local_machines.controllers(yard) as them:
        cloud = local_machines.Cloud(them)
        try:
            them.start()
            name = yard.deploy(f"{yard.name}-web", 1)
            yard.until_running(name, 1)
            first, = yard.all("machines", name)
            yard.patch("secrets", "small", {"stringData": {"userData": local_machines.user_data(yard, "second")}})
            yard.patch("deployments", name, {"spec": {"replicas": 2}})
            yard.until_running(name, 2)
            notes = {uid: json.loads((folder / "user-data").read_text(encoding="utf-8"))["labels"]["note"]
                     for uid, folder in cloud.folders().items()}
            assert notes.pop(first["metadata"]["uid"]) == "first" and list(notes.values()) == ["second"], notes
            token = json.loads((cloud.folders()[first["metadata"]["uid"]] / "user-data").read_text(encoding="utf-8"))["token"]
            assert token.split(".")[1] not in them.log(), "a token in the log"
            yard.delete("deployments", name)
            yard.until_gone(name)
            assert not cloud.folders(), cloud.folders()
        finally:
            cloud.kill_all()


CASES = (a_class_stays_while_it_is_used, a_rotated_secret_reaches_new_machines)
