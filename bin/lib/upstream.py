#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Hadoop's and HBase's published tests without and with the agent, and compares outcome by outcome.

"bin/hprio upstream". A class whose outcomes are not the same without the agent and in a mode is repeated on both sides. Only
what happened with the agent and never without counts as a difference.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import upstream_trial as trial

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "upstream"
RUNS = WORK / "runs.json"
CLASSES = Path(__file__).with_name("upstream-classes.txt")
MODES = ("off", "observe", "turns")
NAMES = {"hadoop": "Hadoop", "hbase": "HBase"}
BUILD_CLASS_PATH = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
UNPACK = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack"

LAUNCHER = (
    ("org.junit.platform", "junit-platform-console", "1.13.4", ""),
    ("org.junit.jupiter", "junit-jupiter", "5.13.4", ""),
    ("org.junit.vintage", "junit-vintage-engine", "5.13.4", ""),
    ("junit", "junit", "4.13.2", ""),
    ("org.mockito", "mockito-inline", "4.11.0", ""),
)
# What the two projects' own builds have for their tests.
TEST_LIBRARIES = {
    "hadoop": (("org.assertj", "assertj-core", "3.12.2", ""),),
    "hbase": (
        ("org.hamcrest", "hamcrest", "2.2", ""),
        # Hadoop 3.4.3 needs FailableSupplier.
        ("org.apache.commons", "commons-lang3", "3.18.0", ""),
    ),
}
PARTS = {
    "hadoop": (("hadoop-common", ""), ("hadoop-common", "test-jar"), ("hadoop-hdfs", ""), ("hadoop-hdfs-client", ""), ("hadoop-hdfs", "test-jar")),
    "hbase": (("hbase-testing-util", ""), ("hbase-server", ""), ("hbase-server", "test-jar")),
}

# What a class comes to.
SAME, UNSTEADY, DIFFERS, NO_RESULT = "same", "unsteady", "differs", "no result"


class Refused(Exception):
    """Something that was asked for cannot be had."""


@dataclass(frozen=True)
class Build:
    """What runs need: programs, class paths by project, jars, and the directory with libhadoop."""

    java: Path
    agent: Path
    regionserver: Path
    native: Path
    class_paths: dict


def property_of_the_build(name):
    found = re.search(rf"<{name}>([^<]+)<", (ROOT / "pom.xml").read_text())
    return found[1]


def versions():
    return {project: property_of_the_build(f"{project}.version") for project in NAMES}


def pom(project, version):
    """A Maven project that depends on the test-jars of a project and on what its tests need."""
    group = f"org.apache.{project}"
    wanted = [(group, name, version, kind) for name, kind in PARTS[project]]
    if project == "hbase":
        # The HDFS of the build, its mini cluster included, as hadoop-prio's own tests have it. It is first: this HBase brings
        # an older protobuf of Hadoop's, which has another artifact's name and the same classes.
        hadoop = property_of_the_build("hadoop.version")
        wanted = [("org.apache.hadoop", name, hadoop, kind) for name, kind in PARTS["hadoop"]] + wanted
    wanted += LAUNCHER + TEST_LIBRARIES[project]
    lines = []
    for owner, name, number, kind in wanted:
        of_kind = f"<type>{kind}</type>" if kind else ""
        lines.append(f"<dependency><groupId>{owner}</groupId><artifactId>{name}</artifactId><version>{number}</version>{of_kind}</dependency>")
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        f"<groupId>upstream</groupId><artifactId>{project}</artifactId><version>1</version><packaging>pom</packaging>\n"
        "<dependencies>\n" + "\n".join(lines) + "\n</dependencies></project>\n"
    )


def maven(*words):
    program = shutil.which("mvn")
    if program is None:
        raise Refused('there is no Maven ("mvn"), which fetches the test-jars; "bin/hprio setup" installs it')
    done = subprocess.run([program, "-B", "-q", *map(str, words)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=WORK)
    if done.returncode != 0:
        errors = [line for line in done.stdout.splitlines() if "ERROR" in line]
        raise Refused("Maven cannot fetch the test-jars: " + (errors or ["no reason given"])[0])


def class_path(project):
    """The class path of a project's tests, fetched by Maven; the same as before while the pom is the same."""
    directory = WORK / project
    text = pom(project, versions()[project])
    file = directory / f"class-path-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    if not file.exists():
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "pom.xml").write_text(text)
        print(f"hprio: Maven fetches {NAMES[project]}'s test-jars", file=sys.stderr)
        partial = directory / "partial"
        maven("-f", directory / "pom.xml", BUILD_CLASS_PATH, f"-Dmdep.outputFile={partial}")
        partial.rename(file)
    return file.read_text().strip()


