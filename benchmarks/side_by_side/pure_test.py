#!/usr/bin/env python3
"""What can be checked without a control plane: counting, quantiles, tables, plots."""

import json
import pathlib
import sys
import tempfile
import unittest
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.dont_write_bytecode = True

from side_by_side import audit, instructions, plan, plot, pods, report, work, workloads  # noqa: E402


def line(user, verb, resource, name, at, code=200, stage="ResponseComplete"):
    return json.dumps({"user": {"username": user}, "verb": verb, "stage": stage, "requestURI": "/",
                       "objectRef": {"resource": resource, "name": name}, "responseStatus": {"code": code},
                       "requestReceivedTimestamp": f"2026-01-01T00:00:{at:09.6f}Z", "stageTimestamp": f"2026-01-01T00:00:{at:09.6f}Z"})


class Audit(unittest.TestCase):
    def log(self, *lines):
        file = tempfile.NamedTemporaryFile("w", suffix=".log")
        self.addCleanup(file.close)
        file.write("".join(text + "\n" for text in lines))
        file.flush()
        return file.name

    def test_only_the_contenders_requests_count_and_leases_are_apart(self):
        path = self.log(line("us", "create", "machines", "a", 1), line("us", "update", "machines", "a", 2, 409),
                        line("us", "update", "leases", "l", 2), line("cloud", "create", "nodes", "a", 3),
                        line("us", "get", "nodes", "a", 4))
        counted = audit.summary(audit.requests(path, 0, ("us",)))
        self.assertEqual((counted["writes"], counted["reads"], counted["conflicts"], counted["leases"]), (2, 1, 1, 1))

    def test_what_a_cloud_inside_of_the_process_writes_is_not_its_controllers_work(self):
        path = self.log(line("us", "create", "nodes", "a", 1), line("us", "patch", "nodes", "a", 2))
        self.assertEqual(audit.summary(audit.requests(path, 0, ("us",)), (("create", "nodes"),))["writes"], 1)

    def test_a_reaction_is_the_first_write_after_the_node_came(self):
        path = self.log(line("us", "patch", "machines", "a", 1), line("cloud", "create", "nodes", "a", 2),
                        line("us", "get", "nodes", "a", 2.1), line("us", "patch", "nodes", "a", 2.5), line("us", "patch", "machines", "a", 3))
        self.assertEqual([round(value, 3) for value in audit.reactions(path, 0, ("us",))], [0.5])

    def test_a_removal_goes_from_the_deletion_to_the_last_write(self):
        path = self.log(line("us", "delete", "machines", "a", 1), line("us", "patch", "machines", "a", 3), line("us", "patch", "machines", "a", 4),
                        line("us", "patch", "machines", "a", 9, 404))
        self.assertEqual([round(value, 3) for value in audit.removals(path, 0)], [3.0])

    def test_evictions_are_told_from_refusals_and_from_deletions(self):
        granted = json.loads(line("us", "create", "pods", "a", 1, 201))
        refused = json.loads(line("us", "create", "pods", "a", 2, 429))
        for entry in (granted, refused):
            entry["objectRef"]["subresource"] = "eviction"
        path = self.log(json.dumps(granted), json.dumps(refused), line("us", "delete", "pods", "b", 3))
        self.assertEqual(audit.evictions(path, 0, ("us",)), {"evicted": 1, "evictions_refused": 1, "pods_deleted": 1})

    def test_quantiles(self):
        self.assertEqual(audit.quantile([3, 1, 2], 0.5), 2)
        self.assertEqual(audit.quantile([3, 1, 2], 1.0), 3)
        self.assertIsNone(audit.quantile([], 0.5))


class Figures(unittest.TestCase):
    def test_the_floor_is_the_time_of_the_writes_that_must_be(self):
        self.assertAlmostEqual(workloads.floor({"create": 100, "patch": 200}, 1000, ("create", "patch", "patch")), 20.0)

    def test_times_its_own_writes_counts_each_kind_at_its_rate(self):
        figures = {"wall_s": 30, "rates": {"create": 100, "patch": 200, "delete": 50},
                   "requests": {"by_verb": {"create": 100, "patch": 200, "update": 200, "delete": 350, "get": 9000}}}
        self.assertAlmostEqual(report.times_own_writes(figures), 3.0)

    def test_a_plot_is_xml_and_says_what_was_not_measured(self):
        text = plot.bars("a < b", "s", [("ours", 1.5, True), ("peer", None, False)])
        xml.dom.minidom.parseString(text)
        self.assertIn("not measured", text)

    def test_cells_have_the_median_and_the_range(self):
        self.assertEqual(report._cell([3.0]), "3.00")
        self.assertEqual(report._cell([3.0, 1.0, 200.0]), "3.00 (1.00-200)")
        self.assertEqual(report._cell([None]), "-")


