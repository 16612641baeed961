"""What people write wrongly: each object says what is wrong with it, the others go on, and mended it works.

Beside each broken deployment there is a good one, by the same controllers.
"""

import base64

import bodies
from yard import MERGE, condition, operation

# A Secret holds a MiB; 1.4 MB of it is what that takes on the wire.
MOST_BYTES = 1 << 20


def _broken(yard, name, change):
    """A deployment with something else in its spec."""
    body = bodies.deployment(f"{yard.name}-{name}", 1)
    body["spec"].update(change)
    yard.create("deployments", body)
    return body["metadata"]["name"]


def _says(yard, name, text):
    """A deployment says in a condition and in an event what is wrong with it."""
    yard.until(f"{name} has a condition with \"{text}\"", lambda: any(
        text in c.get("message", "") for c in yard.one("deployments", name).get("status", {}).get("conditions", [])))
    yard.until(f"an event about {name}", lambda: any(text in e["message"] for e in yard.events(name)))


def _machine_says(yard, name, text):
    """Its machine does, in its last operation and in an event, and the deployment tells which machine failed."""
    yard.until(f"a machine of {name} says \"{text}\"", lambda: any(
        text in operation(m).get("description", "") and operation(m).get("state") == "Failed" for m in yard.all("machines", name)))
    machine, = yard.names("machines", name)
    yard.until(f"an event about {machine}", lambda: any(text in e["message"] for e in yard.events(machine)))
    yard.until(f"{name} lists it", lambda: any(
        f["name"] == machine for f in yard.one("deployments", name).get("status", {}).get("failedMachines", [])))


def wrong_deployments_say_so(yard):
    yard.supply()
    with yard.controllers(provider=None) as them:
        them.start()
        broken = {
            _broken(yard, "strategy", {"strategy": {}}): ("spec.strategy.type is missing", {"strategy": bodies.rolling(1, 0)}),
            _broken(yard, "limits", {"strategy": {"type": "RollingUpdate"}}):
                ("spec.strategy.rollingUpdate is missing", {"strategy": bodies.rolling(1, 0)}),
            _broken(yard, "selector", {"selector": {"matchLabels": {"name": "other"}}}):
                ("selector", {"selector": {"matchLabels": {"name": f"{yard.name}-selector"}}}),
            _broken(yard, "class", {"template": {"metadata": {"labels": {"name": f"{yard.name}-class"}}, "spec": {"class": {}}}}):
                ("class", {"template": {"spec": {"class": {"kind": "MachineClass", "name": "small"}}}}),
        }
        good = yard.deploy(f"{yard.name}-good", 2)
        yard.until_running(good, 2)
        for name, (text, _) in broken.items():
            _says(yard, name, text)
        assert len(yard.all("sets")) == 1, "a wrong deployment makes nothing"
        for name, (_, mend) in broken.items():
            yard.patch("deployments", name, {"spec": mend})
        for name in broken:
            yard.until_running(name, 1)
            yard.until(f"{name} has nothing to complain about", lambda: condition(
                yard.one("deployments", name), "Progressing").get("reason") == "NewMachineSetAvailable")
        for name in [*broken, good]:
            yard.delete("deployments", name)
        yard.until_gone(*broken, good)


def a_negative_size_is_refused(yard):
    """By the server: a kind that can be scaled has no such sizes."""
    body = bodies.deployment(f"{yard.name}-web", -1)
    status, _, answer = yard.ask("POST", yard.path("deployments"), body)
    assert status == 422 and b"should be a non-negative integer" in answer, f"{status} {answer.decode()[:300]}"
    yard.supply()
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-web", 1)
        yard.until_running(name, 1)
        status, _, _ = yard.ask("PATCH", yard.path("deployments", name), {"spec": {"replicas": -1}}, MERGE)
        assert status == 422, status
        yard.throughout("it stays", lambda: yard.phases(name) == ["Running"], 1)


def wrong_deployments_can_be_deleted(yard):
    with yard.controllers() as them:
        them.start()
        name = _broken(yard, "strategy", {"strategy": {}})
        _says(yard, name, "spec.strategy.type is missing")
        yard.delete("deployments", name)
        yard.until_gone(name)


