# SPDX-License-Identifier: Apache-2.0
"""Group w: a real DataNode on an NVMe drive whose queues have weights; the NameNode and the clients run outside."""

import contextlib
from dataclasses import dataclass

from . import datanode, machine, nvme, wrr_module
from .cases import Case, Group, expect, expect_queue, noticed, reads_of
from .nvme import LOW, MEDIUM, URGENT
from .wrr_drives import ON, PROCESSORS, STOCK

_MIB = 1 << 20
_SCAN_BYTES = 24 * _MIB
_GET_BYTES = 1 * _MIB
_PARTITION = "/dev/nvme0n1p1"
_DRIVE = machine.Drive(("-device", "nvme,drive=disk,serial=disk"), nvme.EVENTS, (), partition=None)
_MOUNTED = "/mnt"
_MAP = "/sys/module/nvme/parameters/wrr_map"
_USUAL_MAP = "u,hhhhmmmm,l,m"
_SWAPPED_MAP = "l,hhhhmmmm,u,m"
_ENGINE = "thread"

FAKED = (
    "that the drive has weighted round robin, as in group n. The DataNode is stock Hadoop with the agent, from this"
    " machine's file system, which the guest sees read-only; its data are on the guest's drive, in mode order."
)


@dataclass(frozen=True)
class _Files:
    """A file that is scanned, and one of which a client reads little: each with its block files in the guest."""

    hdfs: datanode.Hdfs
    scanned: tuple
    got: tuple


@contextlib.contextmanager
def _guest(run, name, modules, **options):
    sound = [(name, module) for name, module in wrr_module.build(run) if name == wrr_module.SOUND]
    later = [*sound, (STOCK, run.debian.modules(("nvme",))[-1][1])]
    with run.guest(name, {}, modules=(*modules, "nvme_core"), later=later, drive=_DRIVE, **options) as guest:
        guest.run(_start(wrr_module.SOUND, ON))
        yield guest


def _start(module, parameters):
    return (
        f"insmod /modules/later/{module}.ko {parameters} && until [ -b {_PARTITION} ]; do sleep 0.1; done;"
        f" mount -t ext4 -o noatime {_PARTITION} {_MOUNTED}"
    )


@contextlib.contextmanager
def _prepare(run):
    with datanode.hdfs(run, "datanode-queues", _guest) as hdfs, hdfs.datanode([_ENGINE]):
        scanned = hdfs.put_on_each_volume("scanned", _SCAN_BYTES, [_ENGINE])[_ENGINE]
        got = hdfs.put_on_each_volume("got", _GET_BYTES, [_ENGINE])[_ENGINE]
        yield _Files(hdfs, scanned, got)


def _check(scan, scan_prio, get, get_prio):
    def check(files):
        hdfs = files.hdfs
        (scan_file, scan_blocks), (get_file, get_blocks) = files.scanned, files.got
        start, end_of_get = hdfs.read_both(scan_file, scan, get_file, get)
        known = nvme.queues(hdfs.guest.traced_since(0))
        reads = nvme.reads(hdfs.guest.traced_since(start), known)
        expect_queue(reads, hdfs.sectors(get_blocks), get_prio)
        expect_queue(reads, hdfs.sectors(scan_blocks), scan_prio)
        expect(
            reads_of(nvme.reads(hdfs.guest.traced_since(end_of_get), known), hdfs.sectors(scan_blocks)),
            "the scan was over before the other read: not at the same time",
        )

    return check


def _check_swapped(files):
    """The map says the opposite, which the check of what is right must notice."""
    files.hdfs.guest.run(f"echo {_SWAPPED_MAP} >{_MAP}")
    try:
        return noticed(
            _check("idle", LOW, "rt", URGENT), "not from a queue urgent", "the queues of a swapped map were not noticed"
        )(files)
    finally:
        files.hdfs.guest.run(f"echo {_USUAL_MAP} >{_MAP}")


def _expect_doctor(hdfs, *expected):
    told = hdfs.doctor("nvme")
    for text in expected:
        expect(any(text in line for line in told), f'no "{text}": {told}')
    return "; ".join(" ".join(line.split()) for line in told)


def _check_doctor(files):
    return _expect_doctor(
        files.hdfs,
        f"weighted round robin: on, {PROCESSORS} x 4 submission queues, weights 3,2,1, map {_USUAL_MAP}; forced",
        "what a priority can do here: the drive takes commands of urgent queues first",
    )


def _check_doctor_without(files):
    """The DataNode is ended for it: this is the group's last case."""
    hdfs = files.hdfs
    hdfs.end_datanode()
    hdfs.guest.run(f"umount {_MOUNTED} && rmmod {wrr_module.SOUND} && {_start(STOCK, '')}")
    hdfs.bind_disk()
    return _expect_doctor(
        hdfs,
        "weighted round robin: off, this kernel's driver has none",
        "what a priority can do here: nothing below the DataNode",
    )


GROUP = Group(
    letter="w",
    title="a real DataNode on an NVMe drive with four queues",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        Case("w01", "a scan at idle: low; a read at rt at the same time: urgent", _check("idle", LOW, "rt", URGENT)),
        Case("w02", "both without a priority: medium", _check(None, MEDIUM, None, MEDIUM)),
        Case("w03", "urgent and low swapped in the map: noticed", _check_swapped),
        Case("w04", "the doctor's lines of the drive", _check_doctor),
        Case("w05", "the doctor's lines with the kernel's own module", _check_doctor_without),
    ),
)
