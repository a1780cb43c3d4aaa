# SPDX-License-Identifier: Apache-2.0
"""That the cases of group q notice shares that are not what they say."""

import re
import unittest

from hprio_wire import scheduler_cases
from hprio_wire.cases import FAIL, OK, run_case


class _Guest:
    """A guest whose threads of a priority read so often, by priority: in each repetition."""

    def __init__(self, **reads):
        self._reads = {name.replace("_", ":"): count for name, count in reads.items()}
        self.commands = []

    def run(self, command):
        self.commands.append(command)
        found = re.search(r"/dev/nullb0 (.*) >/tmp/load", command)
        return "".join(f"{name} {self._reads[name]}\n" for name in found.group(1).split()) if found else ""


class SchedulerCasesTest(unittest.TestCase):
    def _case(self, number, **reads):
        case = next(case for case in scheduler_cases.GROUP.cases if case.number == number)
        self._guest = _Guest(**reads)
        return run_case(case, self._guest)

    def test_equal_shares(self):
        result = self._case("q01", rt=100, be=100, idle=90)
        self.assertEqual(OK, result.outcome, result.note)
        # Two times eight threads of each.
        self.assertEqual("shares rt 0.34, be 0.34, idle 0.31; 387 reads a second", result.note)
        self.assertEqual(FAIL, self._case("q01", rt=200, be=100, idle=100).outcome)

    def test_an_order(self):
        self.assertEqual(OK, self._case("q03", rt=98, be=1, idle=1).outcome)
        self.assertIn("echo 1024 >/sys/block/nullb0/queue/nr_requests", self._guest.commands)
        self.assertEqual(FAIL, self._case("q03", rt=50, be=25, idle=25).outcome)
        self.assertEqual(FAIL, self._case("q02", rt=98, be=1, idle=1).outcome)
        self.assertEqual(FAIL, self._case("q04", rt=40, be=40, idle=20).outcome)

    def test_levels(self):
        self.assertEqual(FAIL, self._case("q05", be_0=800, be_7=100).outcome)
        self.assertEqual(FAIL, self._case("q06", be_0=100, be_7=100).outcome)

    def test_how_long_a_read_takes(self):
        # Eight threads and 3000 reads in 1.5 s: 4 ms each.
        result = self._case("q08", rt=2900, idle=10)
        self.assertEqual(OK, result.outcome, result.note)
        self.assertTrue(result.note.startswith("a read at rt takes 4.14 ms on average; "), result.note)
        self.assertEqual(FAIL, self._case("q08", rt=330, idle=330).outcome)
        self.assertEqual(FAIL, self._case("q07", rt=2900, idle=10).outcome)
