# SPDX-License-Identifier: Apache-2.0
"""What "bin/hprio verify" says of a build must be able to fail."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

_ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(_ROOT / "bin" / "lib"))

import needs  # noqa: E402  (found through the path above)
import verify_report  # noqa: E402

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  {parent}
  <artifactId>{name}</artifactId>
  <name>sample: {name}</name>
  {rest}
</project>
"""
_PARENT = "<parent><groupId>sample</groupId><artifactId>all</artifactId><version>1</version></parent>"
_ALL = """<groupId>sample</groupId><version>1</version><packaging>pom</packaging>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>{junit}</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build><pluginManagement><plugins>{plugins}</plugins></pluginManagement></build>
"""
_TEST = """class {name}Test {{
  @org.junit.jupiter.api.Test
  void passes() {{
    org.junit.jupiter.api.Assertions.assertTrue({condition});
  }}
}}
"""


class Project:
    """A Maven project of modules with a test each; a module's tests may need another module, as in name:needed."""

    def __init__(self, root, *modules):
        self.root = root
        # The versions of the repository's build: nothing else is downloaded for these.
        pom = (_ROOT / "pom.xml").read_text(encoding="utf-8")
        plugins = re.findall(r"(<artifactId>maven-[\w-]+-plugin</artifactId>\s*<version>.*?</version>)", pom)
        everything = _ALL.format(
            junit=re.search(r"<junit.version>(.*?)<", pom)[1],
            plugins="".join(f"<plugin>{plugin}</plugin>" for plugin in plugins),
        )
        names = [module.partition(":")[0] for module in modules]
        everything += f"<modules>{''.join(f'<module>{name}</module>' for name in names)}</modules>"
        (root / "pom.xml").write_text(_POM.format(parent="", name="all", rest=everything))
        for module in modules:
            name, _, needed = module.partition(":")
            dependency = f"<groupId>sample</groupId><artifactId>{needed}</artifactId><version>1</version>"
            rest = f"<dependencies><dependency>{dependency}</dependency></dependencies>" if needed else ""
            (root / name).mkdir()
            (root / name / "pom.xml").write_text(_POM.format(parent=_PARENT, name=name, rest=rest))
            self.test(name, "true")

    def test(self, name, condition):
        sources = self.root / name / "src" / "test" / "java"
        sources.mkdir(parents=True, exist_ok=True)
        (sources / f"{name.capitalize()}Test.java").write_text(
            _TEST.format(name=name.capitalize(), condition=condition)
        )


