# SPDX-License-Identifier: Apache-2.0
"""Headers and source of the kernel: what is missing, or does not belong together, is said, and nothing is left to build."""

import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from hprio_wrr import Refused, driver, source

_VERSION = (6, 99, 3)


class SourceTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self._root = Path(directory.name)
        self._headers = self._root / "headers"
        version = self._headers / "include" / "generated" / "uapi" / "linux"
        version.mkdir(parents=True)
        names = ("MAJOR", "PATCHLEVEL", "SUBLEVEL")
        lines = [f"#define LINUX_VERSION_{name} {number}\n" for name, number in zip(names, _VERSION)]
        (version / "version.h").write_text("".join(lines))
        self._into = self._root / "build"

    def _tree(self, version=_VERSION, name="linux-source-6.99"):
        tree = self._root / name
        (tree / "drivers" / "nvme" / "host").mkdir(parents=True)
        fields = zip(("VERSION", "PATCHLEVEL", "SUBLEVEL"), version)
        (tree / "Makefile").write_text("".join(f"{field} = {number}\n" for field, number in fields))
        (tree / "drivers" / "nvme" / "host" / "pci.c").write_text("driver\n")
        (tree / "drivers" / "nvme" / "host" / "nvme.h").write_text("header\n")
        (tree / "drivers" / "nvme" / "host" / "Kconfig").write_text("none of it\n")
        return tree

    def _tarball(self, tree):
        path = tree.parent / f"{tree.name}.tar.xz"
        with tarfile.open(path, "w:xz", preset=0) as tar:
            tar.add(tree, tree.name)
        shutil.rmtree(tree)
        return path

    def test_headers_that_are_not_there(self):
        with self.assertRaisesRegex(Refused, r"no headers in .*: install the package linux-headers-"):
            source.prepare(self._root / "none", None, self._into)

    def test_source_that_is_not_there(self):
        with self.assertRaisesRegex(Refused, r"no .*linux-source-6\.99\.tar\.xz: install the package linux-source-6\.99"):
            source.fetch(None, _VERSION, self._root, usr_src=self._root)

    def test_source_of_another_version(self):
        tree = self._tree(version=(6, 99, 4))
        with self.assertRaisesRegex(Refused, r"Linux 6\.99\.4, but the headers are those of 6\.99\.3"):
            source.prepare(self._headers, tree, self._into)
        self.assertFalse(self._into.exists())

    def test_unknown_source_leaves_nothing_to_build(self):
        self._into.mkdir()
        (self._into / "nvme.ko").write_text("of an earlier build")
        with self.assertRaisesRegex(Refused, "not one that the edits were written for"):
            source.prepare(self._headers, self._tree(), self._into)
        self.assertFalse(self._into.exists())

    def test_a_broken_tarball(self):
        tarball = self._root / "linux-source-6.99.tar.xz"
        tarball.write_text("no archive")
        with self.assertRaisesRegex(Refused, "cannot be unpacked"):
            source.prepare(self._headers, tarball, self._into)

    def test_what_make_gets_from_a_tree_and_from_a_tarball(self):
        with mock.patch.object(driver, "edited", lambda text, header, version: f"{text}{header}edited for {version}\n"):
            for packed in (False, True):
                given = self._tarball(self._root / "linux-source-6.99") if packed else self._tree()
                source.prepare(self._headers, given, self._into)
                self.assertEqual((self._into / "pci.c").read_text(), "driver\nheader\nedited for 6.99.3\n")
                names = {file.name for file in self._into.iterdir()}
                own = {"wrr_values.h", "wrr_module.h", "wrr_send.h", "wrr_life.h"}
                self.assertEqual(names, own | {"pci.c", "nvme.h", "Makefile", "Kbuild"})


class DkmsTest(unittest.TestCase):
    def test_a_new_kernel_is_installed_whether_or_not_its_driver_is_known(self):
        """DKMS builds for it by itself what says so, and what is then refused ends the headers' installation."""
        conf = Path(__file__).resolve().parents[1] / "dkms.conf"
        told = subprocess.run(
            ["bash", "-c", '. "$1" && echo "$PACKAGE_NAME:${AUTOINSTALL-}"', "bash", conf], stdout=subprocess.PIPE, text=True
        )
        self.assertEqual(told.stdout, "hprio-nvme-wrr:\n")


class CommandTest(unittest.TestCase):
    def test_make_fails_with_the_reason(self):
        """As DKMS runs it: then it installs nothing."""
        root = Path(__file__).resolve().parents[1]
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(root, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("build", "tests"))
            made = subprocess.run(
                ["make", "-C", copy, "HEADERS=/nonexistent"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
        self.assertNotEqual(made.returncode, 0)
        self.assertIn("nvme-wrr: there are no headers in /nonexistent", made.stdout)


if __name__ == "__main__":
    unittest.main()
