# SPDX-License-Identifier: Apache-2.0
"""That the cases of groups t and o notice what is wrong."""

import contextlib
import itertools
import unittest

from hprio_wire import nvme, wrr_cost_cases, wrr_life_cases, wrr_module
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


class _Counter:
    """A drive whose reads cost a number of instructions of modules, among 10,000, and of microseconds, by the module."""

    def __init__(self, **costs):
        self._costs = costs
        self._noises = itertools.cycle((0.0001, 0.0003, -0.0001, -0.0002, -0.0001))

    def use(self, parameters, module):
        self._module = module.replace("-", "_")

    def cost(self, depth, reads, warm):
        # So that there is an interval.
        noise = next(self._noises)
        of_module, took_us = self._costs[self._module]
        return 10000, of_module * (1 + noise), took_us * (1 + 100 * noise)


class CostCasesTest(unittest.TestCase):
    def _result(self, number, **costs):
        case = next(case for case in wrr_cost_cases.GROUP.cases if case.number == number)
        return run_case(case, wrr_cost_cases._Costs(_Counter(**costs)))

    def test_the_same(self):
        result = self._result("o01", nvme_stock=(1000, 50), nvme=(1004, 50))
        self.assertEqual(OK, result.outcome, result.note)
        self.assertRegex(result.note, r"one read at a time: 4.1 \(3.8 to 4.3\) instructions more, of 10000; 0.99")

    def test_more_instructions(self):
        result = self._result("o01", nvme_stock=(1000, 50), nvme=(1110, 50))
        self.assertEqual(FAIL, result.outcome)
        self.assertTrue(result.note.startswith("more than 1.0%: one read at a time: 110.1 "), result.note)

    def test_the_control(self):
        self.assertEqual(OK, self._result("o03", nvme_stock=(1000, 50), nvme_faulty=(1300, 50)).outcome)
        self.assertEqual(FAIL, self._result("o03", nvme_stock=(1000, 50), nvme_faulty=(1000, 50)).outcome)


if __name__ == "__main__":
    unittest.main()
