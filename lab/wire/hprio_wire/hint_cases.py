# SPDX-License-Identifier: Apache-2.0
"""Group s, and part of group d: the duration limit that a request's I/O priority names as its hint, at the drive."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

from . import Unavailable, machine
from .cases import (
    Case,
    Group,
    expect,
    expect_limit,
    expect_priority,
    extents,
    noticed,
    reads_of,
    sectors,
)
from .fis import NORMAL
from .kernel_cases import WAYS

DEVICE = "/sys/block/sda/device"
FILE_BYTES = 64 << 10

# Where one hint stands for all.
HINT = 3
_HINTS = range(1, 8)

_SCSI_FAKED = (
    "drive's answers faked: to REPORT SUPPORTED OPERATION CODES, by which the kernel learns that a SCSI drive knows"
    " command duration limits; and it claims SPC-5. What the kernel makes of them and all commands are its own."
)


def require(run, guest):
    """The kernel knows duration limits and has found the drive's."""
    supported = guest.run(f"cat {DEVICE}/cdl_supported 2>/dev/null || echo none").strip()
    if supported == "none":
        raise Unavailable(
            f"command duration limits need Linux 6.5; the guest has {run.debian.release}: use --kernel=backports"
        )
    expect(supported == "1", f"the kernel does not see the limits: cdl_supported is {supported}")


def read(guest, number, way, priority):
    """
    Reads the case's file at an I/O priority as of wireio; its sectors, and where the trace began.
    """
    path = f"/mnt/{number}"
    guest.run("echo 3 >/proc/sys/vm/drop_caches")
    ranges = sectors(extents(guest, path))
    position = guest.trace_position()
    done = int(guest.run(f"wireio read {way} {priority} {path}"))
    expect(done == FILE_BYTES, f"{done} bytes were read instead of {FILE_BYTES}")
    return ranges, position


def _judge_sata(guest, ranges, position, limit):
    reads = guest.ncq_reads(position)
    expect_limit(reads, ranges, limit)
    expect_priority(reads, ranges, NORMAL)


def _judge_scsi(guest, ranges, position, limit):
    reads = guest.scsi_reads(position)
    expect_limit(reads, ranges, limit)
    others = [str(read) for read in reads_of(reads, ranges) if read.operation != 16]
    expect(not others, f"not READ(16): {', '.join(others)}")


@dataclass(frozen=True)
class _Kind:
    """A kind of drive: how its reads are judged, and what the field of the limit is called there."""

    judge: Callable
    field: str


SATA = _Kind(_judge_sata, "AUXILIARY")
_SCSI = _Kind(_judge_scsi, "READ(16), DLD")


def _check(number, kind, way, priority, enabled, limit):
    def check(guest):
        guest.run(f"echo {enabled} >{DEVICE}/cdl_enable")
        kind.judge(guest, *read(guest, number, way, priority), limit)

    return check


def cases(letter, first, kind):
    """Numbered from first on; the last one is a reader that states no hint, which must be noticed."""
    plan = [("direct", "be", hint, 1) for hint in _HINTS]
    plan += [(way, "be", HINT, 1) for way in WAYS if way != "direct"]
    plan += [("direct", "rt", HINT, 1), ("direct", "be", 0, 1), ("direct", "be", HINT, 0)]
    for index, (way, io_class, hint, enabled) in enumerate(plan, first):
        number = f"{letter}{index:02}"
        limit = hint if enabled else 0
        hinted = f"{io_class}, hint {hint}" if hint else f"{io_class}, no hint"
        switch = "" if enabled else ", cdl_enable=0"
        yield Case(
            number,
            f"{WAYS[way]}, {hinted}{switch}: {kind.field} {limit}",
            _check(number, kind, way, f"{io_class}/{hint}" if hint else io_class, enabled, limit),
        )
    number = f"{letter}{first + len(plan):02}"
    yield Case(
        number,
        f"a reader that drops its hint: {letter}{first + HINT - 1:02} fails",
        noticed(
            _check(number, kind, "direct", "be", 1, HINT),
            f"not duration limit {HINT}: ",
            "a reader without a hint passed",
        ),
    )


@contextlib.contextmanager
def _prepare(run):
    files = {case.number: FILE_BYTES for case in GROUP.cases}
    with run.guest("scsi", files, fixture="cdl_scsi_drive", drive=machine.SCSI) as guest:
        require(run, guest)
        yield guest


GROUP = Group(
    letter="s",
    title="command duration limits of a SCSI drive: the hints of requests",
    faked=_SCSI_FAKED,
    prepare=_prepare,
    cases=tuple(cases("s", 1, _SCSI)),
)
