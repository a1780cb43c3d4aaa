# SPDX-License-Identifier: Apache-2.0
"""What bin/hprio overhead takes as a start's CPU time, and when its target is missed."""

import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import overhead  # noqa: E402  (found through the path above)


class OverheadTest(unittest.TestCase):
    def test_the_cpu_time_of_a_process_that_ended_well(self):
        busy = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"]
        with mock.patch.object(overhead, "command", lambda *_: busy):
            self.assertTrue(0.3 <= overhead.start(False) < 3)
        failing = [sys.executable, "-c", "import sys; sys.exit('no such class')"]
        with mock.patch.object(overhead, "command", lambda *_: failing):
            with self.assertRaisesRegex(overhead.Refused, "no such class"):
                overhead.start(True)

    def test_the_interval_decides(self):
        mean, half = overhead.interval([0.9, 1.1] * 5)
        self.assertAlmostEqual(1.0, mean)
        self.assertAlmostEqual(0.0754, half, 3)
        self.assertEqual("missed", overhead.verdict(mean, half))
        self.assertEqual("undetermined", overhead.verdict(0.5, 0.1))
        self.assertEqual("met", overhead.verdict(0.4, 0.1))


if __name__ == "__main__":
    unittest.main()
