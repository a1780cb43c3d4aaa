# SPDX-License-Identifier: Apache-2.0
"""Group m: a PBS that was broken on purpose must fail cases of group a."""

import contextlib

from . import Broken, pbs_cases
from .cases import Case, Failed, Group, noticed

FAKED = "the PBS of these cases is built with a deliberate fault (native/pbs/mutants.cmake)"

# The fault's name in PBS's build, what it breaks, the layout of the case that must fail, read at level high, and how.
_FAULTS = (
    ("prio", "the PRIO bits dropped", "aligned", "not PRIO 10: "),
    ("lba", "each command one sector too far", "aligned", "no command reads the file's sectors "),
    ("halves", "two bytes of a sector's address confused", "aligned", "no command reads the file's sectors "),
    ("dirty", "dirty pages ignored", "dirty", "the drive was asked for sectors that the page cache has: "),
    (
        "flag",
        'the extents\' flag "unwritten" ignored',
        "unwritten",
        "the drive was asked for sectors without data: ",
    ),
)
_LEVEL = "high"


def _check(number, fault, layout, message, run_as=""):
    """
    PBS without the fault passes in this guest, and the one with it fails, in this way. It must have sent commands:
    one that may not, and reads plainly, would fail, too, whatever its faults.
    """
    kind = pbs_cases.layout(layout)
    control = pbs_cases.check(number, kind, _LEVEL, strict=kind.from_drive)
    judged = noticed(
        pbs_cases.check(number, kind, _LEVEL, f"{run_as}pbs-{fault}", strict=True),
        message,
        f"a broken PBS passed: {layout}, {_LEVEL}",
    )

    def run(guest):
        try:
            control(guest)
        except (Failed, Broken) as failure:
            raise Failed(f"PBS without the fault fails: {failure}") from failure
        return judged(guest)

    return run


def _without_rights(number):
    """A check that passes if the first fault is not taken for noticed where PBS may send no command."""
    fault, _, layout, message = _FAULTS[0]
    judged = _check(number, fault, layout, message, f"wireio as {pbs_cases.USER} ")

    def run(guest):
        guest.run(f"chown {pbs_cases.USER} /mnt/{number}")
        try:
            judged(guest)
        except Broken as broken:
            return f"not taken for noticed: {broken}"
        raise Failed("a PBS that sent no command was taken for a broken one that is noticed")

    return run


def _cases():
    for index, (fault, broken, layout, message) in enumerate(_FAULTS, 1):
        number = f"m{index:02}"
        title = f"{broken}: {pbs_cases.number(layout, _LEVEL)} ({layout}, {_LEVEL}) fails"
        yield Case(number, title, _check(number, fault, layout, message))
    number = f"m{len(_FAULTS) + 1:02}"
    yield Case(
        number, "m01 by a process that may send no command: it fails", _without_rights(number)
    )


@contextlib.contextmanager
def _prepare(run):
    names = [layout for _, _, layout, _ in (*_FAULTS, _FAULTS[0])]
    layouts = [pbs_cases.layout(name) for name in names]
    files = {
        case.number: layout.image_bytes
        for case, layout in zip(GROUP.cases, layouts)
        if layout.image_bytes
    }
    programs = ["pbs", *(f"pbs-{fault}" for fault, *_ in _FAULTS)]
    with run.guest("mutants", files, programs=programs) as guest:
        yield guest


GROUP = Group(
    letter="m",
    title="a broken PBS is noticed",
    faked=FAKED,
    prepare=_prepare,
    cases=tuple(_cases()),
)
