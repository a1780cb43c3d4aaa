# SPDX-License-Identifier: Apache-2.0
"""What the groups of one run share: the guest's system, the programs, the directory of their files."""

import contextlib
import fcntl
import shutil
from functools import cached_property
from pathlib import Path

from . import Unavailable, debian, image, machine

SOURCES = Path(__file__).resolve().parent.parent
# The repository.
ROOT = SOURCES.parent.parent

# The controller's driver comes last: a fixture of libata must be there before it finds the drive.
_MODULES = ("libata", "sd_mod", "sg", "ext4", "crc32c_generic")
# A NameNode offers a DataNode for a block only while a whole one, 24 MiB, is free: group c writes three of them, and then
# 12 MiB more.
_DISK_MIB = 160


class Run:
    """
    cache holds what is fetched, and in its directory of the given name what the last run of that name left; programs is
    where CMake has built those of the guest; kernel is one of debian.KERNELS; resets is how often a drive is reset under
    load.
    """

    def __init__(self, cache, name, programs, kernel, resets):
        self.cache = cache.absolute()
        self.programs = programs
        self._kernel = kernel
        self.resets = resets
        self.work = self.cache / name

    @contextlib.contextmanager
    def alone(self):
        """Holds off other runs of the same name."""
        with self._locked(f"{self.work.name}.lock"):
            shutil.rmtree(self.work, ignore_errors=True)
            self.work.mkdir()
            yield

    def making(self):
        """Holds off runs of all names from what they share: what is fetched, and modules."""
        return self._locked("lock")

    @contextlib.contextmanager
    def _locked(self, name):
        self.cache.mkdir(parents=True, exist_ok=True)
        with (self.cache / name).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @property
    def debian(self):
        if isinstance(self._debian, Unavailable):
            raise self._debian
        return self._debian

    @cached_property
    def _debian(self):
        """The kernel, or why there is none: not to be tried again for each group."""
        try:
            with self.making():
                return debian.get(self.cache / "debian", self._kernel)
        except Unavailable as reason:
            return reason

    def _fixture(self, name):
        """A module that answers in the drive's place, as (name, content)."""
        source = SOURCES / "guest" / f"{name}.c"
        kernel = self.debian
        with self.making():
            module = kernel.build_module(source, self.cache / "module" / kernel.release / name)
            return module.stem, module.read_bytes()

    def program(self, name):
        """The file of this name that the build has made."""
        path = self.programs / name
        if not path.exists():
            raise Unavailable(f"needs {name}, which the build of the module lab/wire makes")
        return path

    def _fresh_directory(self, name):
        """An empty one; what a guest of this name that was lost has left gets a number."""
        directory = self.work / name
        if directory.exists():
            lost = 1 + len(list(self.work.glob(f"{name}.lost*")))
            directory.rename(self.work / f"{name}.lost{lost}")
        directory.mkdir()
        return directory

    @contextlib.contextmanager
    def guest(
        self, name, files, fixture=None, programs=(), modules=(), later=(), drive=machine.SATA, **options
    ):
        """
        A machine with a disk of files (name to length) mounted at /mnt, and programs beside wireio;
        fixture names the module of guest/ that answers in its drive's place; later are modules, as (name, content),
        that the cases load.
        """
        machine.qemu_version()
        directory = self._fresh_directory(name)
        loaded = self.debian.modules([*_MODULES, *modules])
        if fixture:
            loaded.append(self._fixture(fixture))
        known = {module for module, _ in loaded}
        loaded += [
            module for module in self.debian.modules(drive.modules) if module[0] not in known
        ]
        first = directory / "initramfs"
        disk = directory / "disk"
        guest_programs = [self.program(name) for name in ("wireio", *programs)]
        guest_programs.append(self.debian.busybox)
        image.initramfs(first, SOURCES / "guest" / "init", loaded, guest_programs, later)
        image.disk(disk, files, _DISK_MIB)
        try:
            with machine.Machine(directory, self.debian.kernel, first, disk, drive, **options) as guest:
                if drive.partition:
                    guest.run(f"until [ -b {drive.partition} ]; do sleep 0.1; done")
                    guest.run(f"mount -t ext4 -o noatime {drive.partition} /mnt")
                yield guest
        finally:
            disk.unlink()
            first.unlink()
