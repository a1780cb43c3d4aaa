#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the virtual hard disk without Hadoop and compares it with published drives; "bin/hprio device".

fio reads from it at queue depths and with priorities (device.fio), "vhdd reads" with command duration limits, which fio 3.33
cannot state. Beside each published number stand what was measured and what the model gives in virtual time. Needs root.
About 20 minutes, with --quick under 5.

Exit status: 0 no number that is required is missed, 1 one is, or the run could not be finished, 2 bad input, 4 the validity
gate does not hold.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VHDD = str(ROOT / "lab" / "vhdd" / "target" / "cmake" / "vhdd")
JOBS = str(Path(__file__).with_name("device.fio"))
DISKS = {"sdc21": "hprio-device", "cdltools23": "hprio-device-22"}
FULL_DEPTH = 32
TRIES = 3
RAMP_S = 1
# fio starts within this time, and ends no earlier than this before its own.
MARGIN_S = 0.3
PERCENTILES = {"50.000000": "p50", "95.000000": "p95", "99.000000": "p99", "99.900000": "p99.9"}
CLASSES = ("none", "rt", "be", "idle")
# A percentile is known where so many samples lie beyond it.
BEYOND = 10
LEAST_TAIL_RATIO = 10
TWO = ((10, 100), (20, 300))


class Refused(Exception):
    """Why it cannot be measured."""


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise Refused(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def summary_of_fio(output):
    """By job: n, iops, mean, max and percentiles in ms, by class too ("rt.p99"). The output may begin with warnings."""
    start = output.find("{")
    jobs = {}
    for job in json.loads(output[start:])["jobs"] if start >= 0 else ():
        if job["error"]:
            raise Refused(f"fio's job {job['jobname']} failed: {output}")
        read = job["read"]
        seconds = read["runtime"] / 1000
        jobs[job["jobname"]] = summary = _latencies(read, seconds)
        for part in read.get("prios", ()):
            name = CLASSES[part["prioclass"]]
            summary.update({f"{name}.{key}": value for key, value in _latencies(part, seconds).items()})
    if not jobs:
        raise Refused(f"fio has printed no result: {output}")
    return jobs


def _latencies(node, seconds):
    latency = node["lat_ns"]
    count = latency["N"]
    if not count:
        return {"n": 0, "iops": 0}
    found = {"n": count, "iops": count / seconds, "mean": latency["mean"] / 1e6, "max": latency["max"] / 1e6}
    for key, name in PERCENTILES.items():
        if count * (1 - float(key) / 100) >= BEYOND:
            found[name] = latency["percentile"][key] / 1e6
    return found


def summary_of_reads(output):
    """The same of what "vhdd reads" prints: for all, and for the reads of each share and the rest ("be:4+1.p99")."""
    told = json.loads(output)
    found = {"n": told["n"], "iops": told["iops"]}
    for name, part in told["classes"].items():
        for key, value in part.items():
            word = key.removesuffix("_ms")
            beyond = part["n"] * (1 - float(word[1:]) / 100) if word[0] == "p" and word[1:2].isdigit() else BEYOND
            if beyond >= BEYOND:
                found[f"{name}.{word}"] = value
    return found


class Cell:
    """A load on one disk: its mode, the kernel's scheduler, and a command; full if it must fill the drive's queue."""

    def __init__(self, name, seconds, command, scheduler="none", preset="sdc21", full=False, **model):
        self.name, self.seconds, self.command, self.scheduler = name, seconds, command, scheduler
        self.preset, self.full, self.model = preset, full, model

    def measure(self, devices):
        """What was measured; a cell that fails its gate is measured again."""
        for _ in range(TRIES):
            output, stats = self._once(devices[self.preset])
            reasons = list(stats["reasons"])
            if self.full and stats["queue_max"] != FULL_DEPTH:
                reasons.append(f"the drive held {stats['queue_max']} requests")
            if stats["valid"] and not reasons:
                break
        return output, stats, reasons

    def _once(self, device):
        disk = DISKS[self.preset]
        scheduler = Path("/sys/block", Path(device).name, "queue", "scheduler")
        if self.scheduler not in scheduler.read_text().replace("[", "").replace("]", "").split():
            raise Refused(f"this kernel has no I/O scheduler {self.scheduler}: {scheduler.read_text().strip()}")
        scheduler.write_text(self.scheduler)
        run(VHDD, "set", disk, *(f"{key}={value}" for key, value in self.model.items()))
        words = {"DEVICE": device, "SECONDS": str(self.seconds), "SEED": str(zlib.crc32(self.name.encode()))}
        command = [word.format(**words) for word in self.command]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **words, **self._depths()})
        try:
            time.sleep(RAMP_S + MARGIN_S)
            run(VHDD, "stats", disk, "--reset")
            time.sleep(self.seconds - 2 * MARGIN_S)
            stats = json.loads(run(VHDD, "stats", disk, "--json"))
            output, _ = process.communicate()
        finally:
            process.kill()
        if process.returncode:
            raise Refused(f"{' '.join(command)} ended with {process.returncode}")
        return output, stats

    def _depths(self):
        number = self.name.rpartition(" ")[2]
        return {"DEPTH": number, "HIGH": number}


