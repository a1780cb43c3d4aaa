# SPDX-License-Identifier: Apache-2.0
"""What cases judge by must be able to fail."""

import unittest

from hprio_wire import image
from hprio_wire.cases import (
    Extent,
    Failed,
    expect_limit,
    expect_priority,
    expect_priority_only_in,
    expect_queue,
    noticed,
    sectors,
)
from hprio_wire.fis import HIGH, NORMAL, NcqRead
from hprio_wire.nvme import LOW, URGENT, NvmeRead


def _read(lba, count, prio):
    return NcqRead(lba=lba, sectors=count, prio=prio, icc=0, tag=0)


class ExpectationsTest(unittest.TestCase):
    def test_reads_that_cover_all_ranges_pass(self):
        reads = [_read(104, 4, HIGH), _read(100, 4, HIGH), _read(200, 8, HIGH), _read(0, 8, NORMAL)]
        expect_priority(reads, [(100, 108), (202, 204)], HIGH)

    def test_one_read_with_another_priority_fails(self):
        with self.assertRaisesRegex(Failed, r"not PRIO 10: 104\+4 PRIO 00"):
            expect_priority([_read(100, 4, HIGH), _read(104, 4, NORMAL)], [(100, 108)], HIGH)

    def test_one_read_without_the_limit_fails(self):
        limited = NcqRead(lba=100, sectors=4, prio=NORMAL, icc=0, tag=0, limit=3)
        expect_limit([limited], [(100, 104)], 3)
        for reads, limit in (([limited], 2), ([limited, _read(104, 4, NORMAL)], 3), ([limited], 0)):
            with self.subTest(limit=limit), self.assertRaisesRegex(Failed, f"not duration limit {limit}"):
                expect_limit(reads, [(100, 104 if len(reads) == 1 else 108)], limit)

    def test_one_read_from_a_queue_of_another_priority_fails(self):
        low, urgent = NvmeRead(100, 4, 8, LOW), NvmeRead(104, 4, 5, URGENT)
        expect_queue([low], [(100, 104)], LOW)
        with self.assertRaisesRegex(Failed, r"not from a queue low: 104\+4 from 5, urgent"):
            expect_queue([low, urgent], [(100, 108)], LOW)

    def test_a_fault_that_nobody_notices_fails(self):
        def fails(_):
            raise Failed("seen")

        self.assertEqual(noticed(fails, "see", "not seen")(None), "noticed: seen")
        with self.assertRaisesRegex(Failed, "not seen"):
            noticed(lambda _: None, "see", "not seen")(None)
        with self.assertRaisesRegex(Failed, 'not with "other": seen'):
            noticed(fails, "other", "not seen")(None)

    def test_a_sector_that_no_command_reads_fails(self):
        for reads, gap in (
            ([_read(100, 7, HIGH)], "107 to 107"),
            ([_read(101, 7, HIGH)], "100 to 100"),
            ([_read(101, 9, HIGH)], "100 to 100"),
            ([_read(104, 4, HIGH), _read(100, 2, HIGH)], "102 to 103"),
        ):
            with self.subTest(gap=gap), self.assertRaisesRegex(Failed, f"no command reads .* {gap}$"):
                expect_priority(reads, [(100, 108)], HIGH)

    def test_a_range_is_not_covered_by_reads_of_another(self):
        with self.assertRaisesRegex(Failed, "no command reads .* 104 to 107$"):
            expect_priority(
                [_read(100, 4, HIGH), _read(200, 8, HIGH)], [(100, 108), (200, 208)], HIGH
            )

    def test_a_priority_outside_of_the_file_fails(self):
        expect_priority_only_in([_read(100, 8, HIGH), _read(300, 8, NORMAL)], [(100, 108)])
        for lba in (99, 101, 300):
            with self.subTest(lba=lba), self.assertRaisesRegex(Failed, "outside"):
                expect_priority_only_in([_read(lba, 8, HIGH)], [(100, 108)])


class SectorsTest(unittest.TestCase):
    def test_only_sectors_that_hold_the_files_bytes_count(self):
        extents = [Extent(0, 4096, 4096, 0), Extent(8192, 81920, 8192, 0)]
        start = image.PARTITION_START
        self.assertEqual(
            sectors(extents, 8192 + 700), [(start + 8, start + 16), (start + 160, start + 162)]
        )
        self.assertEqual(sectors(extents), [(start + 8, start + 16), (start + 160, start + 176)])


if __name__ == "__main__":
    unittest.main()
