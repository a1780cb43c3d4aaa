# SPDX-License-Identifier: Apache-2.0
"""The commands an emulated SATA drive got, from QEMU's trace.

QEMU prints each Register Host to Device FIS byte by byte before it looks at it (event handle_cmd_fis_dump), and
then what it understood (process_ncq_command; process_ncq_command_prioicc and _aux if these fields are not 0). The
bytes are what is judged here; the rest must agree with them, else the trace has been misread.
"""

import re
from dataclasses import dataclass

from . import Broken
from .sectors import Sectors

EVENTS = (
    "handle_cmd_fis_dump",
    "process_ncq_command",
    "process_ncq_command_prioicc",
    "process_ncq_command_aux",
    "ncq_finish",
)

READ_FPDMA_QUEUED = 0x60
READ_LOG_EXT = 0x2F

# The values of PRIO, bits 7:6 of byte 13 (Serial ATA 3.5, 13.6.4.1; ACS-5, READ FPDMA QUEUED).
NORMAL, HIGH = 0b00, 0b10

_SECTORS_OF_COUNT_0 = 65536


@dataclass(frozen=True)
class NcqRead(Sectors):
    """
    One READ FPDMA QUEUED. lba and sectors are in units of 512 bytes; limit is the field AUXILIARY, whose bits 2:0
    name a command duration limit (ACS-5), 0 for none, and whose other bits are 0.
    """

    prio: int
    icc: int
    tag: int
    limit: int = 0

    def __str__(self):
        icc = f" ICC {self.icc:#04x}" if self.icc else ""
        limit = f" AUXILIARY {self.limit}" if self.limit else ""
        return f"{self.lba}+{self.sectors} PRIO {self.prio:02b}{icc}{limit}"


@dataclass(frozen=True)
class LogRead:
    """One READ LOG EXT (ACS-5): the log and its first page, the number of pages, FEATURES."""

    log: int
    page: int
    pages: int
    features: int


def log_read(fis):
    """The same of READ LOG EXT."""
    if len(fis) < 16 or fis[0] != 0x27 or fis[2] != READ_LOG_EXT:
        return None
    return LogRead(
        log=fis[4], page=fis[9] << 8 | fis[5], pages=fis[13] << 8 | fis[12], features=fis[11] << 8 | fis[3]
    )


def ncq_read(fis):
    """The read of a Register Host to Device FIS's bytes, or None if it is another command."""
    if len(fis) < 20 or fis[0] != 0x27 or fis[2] != READ_FPDMA_QUEUED:
        return None
    return NcqRead(
        lba=int.from_bytes(bytes(fis[4:7]) + bytes(fis[8:11]), "little"),
        sectors=(fis[11] << 8 | fis[3]) or _SECTORS_OF_COUNT_0,
        prio=fis[13] >> 6,
        icc=fis[14],
        tag=fis[12] >> 3,
        limit=int.from_bytes(bytes(fis[16:20]), "little"),
    )


_BYTES = re.compile(r"^0x[0-9a-f]{2}: ((?:[0-9a-f]{2} )+)$")
_UNDERSTOOD = re.compile(r"process_ncq_command .*\[tag:(\d+)\]: NCQ op 0x60 on sectors \[(\d+),(\d+)\]")
_NOTICED = re.compile(r"process_ncq_command_(prioicc|aux) ")
_FINISHED = re.compile(r"ncq_finish .*\[tag:(\d+)\]")
# Of QEMU's option "-msg timestamp=on".
_STAMP = re.compile(r"^\d+@(\d+\.\d+):")


def ncq_reads(trace):
    """The reads in the text of a trace, in their order."""
    return [event for _, event in timed_events(trace) if isinstance(event, NcqRead)]


def log_reads(trace):
    """The logs that were asked for, in their order."""
    fis = []
    for line in [*trace.splitlines(), ""]:
        dumped = _BYTES.match(line)
        if dumped:
            fis += bytes.fromhex(dumped.group(1))
            continue
        read = log_read(fis)
        if read:
            yield read
        fis = []


def most_high_in_flight(trace):
    """How many reads with PRIO 10 were at the drive at the same time, at most."""
    tags = set()
    most = 0
    for _, event in timed_events(trace):
        if not isinstance(event, NcqRead):
            tags.discard(event)
        elif event.prio == HIGH:
            tags.add(event.tag)
            most = max(most, len(tags))
    return most


def timed_events(trace):
    """
    The reads as they begin, and the tags of the queued commands that finish, each with its time in seconds; None where
    the trace has no times.
    """
    fis = []
    seen = set()
    unconfirmed = None
    for line in trace.splitlines():
        dumped = _BYTES.match(line)
        if dumped:
            fis += bytes.fromhex(dumped.group(1))
            continue
        if fis:
            unconfirmed = ncq_read(fis)
            fis = []
            seen = set()
        noticed = _NOTICED.search(line)
        if noticed:
            seen.add(noticed.group(1))
            continue
        understood = _UNDERSTOOD.search(line)
        if understood:
            _must_agree(unconfirmed, [int(number) for number in understood.groups()], seen)
            yield _time(line), unconfirmed
            unconfirmed = None
            continue
        finished = _FINISHED.search(line)
        if finished:
            yield _time(line), int(finished.group(1))


def _time(line):
    stamp = _STAMP.match(line)
    return float(stamp.group(1)) if stamp else None


def _must_agree(read, understood, seen):
    if (
        read is None
        or [read.tag, read.lba, read.end - 1] != understood
        or bool(read.prio or read.icc) != ("prioicc" in seen)
        or bool(read.limit) != ("aux" in seen)
    ):
        raise Broken(f"QEMU's trace contradicts itself: bytes say {read}, events {understood}")
