# SPDX-License-Identifier: Apache-2.0
"""The command line: which cases, which output, which exit status."""

import argparse
import re
import signal
import sys
from pathlib import Path

from . import (
    Unavailable,
    age_cases,
    cdl_cases,
    datanode_cases,
    datanode_queue_cases,
    debian,
    give_up_cases,
    hint_cases,
    instrument_cases,
    kernel_cases,
    machine,
    mutant_cases,
    pbs_cases,
    report,
    weight_cases,
    wrr_cases,
)
from .cases import FAIL, OK
from .group_run import run_group
from .run import ROOT, SOURCES, Run

GROUPS = tuple(
    cases.GROUP
    for cases in (
        pbs_cases,
        kernel_cases,
        datanode_cases,
        cdl_cases,
        give_up_cases,
        hint_cases,
        age_cases,
        wrr_cases,
        weight_cases,
        datanode_queue_cases,
        mutant_cases,
        instrument_cases,
    )
)

_EXIT_OK, _EXIT_FAILED, _EXIT_NOTHING_RAN = 0, 1, 3


def main():
    parser = _parser()
    arguments = parser.parse_args()
    chosen = _choose(arguments.case, parser, not arguments.list)
    if arguments.list:
        report.list_cases(chosen)
        return _EXIT_OK
    # Ends what was started, as any exception does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_EXIT_FAILED))
    run = Run(arguments.cache, arguments.name, arguments.programs, arguments.kernel, arguments.resets)
    if arguments.fetch:
        return _fetch(run)
    output = report.Report(json=arguments.json, junit=arguments.junit)
    with run.alone():
        output.begin(_machine(run))
        for group, cases in chosen:
            output.group(group)
            for result in run_group(run, group, cases):
                output.case(result)
    output.end()
    if output.count(FAIL):
        return _EXIT_OK if arguments.ignore_failures else _EXIT_FAILED
    return _EXIT_OK if output.count(OK) else _EXIT_NOTHING_RAN


def _parser():
    parser = argparse.ArgumentParser(
        prog="hprio wire",
        description="Shows, command by command, which priority and which duration limit reach a drive.",
        epilog="Exit status: 0 all that could run passed, 1 a case failed, 2 wrong arguments, 3 no case could"
        " run. With CI=true what cannot run has failed.",
    )
    parser.add_argument(
        "--case",
        metavar="N",
        action="append",
        default=[],
        help="run only this case (b03) or group (b); may be given several times, or as a list: b01,b02",
    )
    parser.add_argument("--list", action="store_true", help="list the cases and run none")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--junit", metavar="FILE", type=Path, help="also write a JUnit report")
    parser.add_argument(
        "--ignore-failures",
        metavar="BOOLEAN",
        type=_boolean,
        default=False,
        help="true: the exit status is 0 also when a case failed, for a build that reads the report",
    )
    parser.add_argument("--fetch", action="store_true", help="only fetch Debian's packages of the guest")
    parser.add_argument(
        "--kernel",
        metavar="KERNEL",
        type=_kernel,
        default="backports",
        help="backports: Debian's kernel of the release's backports (default); release: that of the release itself;"
        " or a directory with the unpacked packages linux-image, linux-headers and busybox-static",
    )
    parser.add_argument(
        "--resets",
        metavar="N",
        type=int,
        default=3,
        help="how often case n34 resets the drive under load (default: 3)",
    )
    parser.add_argument(
        "--programs",
        metavar="DIR",
        type=Path,
        default=SOURCES / "target" / "cmake",
        help="where the guest's programs were built (default: lab/wire/target/cmake)",
    )
    parser.add_argument(
        "--cache",
        metavar="DIR",
        type=Path,
        default=ROOT / ".hprio" / "wire",
        help="for the kernel and the files of the last run (default: .hprio/wire)",
    )
    parser.add_argument(
        "--name",
        metavar="NAME",
        type=_name,
        default="run",
        help="the directory below the cache for the files of this run; runs of different names may go beside one another"
        " (default: run)",
    )
    return parser


def _boolean(text):
    if text not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"{text}: allowed are true, false")
    return text == "true"


def _name(name):
    if not re.fullmatch(r"[a-z][a-z-]*", name) or name in ("debian", "lock", "module"):
        raise argparse.ArgumentTypeError(f"{name}: allowed are small letters and -, but not debian, lock or module")
    return name


def _kernel(name):
    if name not in debian.KERNELS and not Path(name).is_dir():
        allowed = ", ".join(debian.KERNELS)
        raise argparse.ArgumentTypeError(f"{name}: allowed are {allowed}, or a directory that exists")
    return name


def _choose(wanted, parser, for_run):
    """The groups with their cases that the option --case names; without it all but those that are to be asked for."""
    names = [name for option in wanted for name in option.split(",")]
    known = {group.letter for group in GROUPS}
    known |= {case.number for group in GROUPS for case in group.cases}
    for name in names:
        if name not in known:
            letters = ", ".join(group.letter for group in GROUPS)
            parser.error(f"--case {name}: no such case; groups are {letters}, --list shows all cases")
    chosen = []
    for group in GROUPS:
        whole = group.letter in names or (not names and not (group.asked_only and for_run))
        cases = [case for case in group.cases if whole or case.number in names]
        if cases:
            chosen.append((group, cases))
    return chosen


def _fetch(run):
    try:
        print(f"{run.debian.title}: {run.debian.root}")
        return _EXIT_OK
    except Unavailable as reason:
        print(f"hprio wire: {reason}", file=sys.stderr)
        return _EXIT_NOTHING_RAN


def _machine(run):
    """What the cases run on, or why they cannot."""
    try:
        return f"{run.debian.title}, QEMU {machine.qemu_version()}, all instructions emulated (TCG)"
    except Unavailable as reason:
        return f"no guest: {reason}"
