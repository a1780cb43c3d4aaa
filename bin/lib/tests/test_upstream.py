# SPDX-License-Identifier: Apache-2.0
"""What "bin/hprio upstream" makes of runs: outcomes, proofs of the mode, and what counts as a difference."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import upstream  # noqa: E402  (found through the path above)
import upstream_trial as trial  # noqa: E402

_LOG = """2026 INFO [main] org.hadoopprio.agent.Weaver: hadoop-prio agent 0.1.0: hooks applied 44 of 44 [hdfs-client, datanode]
2026 INFO [x] org.hadoopprio.S: On volume /d/1, on sda, the mode is {0}; in mode turns 1 stream(s) read at a time
2026 INFO [y] org.hadoopprio.S: On volume /d/2, on sda, the mode is {0}; in mode turns 1 stream(s) read at a time
"""
_REPORT = """<testsuite name="JUnit Vintage">
<testcase name="reads" classname="TestA" time="1"><system-out>x</system-out></testcase>
<testcase name="reads" classname="TestA" time="1"><failure message="no"/></testcase>
<testcase name="of[Object@1b2c3d4e]" classname="TestA"><error type="java.io.IOException"/></testcase>
<testcase name="skips" classname="TestA"><skipped/></testcase>
</testsuite>
"""
_PATIENCE_SECONDS = 120
_NAME = "org.apache.hadoop.hdfs.TestA"


def _run(mode, whole=trial.ENDED, wrong=(), seconds=7, **outcomes):
    seen = {trial.WHOLE: whole, **outcomes}
    proof = {"hooks": 0 if mode == trial.STOCK else 44, "volumes": 0 if mode == trial.STOCK else 2, "wrong": list(wrong)}
    return {"project": "hadoop", "class": _NAME, "mode": mode, "seconds": seconds, "outcomes": seen, "proof": proof}


def _stock(**outcomes):
    return _run(trial.STOCK, **outcomes)


def _turns(**outcomes):
    return _run("turns", **outcomes)


def _lives(pid):
    """Whether a process runs; it may be a zombie until init takes it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class ARunTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._directory = Path(directory.name)

    def _result(self, status, mode="turns", log=_LOG.replace("{0}", "turns"), report=_REPORT):
        if report:
            (self._directory / "TEST-junit-vintage.xml").write_text(report)
        return trial.result(status, self._directory, log, mode)

    def test_each_test_has_its_outcome(self):
        self.assertEqual(
            self._result(1)["outcomes"],
            {trial.WHOLE: trial.ENDED, "reads": trial.PASSED, "reads (2)": trial.FAILED, "of[Object@]": trial.FAILED, "skips": trial.SKIPPED},
        )

    def test_what_ended_a_class_is_an_outcome_of_its_own(self):
        self.assertEqual(self._result(None)["outcomes"], {trial.WHOLE: trial.TIMED_OUT})
        self.assertEqual(self._result(134)["outcomes"][trial.WHOLE], trial.CRASHED)
        empty = "<testsuite/>"
        self.assertEqual(self._result(0, report=empty)["outcomes"], {trial.WHOLE: trial.NO_TESTS})
        self.assertEqual(self._result(2, report=empty)["outcomes"], {trial.WHOLE: trial.NO_TESTS})
        self.assertEqual(self._result(1, report=empty)["outcomes"], {trial.WHOLE: trial.CRASHED})

    def test_the_log_proves_the_mode(self):
        for mode in ("off", "observe", "turns"):
            seen = trial.proof(_LOG.replace("{0}", mode), mode)
            self.assertEqual(seen, {"hooks": 44, "volumes": 2, "wrong": []})

    def test_a_log_that_contradicts_the_mode_proves_nothing(self):
        turns = _LOG.replace("{0}", "turns")
        for mode, log, wrong in (
            ("observe", turns, "a volume has mode turns"),
            ("turns", turns.replace("the mode is turns; in mode turns 1", "reads do not wait, 1"), "a volume has mode order"),
            ("turns", turns.replace("44 of 44", "43 of 44"), "43 of 44 hooks applied"),
            ("turns", "", "no hook is applied"),
            (trial.STOCK, turns, "the agent is there"),
        ):
            with self.subTest(wrong):
                self.assertEqual(trial.proof(log, mode)["wrong"], [wrong])
        self.assertEqual(trial.proof("", trial.STOCK)["wrong"], [])

    def test_without_the_agent_nothing_is_configured(self):
        for project in upstream.NAMES:
            self.assertNotIn("prio", str(trial.configuration(trial.STOCK, project)))

    def test_a_mode_is_configured_in_hdfs_and_hbase(self):
        site = trial.configuration("turns", "hbase")
        self.assertEqual(site["hdfs-site.xml"]["dfs.datanode.io.priority.scheduler"], "turns")
        self.assertEqual(site["hdfs-site.xml"]["dfs.datanode.io.priority.scheduler.streams"], "1")
        self.assertEqual(site["hbase-site.xml"]["hbase.regionserver.io.priority.mode"], "on")
        trial.write_configuration(self._directory / "conf", "turns", "hbase")
        self.assertIn("<value>turns</value>", (self._directory / "conf" / "hdfs-site.xml").read_text())

    def test_only_a_run_with_the_agent_has_it(self):
        build = upstream.Build(Path("java"), Path("agent.jar"), Path("node.jar"), Path("native"), {"hbase": "h.jar"})
        stock, turns = (" ".join(trial.command(build, "hbase", mode, "T", Path("w"), "s")) for mode in (trial.STOCK, "turns"))
        self.assertNotIn("agent.jar", stock)
        self.assertIn("-cp w/conf:h.jar ", stock)
        self.assertIn("-javaagent:agent.jar", turns)
        self.assertIn("-cp w/conf:node.jar:h.jar ", turns)

    def test_a_run_that_hangs_is_ended_with_what_it_started(self):
        file = self._directory / "child"

        class Hanging(subprocess.Popen):
            """Its time is over as soon as it has started its child."""

            def wait(self, timeout=None):
                while timeout and not (file.exists() and file.read_text().endswith("\n")):
                    time.sleep(0.01)
                if timeout:
                    raise subprocess.TimeoutExpired("it", timeout)
                return super().wait()

        with mock.patch.object(subprocess, "Popen", Hanging):
            self.assertIsNone(trial.wait(["sh", "-c", f"sleep 600 & echo $! >{file}; wait"], self._directory, 1))
        until = time.monotonic() + _PATIENCE_SECONDS
        while _lives(int(file.read_text())):
            self.assertLess(time.monotonic(), until, "what the run has started still runs")
            time.sleep(0.01)

    def test_a_run_that_ends_has_its_status(self):
        self.assertEqual(trial.wait(["sh", "-c", "exit 3"], self._directory, _PATIENCE_SECONDS), 3)