def native_directory():
    """The directory with libhadoop; without it Hadoop skips its tests of short circuit."""
    directory = WORK / "native" / trial.library_directory()
    if not (directory / "libhadoop.so").exists():
        artifact = f"io.trino.hadoop:hadoop-apache:{property_of_the_build('libhadoop.version')}"
        maven(UNPACK, f"-Dartifact={artifact}", f"-DoutputDirectory={WORK / 'native'}", f"-Dmdep.unpack.includes={trial.library_directory()}/*")
    return directory


def jar(pattern):
    found = sorted(ROOT.glob(pattern))
    if not found:
        raise Refused(f"there is no {pattern}; build it first: mvn -DskipTests package")
    return found[-1]


def java():
    home = os.environ.get("JAVA_HOME")
    found = Path(home) / "bin" / "java" if home else shutil.which("java")
    if not found or not Path(found).is_file():
        raise Refused("there is no Java; set JAVA_HOME")
    return Path(found)


def listed():
    """The classes of the list, each with its project."""
    lines = [line.split("#")[0].split() for line in CLASSES.read_text().splitlines()]
    return [tuple(line) for line in lines if line]


def test_classes(path):
    """The names of the classes in the test-jars of a class path."""
    names = set()
    for place in path.split(os.pathsep):
        if place.endswith("-tests.jar"):
            with zipfile.ZipFile(place) as content:
                names.update(name[: -len(".class")].replace("/", ".") for name in content.namelist() if name.endswith(".class"))
    return names


def choose(wanted, paths):
    """The classes that were asked for, in full or by their last part; they need not be of the list."""
    chosen = []
    for name in wanted:
        found = [(project, known) for project, known in listed() if name in (known, known.rsplit(".", 1)[1])]
        for project in NAMES if not found else ():
            known = test_classes(paths(project))
            # HBase's class path has Hadoop's test-jars, too.
            found += [(project, one) for one in known if f".hadoop.{project}" in one or project == "hadoop" if name in (one, one.rsplit(".", 1)[1])]
        if len(found) != 1:
            many = ": " + ", ".join(sorted(known for _, known in found)) if found else ""
            raise Refused(f'--classes: "{name}" is {"more than one class" if found else "no class"} of Hadoop\'s and HBase\'s test-jars{many}')
        chosen += found
    return chosen


# --- runs -------------------------------------------------------------------------------------


class Trials:
    """The runs there are, kept in a file from one call to the next if wanted."""

    def __init__(self, chosen, build, go_on):
        self._chosen = chosen
        self._build = build
        self.runs = json.loads(RUNS.read_text()) if go_on and RUNS.exists() else []

    def of(self, name, mode):
        return [run for run in self.runs if run["class"] == name and run["mode"] == mode]

    def lacking(self, classes, modes, number):
        """Which runs are missing so that each class has that many in each mode."""
        return [
            (project, name, mode, count)
            for project, name in classes
            for mode in modes
            for count in range(len(self.of(name, mode)) + 1, number + 1)
        ]

    def add(self, wanted):
        """Makes runs, several at a time if so chosen, and says what each came to."""
        done = 0
        pool = ThreadPoolExecutor(self._chosen.jobs)
        try:
            for task in as_completed([pool.submit(self._run, one) for one in wanted]):
                run = task.result()
                done += 1
                self.runs.append(run)
                RUNS.write_text(json.dumps(self.runs, indent=0))
                print(f"hprio: [{done}/{len(wanted)}] {short(run['class'])}, {run['mode']}: {said(run)}", file=sys.stderr)
        finally:
            # Interrupted, or an error: what runs is ended, and nothing else begins.
            pool.shutdown(wait=False, cancel_futures=True)
            trial.end_all()
            pool.shutdown()

    def _run(self, wanted):
        project, name, mode, number = wanted
        return trial.run(self._build, project, mode, name, WORK / "work" / f"{short(name)}-{mode}-{number}", self._chosen.timeout)


def short(name):
    return name.rsplit(".", 1)[1]


def count(run, outcome):
    return sum(seen == outcome for test, seen in run["outcomes"].items() if test != trial.WHOLE)


