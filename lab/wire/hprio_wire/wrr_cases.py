# SPDX-License-Identifier: Apache-2.0
"""Group n: the module of native/nvme-wrr, from a request's I/O priority to the NVMe drive's submission queue."""

from . import Broken, nvme, wrr_drives, wrr_module
from .cases import Case, Failed, Group, expect, expect_queue, noticed, reads_of
from .kernel_cases import WAYS
from .nvme import HIGH, LOW, MEDIUM, NAMES, URGENT
from .wrr_drives import ALL, ON, PROCESSORS, Drive

_BLOCK_SECTORS = 8
_IN_ONE = "io_uring, a request for each queue in one submission"
# Fewer than requests, so that the list of what is sent ends before its end.
_FEW_TAGS = len(ALL) - 1
_FEW_TAGS_PARAMETERS = f"{ON} io_queue_depth={_FEW_TAGS + 1}"
# One queue more, which is no interrupt's.
_POLLED_PARAMETERS = f"{ON} poll_queues=1"
_NO_WEIGHTS = "wrr: off, this drive has no weighted round robin (CAP.AMS)"
_AMPLE = Drive(0x10, granted=64, empty=False)
_FEW = Drive(0x11, granted=4 * PROCESSORS - 1)
_TOO_FEW = Drive(0x12, granted=3)

FAKED = (
    "that the drive has weighted round robin: the module is forced to use it. QEMU's drive takes the queues' priorities and"
    " does nothing with them; it refuses the weights. All commands are the module's own."
)


def _check_read(way, priority, prio):
    def check(drives):
        drives.use()
        drives.expect_read(way, priority, prio)

    return check


def _check_queues(drives):
    drives.use()
    drives.expect_queues(PROCESSORS)
    mechanism = nvme.mechanism(drives.trace())
    expect(mechanism == 1, f"CC.AMS {mechanism}")


def _check_map(drives):
    drives.use()
    try:
        for letter, prio in zip("uhml", range(4)):
            said = drives.set("wrr_map", f"l,hhh{letter}hhhh,u,m")
            expect(not said, said)
            drives.expect_read("direct", "be:3", prio)
        drives.expect_read("direct", "rt", LOW)
        drives.expect_read("direct", "idle", URGENT)
    finally:
        drives.set("wrr_map", "u,hhhhmmmm,l,m")


def _check_as_stock(parameters, message):
    def check(drives):
        stock = drives.stock_settings()
        drives.use(parameters)
        ours = nvme.settings(drives.trace())
        expect(ours == stock, f"the kernel's own module has set {stock}, ours {ours}")
        log = drives.log()
        expect(message in log if message else "wrr" not in log, f"the kernel said: {log}")
        for _, priority in ALL:
            # The field has a meaning with weights only.
            drives.expect_read("direct", priority, 0)

    return check


def _expect_weights(trace, high, medium, low, burst):
    expected = (high - 1) << 24 | (medium - 1) << 16 | (low - 1) << 8 | burst
    found = nvme.arbitrations(trace)
    expect(found == [expected], f"not {expected:#010x}: {', '.join(f'{value:#010x}' for value in found) or 'nothing'}")


def _check_weights(drives):
    drives.use(f"{ON} wrr_weights=16,8,256 wrr_burst=7")
    _expect_weights(drives.trace(), 16, 8, 256, 7)


def _check_weights_at_reset(drives):
    drives.use()
    _expect_weights(drives.trace(), 3, 2, 1, 3)
    try:
        drives.set("wrr_weights", "128,2,1")
        drives.set("wrr_burst", "0")
        _expect_weights(drives.reset(), 128, 2, 1, 0)
        drives.expect_read("direct", "idle", LOW)
    finally:
        drives.set("wrr_weights", "3,2,1")
        drives.set("wrr_burst", "3")


def _check_refused(drives):
    drives.use()
    for name, value, allowed in (
        ("wrr_weights", "0,2,1", "three numbers from 1 to 256"),
        ("wrr_weights", "257,2,1", "three numbers from 1 to 256"),
        ("wrr_burst", "8", "0 to 7"),
        ("wrr_map", "u,h,l,x", "RT,BE,IDLE,NONE as"),
    ):
        before = drives.get(name)
        said = drives.set(name, value)
        expect("Invalid argument" in said, f"{name}={value}: {said or 'taken'}")
        expect(drives.get(name) == before, f"{name} is {drives.get(name)}")
        expect(f"nvme: {name}={value}: allowed are {allowed}" in drives.log(), f"the kernel said: {drives.log()}")