def life(contender="ours", commit="aaa", at="1", **results):
    return {"contender": contender, "size": 10, "sets": 1, "commit": commit, "at": at, "results": results}


def figures(wall, **more):
    return {"wall_s": wall, "floor_s": 1, "cpu_s": 1, "peak_rss": 1, "rss": 1, "server_cpu_s": {}, "cloud": {},
            "requests": {"by_verb": {"create": 20, "update": 10, "patch": 20, "get": 5}, "writes": 50, "reads": 5, "conflicts": 0}, **more}


class Report(unittest.TestCase):
    def written(self, *lives, all_commits=False):
        """The tables, and the names of the plots."""
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            (folder / "lives").mkdir()
            for number, one in enumerate(lives):
                (folder / "lives" / f"{number}.json").write_text(json.dumps(one))
            report.write(folder, all_commits)
            return (folder / "results.md").read_text(), sorted(path.name for path in folder.glob("*.svg"))

    def test_who_leaks_or_doubles_a_vm_has_no_time(self):
        for trouble in ("doubled", "leaked"):
            text, _ = self.written(life(W2=figures(4.0)), life(W2=figures(2.0, **{trouble: 1})))
            self.assertIn("Millwright (1 spoiled: doubled or leaked a VM)", text)
            self.assertIn("| wall, s | 4.00 |", text)

    def test_a_contender_whose_lives_are_all_spoiled_has_no_figure_and_no_plot(self):
        text, plots = self.written(life(W2=figures(2.0, leaked=1)))
        self.assertIn("1 spoiled", text)
        self.assertNotIn("wall, s", text)
        self.assertEqual(plots, [])

    def test_only_lives_of_our_newest_commit_stand_together(self):
        lives = [life(commit="old", at="1", W2=figures(9.0)), life(commit="new", at="2", W2=figures(3.0)),
                 life("gardener", commit="old", at="1", W2=figures(7.0)), life("gardener", commit="new", at="2", W2=figures(8.0))]
        text, _ = self.written(*lives)
        self.assertIn("| wall, s | 3.00 | 7.50 (7.00-8.00) |", text)
        self.assertIn("| commit | new | - |", text)
        text, _ = self.written(*lives, all_commits=True)
        self.assertIn("| wall, s | 6.00 (3.00-9.00) |", text)
        self.assertIn("| commit | old; new | - |", text)

    def test_changed_sources_and_the_program_itself_are_named(self):
        text, _ = self.written({**life(W2=figures(3.0)), "dirty": True, "binary": {"sha256": "123"}})
        self.assertIn("| commit | aaa and changes, binary 123 |", text)

    def test_rests_of_different_lengths_do_not_share_a_cell(self):
        text, plots = self.written(life(W5=figures(20.1)), life(W5=figures(300.2, seconds=300)))
        self.assertIn("W5: at rest, each node reports every 30 s (N = 10, 20 s)", text)
        self.assertIn("W5: at rest, each node reports every 30 s (N = 10, 300 s)", text)
        self.assertEqual(plots, ["W5-10-20s-1.svg", "W5-10-20s-2.svg", "W5-10-300s-1.svg", "W5-10-300s-2.svg"])

    def test_a_rest_that_failed_is_named_with_those_of_its_length(self):
        text, _ = self.written(life(W5=figures(300.2, seconds=300)), life(W5={"failed": "it ended", "seconds": 300}))
        self.assertIn("| Millwright (1 failed) |", text)
        self.assertEqual(text.count("###"), 1)

    def test_requests_are_shown_by_verb(self):
        text, _ = self.written(life(W2=figures(3.0)))
        for row in ("| creates/machine | 2.00 |", "| updates and patches/machine | 3.00 |", "| gets/machine | 0.50 |"):
            self.assertIn(row, text)

    def test_churn_counts_by_deletion(self):
        text, _ = self.written(life(W6=figures(30.0, seconds=30, deleted=100, rss_before=1 << 20)))
        for row in ("| CPU, ms/deletion | 10.0 |", "| writes/deletion | 0.50 |", "| RSS before, MiB | 1.00 |"):
            self.assertIn(row, text)
        text, _ = self.written(life(W6=figures(30.0)))  # as they were written once
        self.assertIn("| CPU, s | 1.00 |", text)


