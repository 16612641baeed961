#!/usr/bin/env python3
"""Prints objects for a server's address and the file of its authority: three machines of a provider (default: processes)."""

import base64
import json
import pathlib
import sys


def named(name):
    return {"name": name, "namespace": "default"}


def objects(server, authority, provider):
    user_data = {"server": server, "caData": base64.b64encode(authority).decode(), "token": "<<BOOTSTRAP_TOKEN>>",
                 "nodeName": "<<MACHINE_NAME>>"}
    labels = {"name": "workers"}
    yield {"apiVersion": "v1", "kind": "Secret", "metadata": named("workers"), "stringData": {"userData": json.dumps(user_data)}}
    yield {"apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineClass", "metadata": named("workers"),
           "provider": provider, "providerSpec": {}, "secretRef": named("workers")}
    yield {"apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "MachineDeployment", "metadata": named("workers"),
           "spec": {"replicas": 3, "selector": {"matchLabels": labels},
                    "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
                    "template": {"metadata": {"labels": labels},
                                 "spec": {"class": {"kind": "MachineClass", "name": "workers"}}}}}


if __name__ == "__main__":
    shown = objects(sys.argv[1], pathlib.Path(sys.argv[2]).read_bytes(), (sys.argv[3:] or ["processes"])[0])
    print(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(shown)}, indent=1))
