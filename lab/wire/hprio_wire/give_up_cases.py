# SPDX-License-Identifier: Apache-2.0
"""
Group e: a SATA drive gives up a read for its duration limit, while others keep the drive busy. libata lets nothing new in
until all outstanding commands have ended, and only then ends the read with ETIME.
"""

import contextlib
import errno

from .cases import Case, Group, expect
from .fis import NcqRead
from .hint_cases import DEVICE, HINT, require

_FILE = "e"
_FILE_BYTES = 32 << 20
_BLOCK = 4096
_OTHERS = 31
_READS_PER_SECOND = 200
_GIVE_UP = "/sys/module/cdl_drive/parameters/give_up"

# What the guest sends after the drive has ended the read, before it has handled that: at most one for each command that
# has ended at the same time, of which QEMU's throttling makes few.
_LATE = 4
# The command that is read, and all others but a few, are at the drive.
_LEAST = _OTHERS - 5

FAKED = (
    "as group d; the drive is slow (QEMU's throttling); that one read ends with the status bit for sense data, and log 0Fh,"
    " which says why. What libata and the SCSI error handler do then is the kernel's own."
)


class Drive:
    """The drive from when the read with the limit has ended, as its trace shows it."""

    def __init__(self, events):
        """events are those of fis.timed_events; all times are in seconds, None for what has not happened."""
        self.took = None  # from when it was sent until it ended
        self.outstanding = 0  # others, when it ended
        self.late = 0  # others that were sent after that, before none was outstanding
        self.fewest = None  # the fewest outstanding after that
        self.ended = self.empty = self.open = None  # when it ended, none was outstanding, a new one was sent
        self._follow(events)

    def _follow(self, events):
        tags = set()
        ours = began = None
        for time, event in events:
            begins = isinstance(event, NcqRead)
            if begins and event.limit:
                ours, began = event.tag, time
            if begins:
                tags.add(event.tag)
                if self.empty is None and self.ended is not None:
                    self.late += 1
                elif self.empty is not None and self.open is None:
                    self.open = time
                continue
            tags.discard(event)
            if event == ours and self.ended is None:
                self.ended, self.outstanding, self.took = time, len(tags), time - began
            if self.ended is None:
                continue
            self.fewest = len(tags) if self.fewest is None else min(self.fewest, len(tags))
            if not tags and self.empty is None:
                self.empty = time


def _read(guest, give_up):
    """What the read with the limit gave, how long it took in seconds, and the drive's side of it."""
    guest.run(f"echo 1 >{DEVICE}/cdl_enable; echo {give_up} >{_GIVE_UP}")
    position = guest.trace_position()
    told = guest.run(f"wireio among {_OTHERS} be/{HINT} /mnt/{_FILE}")
    # The others end with the process, and what they have sent ends by itself.
    result, microseconds = map(int, told.split())
    drive = Drive(guest.timed_events(position))
    expect(drive.ended is not None, "the drive has not ended a read with a limit")
    expect(drive.outstanding >= _LEAST, f"only {drive.outstanding} others were at the drive")
    return result, microseconds / 1e6, drive


def _sense_logs(guest):
    """How often the kernel has asked for log 0Fh."""
    return int(guest.run("dmesg | grep -c 'fixture: answered READ LOG 0x0f' || true"))


def _check_given_up(guest):
    logs = _sense_logs(guest)
    result, seconds, drive = _read(guest, 1)
    logs = _sense_logs(guest) - logs
    expect(logs == 1, f"the kernel has read log 0Fh {logs} times")
    expect(result == -errno.ETIME, f"the read gave {result} instead of ETIME")
    expect(drive.empty is not None, f"the drive has not become idle: at least {drive.fewest} commands were at it")
    expect(drive.late <= _LATE, f"{drive.late} commands were sent after the drive had given up the read")
    expect(drive.open is not None, "no command was sent after that")
    after = seconds - drive.took
    expect(
        after >= drive.empty - drive.ended,
        f"ETIME came after {after:.3f} s, and all others had ended after {drive.empty - drive.ended:.3f} s",
    )
    return (
        f"{drive.outstanding} others outstanding: {_ms(drive.empty - drive.ended)} until they had ended,"
        f" ETIME after {_ms(after)}, the next command after {_ms(drive.open - drive.ended)}"
    )


def _check_done(guest):
    result, _, drive = _read(guest, 0)
    expect(result == _BLOCK, f"the read gave {result}")
    # The process ends, and with it what keeps the drive busy.
    expect(drive.late > _LATE, f"only {drive.late} commands were sent after it")
    return f"{drive.outstanding} others outstanding, {drive.late} commands sent after it"


def _ms(seconds):
    return f"{1000 * seconds:.0f} ms"


@contextlib.contextmanager
def _prepare(run):
    with run.guest(
        "give_up",
        {_FILE: _FILE_BYTES},
        fixture="cdl_drive",
        drive_options=f",throttling.iops-read={_READS_PER_SECOND}",
        options=("-msg", "timestamp=on"),
    ) as guest:
        require(run, guest)
        yield guest


GROUP = Group(
    letter="e",
    title="a SATA drive that gives up a read (policy 0xD) among others: it is closed until it holds no command",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        Case(
            "e01",
            f"O_DIRECT pread, be, hint {HINT}, given up with {_OTHERS} others outstanding: nothing new is sent until"
            " they have ended, then ETIME",
            _check_given_up,
        ),
        Case("e02", "the same read, not given up: others are sent all the time", _check_done),
    ),
)
