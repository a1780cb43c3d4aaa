# SPDX-License-Identifier: Apache-2.0
"""The trace reader of the SCSI drive, against what QEMU 7.2 printed."""

import unittest

from hprio_wire import Broken, cdb

_COMMAND = "scsi_disk_new_request Command: lun=0 tag=0xd398e138 data= "
_READ_16 = _COMMAND + (
    "0x88 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x08 0x02 0x00 0x00 0x00 0x02 0x00 0x00\n"
)
_READ_10 = _COMMAND + "0x28 0x00 0x00 0x00 0x08 0x00 0x00 0x00 0x08 0x00\n"
_INQUIRY = _COMMAND + "0x12 0x00 0x00 0x00 0x24 0x00\n"
_READ_2050 = "scsi_disk_dma_command_READ Read (sector 2050, count 2)\n"
_READ_2048 = "scsi_disk_dma_command_READ Read (sector 2048, count 8)\n"


class CdbTest(unittest.TestCase):
    def test_reads_come_in_order_also_from_a_batch(self):
        self.assertEqual(
            cdb.scsi_reads(_INQUIRY + _READ_16 + _READ_10 + _READ_2050 + _READ_2048),
            [
                cdb.ScsiRead(lba=2050, sectors=2, operation=16, limit=0),
                cdb.ScsiRead(lba=2048, sectors=8, operation=10, limit=0),
            ],
        )

    def test_each_field_has_its_bytes(self):
        # LBA 0x0102030405060708, 0x090a0b0c blocks; DLD2 in byte 1, DLD1 and DLD0 in byte 14 beside other bits
        for byte_1, byte_14, limit in (
            (0x01, 0x00, 4),
            (0x00, 0x80, 2),
            (0x00, 0x40, 1),
            (0xFF, 0xFF, 7),
            (0xFE, 0x3F, 0),
        ):
            with self.subTest(limit=limit):
                place = bytes.fromhex("01 02 03 04 05 06 07 08 09 0a 0b 0c")
                self.assertEqual(
                    cdb.scsi_read(bytes([0x88, byte_1]) + place + bytes([byte_14, 0])),
                    cdb.ScsiRead(lba=0x0102030405060708, sectors=0x090A0B0C, operation=16, limit=limit),
                )

    def test_a_read_without_its_bytes_is_an_error(self):
        for trace in (_READ_2050, _READ_16 + _READ_2048, _READ_16 + _READ_2050 + _READ_2050):
            with self.subTest(trace=trace), self.assertRaises(Broken):
                cdb.scsi_reads(trace)


if __name__ == "__main__":
    unittest.main()
