# SPDX-License-Identifier: Apache-2.0
"""A QEMU whose NVMe drive arbitrates: Debian's source of it, with host/nvme_arbiter.h and a few calls inserted.

It is built once, for machines of x86_64 only and without all that is not needed, by one compiler at a time: a quarter of an
hour. Nothing is installed.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from . import Broken, Unavailable, apt
from .run import SOURCES

_ARBITER = SOURCES / "host" / "nvme_arbiter.h"
_CTRL = Path("hw") / "nvme" / "ctrl.c"
# A program, or a library as pkg-config knows it, and the Debian package that brings it.
_PROGRAMS = {
    "dpkg-source": "dpkg-dev",
    "meson": "meson",
    "ninja": "ninja-build",
    "gcc": "gcc",
    "pkg-config": "pkg-config",
}
_LIBRARIES = {"glib-2.0": "libglib2.0-dev", "pixman-1": "libpixman-1-dev"}
# A library that pkg-config does not know everywhere.
_HEADERS = {"/usr/include/libfdt.h": "libfdt-dev"}
_CONFIGURED = (
    *("--target-list=x86_64-softmmu", "--without-default-features", "--enable-tcg", "--enable-fdt=system"),
    *("--meson=meson", "--disable-docs", "--disable-guest-agent", "--disable-install-blobs", "--audio-drv-list="),
    "--enable-trace-backends=log",
)
# Where QEMU's own packages have the firmware, which the source package lacks.
_FIRMWARE = ("/usr/share/qemu", "/usr/share/seabios")

# Words that are in ctrl.c exactly once, and what is inserted before or after them. Nothing is taken away.
_EDITS = (
    (
        "after",
        "static void nvme_process_sq(void *opaque);\n",
        "static bool arbiter_on(void);\nstatic uint64_t arbiter_cap(void);\nstatic void arbiter_reset(void);\n"
        "static void arbiter_set_queue(int sqid, uint16_t flags);\nstatic void arbiter_set_feature(uint32_t value);\n",
    ),
    (
        "before",
        "    sq = g_malloc0(sizeof(*sq));\n    nvme_init_sq(sq, n, prp1,",
        "    arbiter_set_queue(sqid, qflags);\n",
    ),
    ("before", "static void nvme_process_sq(void *opaque)\n{", '#include "nvme_arbiter.h"\n\n'),
    (
        "before",
        "    if (n->dbbuf_enabled) {\n        nvme_update_sq_tail(sq);\n    }\n\n    while",
        "    if (sq->sqid && arbiter_on()) {\n        arbiter_wake(n);\n        return;\n    }\n\n",
    ),
    ("after", "    NVME_CAP_SET_CQR(cap, 1);\n", "    cap |= arbiter_cap();\n"),
    # The arbiter looks at doorbells only.
    (
        "before",
        "    id->cntrltype = 0x1;\n",
        "    if (arbiter_on()) {\n        id->oacs &= cpu_to_le16(~NVME_OACS_DBBUF);\n    }\n",
    ),
    ("before", "    n->aer_queued = 0;\n    n->aer_mask = 0;\n", "    arbiter_reset();\n"),
    (
        "before",
        "    [NVME_TEMPERATURE_THRESHOLD]    = NVME_FEAT_CAP_CHANGE,",
        "    [NVME_ARBITRATION]              = NVME_FEAT_CAP_CHANGE,\n",
    ),
    (
        "before",
        "    case NVME_TEMPERATURE_THRESHOLD:\n        if (NVME_TEMP_TMPSEL(dw11) != NVME_TEMP_TMPSEL_COMPOSITE) {\n"
        "            break;\n        }\n\n        switch",
        "    case NVME_ARBITRATION:\n        arbiter_set_feature(dw11);\n        break;\n",
    ),
)


def qemu(run, rate, inside):
    """
    The command of a QEMU whose NVMe drive has so many commands inside at most, and finishes so many a second. Builds it where
    that is needed.
    """
    program = _build(run) / "build" / "qemu-system-x86_64"
    firmware = [option for directory in _FIRMWARE for option in ("-L", directory)]
    return ("env", f"HPRIO_ARBITER={rate},{inside}", program, *firmware)


def _build(run):
    _require_programs()
    release = apt.codename()
    with run.making():
        directory = run.programs / "arbiter" / release
        if not (directory / "source" / "configure").exists():
            _fetch(directory, release)
        text = (directory / "ctrl.c").read_text()
        source = directory / "source"
        _write_if_new(source / _CTRL, edited(text))
        _write_if_new(source / _CTRL.with_name(_ARBITER.name), _ARBITER.read_text())
        _compile(directory)
    return directory


def _require_programs():
    missing = [package for program, package in _PROGRAMS.items() if not shutil.which(program)]
    if "pkg-config" not in missing:
        missing += [
            package
            for library, package in _LIBRARIES.items()
            if subprocess.run(["pkg-config", "--exists", library], check=False).returncode != 0
        ]
    missing += [package for header, package in _HEADERS.items() if not Path(header).exists()]
    if missing:
        raise Unavailable(f"needs Debian's packages {' '.join(missing)}, to build QEMU")
    lacking = [directory for directory in _FIRMWARE if not Path(directory).is_dir()]
    if lacking:
        raise Unavailable(f"needs the file: {lacking[0]} (Debian's packages qemu-system-data and seabios)")


def _fetch(directory, release):
    archive = apt.Archive((directory / "apt").absolute(), release, [release], kind="deb-src")
    archive.update()
    partial = directory / "partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    description = archive.source("qemu", partial)
    _run(["dpkg-source", "--no-check", "-x", description, partial / "source"], partial, directory / "unpack.log")
    if not (partial / "source" / _CTRL).exists():
        raise Unavailable(f"{description.name} has no {_CTRL}: QEMU has NVMe queues with classes since 6.1")
    shutil.copy(partial / "source" / _CTRL, directory / "ctrl.c")
    # Firmware comes with other packages, and its sources are not in this one.
    (partial / "source" / "pc-bios" / "meson.build").write_text("roms = []\n")
    shutil.rmtree(directory / "source", ignore_errors=True)
    (partial / "source").rename(directory / "source")
    shutil.rmtree(partial)


def edited(text):
    """The controller's source with the edits. Unavailable if it is not one that they were written for."""
    for side, words, added in _EDITS:
        if text.count(words) != 1:
            shown = words.strip().split("\n")[0]
            raise Unavailable(
                f'needs a QEMU that the edits were written for, as Debian 12\'s 7.2: {_CTRL} has "{shown}" {text.count(words)} times'
            )
        at = text.index(words) + (len(words) if side == "after" else 0)
        text = text[:at] + added + text[at:]
    return text


def _write_if_new(path, text):
    """What is not written is not compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def _compile(directory):
    build = directory / "build"
    if not (build / "build.ninja").exists():
        shutil.rmtree(build, ignore_errors=True)
        build.mkdir()
        _run([directory / "source" / "configure", *_CONFIGURED], build, directory / "configure.log")
    if not (build / "qemu-system-x86_64").exists():
        print("hprio wire: building QEMU, which takes some 15 minutes", file=sys.stderr, flush=True)
    _run(["nice", "-n", "15", "ninja", "-j1", "qemu-system-x86_64"], build, directory / "build.log")


def _run(command, where, log):
    with log.open("w") as output:
        done = subprocess.run(command, cwd=where, stdout=output, stderr=subprocess.STDOUT, env=os.environ | {"LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        lines = [line for line in log.read_text(errors="replace").splitlines() if re.search("error|ERROR", line)]
        raise Broken(f"QEMU cannot be built: {lines[0].strip() if lines else 'no reason given'} ({log})")
