# SPDX-License-Identifier: Apache-2.0
"""Group b: the kernel's own path, from a thread's or a request's I/O priority to the drive."""

import contextlib

from .cases import Case, Group, expect, expect_priority, extents, sectors
from .fis import HIGH, NORMAL

_DEVICE = "/sys/block/sda/device"
_FILE_BYTES = 64 << 10

_CLASSES = ("rt", "be", "idle", "none")
# wireio's ways to read, with what they are called in titles.
WAYS = {
    "buffered": "buffered read",
    "sendfile": "sendfile",
    "direct": "O_DIRECT pread",
    "libaio": "libaio, priority per request",
    "io_uring": "io_uring, priority per request",
}

FAKED = (
    "drive's answers faked: IDENTIFY DEVICE word 76 bit 12 and three READ LOG pages, by which libata learns"
    " that a drive knows NCQ priority. What libata makes of them and all commands are the kernel's own."
)


def _check(name, way, io_class, enabled, prio):
    def check(guest):
        guest.run(f"echo {enabled} > {_DEVICE}/ncq_prio_enable")
        path = f"/mnt/{name}"
        ranges = sectors(extents(guest, path))
        position = guest.trace_position()
        done = int(guest.run(f"wireio read {way} {io_class} {path}"))
        expect(done == _FILE_BYTES, f"{done} bytes were read instead of {_FILE_BYTES}")
        expect_priority(guest.ncq_reads(position), ranges, prio)

    return check


def _cases():
    plan = [(way, io_class, 1) for way in WAYS for io_class in _CLASSES]
    plan += [(way, "rt", 0) for way in WAYS]
    for index, (way, io_class, enabled) in enumerate(plan, 1):
        prio = HIGH if enabled and io_class == "rt" else NORMAL
        switch = "" if enabled else ", ncq_prio_enable=0"
        yield Case(
            f"b{index:02}",
            f"{WAYS[way]}, {io_class}{switch}: PRIO {prio:02b}",
            _check(f"b{index:02}", way, io_class, enabled, prio),
        )


@contextlib.contextmanager
def _prepare(run):
    files = {case.number: _FILE_BYTES for case in GROUP.cases}
    with run.guest("kernel", files, fixture="ncq_prio_drive") as guest:
        supported = guest.run(f"cat {_DEVICE}/ncq_prio_supported").strip()
        expect(supported == "1", f"libata does not see NCQ priority: ncq_prio_supported is {supported}")
        yield guest


GROUP = Group(
    letter="b",
    title="the kernel's own path to a drive with NCQ priority",
    faked=FAKED,
    prepare=_prepare,
    cases=tuple(_cases()),
)
