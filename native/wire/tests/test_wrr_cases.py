# SPDX-License-Identifier: Apache-2.0
"""That the cases of group t notice what is wrong."""

import contextlib
import unittest

from hprio_wire import nvme, wrr_life_cases, wrr_module
from hprio_wire.cases import FAIL, OK, Failed, run_case
from hprio_wire.wrr_drives import ALL, PROCESSORS

_MADE = "pci_nvme_create_sq create submission queue, addr=0x1, sqid={id}, cqid={id}, qsize=1023, qflags={flags}\n"


class _Drives:
    """Drives of which all goes well, but for what a test sets."""

    resets = 2
    kernel = (6, 12)

    def __init__(self):
        self.reads = {priority: 10 for _, priority in ALL}
        self.kernel_log = "Waking up from system sleep state S3\n" * 2
        self.said = "wireio: rt: Input/output error"
        self.made = PROCESSORS
        self.right = True
        self.sent = [(4097, 9)]
        self.aborted = [(4097, 9)]
        self.used = []

    def use(self, parameters="on", drive=None, module=None):
        self.used.append(module)

    @contextlib.contextmanager
    def time_limit(self, _):
        yield

    def load_with_suspend(self):
        return self.reads

    def lose(self, bus):
        return self.said

    def log(self):
        return self.kernel_log

    def trace(self):
        queues = "".join(_MADE.format(id=number + 1, flags=1 | nvme.MEDIUM << 1) for number in range(self.made))
        return queues + _MADE.format(id=9, flags=1) if self.right else queues

    def expect_queues(self, completions):
        pass

    def expect_read(self, way, priority, prio):
        if not self.right:
            raise Failed("not from a queue")

    def aborts(self, _):
        return self.sent, self.aborted


class LifeCasesTest(unittest.TestCase):
    def setUp(self):
        self._drives = _Drives()
        self._drives.made = PROCESSORS - 1

    def _result(self, number):
        case = next(case for case in wrr_life_cases.GROUP.cases if case.number == number)
        result = run_case(case, self._drives)
        return result.outcome, result.note

    def test_all_is_well(self):
        for number in ("t01", "t02", "t03", "t04"):
            with self.subTest(number):
                self.assertEqual(OK, self._result(number)[0], self._result(number)[1])

    def test_a_suspended_drive(self):
        self._drives.reads["idle"] = 0
        self.assertEqual((FAIL, "the kernel's own module: no reads at ['idle']"), self._result("t01"))
        self._drives.reads["idle"] = 1
        self._drives.kernel_log = ""
        self.assertEqual((FAIL, "the kernel's own module: asleep 0 times of 2"), self._result("t01"))

    def test_a_drive_that_is_lost(self):
        self._drives.said = "rt 10"
        self.assertEqual(FAIL, self._result("t02")[0])

    def test_what_the_kernel_says(self):
        self._drives.kernel_log += "nvme nvme0: I/O tag 3 (3003) QID 1 timeout, aborting\n"
        for number in ("t01", "t02", "t03"):
            self.assertEqual(FAIL, self._result(number)[0])

    def test_a_wrong_queue_afterwards(self):
        self._drives.right = False
        self._drives.made = PROCESSORS
        self.assertEqual((FAIL, "the kernel's own module: not from a queue"), self._result("t03"))

    def test_old_kernels_own_module_is_not_judged(self):
        self._drives.kernel = (6, 1)
        self.assertEqual(OK, self._result("t01")[0])
        self.assertEqual([wrr_module.FAULTY], self._drives.used)

    def test_an_abort(self):
        for aborted, message in (
            ([], "no command was aborted"),
            ([(4097, 1)], "an abort names a queue medium, not urgent"),
            ([(4098, 9)], "an abort names command 4098 of queue 9, which was not sent"),
            ([(4097, 7)], "an abort names a queue none, not urgent"),
        ):
            with self.subTest(message):
                self._drives.aborted = aborted
                self.assertEqual((FAIL, message), self._result("t04"))
        self._drives.aborted = [(4097, 1)]
        self.assertEqual(OK, self._result("t05")[0])
        self._drives.aborted = [(4097, 9)]
        self.assertEqual((FAIL, "the broken module passed"), self._result("t05"))


if __name__ == "__main__":
    unittest.main()
