# SPDX-License-Identifier: Apache-2.0
"""What bin/hprio overhead makes of perf's answer, and when its target is missed."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import overhead  # noqa: E402  (found through the path above)


class OverheadTest(unittest.TestCase):
    def test_the_cpu_time_among_what_the_program_says(self):
        self.assertEqual(1.5, overhead.cpu_seconds("WARNING: a, b\n1500.25,msec,task-clock:u,1500250000,100.00,1.2,CPUs\n") - 0.00025)
        with self.assertRaises(overhead.Refused):
            overhead.cpu_seconds("<not supported>\n")

    def test_the_interval_decides(self):
        mean, half = overhead.interval([0.9, 1.1] * 5)
        self.assertAlmostEqual(1.0, mean)
        self.assertAlmostEqual(0.0754, half, 3)
        self.assertEqual("missed", overhead.verdict(mean, half))
        self.assertEqual("undetermined", overhead.verdict(0.5, 0.1))
        self.assertEqual("met", overhead.verdict(0.4, 0.1))


if __name__ == "__main__":
    unittest.main()
