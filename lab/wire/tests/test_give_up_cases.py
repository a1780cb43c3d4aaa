# SPDX-License-Identifier: Apache-2.0
"""What group e takes from a trace of a drive that gives up a read."""

import unittest

from hprio_wire.fis import NORMAL, NcqRead
from hprio_wire.give_up_cases import Drive


def _read(tag, limit=0):
    return NcqRead(lba=8 * tag, sectors=8, prio=NORMAL, icc=0, tag=tag, limit=limit)


class DriveTest(unittest.TestCase):
    def test_a_drive_that_is_closed_until_it_is_empty(self):
        drive = Drive(
            [
                (1.0, _read(0)),
                (1.1, _read(1, limit=3)),
                (1.2, _read(2)),
                (1.5, 1),
                (1.6, _read(3)),
                (1.7, 0),
                (1.8, 3),
                (1.9, 2),
                (2.5, _read(4)),
                (2.6, _read(5)),
                (2.7, 4),
            ]
        )
        self.assertEqual(drive.outstanding, 2)
        self.assertEqual(drive.late, 1)
        self.assertEqual((drive.ended, drive.empty, drive.open), (1.5, 1.9, 2.5))
        self.assertAlmostEqual(drive.took, 0.4)
        self.assertEqual(drive.fewest, 0)

    def test_a_drive_that_stays_busy(self):
        drive = Drive([(1.0, _read(0)), (1.1, _read(1, limit=3)), (1.2, 1), (1.3, _read(1)), (1.4, 0)])
        self.assertEqual((drive.late, drive.fewest), (1, 1))
        self.assertIsNone(drive.empty)
        self.assertIsNone(drive.open)

    def test_a_drive_that_got_no_such_read(self):
        self.assertIsNone(Drive([(1.0, _read(0)), (1.1, 0)]).ended)


if __name__ == "__main__":
    unittest.main()
