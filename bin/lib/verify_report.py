#!/usr/bin/env python3
"""Shows a Maven build as it goes and sums up its test reports; bin/hprio uses it.

verify_report.py follow LOG           copies standard input, Maven's output, to LOG and prints what matters of it
verify_report.py summary ROOT SINCE   prints the results in the reports below ROOT that are newer than the file SINCE
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import OrderedDict
from pathlib import Path

MODULE = re.compile(r"\[INFO\] Building (.*?) +\[(\d+/\d+)\]$")
TEST_CLASS = re.compile(r"\[[A-Z]+\] Tests run: (.*?), Time elapsed: (.*? s)( <<< \w+!)? -- in (.*)$")
PROBLEM = re.compile(r"\[ERROR\] |\[WARNING\] .*\.java:")
DOWNLOADS_PER_LINE = 200
MAX_REASON = 300


def follow(log_file):
    downloads = 0
    with open(log_file, "w", encoding="utf-8") as log:
        for line in sys.stdin:
            log.write(line)
            log.flush()
            line = line.rstrip("\n")
            module, tests = MODULE.match(line), TEST_CLASS.match(line)
            if module:
                print(f"hprio: [{module[2]}] {module[1]}", file=sys.stderr)
            elif tests:
                print(f"hprio:       tests: {tests[1]}, {tests[2]} -- in {tests[4]}", file=sys.stderr)
            elif "Downloaded from " in line:
                downloads += 1
                if downloads % DOWNLOADS_PER_LINE == 0:
                    print(f"hprio:       {downloads} files downloaded", file=sys.stderr)
            elif PROBLEM.match(line):
                print(line, file=sys.stderr)


def reason(result):
    text = result.get("message") or result.get("type") or "no reason given"
    return " ".join(text.split())[:MAX_REASON]


def module_of(report, root):
    """The directory that holds the report's target directory, such as lab/it."""
    parts = report.relative_to(root).parts
    return "/".join(parts[: parts.index("target")]) or "."


def summary(root, since):
    counts = OrderedDict()
    skipped, failed = [], []
    start = since.stat().st_mtime_ns
    reports = [r for r in root.glob("**/target/*-reports/TEST-*.xml") if r.stat().st_mtime_ns > start]
    for report in sorted(reports):
        count = counts.setdefault(module_of(report, root), [0, 0, 0])
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}"
            failures = case.findall("failure") + case.findall("error")
            skips = case.findall("skipped")
            failed += [f"{name}: {reason(result)}" for result in failures]
            skipped += [f"{name}: {reason(result)}" for result in skips]
            count[1 if failures else 2 if skips else 0] += 1
    print(f"{'module':<18} {'passed':>8} {'failed':>8} {'skipped':>8}")
    for module, count in counts.items():
        print(f"{module:<18} {count[0]:>8} {count[1]:>8} {count[2]:>8}")
    for test in skipped:
        print(f"skipped: {test}")
    for test in failed:
        print(f"failed: {test}")
    total = [sum(column) for column in zip(*counts.values())] or [0, 0, 0]
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "follow":
        follow(arguments[1])
    elif len(arguments) == 3 and arguments[0] == "summary":
        summary(Path(arguments[1]), Path(arguments[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
