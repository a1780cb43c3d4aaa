# SPDX-License-Identifier: Apache-2.0
"""That the cases of group v notice shares that are not those of the weights, and give no figure of a drive that rests."""

import unittest

from hprio_wire import weight_cases
from hprio_wire.cases import FAIL, OK, run_case


class _Drives:
    """A guest whose classes read so often in a round, by name; what it does not tell has nothing."""

    def __init__(self, **reads):
        self.guest = self
        self._reads = reads
        self._used = None

    def use(self, parameters):
        self._used = parameters

    def trace(self):
        made = "pci_nvme_create_sq create submission queue, addr=0x1 sqid={0}, cqid=1, qsize=63, qflags=1\n"
        return "".join(made.format(number) for number in range(1, 5 if "wrr=1" in self._used else 2))

    def run(self, command):
        words = command.split()
        names = {priority: name for name, priority in weight_cases._CLASSES.items()}
        asked = words[5::2]
        if "shares" not in words:
            return ""
        if len(asked) == 1:
            return f"{asked[0]} 2000\n"
        return "".join(f"{priority} {self._reads.get(names[priority], 0)}\n" for priority in asked)


class WeightCasesTest(unittest.TestCase):
    def _case(self, number, **reads):
        case = next(case for case in weight_cases.GROUP.cases if case.number == number)
        drives = _Drives(**reads)
        return run_case(case, weight_cases._Drives(drives, drives))

    def test_shares_are_those_of_the_weights(self):
        result = self._case("v02", high=1000, medium=667, low=333)
        self.assertEqual(OK, result.outcome, result.note)
        self.assertIn("high 0.500 ± 0.000, medium 0.334 ± 0.000, low 0.167 ± 0.000", result.note)
        result = self._case("v02", high=667, medium=667, low=667)
        self.assertEqual(FAIL, result.outcome)
        self.assertIn("high has 0.333 ± 0.000 of the reads, not 0.500", result.note)

    def test_without_weights_they_are_alike(self):
        self.assertEqual(OK, self._case("v01", urgent=500, high=500, medium=500, low=500).outcome)
        self.assertEqual(FAIL, self._case("v01", urgent=2000).outcome)

    def test_a_drive_that_rests_gives_no_figure(self):
        result = self._case("v02", high=500, medium=333, low=167)
        self.assertEqual(FAIL, result.outcome)
        self.assertTrue(result.note.startswith("no figure: the drive did 0.50 "), result.note)

    def test_what_a_foreground_keeps(self):
        self.assertEqual(OK, self._case("v06", urgent=118, low=1882).outcome)
        self.assertEqual(FAIL, self._case("v06", urgent=1000, low=1000).outcome)
        result = self._case("v07", urgent=1000, low=1000)
        self.assertEqual(OK, result.outcome, result.note)
        self.assertIn("0.500 ± 0.000 kept", result.note)
        self.assertEqual(FAIL, self._case("v07", urgent=118, low=1882).outcome)


if __name__ == "__main__":
    unittest.main()
