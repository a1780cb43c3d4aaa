# SPDX-License-Identifier: Apache-2.0
"""Group n: the module of native/nvme-wrr, from a request's I/O priority to the NVMe drive's submission queue."""

import contextlib

from . import Broken, machine, nvme, wrr_module
from .cases import Case, Failed, Group, expect, expect_queue, extents, noticed, sectors
from .kernel_cases import WAYS
from .nvme import HIGH, LOW, MEDIUM, NAMES, URGENT

_FILE = "n"
_FILE_BYTES = 64 << 10
_PATH = f"/mnt/{_FILE}"
_PROCESSORS = 2
_AMPLE_S = 1
# The guest's own module, under the name of a file.
_STOCK = "nvme-stock"
_PCI_DRIVER = "/sys/bus/pci/drivers/nvme"
_ON = "wrr=1 wrr_force=1"
_ALL = ((URGENT, "rt"), (HIGH, "be:0"), (MEDIUM, "be:7"), (LOW, "idle"))
_BLOCK_SECTORS = 8
_IN_ONE = "io_uring, a request for each queue in one submission"
# Fewer than requests, so that the list of what is sent ends before its end.
_FEW_TAGS = len(_ALL) - 1
_FEW_TAGS_PARAMETERS = f"{_ON} io_queue_depth={_FEW_TAGS + 1}"
# A command that is lost takes half a minute, until the kernel misses it.
_LOAD_LIMIT_S = 100
_RESET_LIMIT_S = 5

FAKED = (
    "that the drive has weighted round robin: the module is forced to use it. QEMU's drive takes the queues' priorities and"
    " does nothing with them; it refuses the weights. All commands are the module's own."
)


class _Drive:
    """One of the guest's drives: where it is on the PCI bus, how many queues it grants; with a file system or empty."""

    def __init__(self, slot, granted, empty=True):
        self.address = f"0000:00:{slot:02x}.0"
        self.granted = granted
        source = f"null{slot}" if empty else "disk"
        # Without sectors that an empty one does not need.
        made = ("-blockdev", f"null-co,node-name={source},size={_FILE_BYTES},read-zeroes=on") if empty else ()
        self.options = (
            *made,
            "-device",
            f"nvme,drive={source},serial={source},bus=pcie.0,addr={slot:#x},max_ioqpairs={granted}",
        )
        self.path = "/dev/nvme0n1" if empty else _PATH
        self.partition = None if empty else "/dev/nvme0n1p1"


_AMPLE = _Drive(0x10, granted=64, empty=False)
_FEW = _Drive(0x11, granted=4 * _PROCESSORS - 1)
_TOO_FEW = _Drive(0x12, granted=3)
_DRIVES = (_AMPLE, _FEW, _TOO_FEW)


