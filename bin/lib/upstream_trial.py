# SPDX-License-Identifier: Apache-2.0
"""One run of one of Hadoop's or HBase's test classes in a JVM of its own, and what came of it; for upstream.py."""

import os
import platform
import re
import shutil
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from xml.sax.saxutils import escape

STOCK = "none"
# A mode of the volumes, and what the RegionServers do meanwhile.
REGIONSERVER_MODES = {"off": "off", "observe": "observe", "order": "on", "turns": "on"}
# The outcome of a class as a whole, beside those of its tests.
WHOLE = "(the class)"
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
ENDED, TIMED_OUT, NO_TESTS, CRASHED = "ended", "timed out", "no tests", "crashed"

OBSERVER = "org.hadoopprio.hbase.regionserver.IoPriorityObserver"
SCHEDULER_FACTORY = "org.hadoopprio.hbase.regionserver.IoPriorityRpcSchedulerFactory"

# What the two projects open for their own tests.
OPENED = ("java.io", "java.lang", "java.lang.reflect", "java.math", "java.net", "java.nio", "java.util")
OPENED += ("java.util.concurrent", "java.util.concurrent.atomic", "java.util.zip", "sun.nio.ch", "sun.nio.fs")
OPENED += ("jdk.internal.ref", "jdk.internal.util.random")

LOG = """log4j.rootLogger=WARN,out
log4j.logger.org.hadoopprio=INFO
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %p [%t] %c: %m%n
"""

HOOKS = re.compile(r"hadoop-prio agent \S+: hooks applied (\d+) of (\d+) (\[[^]]*\])")
VOLUME = re.compile(r"On volume .+?, on \S+, (?:the mode is (\w+);)?")
# The runs that have not ended.
RUNNING = set()

# An object's name in a test's name is another one in each run.
IDENTITY = re.compile(r"@[0-9a-f]{4,}")


def configuration(mode, project):
    """The properties by file that make a mode; none of hadoop-prio's for stock."""
    # What the projects' own files for tests have, which are not in the test-jars.
    site = {"hdfs-site.xml": {"dfs.namenode.fs-limits.min-block-size": "0"}, "hbase-site.xml": {}}
    if project == "hbase":
        site["hbase-site.xml"].update({"hbase.master.info.port": "-1", "hbase.regionserver.info.port": "-1"})
        site["hbase-site.xml"].update({"hbase.regionserver.msginterval": "1000", "hbase.server.thread.wakefrequency": "1000"})
        site["hbase-site.xml"]["hbase.unsafe.stream.capability.enforce"] = "false"
    if mode != STOCK:
        site["hdfs-site.xml"]["dfs.datanode.io.priority.scheduler"] = mode
        # So that reads of a disk that does not rotate take turns, too.
        site["hdfs-site.xml"]["dfs.datanode.io.priority.scheduler.streams"] = "1"
    if mode != STOCK and project == "hbase":
        site["hbase-site.xml"]["hbase.coprocessor.region.classes"] = OBSERVER
        site["hbase-site.xml"]["hbase.region.server.rpc.scheduler.factory.class"] = SCHEDULER_FACTORY
        site["hbase-site.xml"]["hbase.regionserver.io.priority.mode"] = REGIONSERVER_MODES[mode]
    return site


def write_configuration(directory, mode, project):
    directory.mkdir(parents=True)
    (directory / "log4j.properties").write_text(LOG)
    for name, properties in configuration(mode, project).items():
        lines = [f"<property><name>{escape(key)}</name><value>{escape(value)}</value></property>" for key, value in properties.items()]
        (directory / name).write_text("<configuration>\n" + "\n".join(lines) + "\n</configuration>\n")