def machines_that_cannot_be_made_say_why(yard):
    yard.supply()
    yard.create("secrets", bodies.secret("empty", somethingElse="x"))
    for body in (bodies.machine_class(yard.name, "foreign", provider="Nowhere"),
                 bodies.machine_class(yard.name, "spec", spec={"zone": 5, "nonsense": True}),
                 bodies.machine_class(yard.name, "key", secret_name="empty"),
                 bodies.machine_class(yard.name, "secret", secret_name="nobody"),
                 bodies.machine_class(yard.name, "template", nodeTemplate={"capacity": {}, "instanceType": "", "region": "", "zone": ""})):
        yard.create("classes", body)
    with yard.controllers(provider=None) as them:
        them.start()
        # Each with what its machine says, and what mends it.
        broken = {"missing": ("not found", lambda: yard.create("classes", bodies.machine_class(yard.name, "missing"))),
                  "foreign": ("no provider 'Nowhere' here", lambda: yard.patch("classes", "foreign", {"provider": "simulated"})),
                  "spec": ("nonsense", lambda: yard.patch("classes", "spec", {"providerSpec": {"zone": "a", "nonsense": None}})),
                  "key": ("userData", lambda: yard.patch("secrets", "empty", {"stringData": {"userData": "x"}})),
                  "secret": ("\"nobody\" of class \"secret\" not found",
                             lambda: yard.create("secrets", bodies.secret("nobody"))),
                  "template": ("capacity", lambda: yard.patch("classes", "template", {"nodeTemplate": bodies.NODE_TEMPLATE}))}
        names = {what: yard.deploy(f"{yard.name}-{what}", 1, class_name=what) for what in broken}
        good = yard.deploy(f"{yard.name}-good", 2)
        yard.until_running(good, 2)
        for what, (text, _) in broken.items():
            _machine_says(yard, names[what], text)
        for _, mend in broken.values():
            mend()
        for name in names.values():
            yard.until_running(name, 1)
            yard.until(f"{name} has no failed machines", lambda: not yard.one("deployments", name)["status"].get("failedMachines"))
        for name in names.values():
            yard.delete("deployments", name)
        yard.until_gone(*names.values())


def machines_that_were_never_made_can_be_deleted(yard):
    yard.supply()
    yard.create("secrets", bodies.secret("empty", somethingElse="x"))
    for body in (bodies.machine_class(yard.name, "foreign", provider="Nowhere"),
                 bodies.machine_class(yard.name, "spec", spec={"nonsense": True}),
                 bodies.machine_class(yard.name, "key", secret_name="empty"),
                 bodies.machine_class(yard.name, "secret", secret_name="nobody")):
        yard.create("classes", body)
    with yard.controllers(provider=None) as them:
        them.start()
        names = {what: yard.deploy(f"{yard.name}-{what}", 1, class_name=what)
                 for what in ("missing", "foreign", "spec", "key", "secret")}
        for name in names.values():
            yard.until(f"{name} failed", lambda: [operation(m).get("state") for m in yard.all("machines", name)] == ["Failed"])
        for name in names.values():
            yard.delete("deployments", name)
        yard.until_gone(*names.values())


def large_user_data(yard):
    yard.supply()
    too_large = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "too-large"},
                 "data": {"userData": base64.b64encode(b"x" * 1_400_000).decode()}}
    status, _, answer = yard.ask("POST", yard.path("secrets"), too_large)
    assert status == 422 and b"1048576" in answer, f"{status} {answer.decode()[:300]}"
    text = b"join <<MACHINE_NAME>>\n"
    large = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "large"},
             "data": {"userData": base64.b64encode(text + b"#" * (MOST_BYTES - len(text))).decode()}}
    yard.create("secrets", large)
    yard.create("classes", bodies.machine_class(yard.name, "large", secret_name="large"))
    with yard.controllers() as them:
        them.start()
        name = yard.deploy(f"{yard.name}-large", 3, class_name="large")
        yard.until_running(name, 3)
        yard.delete("deployments", name)
        yard.until_gone(name)


CASES = (wrong_deployments_say_so, a_negative_size_is_refused, wrong_deployments_can_be_deleted, machines_that_cannot_be_made_say_why,
         machines_that_were_never_made_can_be_deleted, large_user_data)
