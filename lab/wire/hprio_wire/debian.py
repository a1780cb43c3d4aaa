# SPDX-License-Identifier: Apache-2.0
"""Debian's kernel and busybox for the guest, and what its modules are built of: fetched by apt, unpacked into a cache,
never installed.

Installed, the kernel would be one that this machine may boot next, and busybox-static would drive out busybox.
Unpacking needs no root either.
"""

import lzma
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from . import Broken, Unavailable, apt

# By name: the suites in which it is looked for. What the first one lacks comes from the others.
KERNELS = {
    "backports": ("{codename}-backports", "{codename}"),
    "release": ("{codename}",),
}
_KERNEL_META_PACKAGE = "linux-image-amd64"
_BUSYBOX_PACKAGE = "busybox-static"


@dataclass(frozen=True)
class Debian:
    """
    The unpacked packages of one kernel, of the given release (uname -r): the kernel, its headers, busybox; and the source
    of its NVMe driver.
    """

    root: Path
    release: str

    @property
    def title(self):
        """The release and, of Debian's own kernels, the version of the package."""
        version = self.root / "version"
        if not version.exists():
            return f"kernel {self.release} of {self.root}"
        return f"Debian's kernel {self.release} ({version.read_text().strip()})"

    @property
    def kernel(self):
        return self.root / "boot" / f"vmlinuz-{self.release}"

    @property
    def busybox(self):
        return self._below_usr_or_not("bin") / "busybox"

    @property
    def version(self):
        """(major, minor) of the kernel."""
        return tuple(_release_key(self.release)[:2])

    @property
    def headers(self):
        """The directory that other packages' builds know as /lib/modules/RELEASE/build."""
        return self.root / "usr" / "src" / f"linux-headers-{self.release}"

    @property
    def source(self):
        """The directory of the kernel's source, of which there is the NVMe driver only."""
        return self.root / "usr" / "src" / _source_package(self.release)

    @cached_property
    def _module_files(self):
        return {_module_name(path): path for path in (self._modules / "kernel").rglob("*.ko*")}

    @cached_property
    def _builtin(self):
        listing = (self._modules / "modules.builtin").read_text()
        return {_module_name(Path(line)) for line in listing.split()}

    @property
    def _modules(self):
        return self._below_usr_or_not("lib/modules") / self.release

    def _below_usr_or_not(self, directory):
        """Where packages have a directory differs between Debian's releases."""
        below = self.root / "usr" / directory
        return below if below.exists() else self.root / directory

    def modules(self, names):
        """The named modules and what they need, as (name, content), in an order in which they load."""
        loaded = {}

        def add(name):
            name = name.replace("-", "_")
            if name in loaded or name in self._builtin:
                return
            if name not in self._module_files:
                raise Unavailable(f"the kernel {self.release} has no module {name}")
            content = _content(self._module_files[name])
            for needed in _dependencies(content):
                add(needed)
            loaded[name] = content

        for name in names:
            add(name)
        return list(loaded.items())

    def build_module(self, source, build):
        """Builds the module of the C file source in the directory build; returns the .ko file."""
        module = build / f"{source.stem}.ko"
        if module.exists() and module.stat().st_mtime > source.stat().st_mtime:
            return module
        build.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, build)
        (build / "Kbuild").write_text(f"obj-m := {source.stem}.o\n")
        self.make(build)
        return module

    def make(self, build):
        """Builds what the file Kbuild of the directory build says."""
        for program in ("make", "gcc"):
            if not shutil.which(program):
                raise Unavailable(f"needs {program}, to build the guest's module")
        # Not through the Makefile of the flavour: it names the directories of an installed package.
        common = self.headers.with_name(f"linux-headers-{self.release.removesuffix('-amd64')}-common")
        where = ["-C", common, f"O={self.headers}"] if common.exists() else ["-C", self.headers]
        # Without type information (BTF), for which newer kernels' builds want the program pahole.
        no_types = "CONFIG_DEBUG_INFO_BTF_MODULES="
        made = subprocess.run(
            ["make", "-s", f"-j{os.cpu_count()}", *where, f"M={build}", no_types, "modules"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        (build / "make.log").write_text(made.stdout)
        if made.returncode != 0:
            raise Broken(f"the guest's module does not compile: {build}/make.log")


def get(cache, kernel):
    """
    kernel is one of KERNELS: the newest of the cache, else what Debian's archive offers. Or it is the path of a
    directory with unpacked packages.
    """
    if kernel not in KERNELS:
        return _unpacked(Path(kernel))
    release = apt.codename()
    suites = [suite.format(codename=release) for suite in KERNELS[kernel]]
    unpacked = [_unpacked(path.parent) for path in (cache / suites[0]).glob("*/version")]
    # Earlier versions of this have fetched no source.
    whole = [debian for debian in unpacked if debian.source.exists()]
    if whole:
        return max(whole, key=lambda debian: _release_key(debian.release))
    return _fetch(cache / suites[0], apt.Archive(cache / "apt" / suites[0], release, suites))


def _fetch(directory, archive):
    archive.update()
    image = archive.dependency(_KERNEL_META_PACKAGE, r"linux-image-\d\S*-amd64")
    release = image.removeprefix("linux-image-")
    headers = f"linux-headers-{release}"
    packages = [
        image,
        headers,
        archive.dependency(headers, r"linux-headers-\S+-common"),
        archive.dependency(headers, r"linux-kbuild-\S+"),
        _source_package(release),
        _BUSYBOX_PACKAGE,
    ]
    partial = directory / f".{release}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for package in archive.download(packages, partial):
        subprocess.run(["dpkg-deb", "-x", package, partial], check=True)
        if package.name.startswith(image):
            version = subprocess.check_output(["dpkg-deb", "-f", package, "Version"], text=True)
        package.unlink()
    _unpack_driver(partial / "usr" / "src", _source_package(release))
    (partial / "version").write_text(version)
    shutil.rmtree(directory / release, ignore_errors=True)
    partial.rename(directory / release)
    return _unpacked(directory / release)


def _source_package(release):
    """Its name, which is also that of the directory in it."""
    return "linux-source-" + ".".join(release.split(".")[:2])


def _unpack_driver(directory, name):
    """Of the source's 80,000 files those of the NVMe driver, and the one that tells the version."""
    tarball = directory / f"{name}.tar.xz"
    wanted = [f"{name}/Makefile", f"{name}/drivers/nvme/host"]
    subprocess.run(["tar", "-C", directory, "-xf", tarball, *wanted], check=True)
    tarball.unlink()


def _unpacked(directory):
    kernels = list((directory / "boot").glob("vmlinuz-*"))
    if len(kernels) != 1:
        raise Unavailable(f"{directory} must have one kernel boot/vmlinuz-RELEASE; it has {len(kernels)}")
    return Debian(directory.absolute(), kernels[0].name.removeprefix("vmlinuz-"))


def _release_key(release):
    return [int(number) for number in re.findall(r"\d+", release)]


def _module_name(path):
    return path.name.split(".ko")[0].replace("-", "_")


def _content(path):
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == ".xz" else data


def _dependencies(module):
    """What modinfo(8) prints as "depends"."""
    found = re.search(rb"\0depends=([^\0]*)\0", b"\0" + module)
    return [name for name in found.group(1).decode().split(",") if name] if found else []
