# SPDX-License-Identifier: Apache-2.0
"""What the guest is given: its first file system (initramfs) and a disk with an ext4 partition."""

import random
import shutil
import stat
import struct
import subprocess

from . import Unavailable

SECTOR = 512
PARTITION_START = 2048
_MIB = 1 << 20
_LINUX_PARTITION = 0x83
_SEED = 4


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
    A disk of the given size with one ext4 partition that holds files: name to length in bytes.

    All that no file uses holds noise, so that sectors that were never written do not read as zeros.
    """
    noise = random.Random(_SEED)
    content = path.with_suffix(".files")
    shutil.rmtree(content, ignore_errors=True)
    content.mkdir(parents=True)
    for name, length in files.items():
        (content / name).write_bytes(noise.randbytes(length))
    block = noise.randbytes(_MIB)
    with path.open("wb") as image:
        for _ in range(mib):
            image.write(block)
        image.seek(0)
        image.write(_master_boot_record(mib * _MIB // SECTOR - PARTITION_START))
    start = PARTITION_START * SECTOR
    mke2fs = shutil.which("mke2fs", path="/usr/sbin:/sbin:/usr/bin")
    if not mke2fs:
        raise Unavailable("needs mke2fs (Debian's package e2fsprogs)")
    # nodiscard: else the noise would go.
    options = f"offset={start},nodiscard,lazy_itable_init=0,lazy_journal_init=0"
    size = f"{mib - start // _MIB}M"
    subprocess.run(
        [mke2fs, "-q", "-t", "ext4", "-b", "4096", "-F", "-E", options, "-d", content, path, size],
        check=True,
        stdin=subprocess.DEVNULL,
    )
    shutil.rmtree(content)


def _master_boot_record(sectors):
    record = bytearray(SECTOR)
    # One entry, without cylinders, heads and sectors: Linux uses the two numbers at its end.
    struct.pack_into("<8xII", record, 446, PARTITION_START, sectors)
    record[446 + 4] = _LINUX_PARTITION
    record[510:512] = b"\x55\xaa"
    return bytes(record)
