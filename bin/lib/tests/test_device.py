# SPDX-License-Identifier: Apache-2.0
"""What bin/hprio device makes of the answers of fio and vhdd."""

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import device  # noqa: E402  (found through the path above)

_ROW = {"source": "s", "what": "w", "unit": "ms", "ours": 105.0, "gated": True, "published": 100.0, "tolerance": 0.1}
_PLACES = {"w": ("cell", "p99")}


def _job(count, **more):
    percentile = {key: 5e6 for key in device.PERCENTILES}
    latency = {"N": count, "mean": 2e6, "max": 9e6, "percentile": percentile} if count else {"N": 0}
    return {"lat_ns": latency, "runtime": 2000, **more}


def _fio(*jobs):
    return "fio: a warning\n" + json.dumps({"jobs": [{"jobname": name, "error": error, "read": read} for name, error, read in jobs]})


class FioTest(unittest.TestCase):
    def test_what_fio_has_printed(self):
        output = Path(__file__).with_name("fio-priorities.json").read_text()
        found = device.summary_of_fio(output)["all"]
        self.assertEqual((48307, 9849, 38458), (found["n"], found["rt.n"], found["none.n"]))
        self.assertAlmostEqual(48258.7, found["iops"], 1)
        # lat, not clat: the time in io_submit is part of it.
        self.assertEqual((3.555328, 3.129344), (found["p99"], found["rt.p99"]))

    def test_a_jobs_latencies_by_class(self):
        prios = [{"prioclass": 1, **_job(100)}, {"prioclass": 0, **_job(2000)}]
        found = device.summary_of_fio(_fio(("share", 0, _job(2100, prios=prios))))["share"]
        self.assertEqual((2100, 1050, 2, 5, 9), tuple(found[key] for key in ("n", "iops", "mean", "p99", "max")))
        self.assertEqual((50, 5), (found["rt.iops"], found["none.p99"]))
        # Ten of a hundred are beyond p90 only.
        self.assertNotIn("rt.p99", found)

    def test_a_job_without_reads(self):
        self.assertEqual({"n": 0, "iops": 0}, device.summary_of_fio(_fio(("alone", 0, _job(0))))["alone"])

    def test_a_job_that_failed_and_no_result(self):
        for output in (_fio(("alone", 5, _job(0))), "fio: unknown option"):
            with self.subTest(output), self.assertRaises(device.Refused):
                device.summary_of_fio(output)

    def test_reads_with_limits(self):
        part = {"n": 999, "mean_ms": 3.0, "p99_ms": 8.0, "p50_ms": 2.0}
        found = device.summary_of_reads(json.dumps({"n": 1000, "iops": 70.0, "classes": {"be:4+1": part}}))
        self.assertEqual((70.0, 3.0, 2.0), (found["iops"], found["be:4+1.mean"], found["be:4+1.p50"]))
        self.assertNotIn("be:4+1.p99", found)


class VerdictTest(unittest.TestCase):
    def _verdict(self, value=None, **changes):
        row, missed = device.row_of({**_ROW, **changes}, _PLACES, {"cell": {"p99": value}} if value else {})
        return row[-1], missed

    def test_the_device_decides_where_it_was_measured(self):
        self.assertEqual(("reproduced", False), self._verdict(109.0))
        self.assertEqual(("MISSED", True), self._verdict(111.0))
        self.assertEqual(("not reproduced", False), self._verdict(111.0, gated=False))

    def test_else_virtual_time(self):
        self.assertEqual(("reproduced, in virtual time", False), self._verdict())
        self.assertEqual(("MISSED, in virtual time", True), self._verdict(ours=80.0))

    def test_a_least_value_and_none(self):
        self.assertEqual(("reproduced", False), self._verdict(12.0, at_least=10.0))
        self.assertEqual(("MISSED", True), self._verdict(9.0, at_least=10.0))
        self.assertEqual(("not published", False), self._verdict(9.0, published=None))


class PlanTest(unittest.TestCase):
    def test_each_number_is_of_a_cell(self):
        for quick in (True, False):
            cells, places = device.plan(quick)
            names = [cell.name for cell in cells]
            self.assertEqual(len(names), len(set(names)))
            self.assertLessEqual({name for name, _ in places.values()}, set(names))
        self.assertEqual(8, len(device.plan_open(True)))


if __name__ == "__main__":
    unittest.main()
