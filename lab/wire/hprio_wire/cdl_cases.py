# SPDX-License-Identifier: Apache-2.0
"""Group d: the command duration limits of a SATA drive in the kernel, how pbs reads them, and the hints of requests."""

import contextlib
import json

from . import hint_cases
from .cases import Case, Group, expect, expect_limit, expect_priority
from .fis import HIGH, NORMAL, LogRead
from .hint_cases import DEVICE, FILE_BYTES, HINT, read, require

_MS = 1_000_000
_HEADER_BYTES = 8
_DESCRIPTOR_BYTES = 32
_DESCRIPTORS = 7

# Of sysfs, vpd_pg89: the IDENTIFY data begin at byte 60; word 84 bit 5 is General Purpose Logging, bit 14 always 1.
_WORD_84 = 60 + 2 * 84

# guest/cdl_drive.c: whether it answers READ LOG EXT of programs.
_ANSWER = "/sys/module/cdl_drive/parameters/answer_commands"

# guest/cdl_drive.c: the first bytes of the log, where there are no policies.
_LOG_HEAD = 0xABC

FAKED = (
    "drive's answers faked: IDENTIFY DEVICE words 76, 78 and 80 and six READ LOG pages, by which libata learns of"
    " command duration limits and NCQ priority; SET FEATURES, which switches limits on; in d05 also the answers to"
    " READ LOG EXT of pbs. What libata makes of them and all commands that read are the kernel's own."
)


def _limits(guest, direction):
    """The limits of each descriptor that pbs shows, in nanoseconds."""
    answer = json.loads(guest.run("pbs cdl --json /dev/sda"))
    expect(answer["ata"], "pbs does not take the drive for a SATA drive")
    expect(
        "translation" in answer["descriptors_from"],
        f"the descriptors are from {answer['descriptors_from']}",
    )
    return [
        {name: limit["ns"] for name, limit in descriptor["limits"].items()}
        for descriptor in answer[direction]
    ]


def _check_limits(guest):
    wanted = {
        "read": {0: {"inactive": 50 * _MS, "active": 120 * _MS}, 1: {"guideline": 655_350 * _MS}},
        "write": {6: {"active": 20 * _MS}},
    }
    for direction, descriptors in wanted.items():
        seen = _limits(guest, direction)
        for index in range(_DESCRIPTORS):
            limits = descriptors.get(index, {})
            expect(
                seen[index] == limits,
                f"{direction} {index + 1}: {seen[index]} instead of {limits}",
            )


def _check_policies(guest):
    for subpage in ("07", "08"):
        page = bytes.fromhex(guest.run(f"wireio mode 0a {subpage} /dev/sda").strip())[_HEADER_BYTES:]
        expect(page[0] == 0x0A, f"byte 0 of the page is {page[0]:02x}: with SPF, or another page")
        for index in range(_DESCRIPTORS):
            descriptor = page[8 + index * _DESCRIPTOR_BYTES :]
            policies = descriptor[6] << 4 | descriptor[14] & 0xF
            expect(
                policies == _LOG_HEAD,
                f"page {subpage}h, descriptor {index + 1} has the policies {policies:03x}",
            )


def _check_unknown(guest):
    answer = json.loads(guest.run("pbs cdl --json /dev/sda"))
    policies = {
        limit["policy"]
        for direction in ("read", "write")
        for descriptor in answer[direction]
        for limit in descriptor["limits"].values()
    }
    expect(policies == {"unknown"}, f"policies {sorted(policies)}")
    expect(answer["drive"]["enabled"] is None, "pbs claims to know whether limits are on")
    expect(answer["kernel"]["enabled"] is False, "the kernel has limits on")
    expect("General Purpose Logging" in answer["log_refused"], f"log: {answer['log_refused']}")


@contextlib.contextmanager
def _announced_logs(guest):
    """The drive's IDENTIFY data in sysfs say that it has logs, so that pbs asks for them."""
    vpd = f"{DEVICE}/vpd_pg89"
    guest.run(
        f"cat {vpd} >/tmp/vpd && printf '\\040\\100' |"
        f" dd of=/tmp/vpd bs=1 seek={_WORD_84} conv=notrunc 2>/dev/null && mount --bind /tmp/vpd {vpd}"
    )
    try:
        yield
    finally:
        guest.run(f"umount {vpd}")


