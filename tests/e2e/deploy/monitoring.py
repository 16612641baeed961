"""Alert rules and dashboards of a chart: whether they fire when they should, and ask for metrics that there are."""

import json
import re
import subprocess

from clusters import ROOT
from samples import Skip

PREFIXES = "mcm|capi|rest_client|controller_runtime|workqueue|leader_election|process"


def alerts_fire_when_they_should(folder):
    for words in (["check", "rules", "alerts.yaml"], ["test", "rules", "alerts_test.yaml"]):
        done = subprocess.run([ROOT / "tools/promtool", *words], cwd=folder, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode == 3:
            raise Skip("no promtool here, and it could not be fetched")
        assert done.returncode == 0, done.stdout


def they_ask_for_what_is_there(folder, metrics, seldom=frozenset()):
    """`seldom`: metrics that have no series until something goes wrong, which nothing does here."""
    there = set(re.findall(r"^([a-z_]+)[{ ]", metrics, re.MULTILINE)) | set(seldom)
    dashboard = json.loads((folder / "dashboard.json").read_text())
    asked = json.dumps([dashboard["templating"], [panel.get("targets", []) for panel in dashboard["panels"]]])
    asked += "".join(line for line in (folder / "alerts.yaml").read_text().splitlines()
                     if "summary" not in line and "description" not in line)
    named = set(re.findall(rf"\b(?:{PREFIXES})_[a-z_]+", asked))
    assert len(named) > 15, named
    assert not named - there, f"nobody has these metrics: {sorted(named - there)}"
