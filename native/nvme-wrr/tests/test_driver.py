# SPDX-License-Identifier: Apache-2.0
"""The edits go where they belong, and only into sources that were looked at. The driver here is a stand-in."""

import re
import unittest
from unittest import mock

from hprio_wrr import Refused, driver

_VERSION = "6.99.1"
_HEADER = """#define NVME_ADMIN_TIMEOUT\t(60 * HZ)
#define NVME_OTHER\t1

static inline struct nvme_request *nvme_req(struct request *req)
{
\treturn blk_mq_rq_to_pdu(req);
}

static inline int nvme_hwmon(void)
{
\treturn 0;
}
"""


def _stand_in():
    """A text with the places of the edits, and a table and a function that are none of their business."""
    inside = {}
    outside = []
    for names, _, words, _ in driver._EDITS:
        if names is None:
            outside.append(words)
        else:
            inside.setdefault(names if isinstance(names, str) else names[-1], []).append(words)
    # What the file has by itself, and what begins a definition.
    parts = [words for words in outside if "(" not in words]
    for name, all_words in inside.items():
        body = "".join(f"\t{words}\n" for words in all_words)
        if name in ("nvme_dev", "nvme_queue", "nvme_iod"):
            parts.append(f"struct {name} {{\n{body}}};")
        else:
            kind = "void" if name == "nvme_commit_rqs" else "int"
            parts.append(f"/*\n * About it.\n */\nstatic {kind} {name}(struct nvme_dev *dev,\n\t\tint more)\n{{\n{body}}}")
    parts.insert(1, "static int nvme_alloc_queue(struct nvme_dev *dev)\n{\n\treturn 0;\n}")
    parts.append("#define SQ_SIZE(q)\\t((q)->q_depth << \\\n\t(q)->sqes)\n#define MAX_KB\t4096")
    parts.append(
        "static inline unsigned int sq_idx(unsigned int qid, u32 stride)\n{\n\treturn qid * 2 * stride;\n}"
    )
    parts.append("static void alloc(struct nvme_queue *nvmeq)\n{\n\tget(SQ_SIZE(nvmeq), nvme_req(0));\n}")
    parts.append("static const struct pci_device_id table[] = {\n\t{ 1 },\n};")
    parts.append("static int cmb_show(void)\n{\n\treturn 1;\n}")
    return "\n\n".join(parts) + "\n"


class EditTest(unittest.TestCase):
    def setUp(self):
        self.text = _stand_in()
        self._know(self.text)

    def _know(self, text):
        patched = mock.patch.object(driver, "known", lambda: {"6.99.0": driver.fingerprints(text, _HEADER)})
        patched.start()
        self.addCleanup(patched.stop)

    def test_only_adds_to_the_text(self):
        edited = driver.edited(self.text, _HEADER, _VERSION)
        left = iter(edited)
        self.assertTrue(all(character in left for character in self.text), "something is gone")
        self.assertEqual(len(edited), len(self.text) + sum(len(added) for *_, added in driver._EDITS))

    def test_each_edit_is_in_its_definition(self):
        edited = driver.edited(self.text, _HEADER, _VERSION)
        places = driver.definitions(edited)
        for names, _, _, added in driver._EDITS:
            if names is not None:
                name = names if isinstance(names, str) else names[-1]
                start, end = places[name]
                self.assertIn(added.strip(), edited[start:end], name)

    def test_a_driver_that_nobody_has_looked_at_is_refused_and_the_difference_named(self):
        changed = self.text.replace("bd->last", "last").replace("cmd.abort.sqid", "\tother();\n\tcmd.abort.sqid")
        with self.assertRaisesRegex(Refused, r"Linux 6\.99\.1 is not one .*: it differs in nvme_timeout from that of 6\.99\.0") as refused:
            driver.edited(changed, _HEADER, _VERSION)
        self.assertIn("kernel's own stays", str(refused.exception))

    def test_a_driver_with_more_functions_that_know_of_queues_is_refused(self):
        more = self.text + "static void nvme_new(struct nvme_queue *nvmeq)\n{\n}\n"
        with self.assertRaisesRegex(Refused, "differs in nvme_new "):
            driver.edited(more, _HEADER, _VERSION)

    def test_what_does_not_concern_queues_may_differ(self):
        changed = self.text.replace("{ 1 }", "{ 2 }").replace("return 1;", "return 2;")
        changed = changed.replace("About it", "Said otherwise")
        changed = changed.replace("4096", "8192")
        header = _HEADER.replace("return 0", "return 1").replace("NVME_OTHER\t1", "NVME_OTHER\t2")
        self.assertEqual(driver.fingerprints(changed, header), driver.fingerprints(self.text, _HEADER))
        driver.edited(changed, _HEADER, _VERSION)

    def test_what_the_edits_lean_on_may_not_differ(self):
        for name, changed, header in (
            ("sq_idx", self.text.replace("qid * 2 * stride", "qid * stride"), _HEADER),
            ("#SQ_SIZE", self.text.replace("(q)->sqes)", "(q)->sqes + 1)"), _HEADER),
            ("nvme.h nvme_req", self.text, _HEADER.replace("blk_mq_rq_to_pdu(req)", "req->special")),
            ("nvme.h #NVME_ADMIN_TIMEOUT", self.text, _HEADER.replace("60", "6")),
        ):
            with self.assertRaisesRegex(Refused, f"differs in {name} from"):
                driver.edited(changed, header, _VERSION)

    def test_a_place_that_is_there_twice_is_refused(self):
        twice = self.text.replace("\tiod->aborted = false;\n", "\tiod->aborted = false;\n\tiod->aborted = false;\n")
        self._know(twice)
        with self.assertRaisesRegex(Refused, "nvme_prep_rq .* not exactly once"):
            driver.edited(twice, _HEADER, _VERSION)

    def test_another_file_is_refused(self):
        with self.assertRaisesRegex(Refused, "not one that the edits were written for"):
            driver.edited("int main(void)\n{\n}\n", _HEADER, _VERSION)


class KnownTest(unittest.TestCase):
    def test_each_known_version_has_all_that_is_edited(self):
        for version, prints in driver.known().items():
            self.assertTrue(re.fullmatch(r"\d+\.\d+\.\d+", version))
            for names, *_ in driver._EDITS:
                if names is not None:
                    names = names if isinstance(names, tuple) else (names,)
                    self.assertTrue(any(name in prints for name in names), f"{version}: {names}")


if __name__ == "__main__":
    unittest.main()