def fio(*sections):
    return ["fio", "--output-format=json", *(f"--section={name}" for name in sections), JOBS]


def limited(preset, depth, seconds, *limits):
    """Reads of which shares (in per cent) have a limit (in ms): descriptor N has the Nth."""
    name = f"{preset} limits {depth} " + " ".join(f"{share}@{limit}" for share, limit in limits)
    command = [VHDD, "reads", "{DEVICE}", f"--depth={depth}", "--ramp=1", "--seconds={SECONDS}", "--seed={SEED}", "--json"]
    command += [f"--share={share / 100},be:4+{number}" for number, (share, _) in enumerate(limits, 1)]
    model = {f"cdl{number}_guideline_ns": f"{limit}ms" for number, (_, limit) in enumerate(limits, 1)}
    return Cell(name, seconds, command, preset=preset, full=depth == FULL_DEPTH, mode="cdl", **model)


def plan(quick):
    """The cells, and by the name of a published number where it is measured: (cell, value)."""
    cells, places = [], {}
    for depth, quick_s, full_s in ((1, 8, 20), (3, 8, 20), (FULL_DEPTH, 20, 60)):
        cell = Cell(f"alone {depth}", quick_s if quick else full_s, fio("alone"), full=depth == FULL_DEPTH, mode="ncq")
        cells.append(cell)
        places[f"128 KiB random reads, QD{depth}"] = (cell.name, "iops")
    places["128 KiB random reads, QD32, p99"] = (cell.name, "p99")
    for high in (20, 30, 40):
        cell = Cell(f"share {high}", 8 if quick else 40, fio("share"), full=True, mode="prio")
        cells.append(cell)
        places[f"NCQ priority, {high} % high"] = (cell.name, "iops")
    places["NCQ priority, 20 % high, p99 of high"] = ("share 20", "rt.p99")
    _plan_limits(quick, cells, places)
    return cells, places


def _plan_limits(quick, cells, places):
    def add(cell, **values):
        if not quick or cell.name in ("sdc21 limits 32 10@100 20@200", "cdltools23 limits 32 20@50"):
            cell.seconds = 8 if quick else cell.seconds
            cells.append(cell)
            places.update({what: (cell.name, value) for value, what in values.items()})

    add(limited("sdc21", 32, 60, (10, 100), (20, 200)), iops="CDL, 30 % with a limit")
    add(limited("sdc21", 32, 60, (10, 30), (10, 100), (20, 200)), iops="CDL, 40 % with one of three limits")
    for depth, seconds in ((1, 30), (4, 60), (16, 60), (32, 60)):
        p99 = {"none.p99": f"22 TB, QD{depth}, p99"} if depth > 1 else {}
        add(limited("cdltools23", depth, seconds), iops=f"22 TB, QD{depth}", **p99)
    fifty = "22 TB, QD32, 20 % at 50 ms"
    parts = {"be:4+1.mean": "mean of these", "be:4+1.p99": "p99 of these", "be:4+1.p99.99": "p99.99 of these"}
    parts = {value: f"{fifty}: {what}" for value, what in {**parts, "none.p99": "p99 of the rest"}.items()}
    add(limited("cdltools23", 32, 60, (20, 50)), iops=fifty, **parts)
    # A p99 takes 1000 reads of the smaller share.
    for depth, seconds in ((4, 120), (8, 110), (32, 80)):
        name = f"22 TB, QD{depth}, the same: p99 "
        first = "22 TB, QD4, 10 % at 100 ms, 20 % at 300 ms: p99 at 100 ms" if depth == 4 else f"{name}at 100 ms"
        values = {"be:4+1.p99": first, "be:4+2.p99": f"{name}at 300 ms"}
        if depth != 4:
            values["none.p99"] = f"{name}of the rest"
        add(limited("cdltools23", depth, seconds, *TWO), **values)


def plan_open(quick):
    """A foreground of 15 reads a second beside a full queue: by (scheduler, priority) the cell."""
    kinds = [("mq-deadline", "stock")]
    kinds += [(scheduler, priority) for scheduler in ("none", "mq-deadline", "bfq") for priority in ("host", "drive")]
    cells = {}
    for scheduler, priority in kinds + [("mq-deadline", "bound")]:
        sections = [] if priority == "bound" else ["background"]
        sections.append("foreground" if priority == "stock" else "realtime")
        mode = "prio" if priority == "drive" else "ncq"
        full = priority == "stock" or (scheduler == "none" and priority != "bound")
        name = f"open {scheduler} {priority}"
        cells[scheduler, priority] = Cell(name, 5 if quick else 30, fio(*sections), scheduler=scheduler, full=full, mode=mode)
    return cells


