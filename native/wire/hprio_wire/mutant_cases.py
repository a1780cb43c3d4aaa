"""Group m: a PBS that was broken on purpose must fail cases of group a."""

import contextlib

from . import pbs_cases
from .cases import Case, Group, noticed

FAKED = "the PBS of these cases is built with a deliberate fault (native/pbs/mutants.cmake)"

# The fault's name in PBS's build, what it breaks, and the layout of the case that must fail, read at level high.
_FAULTS = (
    ("prio", "the PRIO bits dropped", "aligned"),
    ("lba", "each command one sector too far", "aligned"),
    ("flag", 'the extents\' flag "unwritten" ignored', "unwritten"),
)
_LEVEL = "high"


def _check(number, fault, layout):
    judged = pbs_cases.check(number, pbs_cases.layout(layout), _LEVEL, f"pbs-{fault}")
    return noticed(judged, f"a broken PBS passed: {layout}, {_LEVEL}")


def _cases():
    for index, (fault, broken, layout) in enumerate(_FAULTS, 1):
        number = f"m{index:02}"
        title = f"{broken}: {pbs_cases.number(layout, _LEVEL)} ({layout}, {_LEVEL}) fails"
        yield Case(number, title, _check(number, fault, layout))


@contextlib.contextmanager
def _prepare(run):
    layouts = [pbs_cases.layout(layout) for _, _, layout in _FAULTS]
    files = {
        case.number: layout.image_bytes
        for case, layout in zip(GROUP.cases, layouts)
        if layout.image_bytes
    }
    programs = [f"pbs-{fault}" for fault, _, _ in _FAULTS]
    with run.guest("mutants", files, programs=programs) as guest:
        yield guest


GROUP = Group(
    letter="m",
    title="a broken PBS is noticed",
    faked=FAKED,
    prepare=_prepare,
    cases=tuple(_cases()),
)
