# SPDX-License-Identifier: Apache-2.0
"""What the guest is given: its first file system (initramfs) and a disk with an ext4 partition."""

import random
import shutil
import stat
import struct
import subprocess
import uuid
import zlib

from . import Unavailable

SECTOR = 512
_MIB = 1 << 20
# At 3 TiB: the address of a sector has more than 32 bits, and no two of its bytes 3, 4 and 5 are alike, so that a command
# that confuses any two of them reads elsewhere.
PARTITION_START = 0x1_8200_0000
_SEED = 4
# Of a partition table, as many as its standard asks for.
_ENTRIES = 128


class Initramfs:
    """A cpio archive in the format newc, which the kernel unpacks into memory."""

    def __init__(self):
        self._entries = []
        self._archive = bytearray()
        for directory in ("bin", "dev", "mnt", "modules", "modules/later", "proc", "sys", "tmp"):
            self._add(directory, stat.S_IFDIR | 0o755)

    def add(self, name, content, executable=False):
        self._add(name, stat.S_IFREG | (0o755 if executable else 0o644), content)

    def write(self, path):
        self._add("TRAILER!!!", 0)
        path.write_bytes(self._archive)

    def _add(self, name, mode, content=b""):
        encoded = name.encode() + b"\0"
        self._entries.append(name)
        fields = (len(self._entries), mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(encoded), 0)
        self._archive += b"070701" + b"".join(b"%08x" % field for field in fields) + encoded
        self._pad()
        self._archive += content
        self._pad()

    def _pad(self):
        self._archive += bytes(-len(self._archive) % 4)


def initramfs(path, init, modules, programs, later=()):
    """
    modules: (name, content) in the order in which they are to be loaded; programs: files for /bin; later: modules that
    nobody loads at the start.
    """
    archive = Initramfs()
    archive.add("init", init.read_bytes(), executable=True)
    for number, (name, content) in enumerate(modules):
        archive.add(f"modules/{number:02}-{name}.ko", content)
    for name, content in later:
        archive.add(f"modules/later/{name}.ko", content)
    for program in programs:
        archive.add(f"bin/{program.name}", program.read_bytes(), executable=True)
    archive.write(path)


def disk(path, files, mib):
    """
    A disk with one ext4 partition of the given size that holds files: name to length in bytes. The partition is far from
    the disk's begin, and the file is sparse before it.

    All of it that no file uses holds noise, so that sectors that were never written do not read as zeros.
    """
    noise = random.Random(_SEED)
    content = path.with_suffix(".files")
    shutil.rmtree(content, ignore_errors=True)
    content.mkdir(parents=True)
    for name, length in files.items():
        (content / name).write_bytes(noise.randbytes(length))
    block = noise.randbytes(_MIB)
    start = PARTITION_START * SECTOR
    sectors = mib * _MIB // SECTOR
    with path.open("wb") as image:
        for place, part in _partition_table(PARTITION_START, sectors):
            image.seek(place * SECTOR)
            image.write(part)
        image.seek(start)
        for _ in range(mib):
            image.write(block)
    mke2fs = shutil.which("mke2fs", path="/usr/sbin:/sbin:/usr/bin")
    if not mke2fs:
        raise Unavailable("needs mke2fs (Debian's package e2fsprogs)")
    # nodiscard: else the noise would go.
    options = f"offset={start},nodiscard,lazy_itable_init=0,lazy_journal_init=0"
    subprocess.run(
        [mke2fs, "-q", "-t", "ext4", "-b", "4096", "-F", "-E", options, "-d", content, path, f"{mib}M"],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    shutil.rmtree(content)


def _partition_table(start, sectors):
    """
    (first sector, content) of the parts of a GUID partition table with one partition. One of the older kind has room for
    32 bits of an address only.
    """
    last = start + sectors - 1
    linux = uuid.UUID("0fc63daf-8483-4772-8e79-3d69d8477de4").bytes_le
    # An identifier; first and last sector; no attributes, no name.
    entries = struct.pack("<16s16sQQQ72x", linux, uuid.UUID(int=1).bytes_le, start, last, 0).ljust(_ENTRIES * 128, b"\0")
    table = len(entries) // SECTOR
    end = last + 1 + table

    def header(own, other, place):
        def packed(checksum):
            return struct.pack(
                "<8sIIIIQQQQ16sQIII",
                *(b"EFI PART", 0x10000, 92, checksum, 0, own, other, 2 + table, last, uuid.UUID(int=2).bytes_le),
                *(place, _ENTRIES, 128, zlib.crc32(entries)),
            )

        return packed(zlib.crc32(packed(0))).ljust(SECTOR, b"\0")

    record = bytearray(SECTOR)
    # One entry that protects the whole disk from programs that know the older kind only.
    struct.pack_into("<4xB3xII", record, 446, 0xEE, 1, 0xFFFFFFFF)
    record[510:512] = b"\x55\xaa"
    return (
        *((0, bytes(record)), (1, header(1, end, 2)), (2, entries)),
        *((last + 1, entries), (end, header(end, 1, last + 1))),
    )