class FakePlane:
    """Answers what it is told, in turn; then 201 for ever."""

    def __init__(self, *statuses):
        self.statuses = list(statuses)
        self.asked = []

    def call(self, method, path, *_):
        self.asked.append((method, path))
        return (self.statuses.pop(0) if self.statuses else 201), {}

    def must(self, method, path, *_):
        self.asked.append((method, path))
        return {"metadata": {"resourceVersion": "7"}, "items": [POD]}


POD = {"metadata": {"name": "pod-1", "labels": {"app": "app-0"}}}


class Following(pods.Pods):
    """Sees some events in each watch, and ends with the last of them."""

    def __init__(self, plane, *watches):
        super().__init__(plane, ["node"] * 10, 1)
        self.owners = {"app-0": "uid"}
        self.watches = list(watches)

    def _events(self, version):
        if not self.watches:
            self.pool.shutdown()  # what was begun comes to its end first
            self.ended.set()
            return []
        return self.watches.pop(0)


class PodsAreKept(unittest.TestCase):
    def starts(self, it):
        it._follow()
        return [path for method, path in it.plane.asked if method == "POST"]

    def test_an_error_in_the_watch_lists_anew(self):
        it = Following(FakePlane(), [{"type": "ERROR", "object": {"kind": "Status", "code": 410}}],
                       [{"type": "DELETED", "object": POD}])
        self.assertEqual(len(self.starts(it)), 1)

    def test_a_pod_that_does_not_start_is_started_again(self):
        it = Following(FakePlane(None, 500, 201), [{"type": "DELETED", "object": POD}])
        it.plane.must = lambda method, path, *_: {"metadata": {"resourceVersion": "7"}, "items": [] if it.plane.asked else [POD]}
        self.assertEqual(len(self.starts(it)), 3)


class Shares(unittest.TestCase):
    def test_machines_that_cannot_be_shared_out_are_refused(self):
        self.assertEqual(work.share(100, 10), 10)
        with self.assertRaisesRegex(ValueError, "100 machines cannot be shared out evenly to 7 deployments"):
            work.share(100, 7)


class Plan(unittest.TestCase):
    def run_plan(self, entries, seconds, takes):
        now, ran = [0.0], []

        def live(entry, limit):
            ran.append((entry.contender, limit))
            now[0] += takes[entry.contender]
        plan.run(entries, seconds, live, lambda: now[0], say=lambda text: None)
        return ran

    def test_what_does_not_fit_is_left_out_and_what_comes_after_it_may_fit(self):
        entries = [plan.Entry("a", 1, (), 50, 60), plan.Entry("b", 1, (), 70, 80), plan.Entry("c", 1, (), 40, 90)]
        self.assertEqual(self.run_plan(entries, 100, {"a": 50, "b": 70, "c": 40}), [("a", 60), ("c", 50)])

    def test_what_took_longer_than_expected_is_expected_to_do_so_again(self):
        entries = [plan.Entry("a", 1, (), 10, 100)] * 4
        self.assertEqual(self.run_plan(entries, 100, {"a": 60}), [("a", 100)])

    def test_lengths_that_are_given_move_the_limits(self):
        entry = plan.Entry("a", 1, ("W5", "W6"), 100, 200)
        longer = entry.lasting(idle=300, churn=300)
        self.assertEqual((longer.idle, longer.churn, longer.expected, longer.limit), (300, 300, 650, 750))
        self.assertEqual(entry.lasting(), entry)
        self.assertEqual(plan.Entry("a", 1, ("W2",), 100, 200).lasting(idle=300).limit, 200)

    def test_every_plan_names_contenders_and_workloads_that_exist(self):
        for make in plan.ALL.values():
            for entry in make():
                self.assertIn(entry.contender, report.contenders.ALL)
                self.assertLessEqual(set(entry.workloads), set(workloads.ALL))
                self.assertLessEqual(entry.expected, entry.limit)


class Instructions(unittest.TestCase):
    def test_more_than_three_percent_is_visible(self):
        rows = instructions.compare({"a": 1000, "b": 1000, "gone": 5}, {"a": 1029, "b": 1031, "new": 7})
        self.assertEqual([name for name, _, _, change in rows if change is not None and change > instructions.LIMIT], ["b"])
        self.assertIn("| b | 1,000 | 1,031 | +3.1% **slower** |", instructions.table(rows))
        self.assertIn("| new | - | 7 | - |", instructions.table(rows))


if __name__ == "__main__":
    unittest.main()
