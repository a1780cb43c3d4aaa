# SPDX-License-Identifier: Apache-2.0
"""The trace reader of the NVMe drive, against what QEMU 7.2 printed."""

import unittest

from hprio_wire import Broken, nvme

_ENABLED = """\
pci_nvme_mmio_cfg wrote MMIO, config controller config=0x460001
pci_nvme_mmio_cfg wrote MMIO, config controller config=0x800
pci_nvme_mmio_cfg wrote MMIO, config controller config=0x460861
pci_nvme_mmio_cfg wrote MMIO, config controller config=0x460060
"""
_SET = """\
pci_nvme_setfeat cid 4105 nsid 0x0 fid 0x7 save 0x0 cdw11 0x70007
pci_nvme_setfeat_numq requested cq_count=8 sq_count=8, responding with cq_count=64 sq_count=64
pci_nvme_setfeat cid 4106 nsid 0x0 fid 0x1 save 0x0 cdw11 0x2010003
"""
_MADE = """\
pci_nvme_create_cq create completion queue, addr=0x1ea0000, cqid=1, vector=1, qsize=1023, qflags=3, ien=1
pci_nvme_create_sq create submission queue, addr=0x1eb0000, sqid=1, cqid=1, qsize=1023, qflags=5
pci_nvme_create_sq create submission queue, addr=0x1ec0000, sqid=8, cqid=1, qsize=1023, qflags=7
"""
_SHADOW = "pci_nvme_dbbuf_config dbs_addr=0x1ea4000 eis_addr=0x1ea5000\n"
_COMMAND = "pci_nvme_io_cmd cid {cid} nsid 0x1 sqid {queue} opc {opcode:#x} opname 'NVME_NVM_CMD_READ'\n"
_READ = "pci_nvme_read cid {cid} nsid 1 nlb 128 count 65536 lba 0x6848\n"


def _read(cid=3, queue=8):
    return _COMMAND.format(cid=cid, queue=queue, opcode=2) + _READ.format(cid=cid)


class NvmeTest(unittest.TestCase):
    def test_the_queues_as_they_were_made_last(self):
        medium, low = nvme.Queue(1, nvme.MEDIUM), nvme.Queue(1, nvme.LOW)
        self.assertEqual(nvme.queues(_MADE), {1: medium, 8: low})
        again = _MADE.replace("sqid=8, cqid=1, qsize=1023, qflags=7", "sqid=8, cqid=2, qsize=1023, qflags=1")
        self.assertEqual(nvme.queues(_MADE + again), {1: medium, 8: nvme.Queue(2, nvme.URGENT)})

    def test_a_read_has_the_priority_of_the_queue_that_it_came_from(self):
        other = _COMMAND.format(cid=9, queue=1, opcode=1)
        self.assertEqual(
            nvme.reads(_read() + other + _read(queue=1), nvme.queues(_MADE)),
            [nvme.NvmeRead(0x6848, 128, 8, nvme.LOW), nvme.NvmeRead(0x6848, 128, 1, nvme.MEDIUM)],
        )

    def test_a_read_without_its_command_or_queue_is_an_error(self):
        read = _READ.format(cid=3)
        for trace in (read, _read() + read, _COMMAND.format(cid=4, queue=8, opcode=2) + read, _read(queue=7)):
            with self.subTest(trace=trace), self.assertRaises(Broken):
                nvme.reads(trace, nvme.queues(_MADE))

    def test_what_the_drive_was_set_to(self):
        self.assertEqual(nvme.mechanism(_ENABLED), 1)
        self.assertEqual(nvme.arbitrations(_ENABLED + _SET), [0x2010003])

    def test_which_completion_queues_are_polled(self):
        polled = _MADE.replace("cqid=1, vector=1", "cqid=12, vector=0").replace("ien=1", "ien=0")
        self.assertEqual(nvme.polled(_MADE + polled), {12})

    def test_settings_are_comparable_and_tell_what_differs(self):
        self.assertEqual(nvme.shadow_doorbells(_SET + _SHADOW + _MADE), 1)
        moved = (_SET + _SHADOW + _read() + _MADE).replace("addr=0x1", "addr=0x2").replace("cid 410", "cid 51")
        self.assertEqual(nvme.settings(moved), nvme.settings(_SET + _SHADOW + _MADE))
        for field in ("qflags=5", "cdw11 0x70007", "cqid=1, vector", "sqid=8", "sq_count=64"):
            with self.subTest(field=field):
                changed = moved.replace(field, field.replace(field[-1], "0"))
                self.assertNotEqual(nvme.settings(changed), nvme.settings(moved))


if __name__ == "__main__":
    unittest.main()
