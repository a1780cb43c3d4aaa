# SPDX-License-Identifier: Apache-2.0
"""The results, as text for people, as JSON, and as JUnit's XML for the build."""

import json
import time
import xml.etree.ElementTree as xml

from .cases import FAIL, OK, SKIPPED


def list_cases(chosen):
    for group, cases in chosen:
        print(f"{group.letter}    {group.title}\n     {group.faked}")
        for case in cases:
            print(f"{case.number:<5}{case.title}")


class Report:
    """Takes the results in their order; text is printed as they come."""

    def __init__(self, json, junit):
        self._as_json = json
        self._junit = junit
        self._groups = []
        self._started = time.monotonic()

    def begin(self, machine):
        self._machine = machine
        self._say(f"wire: {machine}")

    def group(self, group):
        self._groups.append((group, []))
        self._say(f"\n{group.letter}  {group.title}\n   {group.faked}")

    def case(self, result):
        self._groups[-1][1].append(result)
        self._say(f"{result.case.number:<5}{result.outcome:<8}{result.case.title}")
        if result.note:
            self._say(f"             {result.note}")
        if result.lost and result.lost.died:
            self._say(f"             the guest died, the case was repeated: {result.lost}")
            for line in result.lost.console:
                self._say(f"             | {line}")

    def end(self):
        seconds = time.monotonic() - self._started
        counts = f"{self.count(OK)} ok, {self.count(FAIL)} failed, {self.count(SKIPPED)} skipped"
        self._say(f"\nwire: {counts}, {seconds:.0f} s")
        if self._as_json:
            print(json.dumps(self._json(seconds), indent=2))
        if self._junit:
            self._write_junit(seconds)

    def count(self, outcome):
        return sum(result.outcome == outcome for result in self._results())

    def _say(self, text):
        if not self._as_json:
            print(text, flush=True)

    def _results(self):
        return [result for _, results in self._groups for result in results]

    def _json(self, seconds):
        return {
            "machine": self._machine,
            "groups": [
                {
                    "group": group.letter,
                    "title": group.title,
                    "faked": group.faked,
                    "cases": [
                        {
                            "case": result.case.number,
                            "title": result.case.title,
                            "outcome": result.outcome,
                            "note": result.note,
                            "guest_lost": str(result.lost) if result.lost else None,
                            "seconds": round(result.seconds, 2),
                        }
                        for result in results
                    ],
                }
                for group, results in self._groups
            ],
            "ok": self.count(OK),
            "failed": self.count(FAIL),
            "skipped": self.count(SKIPPED),
            "seconds": round(seconds, 1),
        }

    def _write_junit(self, seconds):
        # As the file: there is one for each kernel.
        suite_name = self._junit.stem.removeprefix("TEST-")
        suite = xml.Element(
            "testsuite",
            name=suite_name,
            tests=str(len(self._results())),
            failures=str(self.count(FAIL)),
            errors="0",
            skipped=str(self.count(SKIPPED)),
            time=f"{seconds:.1f}",
        )
        for result in self._results():
            name = f"{result.case.number} {result.case.title}"
            case = xml.SubElement(
                suite, "testcase", classname=suite_name, name=name, time=f"{result.seconds:.2f}"
            )
            if result.outcome != OK:
                tag = "skipped" if result.outcome == SKIPPED else "failure"
                xml.SubElement(case, tag, message=result.note)
            if result.lost and result.lost.died:
                # As Maven's plugins tell of a test that was run again.
                flaky = xml.SubElement(case, "flakyError", message=str(result.lost))
                xml.SubElement(flaky, "system-out").text = "\n".join(result.lost.console)
        self._junit.parent.mkdir(parents=True, exist_ok=True)
        # Readers of the build's reports expect a line per element.
        xml.indent(suite)
        xml.ElementTree(suite).write(self._junit, encoding="utf-8", xml_declaration=True)
