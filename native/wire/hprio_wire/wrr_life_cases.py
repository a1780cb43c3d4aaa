# SPDX-License-Identifier: Apache-2.0
"""Group t: a drive with four submission queues for each one that is suspended, removed, or too slow."""

from . import nvme, wrr_drives, wrr_module
from .cases import Case, Failed, Group, expect, noticed
from .nvme import NAMES, URGENT
from .wrr_drives import ALL, ON, PROCESSORS, STOCK, Drive

_USUAL = Drive(0x10, granted=64)
# Half of so many reads in one submission are later than the limit, which the kernel checks once a second; none is so late
# that the driver resets the drive.
_SLOW = Drive(0x11, granted=64, reads_per_second=4)
_READS = 8
_LIMIT_S = 1
_TROUBLE = ("WARNING", "BUG", "timeout", "hung")

FAKED = "that the drive has weighted round robin, as in group n. A suspended machine resets QEMU's drive, as power that is lost"


def _modules(drives):
    """
    The guest's own module first, then the one of four queues, with its name. Linux 6.1 loses commands of drives with shadow
    doorbells at a reset: its own module is not judged, and the other one does without them.
    """
    if drives.kernel > (6, 1):
        yield "the kernel's own module", lambda: drives.use("", module=STOCK), False
        yield "four queues", drives.use, True
    else:
        parameters = f"{ON} wrr_fault={wrr_module.SHADOWLESS}"
        yield "four queues", lambda: drives.use(parameters, module=wrr_module.FAULTY), True


def _for_modules(check):
    def run(drives):
        for name, use, ours in _modules(drives):
            use()
            try:
                check(drives)
                trouble = [line for line in drives.log().splitlines() if any(word in line for word in _TROUBLE)]
                expect(not trouble, f"the kernel said: {'; '.join(trouble[:2])}")
                # Made again, since it is there again.
                if ours:
                    drives.expect_queues(PROCESSORS)
                else:
                    made = len(nvme.queues(drives.trace()))
                    expect(made == PROCESSORS, f"{made} submission queues")
                for prio, priority in ALL:
                    drives.expect_read("direct", priority, prio if ours else 0)
            except Failed as failure:
                raise Failed(f"{name}: {failure}") from failure
        return f"{drives.resets} of {drives.resets} times, {' and '.join(name for name, *_ in _modules(drives))}"

    return run


def _suspend(drives):
    for _ in range(drives.resets):
        done = drives.load_with_suspend()
        still = [priority for priority, reads in done.items() if not reads]
        expect(len(done) == len(ALL) and not still, f"no reads at {still}")
    asleep = drives.log().count("Waking up from system sleep state S3")
    expect(asleep == drives.resets, f"asleep {asleep} times of {drives.resets}")


def _lose(bus):
    def check(drives):
        for _ in range(drives.resets):
            said = drives.lose(bus)
            expect(said.startswith("wireio: "), f"the readers have not noticed: {said}")

    return check


def _check_abort(drives, fault=wrr_module.NO_FAULT):
    with drives.time_limit(_LIMIT_S):
        drives.use(f"{ON} wrr_fault={fault}", drive=_SLOW, module=wrr_module.FAULTY)
        sent, aborted = drives.aborts(["rt"] * _READS)
        made = nvme.queues(drives.trace())
    expect(aborted, "no command was aborted")
    for command, queue in aborted:
        prio = NAMES[made[queue].prio] if queue in made else "none"
        expect(made.get(queue) and made[queue].prio == URGENT, f"an abort names a queue {prio}, not {NAMES[URGENT]}")
        expect((command, queue) in sent, f"an abort names command {command} of queue {queue}, which was not sent")
    return f"{len(aborted)} aborts"


def _check_wrong_abort(drives):
    seen = noticed(
        lambda which: _check_abort(which, wrr_module.ABORT), "an abort names a queue medium", "the broken module passed"
    )
    return seen(drives)


def _prepare(run):
    return wrr_drives.guest(run, "nvme-wrr-life", (_USUAL, _SLOW))


GROUP = Group(
    letter="t",
    title="four submission queues of an NVMe drive that is suspended, removed, or too slow",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        Case("t01", "suspended to memory under load: no command is lost, then each in its queue", _for_modules(_suspend)),
        Case("t02", "unbound under load, and bound: the readers end, then each in its queue", _for_modules(_lose(bus=False))),
        Case("t03", "removed from the PCI bus under load, and found again: the same", _for_modules(_lose(bus=True))),
        Case("t04", "a command too late: its abort names the queue that it was sent to", _check_abort),
        Case("t05", "an abort names the completion queue's own: noticed", _check_wrong_abort),
    ),
)
