#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows a Maven build as it goes and sums up its test reports; bin/hprio uses it.

verify_report.py follow LOG
    copies standard input, Maven's output, to LOG and prints what matters of it
verify_report.py summary ROOT SINCE LOG [--partial]
    prints the results in the reports below ROOT that are newer than the file SINCE, and which modules of the build
    in LOG did not run. Exit status: 0 all passed; 1 a test failed or was skipped that this machine could run, or a
    module did not run. With CI=true each skipped test is a failure. With --partial, for a run with options that may
    leave out tests, a module that was built and ran no tests is no failure.
"""

import itertools
import os
import re
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import OrderedDict
from pathlib import Path

import needs

MODULE = re.compile(r"\[INFO\] Building (.*?) +\[(\d+/\d+)\]$")
# A program that Maven runs: those in C are built and tested by such.
PROGRAM = re.compile(r"\[INFO\] --- exec(?:-maven-plugin)?:[\d.]+:exec \((\S+)\) @ ")
TEST_CLASS = re.compile(r"\[[A-Z]+\] Tests run: (.*?), Time elapsed: (.*? s)( <<< \w+!)? -- in (.*)$")
ORDER_BEGINS = "[INFO] Reactor Build Order:"
ORDERED = re.compile(r"\[INFO\] (\S.*?) +\[[\w-]+\]$")
OUTCOME = re.compile(r"\[INFO\] (\S.*?) \.* *(SUCCESS|FAILURE|SKIPPED)\b")
POM = "{http://maven.apache.org/POM/4.0.0}"
# Of the programs that a module runs as tests beside those of Java.
OWN_REPORT = re.compile(r"\bTEST-[\w-]+\.xml\b")
PROBLEM = re.compile(r"\[ERROR\] |\[WARNING\] .*\.java:")
DOWNLOADS_PER_LINE = 200
MAX_REASON = 1000
# Of cmocka.
SKIPPED_PART = re.compile(r"\[  SKIPPED \] ([A-Za-z_]\w*)$")
PRINTED_ERROR = re.compile(r"\b(ERROR|FAIL|FAILED)\b", re.IGNORECASE)


def follow(log_file):
    downloads = 0
    started = time.monotonic()
    with open(log_file, "w", encoding="utf-8") as log:
        for line in sys.stdin:
            log.write(line)
            log.flush()
            line = line.rstrip("\n")
            module, program, tests = MODULE.match(line), PROGRAM.match(line), TEST_CLASS.match(line)
            if module:
                print(f"hprio: [{module[2]}] {module[1]}, {since(started)}", file=sys.stderr)
            elif program:
                print(f"hprio:       {program[1]}, {since(started)}", file=sys.stderr)
            elif tests:
                print(f"hprio:       tests: {tests[1]}, {tests[2]} -- in {tests[4]}", file=sys.stderr)
            elif "Downloaded from " in line:
                downloads += 1
                if downloads % DOWNLOADS_PER_LINE == 0:
                    print(f"hprio:       {downloads} files downloaded", file=sys.stderr)
            elif PROBLEM.match(line):
                print(line, file=sys.stderr)


def since(started):
    """Where the build's time goes can be read from the lines that have this."""
    minutes, seconds = divmod(int(time.monotonic() - started), 60)
    return f"after {minutes} min {seconds:02} s"


def reason(case, result):
    """CTest gives a failed test no message: what the program printed says more."""
    text = result.get("message") or result.get("type") or printed_reason(case) or "no reason given"
    return " ".join(text.split())[:MAX_REASON]


def printed_reason(case):
    """The first line that a failed test printed of an error, else its last line."""
    lines = [line for line in case.findtext("system-out", "").splitlines() if line.strip()]
    return next((line for line in lines if PRINTED_ERROR.search(line)), lines[-1] if lines else "")


def skips(case):
    """What of a case was skipped: (name, reason)."""
    name = f"{case.get('classname')}.{case.get('name')}"
    printed = case.findtext("system-out", "").splitlines()
    for result in case.findall("skipped"):
        said = reason(case, result)
        # CTest knows no reason: the program has printed it.
        yield name, said if needs.SAID.match(said) else next(filter(needs.SAID.match, printed), said)
    # A program of C passes though it has skipped some of its tests. It names them twice, once after what is missing.
    parts = {}
    for before, line in zip([""] + printed, printed):
        part = SKIPPED_PART.match(line)
        if part and (needs.SAID.match(before) or part[1] not in parts):
            parts[part[1]] = before if needs.SAID.match(before) else "no reason given"
    yield from ((f"{name}.{part}", why) for part, why in parts.items())


