# SPDX-License-Identifier: Apache-2.0
"""A guest under QEMU without hardware virtualisation, with a SATA drive whose commands are traced."""

import contextlib
import os
import re
import selectors
import shutil
import subprocess
import time
from dataclasses import dataclass
from typing import Optional

from . import Broken, GuestLost, Unavailable, cdb, fis

QEMU = "qemu-system-x86_64"
BOOT_LIMIT_S = 120
COMMAND_LIMIT_S = 60
_STOP_LIMIT_S = 10
_MARK = b"\x01"
_CONSOLE_LINES = 60
_PANIC = "Kernel panic"


@dataclass(frozen=True)
class Drive:
    """
    A kind of drive: QEMU's options for it, the events that trace it, its controller's modules, and its partition, if
    that is to be mounted.
    """

    options: tuple
    events: tuple
    modules: tuple
    partition: Optional[str] = "/dev/sda1"


SATA = Drive(("-device", "ide-hd,drive=disk,bus=ide.0"), fis.EVENTS, ("ahci",))
# 7: it claims SPC-5, the first version with command duration limits.
SCSI = Drive(
    ("-device", "virtio-scsi-pci", "-device", "scsi-hd,drive=disk,scsi_version=7"),
    cdb.EVENTS,
    ("virtio_pci", "virtio_scsi"),
)


def qemu_version():
    """As QEMU tells it."""
    if not shutil.which(QEMU):
        raise Unavailable(f"needs {QEMU} (Debian's package qemu-system-x86)")
    told = subprocess.check_output([QEMU, "--version"], text=True)
    return re.search(r"version (\S+)", told).group(1)


class Machine:
    """
    A guest that runs while this is entered; qemu is the command that starts another QEMU than the system's. Its files are
    in directory: console.log is what its kernel said, qemu.log QEMU, trace.log which commands its drive got.
    """

    def __init__(
        self,
        directory,
        kernel,
        initramfs,
        disk,
        drive=SATA,
        drive_options="",
        memory_mib=512,
        processors=2,
        options=(),
        qemu=(),
    ):
        self._console = directory / "console.log"
        self._trace = directory / "trace.log"
        self._log = directory / "qemu.log"
        self._output = b""
        traced = [option for event in drive.events for option in ("-trace", event)]
        self._command = [
            *(qemu or (QEMU,)),
            *("-no-user-config", "-nodefaults", "-display", "none", "-no-reboot"),
            *("-machine", "q35", "-accel", "tcg", "-smp", str(processors), "-m", str(memory_mib)),
            *("-kernel", kernel, "-initrd", initramfs),
            # A panic, which any fault of the kernel is, resets the machine at once, and with that ends QEMU. On a
            # busy host the kernel's check of the timer fails, which would end the boot.
            *("-append", "console=ttyS0 loglevel=6 panic=-1 oops=panic mitigations=off no_timer_check"),
            *("-serial", f"file:{self._console}"),
            *("-chardev", "stdio,id=shell,signal=off", "-serial", "chardev:shell"),
            *("-drive", f"if=none,id=disk,file={disk},format=raw,cache=unsafe{drive_options}"),
            *drive.options,
            *("-D", self._trace, *traced),
            *options,
        ]

    def __enter__(self):
        self._trace.unlink(missing_ok=True)
        with self._log.open("wb") as log:
            self._qemu = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        try:
            try:
                self._answer("booting", BOOT_LIMIT_S)
            except GuestLost as lost:
                # Nothing that is to be shown has begun.
                lost.died = True
                raise
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._qemu.kill()
        self._qemu.wait(_STOP_LIMIT_S)
        self._qemu.stdout.close()
        # What was written to a machine that had ended is lost.
        with contextlib.suppress(BrokenPipeError):
            self._qemu.stdin.close()

    @property
    def pid(self):
        """QEMU's process."""
        return self._qemu.pid

    def require_running(self):
        """Raises GuestLost if QEMU has ended."""
        if self._qemu.poll() is not None:
            raise self._ended("a client's work")

    def run(self, command, limit_s=COMMAND_LIMIT_S):
        """Runs one line of shell in the guest and returns what it printed; it must succeed."""
        status, output = self.try_run(command, limit_s)
        if status != 0:
            raise Broken(f'"{command}" ended with {status} in the guest: {output.strip()}')
        return output

    def try_run(self, command, limit_s=COMMAND_LIMIT_S):
        """The exit status and the output of one line of shell in the guest."""
        assert "\n" not in command
        try:
            self._qemu.stdin.write(command.encode() + b"\n")
            self._qemu.stdin.flush()
        except BrokenPipeError:
            raise self._ended(command) from None
        return self._answer(f'"{command}"', limit_s)

    def trace_position(self):
        """A place in the trace: all commands until now are before it."""
        return self._trace.stat().st_size

    def ncq_reads(self, position):
        """The drive's queued reads since trace_position() was position."""
        return fis.ncq_reads(self.traced_since(position))

    def scsi_reads(self, position):
        """The SCSI drive's reads since trace_position() was position."""
        return cdb.scsi_reads(self.traced_since(position))

    def timed_events(self, position):
        """fis.timed_events since trace_position() was position."""
        return list(fis.timed_events(self.traced_since(position)))

    def log_reads(self, position):
        """The drive's logs that were asked for since trace_position() was position."""
        return list(fis.log_reads(self.traced_since(position)))

    def most_high_in_flight(self, position):
        """Of the reads with PRIO 10 since trace_position() was position, the most at one time."""
        return fis.most_high_in_flight(self.traced_since(position))

    def traced_since(self, position):
        """The trace's text since trace_position() was position."""
        with self._trace.open() as trace:
            trace.seek(position)
            return trace.read()

    def _answer(self, what, limit_s):
        deadline = time.monotonic() + limit_s
        with selectors.DefaultSelector() as selector:
            selector.register(self._qemu.stdout, selectors.EVENT_READ)
            while not (found := re.search(_MARK + rb"(\d+)\r?\n", self._output)):
                if not selector.select(max(0, deadline - time.monotonic())):
                    # What it may still answer would be taken for that to the next command.
                    self._qemu.kill()
                    raise GuestLost(
                        f"{what}: no answer from the guest within {limit_s} s",
                        died=False,
                        console=self._console_lines()[-_CONSOLE_LINES:],
                    )
                part = os.read(self._qemu.stdout.fileno(), 1 << 16)
                if not part:
                    raise self._ended(what)
                self._output += part
        answer = self._output[: found.start()].decode(errors="replace").replace("\r\n", "\n")
        self._output = self._output[found.end() :]
        return int(found.group(1)), answer

    def _ended(self, what):
        status = self._qemu.wait(_STOP_LIMIT_S)
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        console = self._console_lines()
        told = [*console, *self._log.read_text(errors="replace").splitlines()] or ["it said nothing"]
        # Of two lines with it the second one is the end of the report.
        reason = next((line for line in told if _PANIC in line), told[-1])
        return GuestLost(
            f"QEMU ended ({how}) during {what}: {reason}", died=True, console=console[-_CONSOLE_LINES:]
        )

    def _console_lines(self):
        if not self._console.exists():
            return []
        return self._console.read_text(errors="replace").splitlines()