def _check_log_command(guest):
    """The drive refuses the command; the kernel's mode pages are taken, as without the right to send it."""
    with _announced_logs(guest):
        position = guest.trace_position()
        answer = json.loads(guest.run("pbs cdl --json /dev/sda"))
        seen = guest.log_reads(position)
    wanted = [LogRead(log=0, page=0, pages=1, features=0)]
    expect(seen == wanted, f"commands {seen} instead of {wanted}")
    expect("the drive says" in (answer["log_refused"] or ""), f"log: {answer['log_refused']}")
    expect("translation" in answer["descriptors_from"], f"from {answer['descriptors_from']}")


def _check_logs(guest):
    with _announced_logs(guest):
        guest.run(f"echo 1 >{_ANSWER}")
        answer = json.loads(guest.run("pbs cdl --json --seconds 1 /dev/sda"))
        guest.run(f"echo 0 >{_ANSWER}")
    drive = answer["drive"]
    expect(drive["supported"] and drive["enabled"] is False, f"the drive: {drive}")
    expect(answer["descriptors_from"] == "ATA log 18h", f"from {answer['descriptors_from']}")
    texts = [descriptor["text"] for descriptor in answer["read"] + answer["write"]]
    wanted = ["no limit"] * (2 * _DESCRIPTORS)
    wanted[0] = (
        "inactive 50 ms abort, active 123456 us complete-unavailable,"
        " guideline 9999 us continue-next-limit"
    )
    wanted[1] = "guideline 4294967295 us abort"
    wanted[-1] = "active 20 ms abort"
    expect(texts == wanted, f"descriptors {texts}")
    counters = answer["read"][0]["counters"]
    expect(
        len(counters) == 1 and counters[0]["counts"] == "commands" and counters[0]["grown"] == 5,
        f"counters {counters}",
    )


def _value(guest, switch):
    return guest.run(f"cat {DEVICE}/{switch}").strip()


def _check_excluded(number, on, refused, prio, limit):
    """With the one switch on, the other cannot be switched on, and only the one has an effect."""

    def check(guest):
        guest.run(f"echo 0 >{DEVICE}/{refused}; echo 1 >{DEVICE}/{on}")
        try:
            status, _ = guest.try_run(f"echo 1 >{DEVICE}/{refused}")
            expect(status != 0, f"{refused} can be switched on beside {on}")
            values = {switch: _value(guest, switch) for switch in (on, refused)}
            expect(values == {on: "1", refused: "0"}, f"switches {values}")
            ranges, position = read(guest, number, "direct", f"rt/{HINT}")
            reads = guest.ncq_reads(position)
            expect_priority(reads, ranges, prio)
            expect_limit(reads, ranges, limit)
        finally:
            guest.run(f"echo 0 >{DEVICE}/{on}")

    return check


@contextlib.contextmanager
def _prepare(run):
    files = {case.number: FILE_BYTES for case in GROUP.cases}
    with run.guest("limits", files, fixture="cdl_drive", programs=["pbs"]) as guest:
        require(run, guest)
        yield guest


GROUP = Group(
    letter="d",
    title="command duration limits of a SATA drive: the kernel's mode pages of its log, the hints of requests",
    faked=FAKED,
    prepare=_prepare,
    cases=(
        Case(
            "d01",
            "faked log 18h: pbs shows the mode pages' limits, rounded down to 10 ms",
            _check_limits,
        ),
        Case(
            "d02",
            "faked log 18h: the mode pages' policies are not the descriptors', SPF is not set",
            _check_policies,
        ),
        Case(
            "d03",
            "faked log 18h: pbs says that policies, and whether limits are on at the drive, are unknown",
            _check_unknown,
        ),
        Case(
            "d04",
            "faked word 84, so that pbs asks the drive: one READ LOG EXT of log 00h, FEATURES 0",
            _check_log_command,
        ),
        Case(
            "d05",
            "faked answers to its READ LOG EXT: pbs shows the descriptors' own limits and policies, counters grow",
            _check_logs,
        ),
        *hint_cases.cases("d", 6, hint_cases.SATA),
        Case(
            "d21",
            f"ncq_prio_enable=1: cdl_enable is refused; O_DIRECT pread, rt, hint {HINT}: PRIO 10, AUXILIARY 0",
            _check_excluded("d21", "ncq_prio_enable", "cdl_enable", HIGH, 0),
        ),
        Case(
            "d22",
            f"cdl_enable=1: ncq_prio_enable is refused; O_DIRECT pread, rt, hint {HINT}: PRIO 00, AUXILIARY {HINT}",
            _check_excluded("d22", "cdl_enable", "ncq_prio_enable", NORMAL, HINT),
        ),
    ),
)
