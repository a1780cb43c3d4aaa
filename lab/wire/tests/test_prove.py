# SPDX-License-Identifier: Apache-2.0
"""Several runs of "wire" for the build: beside one another, then alone. Wire is a stand-in."""

import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

_PROVE = Path(__file__).resolve().parent.parent / "prove"

# Notes when it begins and ends; --case says for how long it runs, and how it ends.
_STAND_IN = """#!/usr/bin/env python3
import os, signal, sys, time
from pathlib import Path
options = dict(a[2:].split("=", 1) for a in sys.argv[1:])
seconds, status = options["case"].split(",")
notes = Path(__file__).with_name("notes")
def note(what):
    with notes.open("a") as file:
        file.write(f"{what} {options['name']} {options.get('kernel', '')} {options['junit']}\\n")
def end(*_):
    note("terminated")
    sys.exit(1)
signal.signal(signal.SIGTERM, end)
note("begins")
time.sleep(float(seconds))
note("ends")
print("output of", options["name"], options["ignore-failures"])
os.kill(os.getpid(), signal.SIGKILL) if status == "killed" else sys.exit(int(status))
"""


class ProveTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._directory = Path(directory.name)
        shutil.copy(_PROVE, self._directory)
        wire = self._directory / "wire"
        wire.write_text(_STAND_IN)
        wire.chmod(wire.stat().st_mode | stat.S_IXUSR)

    def _start(self, *runs):
        return subprocess.Popen(
            [self._directory / "prove", "--ignore-failures=true", *runs], stdout=subprocess.PIPE, text=True
        )

    def _status(self, *runs):
        process = self._start(*runs)
        self._output, _ = process.communicate()
        return process.returncode

    def _notes(self):
        notes = self._directory / "notes"
        return [tuple(line.split(" ")) for line in notes.read_text().splitlines()] if notes.exists() else []

    def test_two_go_beside_one_another_and_what_judges_by_time_is_alone(self):
        status = self._status(
            "--alone=r/TEST-timed.xml=0,0", "--beside=r/TEST-one.xml=1,0", "--beside=r/TEST-two.xml=1,0@release"
        )
        self.assertEqual(status, 0)
        notes = self._notes()
        self.assertEqual([what for what, *_ in notes], ["begins", "begins", "ends", "ends", "begins", "ends"])
        self.assertEqual(
            {tuple(rest) for _, *rest in notes[:2]},
            {("one", "", "r/TEST-one.xml"), ("two", "release", "r/TEST-two.xml")},
        )
        self.assertEqual({name for _, name, *_ in notes[4:]}, {"timed"})
        self.assertEqual(
            sorted(self._output.split("\n")),
            ["", "", "", "", "output of one true", "output of timed true", "output of two true"],
        )

    def test_a_third_one_waits(self):
        self._status(*(f"--beside=TEST-{name}.xml=0.5,0" for name in ("one", "two", "three")))
        self.assertEqual([what for what, *_ in self._notes()[:3]], ["begins", "begins", "ends"])

    def test_one_failure_fails_all_and_the_others_run(self):
        for failure in ("1", "2", "killed"):
            with self.subTest(failure):
                status = self._status(f"--beside=TEST-one.xml=0,{failure}", "--alone=TEST-two.xml=0,0")
                self.assertEqual(status, 1)
        self.assertIn(("ends", "two", "", "TEST-two.xml"), self._notes())

    def test_only_if_none_could_run_nothing_ran(self):
        self.assertEqual(self._status("--beside=TEST-one.xml=0,3", "--alone=TEST-two.xml=0,0"), 0)
        self.assertEqual(self._status("--beside=TEST-one.xml=0,3", "--alone=TEST-two.xml=0,3"), 3)

    def test_when_it_is_ended_what_runs_ends_and_no_other_begins(self):
        process = self._start(*(f"--beside=TEST-{name}.xml=60,0" for name in ("one", "two", "three")))
        until = time.monotonic() + 30
        while len(self._notes()) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(
            [what for what, *_ in self._notes()], ["begins", "begins", "terminated", "terminated"]
        )
