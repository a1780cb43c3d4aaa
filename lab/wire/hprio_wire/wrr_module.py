# SPDX-License-Identifier: Apache-2.0
"""The module of native/nvme-wrr for the guest's kernel, and one with faults that a parameter switches on."""

import shutil
import subprocess

from . import Broken, Unavailable
from .run import ROOT, SOURCES

_WRR = ROOT / "native" / "nvme-wrr"
SOUND, FAULTY = "nvme", "nvme-faulty"

# The faults' numbers; how each breaks the module's source: file, what is replaced, by what.
NO_FAULT, QPRIO, MAP, DOORBELL, LAST, COMMIT, LAST_AND_COMMIT = range(7)
# No fault: the drive's shadow doorbells are not used.
SHADOWLESS = 7
# No fault: the drive says that it has weighted round robin (CAP.AMS, bit 17), or an arbitration of its vendor's (bit 18).
HAS_WEIGHTS, HAS_VENDORS = 8, 9
_CHANGES = (
    (
        "pci.c",
        "dev->ctrl.cap = lo_hi_readq(dev->bar + NVME_REG_CAP);",
        "dev->ctrl.cap = lo_hi_readq(dev->bar + NVME_REG_CAP) |"
        f" (wrr_fault == {HAS_WEIGHTS} ? BIT_ULL(17) : wrr_fault == {HAS_VENDORS} ? BIT_ULL(18) : 0);",
    ),
    ("pci.c", "NVME_CTRL_OACS_DBBUF_SUPP", f"(wrr_fault == {SHADOWLESS} ? 0 : NVME_CTRL_OACS_DBBUF_SUPP)"),
    ("wrr_module.h", "static bool wrr;", "static int wrr_fault;\nmodule_param(wrr_fault, int, 0644);\nstatic bool wrr;"),
    ("pci.c", "(nvmeq->wrr_cqid ? nvmeq->wrr_prio", f"(wrr_fault == {QPRIO} ? 0 : nvmeq->wrr_cqid ? nvmeq->wrr_prio"),
    ("wrr_send.h", "if (READ_ONCE(sq->sq_tail)", f"if (wrr_fault == {DOORBELL} || READ_ONCE(sq->sq_tail)"),
    ("pci.c", "if (bd->last)\n\t\t\twrr_ring(nvmeq);", f"if (bd->last && wrr_fault != {LAST} && wrr_fault != {LAST_AND_COMMIT})\n\t\t\twrr_ring(nvmeq);"),
    (
        "pci.c",
        "if (nvmeq->wrr_on) {\n\t\twrr_ring(nvmeq);",
        f"if (nvmeq->wrr_on) {{\n\t\tif (wrr_fault != {COMMIT} && wrr_fault != {LAST_AND_COMMIT})\n\t\t\twrr_ring(nvmeq);",
    ),
    (
        "wrr_send.h",
        "[wrr_prio_of(&wrr_map, req_get_ioprio(req))]",
        f"[wrr_prio_of(&wrr_map, req_get_ioprio(req)) ^ (wrr_fault == {MAP} ? WRR_LOW : WRR_URGENT)]",
    ),
)


def build(run):
    """Both modules, as (name, content)."""
    debian = run.debian
    if not debian.source.exists():
        raise Unavailable(f"needs the source of the NVMe driver; there is no {debian.source}")
    with run.making():
        return _build(debian, run.cache / "module" / debian.release / "nvme-wrr")


def _build(debian, directory):
    modules = {name: directory / name / f"{name}.ko" for name in (SOUND, FAULTY)}
    if not _newer(modules.values()):
        directory.mkdir(parents=True, exist_ok=True)
        _prepare(debian, directory / SOUND)
        shutil.rmtree(directory / FAULTY, ignore_errors=True)
        shutil.copytree(directory / SOUND, directory / FAULTY)
        _break(directory / FAULTY)
        (directory / "Kbuild").write_text(f"obj-m := {SOUND}/ {FAULTY}/\n")
        debian.make(directory)
    return [(name, module.read_bytes()) for name, module in modules.items()]


def _newer(modules):
    """Whether all are there, and newer than what they are made of."""
    sources = [file for file in (*_WRR.rglob("*"), SOURCES / "hprio_wire" / "wrr_module.py") if file.is_file()]
    newest = max(file.stat().st_mtime for file in sources)
    return all(module.exists() and module.stat().st_mtime > newest for module in modules)


def _prepare(debian, into):
    done = subprocess.run(
        [_WRR / "prepare", "--headers", debian.headers, "--source", debian.source, "--into", into],
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        raise Unavailable(f"the module is not made for {debian.release}: {done.stderr.strip()}")


def _break(directory):
    for name, original, fault in _CHANGES:
        file = directory / name
        text = file.read_text()
        if text.count(original) != 1:
            raise Broken(f'{file} has "{original}" not exactly once')
        file.write_text(text.replace(original, fault))
    # Kbuild has no other module of the same name.
    (directory / "Kbuild").write_text(f"obj-m := {FAULTY}.o\n{FAULTY}-y := pci.o\nccflags-y := -I$(src)\n")