def said(run):
    """A run in words."""
    counts = [f"{count(run, outcome)} {outcome}" for outcome in (trial.PASSED, trial.FAILED, trial.SKIPPED) if count(run, outcome)]
    whole = run["outcomes"][trial.WHOLE]
    text = ", ".join(counts + ([] if whole == trial.ENDED else [whole]))
    proof = run["proof"]
    seen = "" if run["mode"] == trial.STOCK else f"; {proof['hooks']} hooks, {proof['volumes']} volume(s) in the mode"
    return f"{text} in {run['seconds']} s{seen}" + "".join(f"; {wrong}" for wrong in proof["wrong"])


# --- comparison -------------------------------------------------------------------------------


def tally(runs, test):
    """How often each outcome of a test was seen."""
    seen = {}
    for run in runs:
        outcome = run["outcomes"].get(test, "not run")
        seen[outcome] = seen.get(outcome, 0) + 1
    return seen


def compare(stock, with_agent):
    """The tests that did not have one and the same outcome in all runs, with how often each was seen without and with."""
    tests = dict.fromkeys(test for run in stock + with_agent for test in run["outcomes"])
    found = []
    for test in tests:
        without, within = tally(stock, test), tally(with_agent, test)
        if len(set(without) | set(within)) > 1:
            differs = not set(within) <= set(without)
            found.append({"test": test, "without": without, "with": within, "differs": differs})
    return found


def verdict(stock, with_agent):
    """What the runs of a class in a mode come to."""
    found = compare(stock, with_agent)
    proven = stock and with_agent and not any(run["proof"]["wrong"] for run in stock + with_agent)
    if not proven or not any(count(run, trial.PASSED) for run in stock):
        return NO_RESULT, found
    if any(one["differs"] for one in found):
        return DIFFERS, found
    return (UNSTEADY if found else SAME), found


def unlike(trials, classes, modes):
    """The classes and modes whose outcomes are not the same on both sides; what has no result is not repeated."""
    pairs = [(one, mode) for one in classes for mode in modes]
    return [(one, mode) for one, mode in pairs if verdict(trials.of(one[1], trial.STOCK), trials.of(one[1], mode))[0] in (UNSTEADY, DIFFERS)]


def repeat(trials, classes, modes, number):
    """Repeats what differs, without the agent and in that mode."""
    wanted = []
    for one, mode in unlike(trials, classes, modes):
        wanted += trials.lacking([one], (trial.STOCK, mode), 1 + number)
    trials.add(list(dict.fromkeys(wanted)))


def judge(trials, classes, modes):
    """What all came to, for machines."""
    rows = []
    for project, name in classes:
        stock = trials.of(name, trial.STOCK)
        row = {"project": project, "class": name, "runs": {mode: trials.of(name, mode) for mode in (trial.STOCK, *modes)}, "modes": {}}
        for mode in modes:
            what, found = verdict(stock, trials.of(name, mode))
            row["modes"][mode] = {"verdict": what, "tests": found}
        rows.append(row)
    return {"versions": versions(), "java": java_version(), "classes": rows}


def java_version():
    text = subprocess.run([java(), "-version"], text=True, stderr=subprocess.PIPE).stderr
    found = re.search(r'version "([^"]+)"', text)
    return found[1] if found else "unknown"


# --- what is said -----------------------------------------------------------------------------


def cell(runs, mode, what):
    """A class in a mode, in a table: how many tests passed of how many, in the first run."""
    if not runs:
        return "not run"
    first = runs[0]
    total = sum(count(first, outcome) for outcome in (trial.PASSED, trial.FAILED, trial.SKIPPED))
    whole = first["outcomes"][trial.WHOLE]
    text = f"{count(first, trial.PASSED)} of {total}" if total else whole
    if count(first, trial.SKIPPED):
        text += f", {count(first, trial.SKIPPED)} skipped"
    if mode != trial.STOCK and first["proof"]["volumes"]:
        text += f" ({first['proof']['volumes']} volumes)"
    return text + (f"; **{what}**" if what not in (None, SAME) else "")


def table(judged, modes):
    """The page's table, and below it each test that had more than one outcome."""
    lines = [f"| class | without | {' | '.join(modes)} | s |", "|" + "---|" * (len(modes) + 3)]
    notes = []
    for row in judged["classes"]:
        runs = row["runs"]
        seconds = runs[trial.STOCK][0]["seconds"] if runs[trial.STOCK] else ""
        cells = [cell(runs[trial.STOCK], trial.STOCK, None)]
        cells += [cell(runs[mode], mode, row["modes"][mode]["verdict"] if runs[mode] else None) for mode in modes]
        lines.append(f"| {NAMES[row['project']]}, `{short(row['class'])}` | {' | '.join(cells)} | {seconds} |")
        notes += notes_of(row, modes)
    return "\n".join(lines + [""] + notes) + "\n"


