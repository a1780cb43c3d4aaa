# SPDX-License-Identifier: Apache-2.0
"""
Group r: on a slow drive. A normal read that has waited for long is raised, so that it does not starve; and the
requests of others are left half of the drive's queue.
"""

import contextlib

from .cases import Case, Group, expect, expect_priority, extents, reads_of, sectors
from .fis import HIGH, NORMAL
from .pbs_cases import SOCKET, start_helper

# All its commands fit into the part of the queue for normal ones: what is raised has been sent before.
_FILE_BYTES = 2 << 20
# The drive takes two seconds for the file.
_BYTES_PER_SECOND = 1 << 20
_RAISE_AFTER_MS = 500
_COPY = "/tmp/copy"
# Together they could have twice as many commands at the drive as its queue takes.
_READERS = 4
_COMMANDS = 64

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


def _check_half_the_queue(guest):
    path = "/mnt/r03"
    # Each block is a command of its own, because the next one is a hole.
    blocks = " ".join(str(2 * n) for n in range(_COMMANDS))
    guest.run(
        f"rm -f {path}; for i in {blocks}; do"
        f" dd if=/dev/urandom of={path} bs=4096 count=1 seek=$i conv=notrunc 2>/dev/null; done;"
        " sync; echo 3 >/proc/sys/vm/drop_caches"
    )
    half = int(guest.run("cat /sys/block/sda/device/queue_depth")) // 2
    start_helper(guest, 0)
    position = guest.trace_position()
    read = f"pbs read --access=helper --helper={SOCKET} --strict {path}"
    readers = " ".join(map(str, range(_READERS)))
    told = guest.run(
        f"pids=; for i in {readers}; do {read} & pids=\"$pids $!\"; done;"
        " failed=0; for pid in $pids; do wait $pid || failed=1; done; [ $failed = 0 ]"
    )
    expect(told.count("way ncq") == _READERS, f"not all read by ncq: {told.strip()}")
    most = guest.most_high_in_flight(position)
    expect(most <= half, f"{most} commands at the drive at once; half of its queue are {half}")
    expect(most > half // 2, f"only {most} commands at the drive at once: nothing is shown")


@contextlib.contextmanager
def _prepare(run):
    files = {case.number: _FILE_BYTES for case in GROUP.cases}
    throttle = f",throttling.bps-read={_BYTES_PER_SECOND}"
    with run.guest("age", files, programs=["pbs", "hprio-pbsd"], drive_options=throttle) as guest:
        yield guest


GROUP = Group(
    letter="r",
    title="a slow drive: old reads are raised (anti-starvation), others have half of its queue",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        Case(
            "r01",
            f"normal, not served after {_RAISE_AFTER_MS} ms: PRIO 00, then the same sectors again at PRIO 10",
            _check_raised,
        ),
        Case("r02", "the same with raising off: PRIO 00 only", _check_not_raised),
        Case(
            "r03",
            f"{_READERS} readers at high through hprio-pbsd: at most half of the drive's queue at a time",
            _check_half_the_queue,
        ),
    ),
)
