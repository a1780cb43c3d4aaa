# SPDX-License-Identifier: Apache-2.0
"""A guest that dies is started again, and its case repeated once; a wrong result is not. The guest is a stand-in."""

import contextlib
import io
import json
import os
import signal
import stat
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path
from unittest import mock

from hprio_wire import Unavailable, machine
from hprio_wire.cases import FAIL, OK, Case, Group, expect
from hprio_wire.group_run import run_group
from hprio_wire.report import Report

# In QEMU's place: answers like guest/init, and ends at "panic" as the reset of a machine ends QEMU.
_STAND_IN = r"""#!/usr/bin/env python3
import subprocess, sys
console = next(a for a in sys.argv if a.startswith("file:"))[5:]
def answer(text, status):
    sys.stdout.write(f"{text}\x01{status}\n")
    sys.stdout.flush()
with open(console, "w") as kernel:
    print("booted", file=kernel, flush=True)
    answer("", 0)
    for line in sys.stdin:
        line = line.strip()
        if line == "panic":
            print("Kernel panic - not syncing: on purpose", file=kernel)
            print("---[ end of it ]---", file=kernel)
            sys.exit(0)
        if line != "silence":
            answer(line, 0 if line != "false" else 1)
"""


class GuestLostTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._directory = Path(directory.name)
        program = self._directory / "qemu"
        program.write_text(_STAND_IN)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        patch = mock.patch.object(machine, "QEMU", str(program))
        patch.start()
        self.addCleanup(patch.stop)
        self._guests = 0
        self._runs = []

    def _case(self, name, check):
        def counted(guest):
            self._runs.append(name)
            return check(guest, self._runs.count(name))

        return Case(name, f"title of {name}", counted)

    def _group(self, *cases, preparation=lambda guest, number: None):
        @contextlib.contextmanager
        def prepare(_):
            self._guests += 1
            with machine.Machine(self._directory, "kernel", "initramfs", "disk") as guest:
                preparation(guest, self._guests)
                yield guest

        return Group("t", "test", "all", prepare, cases)

    def _run(self, *cases, **options):
        group = self._group(*cases, **options)
        return group, list(run_group(None, group, group.cases))

    def _quiet(self, name):
        return self._case(name, lambda guest, _: guest.run("true"))

    @staticmethod
    def _killed(times):
        def check(guest, run):
            if run <= times:
                os.kill(guest.pid, signal.SIGKILL)
            guest.run("true")

        return check

    @staticmethod
    def _panics(times):
        return lambda guest, run: guest.run("panic" if run <= times else "true")

    def test_a_guest_that_is_killed_in_the_middle_of_a_case_is_survived(self):
        first, second, third = self._quiet("first"), self._case("second", self._killed(1)), self._quiet("third")
        _, results = self._run(first, second, third)
        self.assertEqual([(r.case.number, r.outcome) for r in results], [(n, OK) for n in ("first", "second", "third")])
        self.assertEqual(self._runs, ["first", "second", "second", "third"])
        self.assertEqual(self._guests, 2)
        self.assertIn("signal 9", str(results[1].lost))
        self.assertEqual([bool(r.lost) for r in results], [False, True, False])

    def test_a_guest_that_dies_twice_in_a_case_fails_it_and_the_next_one_runs(self):
        for name, check in (("killed", self._killed(2)), ("panic", self._panics(2))):
            with self.subTest(name):
                self._runs.clear()
                _, results = self._run(self._case(name, check), self._quiet("next"))
                self.assertEqual([r.outcome for r in results], [FAIL, OK])
                self.assertEqual(self._runs, [name, name, "next"])
                self.assertIn("lost twice", results[0].note)

    def test_each_case_has_a_repetition_of_its_own(self):
        _, results = self._run(*(self._case(name, self._panics(1)) for name in ("first", "second")))
        self.assertEqual([r.outcome for r in results], [OK, OK])

    def test_a_wrong_result_is_not_repeated(self):
        wrong = self._case("wrong", lambda guest, run: expect(run > 1, "wrong"))
        fails = self._case("fails", lambda guest, run: guest.run("false" if run == 1 else "true"))
        raises = self._case("raises", lambda guest, run: 1 / (run - 1))
        _, results = self._run(wrong, fails, raises)
        self.assertEqual([r.outcome for r in results], [FAIL] * 3)
        self.assertEqual(self._runs, ["wrong", "fails", "raises"])
        self.assertEqual(self._guests, 1)

    def test_a_wrong_result_of_the_repetition_fails(self):
        def check(guest, run):
            self._panics(1)(guest, run)
            expect(False, "wrong")

        _, results = self._run(self._case("wrong", check))
        self.assertEqual([(r.outcome, r.note) for r in results], [(FAIL, "wrong")])
        self.assertEqual(self._runs, ["wrong", "wrong"])

    def test_a_command_without_an_answer_is_a_wrong_result_and_the_next_case_has_a_new_guest(self):
        hangs = self._case("hangs", lambda guest, _: guest.run("silence", limit_s=0.1))
        _, results = self._run(hangs, self._quiet("next"))
        self.assertEqual([r.outcome for r in results], [FAIL, OK])
        self.assertEqual(self._runs, ["hangs", "next"])
        self.assertIn("no answer", results[0].note)

    def test_a_guest_that_dies_at_its_preparation_is_started_again_once(self):
        def dies(times):
            return lambda guest, number: guest.run("panic" if number <= times else "true")

        _, results = self._run(self._quiet("case"), preparation=dies(1))
        self.assertEqual([r.outcome for r in results], [OK])
        self.assertIn("Kernel panic", str(results[0].lost))
        self._guests = 0
        _, results = self._run(self._quiet("case"), self._quiet("other"), preparation=dies(9))
        self.assertEqual([r.outcome for r in results], [FAIL, FAIL])
        self.assertEqual(self._guests, 2)

    def test_a_guest_that_does_not_boot_is_started_again_once(self):
        Path(machine.QEMU).write_text("#!/bin/sh\nexec sleep 100\n")
        with mock.patch.object(machine, "BOOT_LIMIT_S", 0.1):
            _, results = self._run(self._quiet("case"))
        self.assertEqual([r.outcome for r in results], [FAIL])
        self.assertEqual(self._guests, 2)

    def test_what_the_machine_lacks_is_not_repeated(self):
        def lacks(guest, number):
            raise Unavailable("needs something")

        _, results = self._run(self._quiet("case"), preparation=lacks)
        self.assertEqual([r.note for r in results], ["needs an emulated machine: something"])
        self.assertEqual(self._guests, 1)

    def test_the_report_tells_of_the_repetition_with_the_last_lines_of_the_console(self):
        junit = self._directory / "TEST-wire.xml"
        for as_json in (False, True):
            with self.subTest(json=as_json), contextlib.redirect_stdout(io.StringIO()) as output:
                self._runs.clear()
                group, results = self._run(self._case("case", self._panics(1)))
                report = Report(json=as_json, junit=junit)
                report.begin("machine")
                report.group(group)
                for result in results:
                    report.case(result)
                report.end()
            text = output.getvalue()
            self.assertIn("Kernel panic - not syncing: on purpose", text)
            if as_json:
                self.assertIn("Kernel panic", json.loads(text)["groups"][0]["cases"][0]["guest_lost"])
            else:
                self.assertIn("| ---[ end of it ]---", text)
        flaky = xml.parse(junit).find("testcase/flakyError")
        self.assertIn("exit status 0", flaky.get("message"))
        self.assertIn("---[ end of it ]---", flaky.findtext("system-out"))


if __name__ == "__main__":
    unittest.main()