class TheComparisonTest(unittest.TestCase):
    def test_the_same_outcomes_are_no_difference_even_if_they_are_failures(self):
        both = {"a": trial.PASSED, "b": trial.FAILED}
        self.assertEqual(upstream.verdict([_stock(**both)], [_turns(**both)]), (upstream.SAME, []))

    def test_what_happens_only_with_the_agent_is_a_difference(self):
        passed, failed = {"a": trial.PASSED}, {"a": trial.FAILED}
        what, found = upstream.verdict([_stock(**passed)] * 4, [_turns(**passed)] * 3 + [_turns(**failed)])
        self.assertEqual(what, upstream.DIFFERS)
        self.assertEqual(found, [{"test": "a", "without": {"passed": 4}, "with": {"passed": 3, "failed": 1}, "differs": True}])

    def test_what_happens_without_the_agent_too_is_none(self):
        passed, failed = {"a": trial.PASSED}, {"a": trial.FAILED}
        what, _ = upstream.verdict([_stock(**passed), _stock(**failed), _stock(**passed)], [_turns(**failed)] * 3)
        self.assertEqual(what, upstream.UNSTEADY)

    def test_a_test_that_is_not_run_and_a_class_that_does_not_end_are_differences(self):
        stock = [_stock(a=trial.PASSED, b=trial.PASSED)]
        self.assertEqual(upstream.verdict(stock, [_turns(a=trial.PASSED)])[0], upstream.DIFFERS)
        self.assertEqual(upstream.verdict(stock, [_turns(whole=trial.TIMED_OUT)])[0], upstream.DIFFERS)
        self.assertEqual(upstream.verdict(stock, [_turns(a=trial.SKIPPED, b=trial.PASSED)])[0], upstream.DIFFERS)

    def test_no_test_that_passes_without_the_agent_is_no_result(self):
        for outcomes in ({}, {"a": trial.SKIPPED}, {"a": trial.FAILED}):
            self.assertEqual(upstream.verdict([_stock(**outcomes)], [_turns(**outcomes)])[0], upstream.NO_RESULT)
        self.assertEqual(upstream.verdict([], [_turns(a=trial.PASSED)])[0], upstream.NO_RESULT)
        self.assertEqual(upstream.verdict([_stock(a=trial.PASSED)], [])[0], upstream.NO_RESULT)

    def test_a_mode_that_is_not_proven_is_no_result(self):
        passed = {"a": trial.PASSED}
        self.assertEqual(upstream.verdict([_stock(**passed)], [_turns(wrong=["no hook is applied"], **passed)])[0], upstream.NO_RESULT)

    def test_the_table_has_a_row_for_a_class_and_a_note_for_what_differs(self):
        stock = [_stock(a=trial.PASSED, b=trial.SKIPPED)] * 2
        turns = [_turns(a=trial.FAILED, b=trial.SKIPPED)] * 2
        what, found = upstream.verdict(stock, turns)
        row = {"project": "hadoop", "class": _NAME, "runs": {trial.STOCK: stock, "turns": turns}, "modes": {"turns": {"verdict": what, "tests": found}}}
        self.assertEqual(
            upstream.table({"classes": [row]}, ("turns",)).splitlines(),
            [
                "| class | without | turns | s |",
                "|---|---|---|---|",
                "| Hadoop, `TestA` | 1 of 2, 1 skipped | 0 of 2, 1 skipped (2 volumes); **differs** | 7 |",
                "",
                "- `TestA`, `a`: without the agent passed 2; in mode turns failed 2",
            ],
        )


class RepetitionTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._file = Path(directory.name) / "runs.json"
        self._wanted = []

    def _trials(self, outcomes, go_on=False):
        """Runs whose outcome of the one test is the next of its mode."""

        def run(_, project, mode, name, work, timeout):
            self._wanted.append(mode)
            return _run(mode, a=outcomes[mode].pop(0))

        for name, value in (("RUNS", self._file),):
            patch = mock.patch.object(upstream, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        patch = mock.patch.object(trial, "run", run)
        patch.start()
        self.addCleanup(patch.stop)
        return upstream.Trials(mock.Mock(jobs=1, timeout=1), None, go_on)

    def _all(self, trials, repeats=2):
        classes = [("hadoop", _NAME)]
        with contextlib.redirect_stderr(io.StringIO()):
            trials.add(trials.lacking(classes, (trial.STOCK, "off", "turns"), 1))
            upstream.repeat(trials, classes, ("off", "turns"), repeats)
        return {mode: one["verdict"] for mode, one in upstream.judge(trials, classes, ("off", "turns"))["classes"][0]["modes"].items()}

    def test_what_is_the_same_is_not_repeated(self):
        one = [trial.PASSED]
        self.assertEqual(self._all(self._trials({trial.STOCK: one[:], "off": one[:], "turns": one[:]})), {"off": "same", "turns": "same"})
        self.assertEqual(self._wanted, [trial.STOCK, "off", "turns"])

    def test_what_differs_is_repeated_on_both_sides(self):
        passed, failed = trial.PASSED, trial.FAILED
        trials = self._trials({trial.STOCK: [passed, failed, passed], "off": [passed], "turns": [failed, passed, passed]})
        self.assertEqual(self._all(trials), {"off": "unsteady", "turns": "unsteady"})
        self.assertEqual(self._wanted, [trial.STOCK, "off", "turns", trial.STOCK, trial.STOCK, "turns", "turns"])

    def test_what_was_run_before_is_not_run_again(self):
        one = [trial.PASSED]
        self._all(self._trials({trial.STOCK: one[:], "off": one[:], "turns": one[:]}))
        self._wanted.clear()
        self._all(self._trials({}, go_on=True))
        self.assertEqual(self._wanted, [])

    def test_an_interrupted_command_ends_what_runs(self):
        trials = self._trials({})
        ended = []

        def run(_, project, mode, name, work, timeout):
            trial.wait(["sleep", "600"], self._file.parent, 600)
            ended.append(mode)

        class Interrupting(list):
            """A call is interrupted as soon as it has begun its runs."""

            def __iter__(self):
                while not trial.RUNNING:
                    pass
                raise SystemExit(143)

        def completed(tasks):
            return iter(Interrupting(tasks))

        with mock.patch.object(trial, "run", run), mock.patch.object(upstream, "as_completed", completed):
            with self.assertRaises(SystemExit):
                trials.add([("hadoop", _NAME, trial.STOCK, 1), ("hadoop", _NAME, "turns", 1)])
        self.assertEqual(trial.RUNNING, set())
        self.assertEqual(ended, [trial.STOCK])


class InputTest(unittest.TestCase):
    def _refused(self, *arguments, **environment):
        command = [sys.executable, "-B", upstream.__file__, *arguments]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def test_bad_options_say_what_is_allowed(self):
        self.assertIn('--modes: "sideways" is not off, observe, order, turns', self._refused("--modes", "off,sideways"))
        self.assertIn("--timeout: 0 is less than 1", self._refused("--timeout", "0"))
        self.assertIn("--repeat: -1 is less than 0", self._refused("--repeat", "-1"))

    def test_without_maven_the_command_says_so(self):
        with tempfile.TemporaryDirectory() as work, mock.patch.object(upstream, "WORK", Path(work)):
            with mock.patch.dict(os.environ, {"PATH": work}), contextlib.redirect_stderr(io.StringIO()):
                with self.assertRaisesRegex(upstream.Refused, "there is no Maven"):
                    upstream.class_path("hadoop")

    def test_a_class_is_found_by_its_last_part_or_refused(self):
        with tempfile.TemporaryDirectory() as work:
            jar = Path(work) / "hadoop-hdfs-1-tests.jar"
            with upstream.zipfile.ZipFile(jar, "w") as content:
                for name in ("org/apache/hadoop/x/TestX.class", "org/apache/hadoop/y/TestX.class", "org/apache/hadoop/y/TestY.class"):
                    content.writestr(name, "")
            paths = {"hadoop": str(jar), "hbase": ""}.get
            self.assertEqual(upstream.choose(["TestY"], paths), [("hadoop", "org.apache.hadoop.y.TestY")])
            self.assertEqual(upstream.choose(["org.apache.hadoop.x.TestX"], paths), [("hadoop", "org.apache.hadoop.x.TestX")])
            self.assertEqual(upstream.choose(["TestRead"], paths), [("hadoop", "org.apache.hadoop.hdfs.TestRead")])
            with self.assertRaisesRegex(upstream.Refused, '"TestZ" is no class of'):
                upstream.choose(["TestZ"], paths)
            with self.assertRaisesRegex(upstream.Refused, '"TestX" is more than one class'):
                upstream.choose(["TestX"], paths)

    def test_the_list_is_of_both_projects_and_names_no_class_twice(self):
        classes = upstream.listed()
        self.assertEqual(len(classes), len(set(classes)))
        self.assertEqual({project for project, _ in classes}, set(upstream.NAMES))
        for project, name in classes:
            self.assertTrue(name.startswith(f"org.apache.hadoop.{'hbase.' if project == 'hbase' else ''}"), name)


if __name__ == "__main__":
    unittest.main()
