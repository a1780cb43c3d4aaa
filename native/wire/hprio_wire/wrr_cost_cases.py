# SPDX-License-Identifier: Apache-2.0
"""Group o: what native/nvme-wrr costs a request, against the guest's own module, in instructions and in time."""

import contextlib
import math
import statistics

from . import Unavailable, machine, wrr_drives, wrr_module
from .cases import Case, Group, expect, noticed
from .wrr_drives import ON, STOCK, Drive

_DRIVE = Drive(0x10, granted=64)
# Where the build puts wireio's function mark() (CMakeLists.txt).
_MARK = 0x48500000
_DEPTHS = {1: "one read at a time", 32: "submissions of 32 reads"}
_READS = 4096
_WARM_READS = 512
_ROUNDS = 8
# Student's t, 97.5 %, for as many rounds less one.
_T = 2.365
# A processor that is busy with reads, and takes as long for each instruction, has 0.99 times the reads a second.
_HUNDREDTH = 1 / 0.99 - 1

FAKED = (
    "the processor: QEMU's, whose instructions a plugin counts. So a count says nothing of how long a real one takes for"
    " an instruction, nor for a doorbell. Times are those of the emulation. The drive is as in group n, and has no data."
)

_UNTOUCHED = ("", STOCK)
_OFF = ("", wrr_module.SOUND)
_URGENT = (f"{ON} wrr_map=u,u,u,u", wrr_module.SOUND)
_SLOW = (f"wrr_fault={wrr_module.SLOW}", wrr_module.FAULTY)


class _Costs:
    """Modules are measured in turns, in an order that changes; each is loaded anew for each round."""

    def __init__(self, drives):
        self._drives = drives
        self._measured = {}

    def of(self, module):
        """The rounds of the untouched module and of this one: in each by depth what Drives.cost tells."""
        if module not in self._measured:
            rounds = []
            for number in range(_ROUNDS):
                pair = [_UNTOUCHED, module]
                order = pair if number % 2 else pair[::-1]
                measured = {each: self._measure(*each) for each in order}
                rounds.append([measured[each] for each in pair])
            self._measured[module] = rounds
        return self._measured[module]

    def _measure(self, parameters, module):
        self._drives.use(parameters, module=module)
        return {depth: self._drives.cost(depth, _READS, _WARM_READS) for depth in _DEPTHS}


def _with_interval(values):
    """The mean, and the ends of its interval of 95 %."""
    mean = statistics.mean(values)
    half = _T * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def _check(module, most):
    """
    A read takes at most this part of the untouched module's instructions more. Only the module differs, so only the modules'
    instructions are compared: those of the rest depend on when the drive answers. Reads a second are shown, not judged.
    """

    def check(costs):
        notes = []
        for depth, name in _DEPTHS.items():
            rounds = [(untouched[depth], other[depth]) for untouched, other in costs.of(module)]
            # On a busy host the processor does more while it waits.
            all_of_read = min(untouched[0] for untouched, _ in rounds)
            more = _with_interval([other[1] - untouched[1] for untouched, other in rounds])
            rate = _with_interval([untouched[2] / other[2] for untouched, other in rounds])
            notes.append(
                f"{name}: {more[0]:.1f} ({more[1]:.1f} to {more[2]:.1f}) instructions more, of {all_of_read:.0f};"
                f" {rate[0]:.3f} ({rate[1]:.3f} to {rate[2]:.3f}) times the reads a second"
            )
            expect(more[2] <= most * all_of_read, f"more than {most:.1%}: {notes[-1]}")
        return f"{_ROUNDS} rounds; {'; '.join(notes)}"

    return check


@contextlib.contextmanager
def _prepare(run):
    version = machine.qemu_version()
    if int(version.split(".")[0]) not in (6, 7, 8):
        raise Unavailable(f"needs a QEMU whose plugins have version 1 of their interface, 6.0 to 8.2; this is {version}")
    plugin = run.program("instructions.so")
    with wrr_drives.guest(
        run,
        "nvme-wrr-cost",
        (_DRIVE,),
        events=(),
        processors=1,
        options=("-plugin", f"file={plugin},mark={_MARK:#x}", "-d", "plugin"),
    ) as drives:
        yield _Costs(drives)


GROUP = Group(
    letter="o",
    title="what four queues cost a request",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        Case("o01", "wrr=0: at most a hundredth more than the untouched module", _check(_OFF, _HUNDREDTH)),
        Case("o02", "wrr=1, reads from one queue of the four", _check(_URGENT, 0.02)),
        Case(
            "o03",
            "a module that takes some 600 instructions longer: noticed",
            noticed(_check(_SLOW, _HUNDREDTH), "more than ", "the slow module passed"),
        ),
    ),
)
