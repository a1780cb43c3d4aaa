# SPDX-License-Identifier: Apache-2.0
"""The kernel's source and headers on this machine, and that they belong together."""

import re
import shutil
import subprocess
from pathlib import Path

from . import Refused, driver

_DRIVER = "drivers/nvme/host"
_HEADERS_OF_MODULE = Path(__file__).resolve().parent.parent / "src"
_STAYS = "No module is built; the kernel's own stays."


def kernel_version(headers):
    """(major, minor, patch) of the kernel that the directory of headers is for."""
    file = Path(headers) / "include" / "generated" / "uapi" / "linux" / "version.h"
    if not file.exists():
        raise Refused(
            f"there are no headers in {headers}: install the package linux-headers-RELEASE of the kernel (uname -r"
            f" tells the running one's RELEASE). {_STAYS}"
        )
    text = file.read_text()
    found = [re.search(rf"LINUX_VERSION_{part} (\d+)", text) for part in ("MAJOR", "PATCHLEVEL", "SUBLEVEL")]
    if not all(found):
        raise Refused(f"{file} does not tell the kernel's version. {_STAYS}")
    return tuple(int(number.group(1)) for number in found)


def fetch(tree, version, into, usr_src=Path("/usr/src")):
    """
    The driver's files in the directory into. tree is the kernel's source, as a directory or a tarball; None is the
    distribution's. It must be of the given version.
    """
    major, minor, _ = version
    package = f"linux-source-{major}.{minor}"
    tree = Path(tree) if tree else Path(usr_src) / f"{package}.tar.xz"
    if not tree.exists():
        raise Refused(f"there is no {tree}: install the package {package}. {_STAYS}")
    if tree.is_dir():
        _copy(tree, into)
    else:
        _unpack(tree, into)
    fields = dict(re.findall(r"^(VERSION|PATCHLEVEL|SUBLEVEL) = (\d+)$", (into / "Makefile").read_text(), re.M))
    found = tuple(int(fields.get(part, -1)) for part in ("VERSION", "PATCHLEVEL", "SUBLEVEL"))
    if found != version:
        raise Refused(
            f"{tree} is the source of Linux {_text(found)}, but the headers are those of {_text(version)}: install"
            f" {package} and linux-headers of one version. {_STAYS}"
        )


def prepare(headers, tree, into):
    """Makes the directory into, with all that Kbuild needs for the module; a tree as of fetch."""
    into = Path(into)
    version = kernel_version(headers)
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    try:
        fetch(tree, version, into)
        text = driver.edited(*((into / name).read_text() for name in ("pci.c", driver.HEADER)), _text(version))
    except BaseException:
        # Nothing that a make could build.
        shutil.rmtree(into)
        raise
    (into / "pci.c").write_text(text)
    for file in _HEADERS_OF_MODULE.glob("*.h"):
        shutil.copy(file, into)
    (into / "Kbuild").write_text("obj-m := nvme.o\nnvme-y := pci.o\nccflags-y := -I$(src)\n")
    return version


def _copy(tree, into):
    shutil.copy(tree / "Makefile", into)
    for file in (tree / _DRIVER).glob("*.[ch]"):
        shutil.copy(file, into)


def _unpack(tarball, into):
    """Of 80,000 files some thirty."""
    top = tarball.name.split(".tar")[0]
    done = subprocess.run(
        ["tar", "-xf", tarball, "-C", into, "--wildcards", f"{top}/Makefile", f"{top}/{_DRIVER}/*.[ch]"],
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        raise Refused(f"{tarball} cannot be unpacked: {done.stderr.strip()}. {_STAYS}")
    _copy(into / top, into)
    shutil.rmtree(into / top)


def _text(version):
    return ".".join(map(str, version))