def _check_few(drives):
    drives.use(drive=_FEW)
    drives.expect_queues(_FEW.granted // 4)
    for prio, priority in ALL:
        drives.expect_read("direct", priority, prio)


def _check_too_few(drives):
    drives.use(drive=_TOO_FEW)
    log = drives.log()
    message = f"wrr: off, the drive has granted only {_TOO_FEW.granted} queues of {4 * PROCESSORS}"
    expect(message in log, f"the kernel said: {log}")
    made = nvme.queues(drives.trace())
    expect(len(made) == PROCESSORS, f"{len(made)} submission queues")
    for _, priority in ALL:
        drives.expect_read("direct", priority, MEDIUM)


def _check_polled(drives):
    drives.use(_POLLED_PARAMETERS)
    drives.expect_queues(PROCESSORS + 1)
    made, polled = nvme.queues(drives.trace()), nvme.polled(drives.trace())
    expect(len(polled) == 1, f"{len(polled)} completion queues without an interrupt")
    for way, expected in (("polled", True), ("direct", False)):
        for prio, priority in ALL:
            # Not those of the file system.
            reads = reads_of(drives.reads(way, priority), drives.sectors)
            expect_queue(reads, drives.sectors, prio)
            wrong = [str(read) for read in reads if (made[read.queue].completion in polled) != expected]
            expect(not wrong, f"{way}: {wrong[:1]}, and the polled completion queue is {polled}")


def _check_capable(drives):
    """Not forced: the module does what the drive says."""
    drives.use(f"wrr=1 wrr_fault={wrr_module.HAS_WEIGHTS}", module=wrr_module.FAULTY)
    drives.expect_queues(PROCESSORS)
    said = f"wrr: on, {PROCESSORS} x 4 submission queues"
    log = drives.log()
    expect(said in log and "wrr: off" not in log, f"the kernel said: {log}")
    _expect_weights(drives.reset(), 3, 2, 1, 3)
    for prio, priority in ALL:
        drives.expect_read("direct", priority, prio)


def _check_incapable(drives):
    drives.use(f"wrr=1 wrr_fault={wrr_module.HAS_VENDORS}", module=wrr_module.FAULTY)
    log = drives.log()
    expect(_NO_WEIGHTS in log, f"the kernel said: {log}")
    made = nvme.queues(drives.trace())
    expect(len(made) == PROCESSORS, f"{len(made)} submission queues")


def _without_fault(control, drives):
    try:
        control(drives)
    except (Failed, Broken) as failure:
        raise Failed(f"the module without the fault fails: {failure}") from failure


def _check_mutant(fault, priority, prio, wrong):
    """The module without the fault passes in this guest, and the one that was loaded with it does not."""

    def judge(drives):
        drives.expect_read("direct", priority, prio)

    def broken(drives):
        drives.use(f"{ON} wrr_fault={fault}", module=wrr_module.FAULTY)
        judge(drives)

    def check(drives):
        drives.use(module=wrr_module.FAULTY)
        _without_fault(judge, drives)
        seen = noticed(broken, f"not from a queue {NAMES[prio]}: ", "the broken module passed")(drives)
        expect(seen.endswith(f", {NAMES[wrong]}"), seen)
        return seen

    return check


def _expect_batch(drives, mend=None):
    """
    A submission of a request for each queue: all doorbells are rung. One for each: of two the second's doorbell may ring for
    the first, too.
    """
    reads = drives.batch([priority for _, priority in ALL], mend)
    first = drives.sectors[0][0]
    for index, (prio, _) in enumerate(ALL):
        begin = first + index * 2 * _BLOCK_SECTORS
        expect_queue(reads, [(begin, begin + _BLOCK_SECTORS)], prio)


def _check_batch(scheduler, parameters=ON):
    """kyber, other than mq-deadline and bfq, sends requests of different classes at one go."""

    def check(drives):
        drives.use(parameters)
        with drives.scheduler(scheduler):
            _expect_batch(drives)

    return check


def _fault_of_few_tags(drives):
    """Before Linux 6.3 a request counts as the last one, too (bd->last), if the next one gets no tag."""
    return wrr_module.COMMIT if drives.kernel >= (6, 3) else wrr_module.LAST_AND_COMMIT


def _without_lost_commands(drives):
    """
    The number of no fault, with which a reset loses no command: Linux 6.1 does lose some of drives with shadow doorbells, also
    without the module, because it sends requests before it has told the drive of them.
    """
    return wrr_module.NO_FAULT if drives.kernel > (6, 1) else wrr_module.SHADOWLESS


def _check_mute(fault, scheduler, parameters=ON):
    """The file was opened, and its place asked for, when all doorbells were still rung."""

    def check(drives):
        drives.use(f"{parameters} wrr_fault={_without_lost_commands(drives)}", module=wrr_module.FAULTY)
        with drives.scheduler(scheduler):
            _without_fault(_expect_batch, drives)
        # Requests for a queue that was just busy are sent one by one.
        drives.use_anew()
        with drives.scheduler(scheduler):
            return noticed(broken, "no command reads the file's sectors ", "the broken module passed")(drives)

    def broken(drives):
        def mend():
            drives.set("wrr_fault", _without_lost_commands(drives))
            # All that the drive does not know of is sent again.
            drives.reset()

        drives.set("wrr_fault", fault(drives))
        _expect_batch(drives, mend)

    return check


def _check_resets(drives):
    parameters = {"without shadow doorbells": f"{ON} wrr_fault={wrr_module.SHADOWLESS}"}
    if _without_lost_commands(drives) == wrr_module.NO_FAULT:
        parameters["with shadow doorbells"] = ON
    for name, chosen in parameters.items():
        drives.use(chosen, module=wrr_module.FAULTY)
        shadowed = bool(nvme.shadow_doorbells(drives.trace()))
        expect(shadowed == (chosen == ON), f"{name}, and the drive {'has' if shadowed else 'has not'} been told of some")
        load = drives.load_with_resets()
        try:
            drives.expect_no_late_command()
        except Failed as failure:
            raise Failed(f"{name}: {failure}") from failure
        still = [priority for priority, reads in load.items() if not reads]
        expect(len(load) == len(ALL) and not still, f"{name}: no reads at {still}")
    return f"{drives.resets} of {drives.resets} resets, " + " and ".join(parameters)


def _plan():
    yield "each completion queue has a queue of each priority; CC.AMS 1", _check_queues
    for priority, prio in (
        ("rt:0", URGENT),
        ("rt:7", URGENT),
        ("be:0", HIGH),
        ("be:3", HIGH),
        ("be:4", MEDIUM),
        ("be:7", MEDIUM),
        ("idle", LOW),
        ("none", MEDIUM),
    ):
        yield f"{WAYS['direct']}, {priority}: {NAMES[prio]}", _check_read("direct", priority, prio)
    for way in ("buffered", "libaio", "io_uring"):
        for prio, priority in ALL:
            yield f"{WAYS[way]}, {priority}: {NAMES[prio]}", _check_read(way, priority, prio)
    yield f"{_IN_ONE}: each in its queue", _check_batch("none")
    yield f"{_IN_ONE}, through kyber (bd->last)", _check_batch("kyber")
    yield "wrr_map changed: the next request's queue is as it says", _check_map
    yield "wrr_weights, wrr_burst changed: set at the drive's reset", _check_weights_at_reset
    yield "values that are not allowed: refused, in words, and nothing changes", _check_refused
    yield "wrr_weights=16,8,256 wrr_burst=7: Set Features, Arbitration", _check_weights
    yield "wrr=0: as the kernel's own module", _check_as_stock("wrr_force=1", "")
    yield (
        "a drive without weighted round robin, not forced: as the kernel's own module, and said",
        _check_as_stock("wrr=1", _NO_WEIGHTS),
    )
    yield (
        "wrr_weights=300,2,1 at load: as the kernel's own module, and said",
        _check_as_stock(f"{ON} wrr_weights=300,2,1", "wrr_weights=300,2,1: allowed are three numbers from 1 to 256"),
    )
    yield f"{_FEW.granted} queues granted of {4 * PROCESSORS}: fewer completion queues, each with all four", _check_few
    yield f"{_TOO_FEW.granted} queues granted: off, and said", _check_too_few
    yield f"{_IN_ONE}, {_FEW_TAGS} tags (commit_rqs)", _check_batch("kyber", _FEW_TAGS_PARAMETERS)
    yield "resets under load: no command is lost", _check_resets
    yield "QPRIO dropped: noticed", _check_mutant(wrr_module.QPRIO, "idle", LOW, URGENT)
    yield "map swapped: noticed", _check_mutant(wrr_module.MAP, "rt", URGENT, LOW)
    yield f"{_IN_ONE}, doorbells not rung: noticed", _check_mute(lambda _: wrr_module.DOORBELL, "none")
    yield "through kyber, only the last one's doorbell rung: noticed", _check_mute(lambda _: wrr_module.LAST, "kyber")
    yield (
        f"through kyber, {_FEW_TAGS} tags, doorbells not rung: noticed",
        _check_mute(_fault_of_few_tags, "kyber", _FEW_TAGS_PARAMETERS),
    )
    yield "a drive that says that it has weighted round robin, not forced: on, and said", _check_capable
    yield "a drive that says that it has an arbitration of its vendor's: off, and said", _check_incapable
    yield "poll_queues=1, io_uring polled: each in its queue, whose completion queue has no interrupt", _check_polled


def _prepare(run):
    return wrr_drives.guest(run, "nvme-wrr", (_AMPLE, _FEW, _TOO_FEW), modules=("kyber_iosched",))


GROUP = Group(
    letter="n",
    title="four submission queues of an NVMe drive: the classes and levels of requests",
    faked=FAKED,
    prepare=_prepare,
    cases=tuple(Case(f"n{number:02}", title, check) for number, (title, check) in enumerate(_plan(), 1)),
)