def row_of(row, places, measured):
    """The cells of a row of the table, and whether it is one that must be reproduced and is not."""
    cell, value = places.get(row["what"], (None, None))
    device = measured.get(cell, {}).get(value)
    ours = row["ours"] if device is None else device
    published = row.get("published")
    verdict, missed = "not published", False
    if published is not None:
        least = row.get("at_least")
        good = ours >= least if least else abs(ours / published - 1) <= row["tolerance"]
        missed = not good and row["gated"]
        verdict = ("reproduced" if good else "MISSED" if missed else "not reproduced") + ("" if device else ", in virtual time")
    ratio = "" if published is None else f"{ours / published:.3g}"
    return [row["source"], row["what"], row["unit"], text(published), text(device), text(row["ours"]), ratio, verdict], missed


def text(value):
    return "" if value is None else f"{value:.3g}"


def table(title, heads, rows):
    print(f"\n{title}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def open_rows(cells, measured):
    for (scheduler, priority), (cell, stats) in cells.items():
        found = measured[cell.name]
        front, back = found.get("foreground", found.get("realtime")), found.get("background")
        if back and priority != "stock":
            # fio starts the clock of a starved background only when the foreground has ended.
            back = {"iops": sum(part["iops"] for part in stats["classes"] if part["class"] != "rt")}
        values = [front.get(key) for key in ("iops", "mean", "p95", "p99", "max")] + [back["iops"] if back else None]
        yield [scheduler, priority, *map(text, values)]


def tails():
    """p99.99 of a foreground at depth 1 beside a full queue, in virtual time, by (scheduler, priority)."""
    found = {}
    for host, priority in (("none", "host"), ("none", "drive"), ("mq-deadline", "stock"), ("mq-deadline", "host"), ("mq-deadline", "drive")):
        told = json.loads(
            run(
                *(VHDD, "sim", "--json", "--preset=sdc21", "--background=32", "--foreground=1", "--request-size=131072"),
                *(f"--mode={'prio' if priority == 'drive' else 'ncq'}", f"--host={host}", "--samples=100000"),
                f"--foreground-prio={'none' if priority == 'stock' else 'rt:0'}",
            )
        )
        found[host, priority] = told["classes"]["foreground"]["p99.99_ms"]
    return found


def create(preset):
    run(VHDD, "destroy", DISKS[preset], "--force")
    made = run(VHDD, "create", DISKS[preset], "--json", "--sparse", "--size=16GiB", f"--preset={preset}")
    return json.loads(made)["device"]


def measure(quick):
    """The exit status."""
    devices = {preset: create(preset) for preset in DISKS}
    cells, places = plan(quick)
    measured, opened, invalid = {}, {}, []
    for kind, cell in [(None, cell) for cell in cells] + list(plan_open(quick).items()):
        print(f"hprio: {cell.name}", file=sys.stderr)
        output, stats, reasons = cell.measure(devices)
        invalid += [f"{cell.name}: {reason}" for reason in reasons]
        jobs = summary_of_reads(output) if cell.command[0] == VHDD else summary_of_fio(output)
        measured[cell.name] = jobs if kind or cell.command[0] == VHDD else next(iter(jobs.values()))
        if kind:
            opened[kind] = cell, stats
    return report(quick, places, measured, opened, invalid)


def report(quick, places, measured, opened, invalid):
    rows = json.loads(run(VHDD, "calibrate", "--json", f"--samples={30_000 if quick else 100_000}"))["rows"]
    judged = [row_of(row, places, measured) for row in rows]
    heads = ["source", "what", "unit", "published", "device", "virtual time", "ratio", "verdict"]
    table("Published numbers and ours", heads, [row for row, _ in judged])
    heads = ["scheduler", "priority", "foreground: IOPS", "mean ms", "p95", "p99", "max", "background: IOPS"]
    table("15 reads a second beside a background at queue depth 32", heads, open_rows(opened, measured))
    found = tails()
    heads = ["scheduler", "priority", "p99.99 ms"]
    title = "A foreground at queue depth 1 beside a background at 32, in virtual time"
    table(title, heads, [[*kind, text(value)] for kind, value in found.items()])
    missed = [row[1] for row, is_missed in judged if is_missed]
    missed += [f"vhdd calibrate has no row {what!r}" for what in places if what not in {row["what"] for row in rows}]
    ratio = found["none", "host"] / found["none", "drive"]
    if ratio < LEAST_TAIL_RATIO:
        missed.append(f"p99.99 without drive priority / with: {ratio:.3g}, at least {LEAST_TAIL_RATIO}")
    print(f"\np99.99 without drive priority / with: {ratio:.3g}")
    for line in missed:
        print(f"missed: {line}")
    for line in invalid:
        print(f"invalid: {line}")
    return 4 if invalid else 1 if missed else 0


def main(arguments):
    parser = argparse.ArgumentParser(
        prog="bin/hprio device", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="short loads, and two of those with duration limits")
    chosen = parser.parse_args(arguments)
    # Ends what was made, as any exception does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if os.geteuid():
        raise Refused("a virtual disk needs root")
    try:
        return measure(chosen.quick)
    finally:
        for name in DISKS.values():
            try:
                run(VHDD, "destroy", name, "--force")
            except Refused as reason:
                print(f"hprio: {reason}", file=sys.stderr)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Refused as reason:
        sys.exit(f"hprio: {reason}")
    except KeyboardInterrupt:
        sys.exit(1)
