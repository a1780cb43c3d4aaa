# SPDX-License-Identifier: Apache-2.0
"""The trace reader, against what QEMU 7.2 printed."""

import unittest

from hprio_wire import Broken, fis

# A READ FPDMA QUEUED of class RT, one without a priority, and a READ DMA. Bytes from 0x10 on left out.
_HIGH = """handle_cmd_fis_dump ahci(0x55b89e285fd0)[0]: FIS:
0x00: 27 80 60 80 48 68 00 40 00 00 00 00 e0 80 00 08 
0x10: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 

process_ncq_command_prioicc ahci(0x55b89e285fd0)[0][tag:28]: Warn: Unsupported attempt to use PRIO/ICC fields
process_ncq_command ahci(0x55b89e285fd0)[0][tag:28]: NCQ op 0x60 on sectors [26696,26823]
"""
_NORMAL = """handle_cmd_fis_dump ahci(0x55b89e285fd0)[0]: FIS:
0x00: 27 80 60 80 c8 68 00 40 00 00 00 00 e8 00 00 08 
0x10: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 

process_ncq_command ahci(0x55b89e285fd0)[0][tag:29]: NCQ op 0x60 on sectors [26824,26951]
"""
_READ_DMA = """handle_cmd_fis_dump ahci(0x56520e1f6fd0)[0]: FIS:
0x00: 27 80 c8 00 c8 72 00 e0 00 00 00 00 80 00 00 08 
0x10: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 

"""
_FINISHED = "ncq_finish ahci(0x55b89e285fd0)[0][tag:28]: NCQ transfer finished\n"


class FisTest(unittest.TestCase):
    def test_reads_come_in_order_with_their_priority(self):
        reads = fis.ncq_reads(_NORMAL + _READ_DMA + _HIGH)
        self.assertEqual(
            reads,
            [
                fis.NcqRead(lba=26824, sectors=128, prio=fis.NORMAL, icc=0, tag=29),
                fis.NcqRead(lba=26696, sectors=128, prio=fis.HIGH, icc=0, tag=28),
            ],
        )

    def test_a_read_with_a_duration_limit(self):
        trace = _NORMAL.replace("0x10: 00", "0x10: 03").replace(
            "\nprocess_ncq_command ",
            "\nprocess_ncq_command_aux ahci(0x55b89e285fd0)[0][tag:29]: Warn: Attempt to use NCQ auxiliary"
            " fields\nprocess_ncq_command ",
        )
        self.assertEqual(
            fis.ncq_reads(trace),
            [fis.NcqRead(lba=26824, sectors=128, prio=fis.NORMAL, icc=0, tag=29, limit=3)],
        )

    def test_each_field_has_its_bytes(self):
        # LBA 0x060504030201, count 0x0807, tag 9, PRIO 01, ICC 0x0a, AUXILIARY 0x0e0d0c0b
        fields = bytes.fromhex("27 80 60 07 01 02 03 40 04 05 06 08 48 40 0a 08 0b 0c 0d 0e")
        self.assertEqual(
            fis.ncq_read(fields),
            fis.NcqRead(lba=0x060504030201, sectors=0x0807, prio=0b01, icc=0x0A, tag=9, limit=0x0E0D0C0B),
        )

    def test_count_0_means_65536_sectors(self):
        fields = bytes.fromhex("27 80 60 00 01 00 00 40 00 00 00 00 00 00 00 08 00 00 00 00")
        self.assertEqual(fis.ncq_read(fields).end, 1 + 65536)

    def test_commands_at_the_drive_are_counted_until_they_finish(self):
        other = _HIGH.replace("[tag:28]", "[tag:27]").replace("00 00 e0 80", "00 00 d8 80")
        self.assertEqual(fis.most_high_in_flight(_HIGH + _NORMAL + other + _FINISHED), 2)
        self.assertEqual(fis.most_high_in_flight(_HIGH + _FINISHED + _NORMAL + other), 1)
        self.assertEqual(fis.most_high_in_flight(_NORMAL + _FINISHED), 0)

    def test_events_have_the_times_of_the_trace(self):
        stamped = _HIGH.replace("handle_cmd", "7@1764000000.250000:handle_cmd")
        stamped = stamped.replace("\nprocess_ncq", "\n7@1764000000.500000:process_ncq")
        (began, read), (ended, tag) = fis.timed_events(stamped + "7@1764000002.000000:" + _FINISHED)
        self.assertEqual((began, ended), (1764000000.5, 1764000002.0))
        self.assertEqual((read.prio, read.tag, tag), (fis.HIGH, 28, 28))
        self.assertEqual([time for time, _ in fis.timed_events(_NORMAL + _FINISHED)], [None, None])

    def test_logs_that_are_read(self):
        # Log 0x01, page 0x0302, 0x0504 pages, FEATURES 0x0706
        fields = _READ_DMA.replace(
            "27 80 c8 00 c8 72 00 e0 00 00 00 00 80 00", "27 80 2f 06 01 02 00 a0 00 03 00 07 04 05"
        )
        self.assertEqual(
            list(fis.log_reads(_NORMAL + fields + _HIGH)),
            [fis.LogRead(log=0x01, page=0x0302, pages=0x0504, features=0x0706)],
        )
        self.assertEqual(list(fis.log_reads(_NORMAL + _READ_DMA)), [])

    def test_bytes_that_contradict_what_qemu_understood_are_an_error(self):
        for seen, understood in (
            ("e0 80 00 08", "e0 00 00 08"),  # PRIO missing in the bytes
            ("48 68 00", "49 68 00"),  # another sector
            ("e0 80", "e8 80"),  # another tag
            ("0x10: 00", "0x10: 03"),  # AUXILIARY that QEMU has not seen
        ):
            with self.subTest(understood=understood), self.assertRaises(Broken):
                fis.ncq_reads(_HIGH.replace(seen, understood))

    def test_a_command_without_its_bytes_is_an_error(self):
        with self.assertRaises(Broken):
            fis.ncq_reads(_HIGH.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