class BuildTest(unittest.TestCase):
    """Maven's own builds."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._root = Path(directory.name)
        (self._root / "bin" / "lib").mkdir(parents=True)
        for name in ("hprio", "lib/verify_report.py", "lib/needs.py"):
            shutil.copy(_ROOT / "bin" / name, self._root / "bin" / name)

    def _verify(self):
        """The exit status, and the lines after those of the build. Installs no packages."""
        done = subprocess.run(
            ["bash", "-c", 'source "$1"; verify', "verify", self._root / "bin" / "hprio"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "MAVEN_OPTS": ""},
        )
        return done.returncode, done.stdout

    def _assert_counts(self, output, **counts):
        for module, count in counts.items():
            self.assertRegex(output, rf"(?m)^{module} +{count}$", output)

    def test_what_fails_or_is_not_built_fails_and_all_else_runs(self):
        project = Project(self._root, "wrong", "broken", "behindwrong:wrong", "behindbroken:broken", "apart")
        project.test("wrong", "1 > 2")
        project.test("broken", "not Java")
        status, output = self._verify()
        self._assert_counts(output, wrong="0 +1 +0", behindwrong="1 +0 +0", apart="1 +0 +0")
        self.assertIn("failed: WrongTest.passes: ", output)
        self.assertIn("did not run: broken: its build failed", output)
        self.assertIn("did not run: behindbroken: not built, because", output)
        self.assertIn("2 passed, 1 failed, 0 skipped; not all, without broken, behindbroken\n", output)
        self.assertIn("verify: FAILED", output)
        self.assertNotEqual(status, 0)

    def test_a_failed_test_fails_though_maven_passes_and_what_is_well_passes(self):
        project = Project(self._root, "first", "second:first")
        project.test("first", "1 > 2")
        status, output = self._verify()
        self.assertIn("\n1 passed, 1 failed, 0 skipped\nverify: FAILED", output)
        self.assertNotEqual(status, 0)
        project.test("first", "2 > 1")
        status, output = self._verify()
        self._assert_counts(output, first="1 +0 +0", second="1 +0 +0")
        self.assertIn("\n2 passed, 0 failed, 0 skipped\nverify: passed", output)
        self.assertEqual(status, 0)


_LOG = """[INFO] Scanning for projects...
[INFO] ------------------------------------------------------------------------
[INFO] Reactor Build Order:
[INFO]{blank}
{order}
[INFO]{blank}
[INFO] Building sample: all 1   [1/4]
[INFO] Reactor Summary for sample: all 1:
{outcomes}
[INFO] BUILD SUCCESS
"""
_PASSED = '<testsuite><testcase classname="C" name="passes"/></testsuite>'


class FollowTest(unittest.TestCase):
    """What of Maven's output is shown, and when it came."""

    def test_modules_and_programs_have_the_time_since_the_begin(self):
        lines = (
            "[INFO] Building native 0.1.0-SNAPSHOT                                    [2/18]",
            # Of Maven 3.8, then of 3.9.
            "[INFO] --- exec-maven-plugin:3.5.0:exec (build) @ native ---",
            "[INFO] --- exec:3.5.0:exec (test) @ native ---",
            "[INFO] --- spotless:2.46.1:check (check-format) @ native ---",
            "[INFO] Building hadoop-prio: HDFS API 0.1.0-SNAPSHOT                     [3/18]",
        )
        now = iter((100.0, 100.9, 105.0, 161.0, 3_900.0))
        with (
            tempfile.NamedTemporaryFile() as log,
            mock.patch.object(verify_report.time, "monotonic", lambda: next(now)),
            mock.patch.object(sys, "stdin", io.StringIO("\n".join(lines))),
            contextlib.redirect_stderr(io.StringIO()) as shown,
        ):
            verify_report.follow(log.name)
        self.assertEqual(
            shown.getvalue().splitlines(),
            [
                "hprio: [2/18] native 0.1.0-SNAPSHOT, after 0 min 00 s",
                "hprio:       build, after 0 min 05 s",
                "hprio:       test, after 1 min 01 s",
                "hprio: [3/18] hadoop-prio: HDFS API 0.1.0-SNAPSHOT, after 63 min 20 s",
            ],
        )


