# SPDX-License-Identifier: Apache-2.0
"""The reads an emulated SCSI drive got, from QEMU's trace.

QEMU prints the bytes of each command (CDB) before it looks at them (event scsi_disk_new_request), and then which
blocks it reads (scsi_disk_dma_command_READ). Commands come in batches: first the bytes of all of them. The bytes are
what is judged here; each read of QEMU's must be one of theirs, else the trace has been misread.
"""

import re
from dataclasses import dataclass

from . import Broken
from .sectors import Sectors

EVENTS = ("scsi_disk_new_request", "scsi_disk_dma_command_READ")

_READ_10 = 0x28
_READ_16 = 0x88


@dataclass(frozen=True)
class ScsiRead(Sectors):
    """
    One READ(10) or READ(16), as operation tells. lba and sectors are in units of 512 bytes, as the drive's blocks
    have; limit is the field DLD2 to DLD0 (SBC-4, READ(16)), which names a command duration limit, 0 for none.
    """

    operation: int
    limit: int

    def __str__(self):
        return f"{self.lba}+{self.sectors} READ({self.operation}) DLD {self.limit}"


def scsi_read(cdb):
    """The read of a command's bytes, or None if it is another command."""
    if cdb[0] == _READ_10:
        return ScsiRead(
            lba=int.from_bytes(cdb[2:6], "big"),
            sectors=int.from_bytes(cdb[7:9], "big"),
            operation=10,
            limit=0,
        )
    if cdb[0] == _READ_16:
        return ScsiRead(
            lba=int.from_bytes(cdb[2:10], "big"),
            sectors=int.from_bytes(cdb[10:14], "big"),
            operation=16,
            # DLD2 is bit 0 of byte 1; DLD1 and DLD0 are the bits 7 and 6 of byte 14.
            limit=(cdb[1] & 1) << 2 | cdb[14] >> 6,
        )
    return None


_COMMAND = re.compile(r"^scsi_disk_new_request .*data=((?: ?0x[0-9a-f]{2})+)")
_UNDERSTOOD = re.compile(r"^scsi_disk_dma_command_READ .*\(sector (\d+), count (\d+)\)")


def scsi_reads(trace):
    """The reads in the text of a trace, in their order."""
    reads = []
    unconfirmed = set()
    for line in trace.splitlines():
        command = _COMMAND.match(line)
        read = command and scsi_read(bytes(int(byte, 16) for byte in command.group(1).split()))
        if read:
            reads.append(read)
            unconfirmed.add((read.lba, read.sectors))
        understood = _UNDERSTOOD.match(line)
        if understood:
            place = tuple(int(number) for number in understood.groups())
            if place not in unconfirmed:
                raise Broken(f"QEMU's trace contradicts itself: no bytes say {line}")
            unconfirmed.remove(place)
    return reads
