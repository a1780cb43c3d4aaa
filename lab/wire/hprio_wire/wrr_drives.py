# SPDX-License-Identifier: Apache-2.0
"""NVMe drives of a guest, of which one at a time is served by the module of native/nvme-wrr, or by the guest's own."""

import contextlib

from . import machine, nvme, wrr_module
from .cases import expect, expect_queue, extents, sectors
from .nvme import HIGH, LOW, MEDIUM, URGENT

FILE_BYTES = 64 << 10
PROCESSORS = 2
ON = "wrr=1 wrr_force=1"
# A priority for each queue.
ALL = ((URGENT, "rt"), (HIGH, "be:0"), (MEDIUM, "be:7"), (LOW, "idle"))
# The guest's own module, under the name of a file.
STOCK = "nvme-stock"
_FILE = "n"
_PATH = f"/mnt/{_FILE}"
_AMPLE_S = 1
_PCI_DRIVER = "/sys/bus/pci/drivers/nvme"
# A command that is lost takes half a minute, until the kernel misses it.
_LOAD_LIMIT_S = 100
_RESET_LIMIT_S = 5


class Drive:
    """
    One of the guest's drives: where it is on the PCI bus, how many queues it grants; with a file system or empty.
    """

    def __init__(self, slot, granted, empty=True):
        self.address = f"0000:00:{slot:02x}.0"
        self.granted = granted
        source = f"null{slot}" if empty else "disk"
        # Without sectors that an empty one does not need.
        made = ("-blockdev", f"null-co,node-name={source},size={FILE_BYTES},read-zeroes=on") if empty else ()
        self.options = (
            *made,
            "-device",
            f"nvme,drive={source},serial={source},bus=pcie.0,addr={slot:#x},max_ioqpairs={granted}",
        )
        self.path = "/dev/nvme0n1" if empty else _PATH
        self.partition = None if empty else "/dev/nvme0n1p1"


@contextlib.contextmanager
def guest(run, name, drives, events=nvme.EVENTS, modules=(), **options):
    """A guest with these drives, the first of which is the usual one; as Drives. No module serves any of them yet."""
    stock = run.debian.modules(("nvme",))[-1]
    with run.guest(
        name,
        {_FILE: FILE_BYTES},
        modules=("nvme_core", *modules),
        later=[(STOCK, stock[1]), *wrr_module.build(run)],
        drive=machine.Drive(
            options=tuple(option for drive in drives for option in drive.options),
            events=events,
            modules=(),
            partition=None,
        ),
        **options,
    ) as started:
        started.run("echo 0 >/sys/bus/pci/drivers_autoprobe")
        yield Drives(started, drives[0], run.debian.version, run.resets)


