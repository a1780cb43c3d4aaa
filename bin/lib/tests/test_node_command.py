# SPDX-License-Identifier: Apache-2.0
"""The command of a node: which Java it starts with which class path."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

_COMMAND = Path(__file__).resolve().parents[3] / "dist/src/root/bin/hprio"


class NodeCommandTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._root = Path(directory.name)
        self._program("java/bin/java", 'printf "%s\\n" "$@"')

    def _program(self, name, line):
        program = self._root / name
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        program.chmod(0o755)

    def _run(self, *arguments, **environment):
        return subprocess.run(
            ["/bin/bash", _COMMAND, *arguments],
            capture_output=True,
            text=True,
            env={"PATH": "/usr/bin:/bin", "JAVA_HOME": str(self._root / "java"), **environment},
            check=False,
        )

    def _home(self, name):
        # Of the servers' jars; without the option HBase names only its shaded client.
        option = "--internal-classpath classpath" if name == "hbase" else "classpath"
        self._program(f"{name}/bin/{name}", f'[ "$*" = "{option}" ] && echo /{name}/lib')
        return {f"{name.upper()}_HOME": str(self._root / name)}

    def test_hadoop_is_enough_for_a_datanode(self):
        both = {**self._home("hbase"), **self._home("hadoop")}
        started = self._run("top", "--count", "1", **both).stdout.splitlines()
        self.assertEqual(started[-3:], ["org.hadoopprio.tools.top.TopCommand", "--count", "1"])
        self.assertTrue(started[started.index("-cp") + 1].endswith(":/hadoop/lib"), started)

    def test_prove_takes_hbase(self):
        both = {**self._home("hadoop"), **self._home("hbase")}
        started = self._run("prove", "t", "row", **both).stdout.splitlines()
        self.assertEqual(started[-3:], ["org.hadoopprio.tools.prove.ProveCommand", "t", "row"])
        self.assertTrue(started[started.index("-cp") + 1].endswith(":/hbase/lib"), started)
        self.assertIn("java.base/java.nio=ALL-UNNAMED", started)

    def test_what_is_missing_is_told(self):
        done = self._run("prove", "t", "row", **self._home("hadoop"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr, 'hprio: cannot find the command "hbase"; set HBASE_HOME\n')
        done = self._run("top")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn('"hadoop" or "hbase"; set HADOOP_HOME or HBASE_HOME', done.stderr)


if __name__ == "__main__":
    unittest.main()
