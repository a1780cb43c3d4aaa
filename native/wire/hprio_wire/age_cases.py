"""Group r: a normal read that has waited for long is raised, so that it does not starve."""

import contextlib

from .cases import Case, Group, expect, expect_priority, extents, reads_of, sectors
from .fis import HIGH, NORMAL

_FILE_BYTES = 4 << 20
# The drive takes some seconds for the file.
_BYTES_PER_SECOND = 1 << 20
_RAISE_AFTER_MS = 500
_COPY = "/tmp/copy"

FAKED = "the drive is slow (QEMU's throttling); nothing else is faked"


def _read(guest, number, raise_after_ms):
    """The file's sectors, and the commands that read them, in their order."""
    path = f"/mnt/{number}"
    ranges = sectors(extents(guest, path))
    position = guest.trace_position()
    guest.run(f"pbs read --level=normal --raise-after={raise_after_ms} --output={_COPY} {path}")
    reads = reads_of(guest.ncq_reads(position), ranges)
    same, difference = guest.try_run(f"cmp {path} {_COPY}")
    expect(same == 0, f"not what pread gives: {difference.strip()}")
    return ranges, reads


def _check_raised(guest):
    ranges, reads = _read(guest, "r01", _RAISE_AFTER_MS)
    normal = [read for read in reads if read.prio == NORMAL]
    raised = [read for read in reads if read.prio == HIGH]
    expect_priority(normal, ranges, NORMAL)
    expect(raised, "no command was sent again at PRIO 10")
    first = {(read.lba, read.sectors): read for read in normal}
    for read in raised:
        expect((read.lba, read.sectors) in first, f"raised, but not sent before: {read}")
        expect(reads.index(read) > reads.index(first[read.lba, read.sectors]), f"raised first: {read}")


def _check_not_raised(guest):
    ranges, reads = _read(guest, "r02", 0)
    expect_priority(reads, ranges, NORMAL)


@contextlib.contextmanager
def _prepare(run):
    files = {case.number: _FILE_BYTES for case in GROUP.cases}
    throttle = f",throttling.bps-read={_BYTES_PER_SECOND}"
    with run.guest("age", files, programs=["pbs"], drive_options=throttle) as guest:
        yield guest


GROUP = Group(
    letter="r",
    title="old reads are raised (anti-starvation)",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        Case(
            "r01",
            f"normal, not served after {_RAISE_AFTER_MS} ms: PRIO 00, then the same sectors again at PRIO 10",
            _check_raised,
        ),
        Case("r02", "the same with raising off: PRIO 00 only", _check_not_raised),
    ),
)