def command(build, project, mode, name, work, sockets):
    """The command line of a run; build is what upstream.py has found: Java, class paths, the agent."""
    places = [str(work / "conf")]
    # Short runs: what the second compiler gains them, it costs.
    words = [str(build.java), "-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", f"-Djava.io.tmpdir={sockets}", f"-Djava.library.path={build.native}"]
    words += ["-Djava.net.preferIPv4Stack=true", "-Djdk.net.URLClassPath.disableClassPathURLCheck=true"]
    for package in OPENED:
        words += ["--add-opens", f"java.base/{package}=ALL-UNNAMED"]
    words += ["--add-exports", "java.security.jgss/sun.security.krb5=ALL-UNNAMED"]
    if mode != STOCK:
        words.append(f"-javaagent:{build.agent}")
        if project == "hbase":
            places.append(str(build.regionserver))
    places.append(build.class_paths[project])
    words += ["-cp", os.pathsep.join(places), "org.junit.platform.console.ConsoleLauncher", "execute"]
    return words + ["-c", name, "--reports-dir", str(work / "reports"), "--disable-banner", "--disable-ansi-colors"]


def outcomes(reports):
    """The outcome of each test of the reports in a directory, by its name."""
    found = {}
    for file in sorted(Path(reports).glob("TEST-*.xml")):
        for test in ElementTree.parse(file).getroot().iter("testcase"):
            name = IDENTITY.sub("@", test.get("name", ""))
            base, number = name, 1
            while name in found:
                number += 1
                name = f"{base} ({number})"
            children = {child.tag for child in test}
            failed = children & {"failure", "error"}
            found[name] = FAILED if failed else SKIPPED if "skipped" in children else PASSED
    return found


def proof(log, mode):
    """What a log says of the agent: its hooks, the volumes that had the mode, and what contradicts it."""
    woven = [(int(applied), int(total)) for applied, total, _ in HOOKS.findall(log)]
    modes = VOLUME.findall(log)
    wrong = [f"{applied} of {total} hooks applied" for applied, total in woven if applied != total]
    wrong += sorted({f"a volume has mode {seen or 'order'}" for seen in modes if seen != mode})
    if mode == STOCK:
        wrong = ["the agent is there"] if woven or modes else []
    elif not woven:
        wrong.append("no hook is applied")
    return {"hooks": max((applied for applied, _ in woven), default=0), "volumes": modes.count(mode), "wrong": wrong}


def end(process):
    """Ends a run and what it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def wait(words, work, timeout):
    """Runs a command line; its exit status, or None if it was ended after that many seconds."""
    with open(work / "log", "wb") as log:
        process = subprocess.Popen(words, cwd=work, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        RUNNING.add(process)
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        finally:
            end(process)
            RUNNING.discard(process)


def end_all():
    """Ends all runs; for a command that is interrupted."""
    for process in list(RUNNING):
        end(process)


def result(status, reports, log, mode):
    """What a run comes to: the outcome of each test, how the class ended, and what proves the mode."""
    tests = {} if status is None else outcomes(reports)
    if status is None:
        whole = TIMED_OUT
    elif not tests:
        # The launcher says 2 where it has found no test, and where a class does not load.
        whole = NO_TESTS if status in (0, 2) else CRASHED
    else:
        # 1 is a failed test, which has an outcome of its own.
        whole = ENDED if status in (0, 1) else CRASHED
    return {"outcomes": {WHOLE: whole, **tests}, "proof": proof(log, mode)}


def run(build, project, mode, name, work, timeout):
    """Runs a class once, in a new directory of its own, of which the log and the reports stay."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    write_configuration(work / "conf", mode, project)
    started = time.monotonic()
    # The name of a socket may have 107 characters.
    with tempfile.TemporaryDirectory(prefix="hprio.", ignore_cleanup_errors=True) as sockets:
        status = wait(command(build, project, mode, name, work, sockets), work, timeout)
    log = (work / "log").read_text(errors="replace")
    seen = {"project": project, "class": name, "mode": mode, "seconds": round(time.monotonic() - started)}
    seen.update(result(status, work / "reports", log, mode))
    shutil.rmtree(work / "target", ignore_errors=True)
    return seen


def library_directory():
    """Where the jar with libhadoop has the one for this machine."""
    machines = {"x86_64": "Linux-amd64", "aarch64": "Linux-aarch64"}
    return f"nativelib/{machines.get(platform.machine(), platform.machine())}"
