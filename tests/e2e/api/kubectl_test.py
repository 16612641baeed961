#!/usr/bin/env python3
"""kubectl, which nobody here wrote, against the embedded server: the current one and that of Debian 12 (1.20).

Each line below is a command and what must be in its output. They run in order, on a server of their own for each kubectl.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from kubectl import current_kubectl, run_kubectl  # noqa: E402
from servers import our_server  # noqa: E402

CRD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lathes.example.org}
spec:
  group: example.org
  names: {plural: lathes, singular: lathe, kind: Lathe, shortNames: [la]}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    additionalPrinterColumns:
    - {name: Wished, type: integer, jsonPath: .spec.replicas}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [replicas]
            properties:
              replicas: {type: integer, minimum: 0}
              speed: {type: string, default: slow}
          status: {type: object, properties: {replicas: {type: integer}}}
"""
LATHE = "apiVersion: example.org/v1\nkind: Lathe\nmetadata: {name: one}\nspec: {replicas: 2}\n"
POD = """
apiVersion: v1
kind: Pod
metadata: {name: p, labels: {app: p}}
spec: {nodeName: n1, containers: [{name: main, image: registry.example/main:1}]}
"""
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {node-role.kubernetes.io/worker: ''}}\n"

# (arguments, what the output must match, standard input, whether it must fail)
EVENT = """
apiVersion: v1
kind: Event
metadata: {name: seen, namespace: default}
involvedObject: {kind: Pod, name: p, namespace: default}
reason: Seen
message: it was seen
type: Normal
source: {component: eye}
"""

STEPS = [
    ("get namespaces", r"kube-system +Active"),
    ("get all", r"No resources found"),
    ("api-resources", r"deployments +deploy"),
    ("api-versions", r"apps/v1"),
    ("create configmap foo --from-literal=a=b", r"configmap/foo created"),
    ("get cm foo -o jsonpath={.data.a}", r"^b$"),
    ("describe configmap foo", r"Data\n===="),
    ("label configmap foo x=y", r"configmap/foo labeled"),
    ("annotate configmap foo x=y", r"configmap/foo annotated"),
    ("get configmap -l x=y", r"foo +1"),
    ("patch configmap foo -p {\"data\":{\"c\":\"d\"}}", r"configmap/foo patched"),
    ("patch configmap foo --type=json -p [{\"op\":\"remove\",\"path\":\"/data/c\"}]", r"configmap/foo patched"),
    ("create deployment d --image=registry.example/main:1", r"deployment.apps/d created"),
    ("scale deployment d --replicas=3", r"deployment.apps/d scaled"),
    ("get deployment d -o jsonpath={.spec.replicas}", r"^3$"),
    ("get deployments", r"d +0/3"),
    ("apply -f -", r"lathes.example.org created", CRD),
    ("wait --for condition=established --timeout=60s crd/lathes.example.org", r"condition met"),
    ("apply -f -", r"lathe.example.org/one created", LATHE),
    ("apply -f -", r"lathe.example.org/one unchanged", LATHE),
    ("apply -f -", r"lathe.example.org/one configured", LATHE.replace("2", "5")),
    ("apply --server-side --force-conflicts -f -", r"lathe.example.org/one serverside-applied", LATHE),
    ("get lathes", r"NAME +WISHED\none +2"),
    ("get la one -o jsonpath={.spec.speed}", r"^slow$"),
    ("scale lathe one --replicas=4", r"lathe.example.org/one scaled"),
    ("apply -f -", r"spec.replicas", LATHE.replace("2", "-1"), True),
    ("explain lathe.spec", r"speed"),
    ("explain pod.spec.containers", r"image"),
    ("apply -f -", r"node/n1 created", NODE),
    ("get nodes", r"n1 +Unknown +worker"),
    ("apply -f -", r"pod/p created", POD),
    ("get pods -o wide", r"p +0/1 +Pending +0 .* n1 "),
    ("create -f -", r"event/seen created", EVENT),
    ("get events", r"Normal +Seen +pod/p +it was seen"),
    ("get events.events.k8s.io --field-selector regarding.name=p", r"Normal +Seen +pod/p +it was seen"),
    ("get events.events.k8s.io seen -o jsonpath={.note}", r"^it was seen$"),
    ("cordon n1", r"node/n1 cordoned"),
    ("delete pod p --force --grace-period=0", r"pod \"p\" force deleted"),
    ("drain n1 --ignore-daemonsets", r"node/n1 (drained|evicted)"),
    ("auth can-i create pods", r"yes"),
    ("version", r"millwright"),
    ("create namespace t1", r"namespace/t1 created"),
    ("delete namespace t1 --timeout=60s", r"namespace \"t1\" deleted"),
    ("delete crd lathes.example.org --timeout=60s", r"deleted"),
    ("get lathes", r"doesn't have a resource type", None, True),
    ("delete configmap foo", r"configmap \"foo\" deleted"),
    ("get configmap foo", r"NotFound", None, True),
]


def run(kubectl, kubeconfig, step):
    arguments, pattern, text, must_fail = (*step, *(None, False)[len(step) - 2:])
    code, output = run_kubectl(kubeconfig, arguments.split(" "), text, kubectl)
    right = re.search(pattern, output) and bool(code) == must_fail
    return None if right else f"exit {code}, wanted {pattern!r} in:\n{output}"


def old_kubectl(directory):
    """Debian's package, unpacked beside the system: it would conflict with a kubectl installed otherwise."""
    subprocess.run(["apt-get", "download", "-q", "kubernetes-client"], cwd=directory, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    package = next(pathlib.Path(directory).glob("*.deb"))
    subprocess.run(["dpkg", "-x", str(package), directory], check=True)
    return pathlib.Path(directory) / "usr/bin/kubectl"


def main():
    failed = 0
    with tempfile.TemporaryDirectory(prefix="millwright-kubectl-") as directory:
        for name, kubectl in (("current", current_kubectl()), ("1.20", old_kubectl(directory))):
            with our_server() as kubeconfig:
                for step in STEPS:
                    problem = run(kubectl, kubeconfig, step)
                    print(f"{'not ok' if problem else 'ok'} kubectl {name}: {step[0]}")
                    if problem:
                        failed += 1
                        print(problem)
    sys.exit(1 if failed else 0)


main()