class _Drives:
    """The guest's drives, of which one is in use."""

    def __init__(self, guest, kernel, resets):
        """kernel is its version as (major, minor); resets is how many load_with_resets makes."""
        self._guest = guest
        self.resets = resets
        self.kernel = kernel
        self._used = None
        self._stock_settings = None

    def use(self, parameters=_ON, drive=_AMPLE, module=wrr_module.SOUND):
        """Has the module, loaded with the parameters, serve this drive and no other."""
        wanted = (parameters, drive, module)
        if self._used == wanted:
            return
        self._leave()
        self._began = self._guest.trace_position()
        self._guest.run(
            f"dmesg -c >/dev/null; insmod /modules/later/{module}.ko {parameters}"
            f" && echo {drive.address} >{_PCI_DRIVER}/bind"
            f" && until [ -b {drive.partition or drive.path} ]; do sleep 0.1; done"
        )
        if drive.partition:
            self._guest.run(f"mount -t ext4 -o ro,noload {drive.partition} /mnt")
        self._used = wanted
        whole = [(0, _FILE_BYTES // 512)]
        self.sectors = sectors(extents(self._guest, _PATH)) if drive.partition else whole

    def use_anew(self):
        """The same again: the kernel forgets how busy the drive's queues were."""
        used = self._used
        self._leave()
        self.use(*used)

    def _leave(self):
        if self._used:
            _, drive, module = self._used
            self._used = None
            unmount = "umount /mnt && " if drive.partition else ""
            name = "nvme_faulty" if module == wrr_module.FAULTY else "nvme"
            self._guest.run(f"{unmount}echo {drive.address} >{_PCI_DRIVER}/unbind && rmmod {name}")

    def trace(self):
        """Since the module was loaded."""
        return self._guest.traced_since(self._began)

    def stock_settings(self):
        """What the guest's own module sets in the drive with the file system."""
        if not self._stock_settings:
            self.use("", module=_STOCK)
            self._stock_settings = nvme.settings(self.trace())
        return self._stock_settings

    def reads(self, way, priority):
        """What the drive was asked for by a reader of the whole file."""
        position = self._guest.trace_position()
        done = int(self._guest.run(f"echo 3 >/proc/sys/vm/drop_caches; wireio read {way} {priority} {self._used[1].path}"))
        expect(done == _FILE_BYTES, f"{done} bytes were read instead of {_FILE_BYTES}")
        return nvme.reads(self._guest.traced_since(position), nvme.queues(self.trace()))

    def batch(self, priorities, mend=None):
        """
        The same of a reader of several blocks in one submission, each at one of the priorities. With mend: what the drive
        was asked for within a time in which several such readers end; only mend() lets this one end.
        """
        read = f"wireio batch {self._used[1].path} {' '.join(priorities)}"
        position = self._guest.trace_position()
        self._guest.run(f"{read} >/tmp/read & sleep {_AMPLE_S}" if mend else read)
        reads = nvme.reads(self._guest.traced_since(position), nvme.queues(self.trace()))
        if mend:
            mend()
            self._guest.run("until [ -s /tmp/read ]; do sleep 0.1; done; rm /tmp/read")
        return reads

    @contextlib.contextmanager
    def scheduler(self, name):
        file = "/sys/block/nvme0n1/queue/scheduler"
        self._guest.run(f"echo {name} >{file}")
        try:
            yield
        finally:
            self._guest.run(f"echo none >{file}")

    def load_with_resets(self, priorities):
        """Resets the drive again and again while readers of each priority keep it busy; how many reads they have done."""
        told = self._guest.run(
            f"rm -f /tmp/stop; wireio load /tmp/stop {self._used[1].path} {' '.join(priorities)} >/tmp/load &"
            f" cd /sys/class/nvme/nvme0; for i in $(seq {self.resets}); do sleep 0.1; echo 1 >reset_controller; done;"
            " touch /tmp/stop; wait; cat /tmp/load",
            limit_s=_LOAD_LIMIT_S + self.resets * _RESET_LIMIT_S,
        )
        return {priority: int(reads) for priority, reads in map(str.split, told.splitlines())}

    def set(self, name, value):
        """A parameter of the module that is loaded; what the shell says of it, which is nothing if it is taken."""
        module = "nvme_faulty" if self._used[2] == wrr_module.FAULTY else "nvme"
        return self._guest.try_run(f"echo {value} >/sys/module/{module}/parameters/{name}")[1].strip()

    def get(self, name):
        return self._guest.run(f"cat /sys/module/nvme/parameters/{name}").strip()

    def log(self):
        """Of the kernel, since the module was loaded."""
        return self._guest.run("dmesg")

    def reset(self):
        """The trace of it."""
        position = self._guest.trace_position()
        self._guest.run(
            "cd /sys/class/nvme/nvme0 && echo 1 >reset_controller && until [ $(cat state) = live ]; do sleep 0.1; done"
        )
        return self._guest.traced_since(position)


def _expect_read(drives, way, priority, prio):
    expect_queue(drives.reads(way, priority), drives.sectors, prio)


def _check_read(way, priority, prio):
    def check(drives):
        drives.use()
        _expect_read(drives, way, priority, prio)

    return check


def _expect_queues(drives, completions):
    """Each of as many completion queues has four submission queues."""
    made = nvme.queues(drives.trace())
    expected = [(number, prio) for number in range(1, completions + 1) for prio in range(4)]
    found = sorted((queue.completion, queue.prio) for queue in made.values())
    expect(found == expected, f"completion queue and QPRIO of each submission queue: {found}")


def _check_queues(drives):
    drives.use()
    _expect_queues(drives, _PROCESSORS)
    mechanism = nvme.mechanism(drives.trace())
    expect(mechanism == 1, f"CC.AMS {mechanism}")


def _check_map(drives):
    drives.use()
    try:
        for letter, prio in zip("uhml", range(4)):
            said = drives.set("wrr_map", f"l,hhh{letter}hhhh,u,m")
            expect(not said, said)
            _expect_read(drives, "direct", "be:3", prio)
        _expect_read(drives, "direct", "rt", LOW)
        _expect_read(drives, "direct", "idle", URGENT)
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
        for _, priority in _ALL:
            # The field has a meaning with weights only.
            _expect_read(drives, "direct", priority, 0)

    return check


def _expect_weights(trace, high, medium, low, burst):
    expected = (high - 1) << 24 | (medium - 1) << 16 | (low - 1) << 8 | burst
    found = nvme.arbitrations(trace)
    expect(found == [expected], f"not {expected:#010x}: {', '.join(f'{value:#010x}' for value in found) or 'nothing'}")


def _check_weights(drives):
    drives.use(f"{_ON} wrr_weights=16,8,256 wrr_burst=7")
    _expect_weights(drives.trace(), 16, 8, 256, 7)


def _check_weights_at_reset(drives):
    drives.use()
    _expect_weights(drives.trace(), 3, 2, 1, 3)
    try:
        drives.set("wrr_weights", "128,2,1")
        drives.set("wrr_burst", "0")
        _expect_weights(drives.reset(), 128, 2, 1, 0)
        _expect_read(drives, "direct", "idle", LOW)
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
    _expect_queues(drives, _FEW.granted // 4)
    for prio, priority in _ALL:
        _expect_read(drives, "direct", priority, prio)


def _check_too_few(drives):
    drives.use(drive=_TOO_FEW)
    log = drives.log()
    message = f"wrr: off, the drive has granted only {_TOO_FEW.granted} queues of {4 * _PROCESSORS}"
    expect(message in log, f"the kernel said: {log}")
    made = nvme.queues(drives.trace())
    expect(len(made) == _PROCESSORS, f"{len(made)} submission queues")
    for _, priority in _ALL:
        _expect_read(drives, "direct", priority, MEDIUM)


def _without_fault(control, drives):
    try:
        control(drives)
    except (Failed, Broken) as failure:
        raise Failed(f"the module without the fault fails: {failure}") from failure


def _check_mutant(fault, priority, prio, wrong):
    """The module without the fault passes in this guest, and the one that was loaded with it does not."""

    def judge(drives):
        _expect_read(drives, "direct", priority, prio)

    def broken(drives):
        drives.use(f"{_ON} wrr_fault={fault}", module=wrr_module.FAULTY)
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
    reads = drives.batch([priority for _, priority in _ALL], mend)
    first = drives.sectors[0][0]
    for index, (prio, _) in enumerate(_ALL):
        begin = first + index * 2 * _BLOCK_SECTORS
        expect_queue(reads, [(begin, begin + _BLOCK_SECTORS)], prio)


def _check_batch(scheduler, parameters=_ON):
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


def _check_mute(fault, scheduler, parameters=_ON):
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
    parameters = {"without shadow doorbells": f"{_ON} wrr_fault={wrr_module.SHADOWLESS}"}
    if _without_lost_commands(drives) == wrr_module.NO_FAULT:
        parameters["with shadow doorbells"] = _ON
    for name, chosen in parameters.items():
        drives.use(chosen, module=wrr_module.FAULTY)
        shadowed = bool(nvme.shadow_doorbells(drives.trace()))
        expect(shadowed == (chosen == _ON), f"{name}, and the drive {'has' if shadowed else 'has not'} been told of some")
        load = drives.load_with_resets([priority for _, priority in _ALL])
        late = [line for line in drives.log().splitlines() if "timeout" in line]
        expect(not late, f"{name}: {'; '.join(late[:2])}")
        still = [priority for priority, reads in load.items() if not reads]
        expect(len(load) == len(_ALL) and not still, f"{name}: no reads at {still}")
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
        for prio, priority in _ALL:
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
        _check_as_stock("wrr=1", "wrr: off, this drive has no weighted round robin (CAP.AMS)"),
    )
    yield (
        "wrr_weights=300,2,1 at load: as the kernel's own module, and said",
        _check_as_stock(f"{_ON} wrr_weights=300,2,1", "wrr_weights=300,2,1: allowed are three numbers from 1 to 256"),
    )
    yield f"{_FEW.granted} queues granted of {4 * _PROCESSORS}: fewer completion queues, each with all four", _check_few
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


@contextlib.contextmanager
def _prepare(run):
    stock = run.debian.modules(("nvme",))[-1]
    drive = machine.Drive(
        options=tuple(option for drive in _DRIVES for option in drive.options),
        events=nvme.EVENTS,
        modules=(),
        partition=None,
    )
    with run.guest(
        "nvme-wrr",
        {_FILE: _FILE_BYTES},
        modules=("nvme_core", "kyber_iosched"),
        later=[(_STOCK, stock[1]), *wrr_module.build(run)],
        drive=drive,
    ) as guest:
        guest.run("echo 0 >/sys/bus/pci/drivers_autoprobe")
        yield _Drives(guest, run.debian.version, run.resets)


GROUP = Group(
    letter="n",
    title="four submission queues of an NVMe drive: the classes and levels of requests",
    faked=FAKED,
    prepare=_prepare,
    cases=tuple(Case(f"n{number:02}", title, check) for number, (title, check) in enumerate(_plan(), 1)),
)
