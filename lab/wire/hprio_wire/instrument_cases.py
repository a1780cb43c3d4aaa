# SPDX-License-Identifier: Apache-2.0
"""Group i: what the other cases rest on. A guest that dies is started again, and its case repeated once."""

import contextlib
import os
import signal
import time

from .cases import FAIL, OK, Case, Group, expect
from .group_run import run_group

# Far less than what a command may take without an answer.
_NOTICED_WITHIN_S = 30

FAKED = "the guest's kernel and QEMU are ended on purpose, by the cases; nothing else is faked"


class _Mishaps:
    """Cases of a group of their own, which end their guests; how often each was run, and when it ended its guest."""

    def __init__(self):
        self.runs = {"panics once": 0, "killed twice": 0, "quiet": 0}
        self.panicked = None
        self.next_after_panic = None

    def _panics_once(self, guest):
        self.runs["panics once"] += 1
        if self.runs["panics once"] == 1:
            self.panicked = time.monotonic()
            guest.run("echo c >/proc/sysrq-trigger")
        guest.run("true")

    def _killed_twice(self, guest):
        self.runs["killed twice"] += 1
        os.kill(guest.pid, signal.SIGKILL)
        guest.run("true")

    def _quiet(self, guest):
        self.runs["quiet"] += 1
        guest.run("true")

    @contextlib.contextmanager
    def _prepare(self, run):
        if self.panicked and not self.next_after_panic:
            self.next_after_panic = time.monotonic()
        with run.guest("instrument", {}) as guest:
            yield guest

    def group(self):
        checks = (self._panics_once, self._killed_twice, self._quiet)
        cases = tuple(Case(name, name, check) for name, check in zip(self.runs, checks))
        return Group("-", "mishaps", FAKED, self._prepare, cases)


def _check_panic(seen):
    mishaps, results = seen
    result = results["panics once"]
    expect(result.outcome == OK, f"{result.outcome}: {result.note}")
    expect(mishaps.runs["panics once"] == 2, f"run {mishaps.runs['panics once']} times")
    expect(result.lost and "Kernel panic" in str(result.lost), f"the panic is not told: {result.lost}")
    expect(any("sysrq" in line for line in result.lost.console), f"console: {result.lost.console}")
    took = mishaps.next_after_panic - mishaps.panicked
    expect(took < _NOTICED_WITHIN_S, f"noticed after {took:.0f} s")
    return f"noticed after {took:.1f} s: {result.lost}"


def _check_killed(seen):
    mishaps, results = seen
    result = results["killed twice"]
    expect(result.outcome == FAIL and "signal 9" in result.note, f"{result.outcome}: {result.note}")
    expect(mishaps.runs["killed twice"] == 2, f"run {mishaps.runs['killed twice']} times")
    quiet = results["quiet"]
    expect(quiet.outcome == OK, f"the next case: {quiet.outcome}: {quiet.note}")


@contextlib.contextmanager
def _prepare(run):
    mishaps = _Mishaps()
    group = mishaps.group()
    results = {result.case.number: result for result in run_group(run, group, group.cases)}
    yield mishaps, results


GROUP = Group(
    letter="i",
    title="the instrument: a guest that dies is started again",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        Case("i01", "the guest's kernel panics: the case is repeated and passes", _check_panic),
        Case("i02", "QEMU is killed twice in a case: it fails, the next one passes", _check_killed),
    ),
)
