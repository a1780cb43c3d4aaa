# SPDX-License-Identifier: Apache-2.0
"""From where the guest's kernel is fetched: the system's own source, in both of its formats."""

import tempfile
import unittest
from pathlib import Path

from hprio_wire import Unavailable, apt

_DEB822 = """# a comment
Types: deb deb-src
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mQ
 -----END PGP PUBLIC KEY BLOCK-----

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
"""


class SourceTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.system = Path(directory.name)
        (self.system / "sources.list.d").mkdir()

    def _write(self, name, text):
        (self.system / name).write_text(text)

    def test_a_stanza_keeps_its_mirror_and_its_key(self):
        self._write("sources.list.d/debian.sources", _DEB822)
        found = apt.source("bookworm", self.system)
        self.assertEqual(found["URIs"], "http://mirror.example/debian")
        self.assertIn("\n mQ\n -----END", found["Signed-By"])
        self.assertEqual(list(found), ["URIs", "Signed-By"])

    def test_a_line_keeps_its_mirror_and_its_key(self):
        self._write(
            "sources.list",
            "# deb http://off.example bookworm main\n"
            "deb-src http://source.example bookworm main\n"
            "deb [arch=amd64 signed-by=/keys/one.gpg] http://mirror.example bookworm contrib main # here\n",
        )
        self.assertEqual(
            apt.source("bookworm", self.system),
            {"URIs": "http://mirror.example", "Signed-By": "/keys/one.gpg"},
        )

    def test_what_apt_does_not_use_is_no_source(self):
        self._write("sources.list.d/off.sources", _DEB822.replace("Types", "Enabled: no\nTypes"))
        self._write("sources.list.d/debian.sources.save", _DEB822)
        self._write("sources.list.d/other.list", "deb http://other.example bookworm contrib\n")
        with self.assertRaisesRegex(Unavailable, "no source of packages for bookworm, component main"):
            apt.source("bookworm", self.system)


class CodenameTest(unittest.TestCase):
    def _codename(self, text):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            return apt.codename(Path(file.name))

    def test_debian_has_one(self):
        self.assertEqual(self._codename('ID=debian\nVERSION_CODENAME="bookworm"\n'), "bookworm")

    def test_another_distribution_has_none(self):
        with self.assertRaisesRegex(Unavailable, "needs Debian.* ID=ubuntu, VERSION_CODENAME=jammy"):
            self._codename("ID=ubuntu\nVERSION_CODENAME=jammy\n")


if __name__ == "__main__":
    unittest.main()
