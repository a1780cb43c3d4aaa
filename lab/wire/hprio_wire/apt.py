# SPDX-License-Identifier: Apache-2.0
"""Debian's archive, from where this system has it, read by apt with a state of its own.

Nothing is installed, and of the system's apt only the sources, keys, proxy and credentials are read: a test must
neither change which packages a machine is offered nor need root.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from . import Unavailable

_SYSTEM = Path("/etc/apt")
_OS_RELEASE = Path("/etc/os-release")
# What of a source's stanza decides from where, and by whose keys, packages are taken.
_KEPT_FIELDS = ("URIs", "Signed-By", "Trusted", "Check-Valid-Until")


def codename(os_release=_OS_RELEASE):
    """This system's release of Debian, as bookworm."""
    fields = dict(line.split("=", 1) for line in os_release.read_text().splitlines() if "=" in line)
    release = fields.get("VERSION_CODENAME", "").strip('"')
    if fields.get("ID", "").strip('"') != "debian" or not release:
        raise Unavailable(
            f"needs Debian, whose kernel it fetches; {os_release} has ID={fields.get('ID', '')},"
            f" VERSION_CODENAME={release}"
        )
    return release


def source(release, system=_SYSTEM):
    """The fields of the system's source of a release's component main; sources.list(5) has the formats."""
    files = [system / "sources.list", *sorted((system / "sources.list.d").glob("*"))]
    for file in files:
        if not file.is_file() or file.suffix not in (".list", ".sources"):
            continue
        stanzas = _stanzas if file.suffix == ".sources" else _lines
        for stanza in stanzas(file.read_text()):
            if (
                "deb" in stanza.get("Types", "").split()
                and release in stanza.get("Suites", "").split()
                and "main" in stanza.get("Components", "").split()
                and stanza.get("Enabled", "yes").lower() != "no"
            ):
                return {field: stanza[field] for field in _KEPT_FIELDS if field in stanza}
    raise Unavailable(f"{system} has no source of packages for {release}, component main")


def _stanzas(text):
    """Of the format deb822: fields, whose values may go on in lines that begin with a blank."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines)):
        fields = re.findall(r"^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.MULTILINE)
        yield dict(fields)


def _lines(text):
    """Of the format with a line for each source, as stanzas."""
    options_of = {"signed-by": "Signed-By", "trusted": "Trusted", "check-valid-until": "Check-Valid-Until"}
    for line in text.splitlines():
        found = re.match(r"\s*(deb)\s+(?:\[(.*?)\]\s+)?(\S+)\s+(\S+)\s+([^#]+)", line)
        if found:
            kind, options, uri, suite, components = found.groups()
            stanza = {"Types": kind, "URIs": uri, "Suites": suite, "Components": components}
            for option, value in re.findall(r"(\S+?)=(\S+)", options or ""):
                if option in options_of:
                    stanza[options_of[option]] = value
            yield stanza


class Archive:
    """
    The packages of the suites; those of the first one are preferred. Its state is in directory, an absolute path. kind is
    deb, or deb-src for source packages.
    """

    def __init__(self, directory, release, suites, kind="deb"):
        for program in ("apt-get", "apt-cache", "dpkg-deb"):
            if not shutil.which(program):
                raise Unavailable(f"Debian's kernel is fetched with {program}, which this system lacks")
        fields = source(release)
        self._origin = f"{', '.join(suites)} of {fields['URIs']}"
        self._configuration = directory / "apt.conf"
        for part in ("lists/partial", "cache/archives/partial"):
            (directory / part).mkdir(parents=True, exist_ok=True)
        stanza = fields | {
            "Types": kind,
            "Suites": " ".join(suites),
            "Components": "main",
            "Targets": "Packages" if kind == "deb" else "Sources",
        }
        if kind == "deb":
            stanza["Architectures"] = "amd64"
        sources = directory / "debian.sources"
        sources.write_text("".join(f"{field}: {value}\n" for field, value in stanza.items()))
        # Read after the system's own configuration. What the system does after an update concerns its own state.
        self._configuration.write_text(
            f"""#clear APT::Update;
APT::Architecture "amd64";
APT::Default-Release "{suites[0]}";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Dir::Cache "{directory}/cache";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::Etc::SourceList "{sources}";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "{directory}/lists";
Dir::State::Status "/dev/null";
"""
        )

    def update(self):
        """Fetches the index of the suites."""
        _say(f"fetching the index of {self._origin}")
        self._run("apt-get", "update", output=sys.stderr)

    def dependency(self, package, pattern):
        """The package's first dependency whose name has the pattern."""
        listing = self._run("apt-cache", "depends", package)
        found = re.search(rf"Depends: ({pattern})$", listing, re.MULTILINE)
        if not found:
            raise Unavailable(f"{self._origin} have no {package} that depends on {pattern}")
        return found.group(1)

    def download(self, packages, directory):
        """The packages' files in directory, as a list."""
        planned = self._run("apt-get", "download", "--print-uris", *packages, cwd=directory)
        mib = sum(int(size) for size in re.findall(r"\.deb (\d+) ", planned)) / (1 << 20)
        _say(f"fetching {len(packages)} packages, {mib:.0f} MiB")
        self._run("apt-get", "download", *packages, cwd=directory, output=sys.stderr)
        return sorted(directory.glob("*.deb"))

    def source(self, package, directory):
        """The source package's files in directory; the path of the one that describes the others."""
        _say(f"fetching the source of {package}")
        self._run("apt-get", "source", "--download-only", package, cwd=directory, output=sys.stderr)
        return next(directory.glob("*.dsc"))

    def _run(self, program, *arguments, cwd=None, output=subprocess.PIPE):
        """What it printed, unless it goes to output; there apt shows how far it is, if that is a terminal."""
        command = [program, "-c", self._configuration, *arguments]
        done = subprocess.run(
            command,
            cwd=cwd,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
        )
        if done.returncode != 0:
            reasons = re.findall(r"^[EW]: (.*)", done.stderr, re.MULTILINE) or ["no reason given"]
            raise Unavailable(
                f"Debian's packages could not be fetched from {self._origin}:"
                f' "{" ".join(map(str, command))}": {reasons[0]}'
            )
        return done.stdout


def _say(text):
    print(f"hprio wire: {text}", file=sys.stderr, flush=True)
