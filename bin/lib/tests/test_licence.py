# SPDX-License-Identifier: Apache-2.0
"""Each source file says its licence in its first lines, as others' tools read it (SPDX)."""

import subprocess
import unittest
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[3]
_SUFFIXES = (".java", ".c", ".h", ".py", ".sh", ".cmake", ".yml", "CMakeLists.txt", "Makefile", "Dockerfile")
_TAG = "SPDX-License-Identifier: "


def _says_none(text):
    return _TAG not in "\n".join(text.split("\n")[:2])


def _is_source(name, text):
    return name.endswith(_SUFFIXES) or text.startswith("#!")


class LicenceTest(unittest.TestCase):
    def test_each_source_file_says_its_licence(self):
        names = subprocess.run(["git", "-C", _ROOT, "ls-files", "-z"], check=True, stdout=subprocess.PIPE, text=True).stdout
        files = [name for name in names.split("\0") if name and (_ROOT / name).is_file()]
        self.assertGreater(len(files), 1000)
        texts = {name: (_ROOT / name).read_text(errors="replace") for name in files}
        sources = {name: text for name, text in texts.items() if text and _is_source(name, text)}
        self.assertEqual([], [name for name, text in sources.items() if _says_none(text)])

    def test_a_file_without_it_is_noticed(self):
        self.assertTrue(_says_none("package org.hadoopprio;\n"))
        self.assertTrue(_says_none("#!/bin/sh\n\n# SPDX-License-Identifier: Apache-2.0\n"))
        self.assertFalse(_says_none("#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n"))


if __name__ == "__main__":
    unittest.main()
