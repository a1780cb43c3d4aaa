"""Proof on the wire: which priority the drive sees, read from an emulated drive's own trace."""


class Unavailable(Exception):
    """Something this machine lacks, so a group cannot run; the message names it."""


class Broken(Exception):
    """The proof itself could not be carried out: the guest, QEMU or a file misbehaved."""