def notes_of(row, modes):
    notes = []
    for mode in modes:
        wrong = sorted({text for run in row["runs"][trial.STOCK] + row["runs"][mode] for text in run["proof"]["wrong"]})
        notes += [f"- `{short(row['class'])}`, {mode}: {text}" for text in wrong]
        for one in row["modes"][mode]["tests"]:
            without, within = (", ".join(f"{name} {number}" for name, number in one[side].items()) for side in ("without", "with"))
            notes.append(f"- `{short(row['class'])}`, `{one['test']}`: without the agent {without}; in mode {mode} {within}")
    return notes


def options(arguments):
    parser = argparse.ArgumentParser(
        prog="bin/hprio upstream",
        description="Runs test classes of Hadoop's and HBase's test-jars without and with the agent, and compares outcome by outcome. What differs is repeated on both sides; what happened with the agent and never without is a difference.",
        epilog=f"Exit status: 0 no difference; 1 a difference, or a class without a result; 2 bad input. Logs and reports: {WORK.relative_to(ROOT)}/work.",
    )
    parser.add_argument("--classes", metavar="NAME,...", help=f"classes, in full or by their last part; by default those of bin/lib/{CLASSES.name}")
    parser.add_argument("--modes", metavar="MODE,...", default=",".join(MODES), help=f"of {', '.join(trial.REGIONSERVER_MODES)}; by default %(default)s")
    parser.add_argument("--repeat", metavar="N", type=int, default=3, help="how often what differs is run again on each side; by default %(default)s")
    parser.add_argument("--timeout", metavar="SECONDS", type=int, default=180, help="after which a run is ended; by default %(default)s")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="how many classes run at a time; by default %(default)s")
    parser.add_argument("--continue", dest="go_on", action="store_true", help="keep the runs of the calls before, and make those that are missing")
    parser.add_argument("--table", action="store_true", help="print the results as a table")
    parser.add_argument("--json", action="store_true", help="print all runs and what they come to, for machines")
    chosen = parser.parse_args(arguments)
    for name, least in (("repeat", 0), ("timeout", 1), ("jobs", 1)):
        if getattr(chosen, name) < least:
            parser.error(f"--{name}: {getattr(chosen, name)} is less than {least}")
    chosen.modes = tuple(chosen.modes.split(","))
    for mode in chosen.modes:
        if mode not in trial.REGIONSERVER_MODES:
            parser.error(f'--modes: "{mode}" is not {", ".join(trial.REGIONSERVER_MODES)}')
    return chosen


def tell(judged, modes):
    """The short form, for people."""
    for row in judged["classes"]:
        for mode in modes:
            print(f"{row['modes'][mode]['verdict']:10} {mode:8} {short(row['class'])}")
        for note in notes_of(row, modes):
            print(note)


def interrupted(number, _):
    sys.exit(128 + number)


def main(arguments):
    chosen = options(arguments)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, interrupted)
    WORK.mkdir(parents=True, exist_ok=True)
    classes = choose(chosen.classes.split(","), class_path) if chosen.classes else listed()
    paths = {project: class_path(project) for project in sorted({project for project, _ in classes})}
    agent = jar("dist/agent/target/hdfs-prio-*-agent.jar")
    build = Build(java(), agent, jar("hbase-prio/target/hbase-prio-*-node.jar"), native_directory(), paths)
    trials = Trials(chosen, build, chosen.go_on)
    trials.add(trials.lacking(classes, (trial.STOCK, *chosen.modes), 1))
    repeat(trials, classes, chosen.modes, chosen.repeat)
    judged = judge(trials, classes, chosen.modes)
    if chosen.json:
        print(json.dumps(judged, indent=1))
    elif chosen.table:
        print(table(judged, chosen.modes), end="")
    else:
        tell(judged, chosen.modes)
    verdicts = {one["verdict"] for row in judged["classes"] for one in row["modes"].values()}
    return 1 if verdicts & {DIFFERS, NO_RESULT} else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as reason:
        print(f"hprio: {reason}", file=sys.stderr)
        sys.exit(2)
