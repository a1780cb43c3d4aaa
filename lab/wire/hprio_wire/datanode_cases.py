# SPDX-License-Identifier: Apache-2.0
"""Group c: a real DataNode in the guest; the NameNode and the clients run outside."""

import contextlib
from dataclasses import dataclass

from . import datanode
from .cases import Case, Group, expect, expect_priority, reads_of
from .fis import HIGH, NORMAL

_MIB = 1 << 20


@dataclass(frozen=True)
class _Engine:
    """
    One of the DataNode's engines, and by what it is told from the others: whether what it reads stays in the page
    cache, and whether the priority reaches the drive with the kernel's own NCQ priority off.
    """

    name: str
    cached: bool
    past_the_kernel: bool


_ENGINES = (
    _Engine("thread", cached=True, past_the_kernel=False),
    _Engine("direct", cached=False, past_the_kernel=False),
    _Engine("ncq", cached=False, past_the_kernel=True),
)

# The plain file is larger than all buffers between the DataNode and a client that stops taking it.
_PLAIN_BYTES = 24 * _MIB
_PRIORITISED_BYTES = 4 * _MIB

FAKED = (
    "drive's answers faked: as in group b. The DataNode is stock Hadoop with the agent, from this machine's"
    " file system, which the guest sees read-only; its data are on the guest's drive."
)


def _guest(run, name, **options):
    return run.guest(name, {}, fixture="ncq_prio_drive", programs=["hprio-pbsd"], **options)


@contextlib.contextmanager
def _files(run):
    """A DataNode with a volume for each engine, and a plain and a prioritised file on each of them."""
    engines = [engine.name for engine in _ENGINES]
    with datanode.hdfs(run, "datanode", _guest) as hdfs:
        hdfs.start_helper()
        with hdfs.datanode(engines):
            plain = hdfs.put_on_each_volume("plain", _PLAIN_BYTES, engines)
            prioritised = hdfs.put_on_each_volume("prioritised", _PRIORITISED_BYTES, engines)
            yield hdfs, plain, prioritised


def _check(engine):
    def check(files):
        hdfs, plain_files, prioritised_files = files
        plain_file, plain_blocks = plain_files[engine.name]
        prioritised_file, prioritised_blocks = prioritised_files[engine.name]
        guest = hdfs.guest
        guest.run(f"echo {_kernel_switch(engine)} >/sys/block/sda/device/ncq_prio_enable")
        start, end_of_prioritised = hdfs.read_both(plain_file, None, prioritised_file, "rt")
        pages = sum(int(guest.run(f"wireio resident {file}")) for file in prioritised_blocks)
        plain_sectors = hdfs.sectors(plain_blocks)
        prioritised_sectors = hdfs.sectors(prioritised_blocks)
        reads = guest.ncq_reads(start)
        expect_priority(reads, prioritised_sectors, HIGH)
        expect_priority(reads, plain_sectors, NORMAL)
        expect(
            reads_of(guest.ncq_reads(end_of_prioritised), plain_sectors),
            "the read without a priority was over before the other: not at the same time",
        )
        expect(
            engine.cached == (pages > 0),
            f"not engine {engine.name}: {pages} pages are in the page cache",
        )

    return check


def _kernel_switch(engine):
    return 0 if engine.past_the_kernel else 1


GROUP = Group(
    letter="c",
    title="a real DataNode",
    faked=FAKED,
    prepare=_files,
    cases=tuple(
        Case(
            f"c{index:02}",
            f"engine {engine.name}, ncq_prio_enable={_kernel_switch(engine)}: a read at rt: PRIO 10;"
            " one without, at the same time: PRIO 00",
            _check(engine),
        )
        for index, engine in enumerate(_ENGINES, 1)
    ),
)
