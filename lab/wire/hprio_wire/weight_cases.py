# SPDX-License-Identifier: Apache-2.0
"""Group v: what each class gets of a drive that arbitrates, with native/nvme-wrr and without."""

import contextlib
import math
import statistics

from . import arbiter, nvme, wrr_drives
from .cases import Case, Group, expect
from .wrr_drives import Drive

# Slow enough for an emulated processor to ask for more all the time.
_RATE = 1000
_INSIDE = 8
_DRIVE = Drive(0x10, granted=64)
_OFF = "wrr=0"
# What the drive says of itself is enough: the module is not forced.
_ON = "wrr=1 wrr_burst=0 wrr_weights="
_SECONDS = 2
_ROUNDS = 8
# Student's t, 97.5 %, for as many rounds less one.
_T = 2.365
_DEPTH = 64
_CLASSES = {"urgent": "rt", "high": "be:0", "medium": "be:7", "low": "idle"}
# Of the reads that the drive can do in the time. Below it the guest has not asked for more, and nothing was shared.
_LEAST_BUSY = 0.95
# Of a share: the drive is asked by a processor that is emulated.
_TOLERANCE = 0.03
_GETS = 4

FAKED = (
    "the drive: QEMU's, which one insert (host/nvme_arbiter.h) lets arbitrate as the NVMe specification says; it finishes"
    f" {_RATE} reads a second, one after the other, with {_INSIDE} inside, and has no data. The kernel, its NVMe driver with"
    " native/nvme-wrr and the drive's registers, queues and feature are real. Shares say something, reads in a second do not."
)


class _Drives:
    """The guest's drive, in one setting at a time."""

    def __init__(self, guest, drives):
        self._guest = guest
        self._drives = drives

    def use(self, parameters):
        self._drives.use(parameters)
        # A drive with one completion queue has mq-deadline, which would order the classes before it.
        self._guest.run("echo none >/sys/block/nvme0n1/queue/scheduler")
        arbitration = "on" if parameters != _OFF else "off"
        queues = len(nvme.queues(self._drives.trace()))
        expect(queues == (4 if parameters != _OFF else 1), f"with {parameters} the drive has {queues} queues: not {arbitration}")

    def reads(self, load):
        """What each class of a load, class to reads under way, has read in one round; the drive had never nothing to do."""
        words = " ".join(f"{depth} {_CLASSES[name]}" for name, depth in load.items())
        told = self._guest.run(f"wireio shares {_SECONDS} {_DRIVE.path} {words}")
        reads = dict(zip(load, (int(line.split()[1]) for line in told.splitlines())))
        busy = sum(reads.values()) / (_RATE * _SECONDS)
        # It does more after its host had no time for it.
        expect(
            busy >= _LEAST_BUSY,
            f"no figure: the drive did {busy:.2f} of the reads that it can do, not {_LEAST_BUSY} and more (is the host busy?)",
        )
        return reads


def _with_interval(values):
    mean = statistics.mean(values)
    half = _T * statistics.stdev(values) / math.sqrt(len(values))
    return f"{mean:.3f} ± {half:.3f}", mean


def _check_shares(parameters, expected):
    """expected: of each class that loads the drive, its share of the reads."""

    def check(drives):
        drives.use(parameters)
        rounds = [drives.reads(dict.fromkeys(expected, _DEPTH)) for _ in range(_ROUNDS)]
        notes = []
        wrong = []
        for name, wanted in expected.items():
            shown, mean = _with_interval([reads[name] / sum(reads.values()) for reads in rounds])
            notes.append(f"{name} {shown}")
            if abs(mean - wanted) > _TOLERANCE:
                wrong.append(f"{name} has {shown} of the reads, not {wanted:.3f}")
        expect(not wrong, "; ".join(wrong))
        return f"{_ROUNDS} rounds of {_SECONDS} s, intervals of 95 %: {', '.join(notes)}"

    return check


def _check_kept(parameters, name, times, least, most):
    """
    How much of its reads a foreground, _GETS under way, keeps beside so many times as many at idle. Alone it has all that
    the drive does; so what it keeps is its share.
    """

    def check(drives):
        drives.use(parameters)
        drives.reads({name: _GETS})
        rounds = [drives.reads({name: _GETS, "low": _GETS * times}) for _ in range(_ROUNDS)]
        shown, mean = _with_interval([reads[name] / sum(reads.values()) for reads in rounds])
        expect(least <= mean <= most, f"it keeps {shown}, not {least} to {most}")
        return f"{_ROUNDS} rounds of {_SECONDS} s, interval of 95 %: {shown} kept"

    return check


def _weighted(weights):
    """The shares of high, medium and low by their weights."""
    return {name: weight / sum(weights) for name, weight in zip(("high", "medium", "low"), weights)}


def _plan():
    yield (
        "wrr=0: four classes share alike, in one queue",
        _check_shares(_OFF, dict.fromkeys(_CLASSES, 1 / 4)),
    )
    for weights in ((3, 2, 1), (16, 8, 1), (128, 16, 1)):
        text = ",".join(map(str, weights))
        yield f"weights {text}: high, medium and low share by them", _check_shares(_ON + text, _weighted(weights))
    # An emulated processor that is slow to ask again leaves places to the others now and then.
    yield (
        "urgent beside the three others: it has what it asks for",
        _check_shares(f"{_ON}3,2,1", {"urgent": 1.0, "high": 0.0, "medium": 0.0, "low": 0.0}),
    )
    for times in (16, 128):
        beside = f"{_GETS} reads under way beside {_GETS * times} at idle"
        # In one queue a read waits for all before it.
        yield f"{beside}, wrr=0", _check_kept(_OFF, "urgent", times, 0, 1.5 / (1 + times))
        # Each waits for those inside: of so many places it never has more than its own.
        for name, weights in (("urgent", "3,2,1"), ("high", f"{times},1,1")):
            yield (
                f"{beside}, {name}, weights {weights}",
                _check_kept(_ON + weights, name, times, 0.6 * _GETS / _INSIDE, 1),
            )


@contextlib.contextmanager
def _prepare(run):
    with wrr_drives.guest(
        run,
        "nvme-weights",
        (_DRIVE,),
        events=("pci_nvme_create_sq", "pci_nvme_create_cq"),
        processors=1,
        qemu=arbiter.qemu(run, _RATE, _INSIDE),
    ) as drives:
        yield _Drives(drives.guest, drives)


GROUP = Group(
    letter="v",
    title="what each class gets of an NVMe drive that arbitrates",
    faked=FAKED,
    prepare=_prepare,
    cases=tuple(Case(f"v{number:02}", title, check) for number, (title, check) in enumerate(_plan(), 1)),
    asked_only=True,
)
