# SPDX-License-Identifier: Apache-2.0
"""What an emulated NVMe drive was asked for, from QEMU's trace.

QEMU prints the fields of a command that it has got: of Create I/O Submission Queue the queue's number and its flags,
of an I/O command the queue that it has come from (event pci_nvme_io_cmd), and then, if it is a read, its blocks
(pci_nvme_read). The trace does not tell one drive from another: only one is to be in use.
"""

import re
from dataclasses import dataclass

from . import Broken
from .sectors import Sectors

EVENTS = (
    "pci_nvme_mmio_cfg",
    "pci_nvme_create_cq",
    "pci_nvme_create_sq",
    "pci_nvme_setfeat",
    "pci_nvme_setfeat_numq",
    "pci_nvme_dbbuf_config",
    "pci_nvme_io_cmd",
    "pci_nvme_read",
)

# The values of the field QPRIO (NVM Express Base Specification 2.0, figure 154), and what it calls them.
URGENT, HIGH, MEDIUM, LOW = range(4)
NAMES = ("urgent", "high", "medium", "low")

_ARBITRATION = 1  # the feature's number
_IO_COMMAND = re.compile(r"^pci_nvme_io_cmd cid (\d+) nsid \S+ sqid (\d+) ", re.MULTILINE)
_READ = re.compile(r"^pci_nvme_read cid (\d+) nsid \d+ nlb (\d+) count \d+ lba (0x[0-9a-f]+)", re.MULTILINE)
_QUEUE = re.compile(r"^pci_nvme_create_sq .*sqid=(\d+), cqid=(\d+), qsize=\d+, qflags=(\d+)", re.MULTILINE)
_UNINTERRUPTED = re.compile(r"^pci_nvme_create_cq .*cqid=(\d+), .*ien=0", re.MULTILINE)
_FEATURE = re.compile(r"^pci_nvme_setfeat cid \d+ nsid \S+ fid (0x[0-9a-f]+) save 0x0 cdw11 (0x[0-9a-f]+)", re.MULTILINE)
_CONFIGURATION = re.compile(r"^pci_nvme_mmio_cfg .*config=(0x[0-9a-f]+)", re.MULTILINE)
# What differs each time: where a queue is in the guest's memory, and a command's number.
_BY_CHANCE = re.compile(r"addr=0x[0-9a-f]+|cid \d+ ")


@dataclass(frozen=True)
class NvmeRead(Sectors):
    """One read, in blocks of 512 bytes; queue is the submission queue that it came from, prio that one's QPRIO."""

    queue: int
    prio: int

    def __str__(self):
        return f"{self.lba}+{self.sectors} from {self.queue}, {NAMES[self.prio]}"


@dataclass(frozen=True)
class Queue:
    """A submission queue: the completion queue that it belongs to, and its QPRIO."""

    completion: int
    prio: int


def queues(trace):
    """The I/O submission queues by number, each as it was made last."""
    return {
        int(number): Queue(int(completion), int(flags) >> 1 & 0b11)
        for number, completion, flags in _QUEUE.findall(trace)
    }


def reads(trace, known):
    """The reads in the text of a trace, in their order; known are the queues."""
    found = []
    command = None
    for line in trace.splitlines():
        command = _IO_COMMAND.match(line) or command
        read = _READ.match(line)
        if not read:
            continue
        if not command or command.group(1) != read.group(1):
            raise Broken(f"QEMU's trace contradicts itself: no command before {line}")
        queue = int(command.group(2))
        if queue not in known:
            raise Broken(f"QEMU's trace contradicts itself: no queue {queue} was made")
        found.append(NvmeRead(int(read.group(3), 16), int(read.group(2)), queue, known[queue].prio))
        command = None
    return found


def polled(trace):
    """The completion queues that were made without an interrupt."""
    return {int(number) for number in _UNINTERRUPTED.findall(trace)}


def arbitrations(trace):
    """Dword 11 of each Set Features that sets the arbitration: HPW, MPW, LPW, AB (figure 318)."""
    return [int(value, 16) for number, value in _FEATURE.findall(trace) if int(number, 16) == _ARBITRATION]


def mechanism(trace):
    """The arbitration mechanism that the drive was switched on with last, CC.AMS: 0 round robin, 1 with weights."""
    enabled = [int(value, 16) for value in _CONFIGURATION.findall(trace) if int(value, 16) & 1]
    return enabled[-1] >> 11 & 0b111


def shadow_doorbells(trace):
    """How often the drive was told of doorbells in memory (Doorbell Buffer Config)."""
    return trace.count("pci_nvme_dbbuf_config ")


def settings(trace):
    """All that the drive was asked for but I/O: comparable, without what is as it happens to be."""
    return [_BY_CHANCE.sub("", line) for line in trace.splitlines() if not re.match("pci_nvme_(io_cmd|read) ", line)]