class Drives:
    """The guest's drives, of which one is in use."""

    def __init__(self, guest, usual, kernel, resets):
        """kernel is its version as (major, minor); resets is how many load_with_resets makes."""
        self.guest = guest
        self._usual = usual
        self.resets = resets
        self.kernel = kernel
        self._used = None
        self._stock_settings = None

    def use(self, parameters=ON, drive=None, module=wrr_module.SOUND):
        """Has the module, loaded with the parameters, serve this drive (by default the usual one) and no other."""
        drive = drive or self._usual
        wanted = (parameters, drive, module)
        if self._used == wanted:
            return
        self._leave()
        self._began = self.guest.trace_position()
        self.guest.run(f"dmesg -c >/dev/null; insmod /modules/later/{module}.ko {parameters}")
        self._used = wanted
        self._bind()
        if drive.partition:
            self.guest.run(f"mount -t ext4 -o ro,noload {drive.partition} /mnt")
        whole = [(0, FILE_BYTES // 512)]
        self.sectors = sectors(extents(self.guest, _PATH)) if drive.partition else whole

    def _bind(self):
        drive = self._used[1]
        self.guest.run(
            f"echo {drive.address} >{_PCI_DRIVER}/bind"
            f" && until [ -b {drive.partition or drive.path} ]; do sleep 0.1; done"
        )

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
            self.guest.run(f"{unmount}echo {drive.address} >{_PCI_DRIVER}/unbind && rmmod {name}")

    def trace(self):
        """Since the module was loaded."""
        return self.guest.traced_since(self._began)

    def stock_settings(self):
        """What the guest's own module sets in the usual drive."""
        if not self._stock_settings:
            self.use("", module=STOCK)
            self._stock_settings = nvme.settings(self.trace())
        return self._stock_settings

    def reads(self, way, priority):
        """What the drive was asked for by a reader of the whole file."""
        position = self.guest.trace_position()
        done = int(self.guest.run(f"echo 3 >/proc/sys/vm/drop_caches; wireio read {way} {priority} {self._used[1].path}"))
        expect(done == FILE_BYTES, f"{done} bytes were read instead of {FILE_BYTES}")
        return nvme.reads(self.guest.traced_since(position), nvme.queues(self.trace()))

    def expect_read(self, way, priority, prio):
        """A reader's commands come from queues of this QPRIO."""
        expect_queue(self.reads(way, priority), self.sectors, prio)

    def expect_queues(self, completions):
        """Each of as many completion queues has four submission queues."""
        made = nvme.queues(self.trace())
        expected = [(number, prio) for number in range(1, completions + 1) for prio in range(4)]
        found = sorted((queue.completion, queue.prio) for queue in made.values())
        expect(found == expected, f"completion queue and QPRIO of each submission queue: {found}")

    def batch(self, priorities, mend=None):
        """
        The same of a reader of several blocks in one submission, each at one of the priorities. With mend: what the drive
        was asked for within a time in which several such readers end; only mend() lets this one end.
        """
        read = f"wireio batch {self._used[1].path} {' '.join(priorities)}"
        position = self.guest.trace_position()
        self.guest.run(f"{read} >/tmp/read & sleep {_AMPLE_S}" if mend else read)
        reads = nvme.reads(self.guest.traced_since(position), nvme.queues(self.trace()))
        if mend:
            mend()
            self.guest.run("until [ -s /tmp/read ]; do sleep 0.1; done; rm /tmp/read")
        return reads

    @contextlib.contextmanager
    def scheduler(self, name):
        file = "/sys/block/nvme0n1/queue/scheduler"
        self.guest.run(f"echo {name} >{file}")
        try:
            yield
        finally:
            self.guest.run(f"echo none >{file}")

    def load_with_resets(self):
        """Resets the drive again and again while readers of each priority keep it busy; how many reads they have done."""
        priorities = " ".join(priority for _, priority in ALL)
        resets = f"cd /sys/class/nvme/nvme0; for i in $(seq {self.resets}); do sleep 0.1; echo 1 >reset_controller; done"
        told = self.guest.run(
            f"rm -f /tmp/stop; wireio load /tmp/stop {self._used[1].path} {priorities} >/tmp/load 2>&1 &"
            f" ({resets}); s=$?; touch /tmp/stop; wait; cat /tmp/load; exit $s",
            _LOAD_LIMIT_S + self.resets * _RESET_LIMIT_S,
        )
        return {priority: int(reads) for priority, reads in map(str.split, told.splitlines())}

    def set(self, name, value):
        """A parameter of the module that is loaded; what the shell says of it, which is nothing if it is taken."""
        module = "nvme_faulty" if self._used[2] == wrr_module.FAULTY else "nvme"
        return self.guest.try_run(f"echo {value} >/sys/module/{module}/parameters/{name}")[1].strip()

    def get(self, name):
        return self.guest.run(f"cat /sys/module/nvme/parameters/{name}").strip()

    def log(self):
        """Of the kernel, since the module was loaded."""
        return self.guest.run("dmesg")

    def expect_no_late_command(self):
        """The kernel has missed none since the module was loaded."""
        late = [line for line in self.log().splitlines() if "timeout" in line]
        expect(not late, "; ".join(late[:2]))

    def reset(self):
        """The trace of it."""
        position = self.guest.trace_position()
        self.guest.run(
            "cd /sys/class/nvme/nvme0 && echo 1 >reset_controller && until [ $(cat state) = live ]; do sleep 0.1; done"
        )
        return self.guest.traced_since(position)
