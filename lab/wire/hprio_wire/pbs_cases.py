# SPDX-License-Identifier: Apache-2.0
"""Group a: reads through the native module PBS, which brings its priority to the drive itself."""

import contextlib
import functools
from collections.abc import Callable
from dataclasses import dataclass

from . import Broken, image
from .cases import (
    UNWRITTEN,
    Case,
    Failed,
    Group,
    expect,
    expect_priority,
    expect_priority_only_in,
    extents,
    reads_of,
    sectors,
)
from .fis import HIGH, NORMAL

_LEVELS = {"high": HIGH, "normal": NORMAL}
_COPY = "/tmp/copy"
_CHUNK = 64 << 10
_PAGE = 4096
# The disk's first sector, by which pbs tries whether the drive takes its commands, at level high.
_TRIED = (0, 1)
SOCKET = "/tmp/hprio-pbsd"
USER = 1000
_NOBODY = "65534:65534"

FAKED = "nothing is faked: the drive takes the bits of any command, and need not say that it knows them"


def _write(path, chunks, how):
    """Shell that writes noise into the given 64 KiB chunks of a file, in that order."""
    return (
        f"for i in {' '.join(map(str, chunks))}; do"
        f" dd if=/dev/urandom of={path} bs={_CHUNK} count=1 seek=$i conv={how} 2>/tmp/dd || cat /tmp/dd; done"
    )


def _fragmented(path):
    """Another file's chunks lie between its own."""
    files = (path, f"{path}.other")
    return "; ".join(_write(file, (chunk,), "notrunc,fsync") for chunk in range(4) for file in files)


def _hole(path):
    return f"{_write(path, (2,), 'notrunc,fsync')}; truncate -s {5 * _CHUNK} {path}"


def _unwritten(path):
    return f"fallocate -l {_CHUNK} {path} && sync"


def _half_overwritten(path):
    return _write(path, (0,), "notrunc")


@dataclass(frozen=True)
class Layout:
    """
    A kind of file. It comes with the disk with image_bytes, else the guest makes it by the shell of make;
    change is done when the page cache has nothing of it; fits tells from its extents whether it is what it is meant to be.
    """

    name: str
    image_bytes: int = 0
    make: Callable = None
    fits: Callable = lambda found, length: True
    change: Callable = None
    deleted: bool = False
    from_drive: bool = True


_LAYOUTS = (
    Layout(
        "aligned", 1 << 20, fits=lambda found, length: sum(e.length for e in found) == length
    ),
    Layout("fragmented", make=_fragmented, fits=lambda found, length: len(found) > 1),
    Layout(
        "hole",
        make=_hole,
        fits=lambda found, length: sum(e.length for e in found) == _CHUNK < length,
    ),
    Layout("tail", _CHUNK + 700, fits=lambda found, length: length % 512 != 0),
    Layout("deleted while open", 2 * _CHUNK, deleted=True),
    # Half of it is in the page cache only: a read must not be taken for one that finds all of it there.
    Layout(
        "dirty",
        2 * _CHUNK,
        change=_half_overwritten,
        fits=lambda found, length: len(found) == 1,
        from_drive=False,
    ),
    Layout(
        "unwritten",
        make=_unwritten,
        fits=lambda found, length: all(e.flags & UNWRITTEN for e in found),
        from_drive=False,
    ),
)


def check(number, layout, level, program="pbs", strict=False):
    """What a case does; program is the PBS to be judged. strict: it must read by commands of its own, else Broken."""
    command = f"{program} read --level={level}{' --strict' if strict else ''}"
    return _check(number, layout, command, functools.partial(_judge, _LEVELS[level]))


def _check(number, layout, command, judge):
    """judge(guest, layout, path, reads) raises Failed."""

    def run(guest):
        with _file(guest, f"/mnt/{number}", layout) as path:
            guest.run("sync; echo 3 >/proc/sys/vm/drop_caches")
            if layout.change:
                _shell(guest, layout.change(path))
            position = guest.trace_position()
            # An emulated drive may be slow: no read is to be raised for its age.
            told = guest.run(f"rm -f {_COPY}; {command} --raise-after=0 --output={_COPY} {path}")
            try:
                judge(guest, layout, path, guest.ncq_reads(position))
                same, difference = guest.try_run(f"cmp {path} {_COPY}")
                expect(same == 0, f"not what pread gives: {difference.strip()}")
            except Failed as failure:
                raise Failed(f"{failure} (pbs says: {told.strip()})") from failure

    return run


def _judge(prio, guest, layout, path, reads):
    cached_pages = int(guest.run(f"wireio resident {path}"))
    length = int(guest.run(f"stat -Lc %s {path}"))
    # Only now: it writes dirty data to the disk.
    found = extents(guest, path)
    if not layout.fits(found, length):
        raise Broken(f"the file, {length} bytes, is not {layout.name}: {found}")
    if layout.from_drive:
        _expect_from_drive(reads, found, length, prio, cached_pages)
    elif layout.change:
        _expect_plain(reads, sectors(found), length, cached_pages)
    else:
        _expect_no_command(reads, found)