class SummaryTest(unittest.TestCase):
    """The reports and the log are written here, as Maven and its plugins write them."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._root = Path(directory.name)
        Project(self._root, "first", "second")
        self._since = self._root / "since"
        self._since.touch()
        os.utime(self._since, (1, 1))
        self._outcomes = {"all": "SUCCESS", "first": "SUCCESS", "second": "SUCCESS"}
        for name in ("first", "second"):
            self._report(name, f"surefire-reports/TEST-{name}.xml", _PASSED)

    def _report(self, module, name, content):
        report = self._root / module / "target" / name
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(content)
        return report

    def _summary(self, partial=False):
        order = "\n".join(f"[INFO] sample: {name:<40} [jar]" for name in self._outcomes)
        outcomes = "\n".join(
            f"[INFO] sample: {name} {'.' * 20} {outcome} [  1.2 s]" for name, outcome in self._outcomes.items() if outcome
        )
        log = self._root / "log"
        log.write_text(_LOG.format(blank=" ", order=order, outcomes=outcomes))
        with contextlib.redirect_stdout(io.StringIO()) as output:
            passed = verify_report.summary(self._root, self._since, log, partial)
        return passed, output.getvalue()

    def _assert_fails(self, *lines):
        passed, output = self._summary()
        for line in lines:
            self.assertIn(line, output)
        self.assertFalse(passed)

    def test_all_reports_that_there_should_be_pass(self):
        passed, output = self._summary()
        self.assertTrue(passed, output)
        self.assertTrue(output.endswith("\n2 passed, 0 failed, 0 skipped\n"), output)

    def test_a_module_whose_reports_are_of_an_earlier_build_did_not_run(self):
        os.utime(self._report("second", "surefire-reports/TEST-second.xml", _PASSED), (0, 0))
        self._assert_fails("did not run: second: no test has run", "\n1 passed, 0 failed, 0 skipped; not all, without second\n")
        self.assertTrue(self._summary(partial=True)[0])

    def test_a_program_that_wrote_no_report_did_not_run(self):
        pom = self._root / "first" / "pom.xml"
        pom.write_text(pom.read_text().replace("</name>", "</name><!-- TEST-program.xml -->"))
        self._assert_fails("did not run: first: no TEST-program.xml")
        self._report("first", "failsafe-reports/TEST-program.xml", _PASSED)
        self.assertTrue(self._summary()[0])

    def test_modules_that_maven_did_not_come_to_did_not_run(self):
        for outcome, reason in (("FAILURE", "its build failed"), ("SKIPPED", "not built"), (None, "not built")):
            with self.subTest(outcome=outcome):
                self._outcomes["second"] = outcome
                self._assert_fails("did not run: second: ", reason)
                self.assertFalse(self._summary(partial=True)[0])

    def test_a_repeated_case_is_told_and_passes(self):
        repeated = '<testsuite><testcase classname="wire" name="r03"><flakyError message="it died"/></testcase></testsuite>'
        self._report("first", "surefire-reports/TEST-wire.xml", repeated)
        passed, output = self._summary()
        self.assertIn("repeated: wire.r03: it died\n", output)
        self.assertTrue(passed)

    def test_what_a_failed_program_printed_is_its_reason(self):
        failed = (
            '<testsuite><testcase classname="vhdd_sim" name="vhdd_sim"><failure message=""/>'
            "<system-out>[ RUN ] gates\n[  ERROR   ] --- 0xa != 0x7\n1 FAILED TEST(S)\n</system-out>"
            "</testcase></testsuite>"
        )
        self._report("first", "surefire-reports/TEST-ctest.xml", failed)
        self._assert_fails("failed: vhdd_sim.vhdd_sim: [ ERROR ] --- 0xa != 0x7\n")

    def _skip(self, message, printed=""):
        skipped = f'<skipped message="{message}"/>' if message else ""
        case = f'<testcase classname="C" name="t">{skipped}<system-out>{printed}</system-out></testcase>'
        self._report("first", "surefire-reports/TEST-first.xml", f"<testsuite>{case}</testsuite>")

    def test_a_test_that_this_machine_cannot_run_is_named_and_passes(self):
        self._skip("needs the program: no-such-program")
        with mock.patch.dict(os.environ, {"CI": "false"}):
            passed, output = self._summary()
        self.assertIn("skipped: C.t: needs the program: no-such-program\n1 passed, 0 failed, 1 skipped\n", output)
        self.assertTrue(passed)

    def test_with_ci_it_fails(self):
        self._skip("needs the program: no-such-program")
        with mock.patch.dict(os.environ, {"CI": "true"}):
            self._assert_fails("wrongly skipped: C.t: with CI=true nothing may be missing: needs the program: ")

    def test_what_this_machine_could_run_fails(self):
        self._skip("needs the program: sh")
        self._assert_fails(
            "wrongly skipped: C.t: this machine has what it says is missing: needs the program: sh\n",
            "1 passed, 0 failed, 1 skipped, 1 of them wrongly\n",
        )

    def test_what_was_skipped_past_the_guards_fails(self):
        for message in ("not today", "needs luck", "needs luck: much"):
            self._skip(message)
            self._assert_fails(f'wrongly skipped: C.t: its reason, "{message}", is none of those that a guard gives: ')

    def test_ctest_has_the_reason_in_what_the_program_printed(self):
        self._skip("SKIP_RETURN_CODE=77", "01-title: a title\nneeds the program: sh\n")
        self._assert_fails("skipped: C.t: needs the program: sh\n", "wrongly skipped: C.t: this machine has")

    def test_what_a_program_of_c_skipped_is_named_though_the_program_passed(self):
        listed = "[  SKIPPED ] 1 test(s), listed below:\n[  SKIPPED ] one\n"
        part = "[ RUN      ] one\nneeds the program: sh\n[  SKIPPED ] one\n"
        for printed in (part + listed, listed + part):
            self._skip("", printed)
            self._assert_fails("skipped: C.t.one: needs the program: sh\n", "1 passed, 0 failed, 1 skipped, 1 of them")
        self._skip("", listed)
        self._assert_fails('wrongly skipped: C.t.one: its reason, "no reason given"')

    def test_each_module_of_this_repository_is_known(self):
        known = verify_report.modules(_ROOT)
        self.assertEqual(len(set(known.values())), len(known))
        places = {directory.relative_to(_ROOT).as_posix() for directory in known.values()}
        self.assertLessEqual({".", "native", "hdfs-prio/api", "lab/it"}, places)
        for module, report in (("native", "ctest"), ("lab/vhdd", "ctest"), ("lab/wire", "ctest"), ("lab/wire", "wire-datanode")):
            self.assertIn(f"no TEST-{report}.xml", set(verify_report.missing_reports(_ROOT / module, [])))


class NeedsTest(unittest.TestCase):
    """What verify looks for is what the guards say."""

    def test_each_need_of_a_java_test_is_known(self):
        guard = _ROOT / "lab/testing/src/main/java/org/hadoopprio/lab/testing/Need.java"
        said = re.findall(r'^  [A-Z_]+\("(.*)"\)[,;]$', guard.read_text(encoding="utf-8"), re.MULTILINE)
        self.assertGreater(len(said), 10)
        self._assert_known(said)

    def test_each_need_of_a_native_test_is_known(self):
        said = []
        for pattern in ("native/common/*.sh", "native/pbs/tests/*.[cs]*", "lab/vhdd/tests/integration/*.sh", "lab/wire/hprio_wire/*.py"):
            for file in _ROOT.glob(pattern):
                text = file.read_text(encoding="utf-8")
                said += re.findall(r"unit_missing\(\"(.*?)\",", text)
                said += re.findall(r"\|\| unavailable ['\"](.*?)(?=[:'\"])", text)
                said += re.findall(r"(?:echo '|f\")needs (.*?):", text)
        self.assertGreater(len(said), 10)
        self._assert_known(said)

    def _assert_known(self, said):
        for what in said:
            with self.subTest(what=what):
                self.assertNotIn("none of those", "".join(needs.wrong(f"needs {what}: x", _ROOT, ci=False)))

    def test_no_test_is_skipped_past_a_guard(self):
        named = subprocess.run(
            ["git", "grep", "-lE", r"Assumptions|assumeTrue|@(Enabled|Disabled)|\bskip\(\);|skipTest\(|@unittest.skip"],
            cwd=_ROOT,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout.split()
        guards = {
            "bin/lib/tests/test_verify.py",
            "lab/testing/src/main/java/org/hadoopprio/lab/testing/Need.java",
            "native/common/tests/unit.h",
        }
        self.assertEqual(set(named), guards)

    def test_each_probe_answers_here(self):
        for what in needs._PROBES:
            with self.subTest(what=what):
                self.assertLessEqual(len(list(needs.wrong(f"needs {what}: /tmp/x", _ROOT, ci=False))), 1)


if __name__ == "__main__":
    unittest.main()