def module_of(report, root):
    """The directory that holds the report's target directory, such as lab/it."""
    parts = report.relative_to(root).parts
    return "/".join(parts[: parts.index("target")]) or "."


def modules(directory):
    """The modules' names with their directories, as the POMs have them."""
    pom = ElementTree.parse(directory / "pom.xml").getroot()
    found = {pom.findtext(f"{POM}name") or pom.findtext(f"{POM}artifactId"): directory}
    for module in pom.iterfind(f"{POM}modules/{POM}module"):
        found.update(modules(directory / module.text))
    return found


def outcomes(log):
    """What became of each module that Maven was to build; None for one that it did not come to."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    if ORDER_BEGINS not in lines:
        # A single module.
        return {}
    order = itertools.dropwhile(lambda line: not ORDERED.match(line), lines[lines.index(ORDER_BEGINS) :])
    order = itertools.takewhile(ORDERED.match, order)
    found = {ORDERED.match(line)[1]: None for line in order}
    for match in filter(None, map(OUTCOME.match, lines)):
        if match[1] in found:
            found[match[1]] = match[2]
    return found


def missing_reports(directory, fresh):
    """Which reports of tests the module should have written, and has not."""
    names = {report.name for report in fresh if directory / "target" == report.parent.parent}
    tests = directory / "src" / "test"
    if not names and any(itertools.chain(tests.glob("**/*Test.java"), tests.glob("**/*IT.java"))):
        yield "no test has run"
    for own in sorted(set(OWN_REPORT.findall((directory / "pom.xml").read_text(encoding="utf-8")))):
        if own not in names:
            yield f"no {own}"


def unfinished(root, log, fresh, partial):
    """The modules that did not run, or not to their end: (directory, reason)."""
    directories = modules(root)
    for name, outcome in outcomes(log).items():
        directory = directories.get(name)
        place = directory.relative_to(root).as_posix() if directory else name
        if outcome == "FAILURE":
            yield place, "its build failed; see the errors above"
        elif outcome != "SUCCESS":
            yield place, "not built, because the build of a module that it needs failed"
        elif directory and not partial:
            yield from ((place, missing) for missing in missing_reports(directory, fresh))


def summary(root, since, log, partial):
    """Whether all has run and passed."""
    counts = OrderedDict()
    skipped, wrongly, failed, repeated = [], [], [], []
    ci = os.environ.get("CI") == "true"
    start = since.stat().st_mtime_ns
    reports = [r for r in root.glob("**/target/*-reports/TEST-*.xml") if r.stat().st_mtime_ns > start]
    for report in sorted(reports):
        count = counts.setdefault(module_of(report, root), [0, 0, 0])
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            failures = case.findall("failure") + case.findall("error")
            failed += [f"{name}: {reason(case, result)}" for result in failures]
            left_out = list(skips(case))
            skipped += [f"{name}: {why}" for name, why in left_out]
            wrongly += [f"{name}: {wrong}" for name, why in left_out for wrong in needs.wrong(why, root, ci)]
            repeated += [f"{name}: {reason(case, result)}" for result in case.findall("flakyError")]
            count[0] += not (failures or left_out)
            count[1] += bool(failures)
            count[2] += len(left_out)
    print(f"{'module':<18} {'passed':>8} {'failed':>8} {'skipped':>8}")
    for module, count in counts.items():
        print(f"{module:<18} {count[0]:>8} {count[1]:>8} {count[2]:>8}")
    not_run = list(unfinished(root, log, reports, partial))
    for what, lines in (
        ("skipped", skipped),
        ("repeated", repeated),
        ("failed", failed),
        ("wrongly skipped", wrongly),
    ):
        for line in lines:
            print(f"{what}: {line}")
    for place, why in not_run:
        print(f"did not run: {place}: {why}")
    total = [sum(column) for column in zip(*counts.values())] or [0, 0, 0]
    incomplete = f"; not all, without {', '.join(OrderedDict(not_run))}" if not_run else ""
    of_them = f", {len(wrongly)} of them wrongly" if wrongly else ""
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped{of_them}{incomplete}")
    return not (failed or wrongly or not_run)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "follow":
        follow(arguments[1])
    elif len(arguments) in (4, 5) and arguments[0] == "summary" and arguments[4:] in ([], ["--partial"]):
        passed = summary(*map(Path, arguments[1:4]), partial=len(arguments) == 5)
        sys.exit(0 if passed else 1)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
