# SPDX-License-Identifier: Apache-2.0
"""Proof on the wire: which priority the drive sees, read from an emulated drive's own trace."""


class Unavailable(Exception):
    """Something this machine lacks, so a group cannot run; the message names it."""


class Broken(Exception):
    """The proof itself could not be carried out: the guest, QEMU or a file misbehaved."""


class GuestLost(Broken):
    """
    There is no guest any more. died: it ended by itself, which is nobody's wrong result; else it gave no answer and
    was ended. console holds the last lines of its kernel.
    """

    def __init__(self, message, died, console):
        super().__init__(message)
        self.died = died
        self.console = console