def _judge_fallback(guest, layout, path, reads):
    """Read plainly, through the page cache."""
    expect_priority(reads, sectors(extents(guest, path)), NORMAL)
    expect(int(guest.run(f"wireio resident {path}")) > 0, "not through the page cache")


def _expect_from_drive(reads, found, length, prio, cached_pages):
    expect_priority(reads, sectors(found, length), prio)
    expect_priority_only_in(reads, [_TRIED, *sectors(found)])
    expect(cached_pages == 0, f"{cached_pages} pages came through the page cache")


def _expect_plain(reads, ranges, length, cached_pages):
    """Read through the page cache, which has it whole now; no command asked for what was overwritten in it."""
    half = length // 2 // image.SECTOR
    first, end = ranges[0]
    ours = reads_of(reads, [(first, first + half)])
    expect(not ours, f"the drive was asked for sectors that the page cache has: {', '.join(map(str, ours))}")
    expect_priority(reads, [(first + half, end)], NORMAL)
    expect(cached_pages * _PAGE >= length, f"{cached_pages} pages of it are in the page cache")


def _expect_no_command(reads, found):
    ours = reads_of(reads, sectors(found))
    expect(not ours, f"the drive was asked for sectors without data: {', '.join(map(str, ours))}")
    expect_priority_only_in(reads, [_TRIED])


def _shell(guest, command):
    complaint = guest.run(command)
    expect(not complaint, complaint.strip())


@contextlib.contextmanager
def _file(guest, path, layout):
    if layout.make:
        _shell(guest, layout.make(path))
    if not layout.deleted:
        yield path
        return
    holder = int(guest.run(f"sleep 1000 3<{path} & echo $!"))
    guest.run(f"until [ -e /proc/{holder}/fd/3 ]; do sleep 0.1; done; rm {path}")
    yield f"/proc/{holder}/fd/3"
    guest.run(f"kill {holder}")


def layout(name):
    return next(layout for layout in _LAYOUTS if layout.name == name)


def number(name, level):
    """Of the case that reads this layout at this level."""
    return next(n for n, kind, its_level in _plan() if (kind.name, its_level) == (name, level))


def _title(kind, level):
    if kind.from_drive:
        return f"{kind.name}, {level}: PRIO {_LEVELS[level]:02b}, data as of pread"
    if kind.change:
        return f"{kind.name}, {level}: read plainly, no command for what is dirty, data as of pread"
    return f"{kind.name}, {level}: zeros, no command, data as of pread"


def _plan():
    pairs = [(kind, level) for kind in _LAYOUTS for level in _LEVELS]
    return [(f"a{index:02}", kind, level) for index, (kind, level) in enumerate(pairs, 1)]


_PLAIN_USER = f"wireio as {USER} pbs read --level=high"
_RIGHTS = (
    Case(
        "a15",
        "a process without rights on the disk, high, through hprio-pbsd: PRIO 10, data as of pread",
        _check(
            "a15",
            layout("tail"),
            f"{_PLAIN_USER} --access=helper --helper={SOCKET}",
            functools.partial(_judge, HIGH),
        ),
    ),
    Case(
        "a16",
        "the same without hprio-pbsd: read plainly, PRIO 00, data as of pread",
        _check("a16", layout("tail"), _PLAIN_USER, _judge_fallback),
    ),
)


def start_helper(guest, user, socket=SOCKET):
    """hprio-pbsd serves /mnt to the user."""
    # The guest has no list of users.
    command = f"hprio-pbsd --socket={socket} --allow-uid={user} --user={_NOBODY} /mnt"
    guest.run(f"{command} >/tmp/pbsd 2>&1 &")
    guest.run("until grep -q serves /tmp/pbsd; do sleep 0.1; done")


@contextlib.contextmanager
def _prepare(run):
    files = {number: kind.image_bytes for number, kind, _ in _plan() if kind.image_bytes}
    users_files = {case.number: layout("tail").image_bytes for case in _RIGHTS}
    with run.guest("pbs", files | users_files, programs=["pbs", "hprio-pbsd"]) as guest:
        # The kernel tells only a file's owner what the page cache has of it (mincore).
        guest.run(f"cd /mnt && chown {USER} {' '.join(users_files)}")
        start_helper(guest, USER)
        yield guest


GROUP = Group(
    letter="a",
    title="reads through PBS (native/pbs)",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        *(Case(n, _title(kind, level), check(n, kind, level)) for n, kind, level in _plan()),
        *_RIGHTS,
    ),
)
