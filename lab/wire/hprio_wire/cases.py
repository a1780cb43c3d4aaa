# SPDX-License-Identifier: Apache-2.0
"""What a case is, and what cases judge reads by."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Optional

from . import Broken, GuestLost, image, nvme
from .fis import NORMAL

UNWRITTEN = 0x800  # FIEMAP_EXTENT_UNWRITTEN
_SHOWN = 3


class Failed(Exception):
    """A case's expectation does not hold; the message says which and what was seen."""


@dataclass(frozen=True)
class Case:
    """check gets what the group's prepare gave; it returns a note for the result, or None."""

    number: str
    title: str
    check: Callable


@dataclass(frozen=True)
class Group:
    """
    Cases that share a guest. prepare is a context manager of it and takes a run.Run; faked says what of
    the path is not real. With asked_only they run only if they are named.
    """

    letter: str
    title: str
    faked: str
    prepare: Callable
    cases: tuple
    asked_only: bool = False


@dataclass
class Result:
    """
    note is the reason if the outcome is not ok, else a remark of the case, if any; lost tells how the case lost its
    guest when it was run for the first time.
    """

    case: Case
    outcome: str
    note: str
    seconds: float
    lost: Optional[GuestLost] = None


OK, FAIL, SKIPPED = "ok", "FAIL", "skipped"


def run_case(case, subject):
    """The result; GuestLost if the case has none, because its guest is gone."""
    started = time.monotonic()
    outcome = OK
    try:
        note = case.check(subject) or ""
    except GuestLost:
        raise
    except (Failed, Broken) as failure:
        outcome, note = FAIL, str(failure)
    except Exception as error:  # the other cases can still run
        outcome, note = FAIL, repr(error)
    return Result(case, outcome, note, time.monotonic() - started)


@dataclass(frozen=True)
class Extent:
    """A piece of a file, in bytes; physical counts from the partition's begin. flags are FIEMAP's."""

    logical: int
    physical: int
    length: int
    flags: int


def extents(guest, path):
    """What the guest's file system says of a file."""
    lines = guest.run(f"wireio extents {path}").split("\n")
    numbers = [line.split() for line in lines if line]
    return [Extent(int(a), int(b), int(c), int(flags, 16)) for a, b, c, flags in numbers]


def sectors(file_extents, file_length=None):
    """
    The drive's sectors of a file as (first, end), by extent; with a file's length only those that hold its
    bytes, else all of its blocks.
    """
    ranges = []
    for extent in file_extents:
        length = extent.length
        if file_length is not None:
            length = min(length, file_length - extent.logical)
        if length > 0:
            first = image.PARTITION_START + extent.physical // image.SECTOR
            ranges.append((first, first + -(-length // image.SECTOR)))
    return ranges


def expect(condition, message):
    if not condition:
        raise Failed(message)


def noticed(check, message, otherwise):
    """A check that passes if the given one of a deliberate fault fails with a message that begins so; it is the note."""

    def run(subject):
        try:
            check(subject)
        except Failed as failure:
            expect(str(failure).startswith(message), f'it failed, but not with "{message}": {failure}')
            return f"noticed: {failure}"
        raise Failed(otherwise)

    return run


def reads_of(reads, ranges):
    return [read for read in reads if any(read.overlaps(*part) for part in ranges)]


def expect_priority(reads, ranges, prio):
    """Each sector of the ranges is read, and each read of one has this PRIO."""
    _expect_all(reads, ranges, lambda read: read.prio == prio, f"PRIO {prio:02b}")


def expect_limit(reads, ranges, limit):
    """Each sector of the ranges is read, and each read of one names this duration limit; 0 is none."""
    _expect_all(reads, ranges, lambda read: read.limit == limit, f"duration limit {limit}")


def expect_queue(reads, ranges, prio):
    """Each sector of the ranges is read, and each read of one comes from a submission queue of this QPRIO."""
    _expect_all(reads, ranges, lambda read: read.prio == prio, f"from a queue {nvme.NAMES[prio]}")


def _expect_all(reads, ranges, right, what):
    ours = reads_of(reads, ranges)
    expect(ours, f"no command reads the file's sectors {_shown(ranges)}")
    wrong = [read for read in ours if not right(read)]
    expect(not wrong, f"not {what}: {_shown(wrong)}")
    gaps = [gap for part in ranges for gap in _gaps(ours, *part)]
    expect(not gaps, f"no command reads the file's sectors {_shown(gaps)}")


def _gaps(reads, first, end):
    """The parts of a range that no read has, as (first, end)."""
    covered = first
    inside = [read for read in reads if read.overlaps(first, end)]
    for read in sorted(inside, key=lambda read: read.lba):
        if covered < read.lba:
            yield covered, read.lba
        covered = max(covered, read.end)
    if covered < end:
        yield covered, end


def expect_priority_only_in(reads, ranges):
    """No read with a PRIO other than normal reaches outside of the ranges."""
    strays = [
        read
        for read in reads
        if read.prio != NORMAL and not any(first <= read.lba and read.end <= end for first, end in ranges)
    ]
    expect(not strays, f"outside of the file's sectors {_shown(ranges)}: {_shown(strays)}")


def _shown(items):
    items = list(items)
    text = ", ".join(f"{i[0]} to {i[1] - 1}" if isinstance(i, tuple) else str(i) for i in items[:_SHOWN])
    return text + (f", and {len(items) - _SHOWN} more" if len(items) > _SHOWN else "")
