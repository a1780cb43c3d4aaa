# SPDX-License-Identifier: Apache-2.0
"""What bin/hprio answers in a fresh clone, before anything is installed, downloaded or built."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]
_HELP = _ROOT / "bin" / "lib" / "help.txt"
# What would install, download or build; here they only note that they were called.
_COSTLY = ("apt-get", "cmake", "java", "mvn", "sudo")


class HelpTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._clone = Path(directory.name) / "clone"
        self._called = Path(directory.name) / "called"
        ignored = shutil.ignore_patterns("__pycache__", "target")
        for part in ("bin", "lab/wire"):
            shutil.copytree(_ROOT / part, self._clone / part, ignore=ignored)
        shutil.copy(_ROOT / "pom.xml", self._clone)
        programs = Path(directory.name) / "programs"
        programs.mkdir()
        for name in _COSTLY:
            (programs / name).write_text(f'#!/bin/sh\necho {name} >>"{self._called}"\nexit 1\n')
            (programs / name).chmod(0o755)
        self._environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": directory.name}

    def _run(self, *arguments):
        return subprocess.run(
            [self._clone / "bin" / "hprio", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self._environment,
        )

    def _answer(self, *arguments, status=0):
        done = self._run(*arguments)
        self.assertFalse(self._called.exists(), f"{arguments} called a costly program")
        self.assertFalse((self._clone / "target").exists(), f"{arguments} wrote files")
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr if status else done.stdout

    def test_the_overview_names_all_commands(self):
        text = self._answer("help")
        for command in ("setup", "verify", "device", "overhead", "upstream", "vhdd", "wire", "demo", "cluster", "doctor", "prove", "top", "admit", "policy", "hooks", "bench"):
            self.assertRegex(text, rf"(?m)^  {command} ")
        for arguments in ((), ("-h",), ("--help",), ("verify", "--help"), ("setup", "-h")):
            self.assertEqual(self._answer(*arguments), text)

    def test_each_command_describes_itself(self):
        texts = dict(part.split("\n", 1) for part in ("\n" + _HELP.read_text(encoding="utf-8")).split("\n== ")[1:])
        # The overview has more before it.
        del texts["hprio"]
        self.assertIn("hprio bench mixed", texts)
        for name, text in texts.items():
            words = name.split(" ")[1:]
            with self.subTest(words):
                text = text.rstrip("\n") + "\n"
                self.assertEqual(self._answer(*words, "--help"), text)
                self.assertEqual(self._answer("help", *words), text)
        for arguments in (("wire", "--help"), ("help", "wire")):
            self.assertIn("usage: hprio wire", self._answer(*arguments))
        for command in ("device", "overhead", "versions", "upstream"):
            self.assertIn(f"usage: bin/hprio {command}", self._answer(command, "--help"))
        self.assertIn("b01 ", self._answer("wire", "--list"))

    def test_the_version_is_that_of_the_build(self):
        version = self._answer("--version")
        self.assertRegex(version, r"^hprio \d+\.\d+\.\d+\S*\n$")
        self.assertEqual(self._answer("bench", "mixed", "-V"), version)

    def test_what_is_no_command_is_refused(self):
        for arguments, word in (
            (("sideways",), "sideways"),
            (("help", "sideways"), "sideways"),
            (("bench", "sideways", "--quick"), "sideways"),
            (("../lib",), "../lib"),
        ):
            with self.subTest(arguments):
                self.assertIn(f'unknown command "{word}"', self._answer(*arguments, status=2))

    def test_what_needs_a_program_goes_on_to_it(self):
        for arguments in (("demo",), ("bench", "mixed", "--quick", "--help"), ("bench", "my.yaml", "--help"), ("cluster", "down", "--dir", "x")):
            with self.subTest(arguments):
                self._called.unlink(missing_ok=True)
                self.assertNotEqual(self._run(*arguments).returncode, 0)
                self.assertTrue(self._called.exists())


if __name__ == "__main__":
    unittest.main()
