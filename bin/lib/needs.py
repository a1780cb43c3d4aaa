# SPDX-License-Identifier: Apache-2.0
"""Whether this machine has what a skipped test says it lacks.

A skipped test says "needs WHAT" or "needs WHAT: DETAIL". These guards say it, in the same words: the enum Need of
lab/testing, unit_missing() of native/common/tests/unit.h, unavailable() of native/common/testing.sh, and run_group() of
lab/wire.
"""

import ctypes
import mmap
import os
import platform
import re
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

SAID = re.compile(r"needs ([^:]+)(?:: *(.*))?$")
_LINUX = tuple(int(number) for number in re.findall(r"\d+", platform.release())[:2])
_IO_URING_SETUP = 425
_IO_URING_PARAMETERS_BYTES = 120
_LOCKED_BYTES = 1 << 20


def _root(*_):
    return os.geteuid() == 0


def _program(detail, root):
    places = (os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin", str(root / ".hprio" / "tools"))
    return shutil.which(detail.split()[0], path=os.pathsep.join(places)) is not None


def _file(detail, _):
    return Path(detail.split()[0]).exists()


def _thread_priorities(*_):
    return _succeeds("ionice", "-c", "2", "-n", "7", "true")


def _block_device(_, root):
    device = root.stat().st_dev
    return Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").exists()


def _libhadoop(*_):
    return platform.machine() in ("x86_64", "aarch64")


def _block_trace(*_):
    """A test that found tracefs not mounted has tried to mount it."""
    issue = Path("/sys/kernel/tracing/events/block/block_rq_issue/format")
    return _root() and issue.exists() and "ioprio" in issue.read_text(encoding="utf-8")


def _virtual_disk(*_):
    return _root() and all(map(os.path.exists, ("/dev/fuse", "/dev/loop-control", "/sys/kernel/btf/vmlinux")))


def _memory_group(*_):
    """As MemoryGroup of lab/cluster: where memory is distributed, a group can be made beside the others."""
    for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines():
        _, top, kind, options = line.split(" ")[:4]
        if kind == "cgroup" and "memory" in options.split(","):
            return os.access(top, os.W_OK)
        if kind == "cgroup2" and "memory" in (Path(top) / "cgroup.subtree_control").read_text().split():
            return os.access(top, os.W_OK)
    return False


def _locked_memory(*_):
    limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    return limit == resource.RLIM_INFINITY or limit >= _LOCKED_BYTES


def _cachestat(*_):
    return _LINUX >= (6, 5)


def _memory_files(*_):
    mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    return any(line.split(" ")[1:3] == ["/dev/shm", "tmpfs"] for line in mounts)


def _libfuzzer(*_):
    nothing = "int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d[0] && n; }"
    return _succeeds("clang", "-fsanitize=fuzzer", "-x", "c", "-o", "/dev/null", "-", given=nothing)


def _io_uring(*_):
    parameters = ctypes.create_string_buffer(_IO_URING_PARAMETERS_BYTES)
    ring = ctypes.CDLL(None, use_errno=True).syscall(_IO_URING_SETUP, 1, parameters)
    if ring >= 0:
        os.close(ring)
    return ring >= 0 and _LINUX >= (5, 6)


def _direct_reads(detail, _):
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(detail) or None) as file, mmap.mmap(-1, 4096) as page:
        file.write(page[:])
        file.flush()
        try:
            with open(os.open(file.name, os.O_RDONLY | os.O_DIRECT), "rb", buffering=0) as direct:
                return direct.readinto(page) == len(page)
        except OSError:
            return False


def _cannot_be_told(*_):
    """These say themselves what is missing, of many things."""
    return False


_PROBES = {
    "root": _root,
    "the program": _program,
    "the file": _file,
    "priorities of threads": _thread_priorities,
    "a working directory on a block device": _block_device,
    "libhadoop": _libhadoop,
    "a block trace": _block_trace,
    "a virtual disk": _virtual_disk,
    "a memory control group": _memory_group,
    "memory that may be locked": _locked_memory,
    "cachestat": _cachestat,
    "/dev/shm in memory": _memory_files,
    "libFuzzer": _libfuzzer,
    "io_uring": _io_uring,
    "direct reads": _direct_reads,
    "a container": _cannot_be_told,
    "an emulated machine": _cannot_be_told,
}


def _succeeds(*command, given=""):
    try:
        done = subprocess.run(command, input=given.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return done.returncode == 0


def wrong(reason, root, ci):
    """Why a test should not have been skipped: at most one line.

    reason -- what the test said
    root   -- the repository
    ci     -- whether this is continuous integration, where nothing may be missing
    """
    said = SAID.match(reason)
    if not said or said[1] not in _PROBES:
        yield f'its reason, "{reason}", is none of those that a guard gives: {", ".join(sorted(_PROBES))}'
    elif _PROBES[said[1]](said[2] or "", root):
        yield f"this machine has what it says is missing: {reason}"
    elif ci:
        yield f"with CI=true nothing may be missing: {reason}"
