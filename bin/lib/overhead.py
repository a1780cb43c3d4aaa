#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what hadoop-prio costs where there is nothing to gain; "bin/hprio overhead".

Starts of a MapReduce task with the agent and without, in turns, by the kernel's count of CPU time; and what the hooks of a
read call, by JMH. About 4 minutes, with --quick under 2. Run nothing else meanwhile.

Exit status: 0 the agent adds at most 0.5 s of CPU time to a start, or its 95 % interval has that bound; 1 it adds more, or
the run could not be finished; 2 bad input.
"""

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "org.hadoopprio.lab.bench.overhead"
# CPU seconds that the agent may add: 5 % of a task of 10 s.
MOST_ADDED_S = 0.5
# Student's t, 97.5 %, by how many values there are.
T = {10: 2.262, 20: 2.093}


class Refused(Exception):
    """Why it cannot be measured."""


def command(name, agent):
    jars = sorted((ROOT / "dist" / "agent" / "target").glob("hdfs-prio-*-agent.jar"))
    if not jars:
        raise Refused("the agent is not built: bin/hprio setup, then mvn package")
    path = [ROOT / "lab/bench/target/classes", f"{ROOT}/lab/bench/target/lib/*", f"{ROOT}/lab/cluster/target/lib/*"]
    java = Path(os.environ["JAVA_HOME"], "bin", "java")
    # For its classes only where it is no agent.
    where = [f"-javaagent:{jars[0]}"] if agent else []
    path += [] if name == "TaskStart" else [jars[0]]
    return [str(java), *where, "-cp", ":".join(map(str, path)), f"{PACKAGE}.{name}"]


def start(agent):
    """CPU seconds of one start, by the kernel's count for the process (wait4(2)): user and system, all threads."""
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command("TaskStart", agent), stdin=subprocess.DEVNULL, stdout=told, stderr=told)
        _, status, usage = os.wait4(process.pid, 0)
        # It has been waited for here.
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            told.seek(0)
            raise Refused(f"a task has not started: {told.read().decode(errors='replace').strip()}")
    return usage.ru_utime + usage.ru_stime


def interval(values):
    """Its mean, and half of its interval of 95 %."""
    return statistics.mean(values), T[len(values)] * statistics.stdev(values) / math.sqrt(len(values))


def verdict(mean, half):
    return "met" if mean + half <= MOST_ADDED_S else "missed" if mean - half > MOST_ADDED_S else "undetermined"


def measure_starts(rounds):
    seconds = {False: [], True: []}
    for number in range(rounds):
        print(f"hprio: start {number + 1} of {rounds}", file=sys.stderr)
        for agent in (bool(number % 2), not number % 2):
            seconds[agent].append(start(agent))
    for name, values in (("stock", seconds[False]), ("agent", seconds[True])):
        print("{}: {:.2f} ± {:.2f} s of CPU time".format(name, *interval(values)))
    mean, half = interval([with_agent - stock for with_agent, stock in zip(seconds[True], seconds[False])])
    state = verdict(mean, half)
    print(f"the agent adds {mean:.2f} ± {half:.2f} s, at most {MOST_ADDED_S}: {state}")
    return 1 if state == "missed" else 0


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="bin/hprio overhead", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="10 starts instead of 20, and one JVM for each hook instead of 3")
    chosen = parser.parse_args(arguments)
    status = measure_starts(10 if chosen.quick else 20)
    hooks = command("HookCosts", False) + (["1"] if chosen.quick else ["3"])
    return subprocess.run(hooks).returncode or status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as reason:
        sys.exit(f"hprio: {reason}")
    except KeyboardInterrupt:
        sys.exit(1)
