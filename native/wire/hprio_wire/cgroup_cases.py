# SPDX-License-Identifier: Apache-2.0
"""Group g: what a cgroup's io.prio.class makes of a request's class and hint (block/blk-ioprio.c)."""

import contextlib

from . import Unavailable, cdl_cases
from .cases import Case, Group, expect_limit, expect_priority
from .fis import HIGH, NORMAL
from .hint_cases import DEVICE, FILE_BYTES, HINT, read, require

_TREE = "/tmp/cgroup"
_GROUP = f"{_TREE}/group"
_POLICY = f"{_GROUP}/io.prio.class"

# Policy, class of the request with a hint, and the hint that is left.
_HINTS = (
    ("no-change", "rt", HINT),
    ("no-change", "be", HINT),
    ("restrict-to-be", "rt", 0),
    ("restrict-to-be", "be", HINT),
    ("restrict-to-be", "idle", HINT),
    ("promote-to-rt", "rt", HINT),
    ("promote-to-rt", "be", 0),
    ("none-to-rt", "be", 0),
    ("idle", "rt", 0),
    ("idle", "be", 0),
    ("idle", "idle", HINT),
)

# Policy, class of the request, PRIO.
_CLASSES = (
    ("no-change", "rt", HIGH),
    ("restrict-to-be", "rt", NORMAL),
    ("promote-to-rt", "be", HIGH),
)


def _check_hint(number, policy, io_class, limit):
    def check(guest):
        guest.run(f"echo 0 >{DEVICE}/ncq_prio_enable; echo 1 >{DEVICE}/cdl_enable")
        guest.run(f"echo {policy} >{_POLICY}")
        ranges, position = read(guest, number, "direct", f"{io_class}/{HINT}", _GROUP)
        expect_limit(guest.ncq_reads(position), ranges, limit)

    return check


def _check_class(number, policy, io_class, prio):
    def check(guest):
        guest.run(f"echo 0 >{DEVICE}/cdl_enable; echo 1 >{DEVICE}/ncq_prio_enable")
        guest.run(f"echo {policy} >{_POLICY}")
        ranges, position = read(guest, number, "direct", io_class, _GROUP)
        expect_priority(guest.ncq_reads(position), ranges, prio)

    return check


def _cases():
    for index, (policy, io_class, limit) in enumerate(_HINTS, 1):
        number = f"g{index:02}"
        yield Case(
            number,
            f"{policy}; {io_class}, hint {HINT}: AUXILIARY {limit}",
            _check_hint(number, policy, io_class, limit),
        )
    for index, (policy, io_class, prio) in enumerate(_CLASSES, len(_HINTS) + 1):
        number = f"g{index:02}"
        yield Case(
            number,
            f"{policy}, ncq_prio_enable=1; {io_class}: PRIO {prio:02b}",
            _check_class(number, policy, io_class, prio),
        )


@contextlib.contextmanager
def _prepare(run):
    files = {case.number: FILE_BYTES for case in GROUP.cases}
    with run.guest("cgroup", files, fixture="cdl_drive") as guest:
        require(run, guest)
        guest.run(f"mkdir {_TREE} && mount -t cgroup2 cgroup {_TREE} && mkdir {_GROUP}")
        guest.run(f"echo +io >{_TREE}/cgroup.subtree_control")
        if guest.try_run(f"[ -e {_POLICY} ]")[0] != 0:
            raise Unavailable(
                f"the kernel {run.debian.release} is built without CONFIG_BLK_CGROUP_IOPRIO, as all of Debian's are:"
                " give another one with --kernel=DIRECTORY"
            )
        yield guest


GROUP = Group(
    letter="g",
    title="a cgroup's io.prio.class: requests whose class it changes lose their hint",
    faked=cdl_cases.FAKED,
    prepare=_prepare,
    cases=tuple(_cases()),
)
