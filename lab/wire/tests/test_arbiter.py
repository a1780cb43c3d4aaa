# SPDX-License-Identifier: Apache-2.0
"""The arbiter's edits of QEMU go where they belong, or QEMU is refused; what a build lacks is said."""

import unittest
from unittest import mock

from hprio_wire import Unavailable, arbiter


def _stand_in():
    return "\n".join(f"// {number}\n{words}" for number, (_, words, _) in enumerate(arbiter._EDITS)) + "\n"


class ArbiterTest(unittest.TestCase):
    def test_only_adds_to_the_source(self):
        text = _stand_in()
        edited = arbiter.edited(text)
        left = iter(edited)
        self.assertTrue(all(character in left for character in text), "something is gone")
        self.assertEqual(len(edited), len(text) + sum(len(added) for *_, added in arbiter._EDITS))

    def test_another_qemu_is_refused(self):
        for text in (_stand_in().replace("NVME_CAP_SET_CQR", "NVME_SET_CQR"), _stand_in() * 2, ""):
            with self.assertRaisesRegex(Unavailable, r"needs a QEMU that the edits were written for, .* has \".*\" [02] times"):
                arbiter.edited(text)

    def test_missing_packages_are_named(self):
        with mock.patch.object(arbiter.shutil, "which", lambda program: program not in ("meson", "ninja")):
            with self.assertRaisesRegex(Unavailable, "^needs Debian's packages meson ninja-build"):
                arbiter._require_programs()


if __name__ == "__main__":
    unittest.main()
