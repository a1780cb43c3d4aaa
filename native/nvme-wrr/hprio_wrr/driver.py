# SPDX-License-Identifier: Apache-2.0
"""The edits of the driver's source, drivers/nvme/host/pci.c, and which sources they are for.

The edits only insert text: what the driver does with the module's parameter off stays as it was. Each names a place by
a function or struct and a few words of it, which must be there exactly once.
"""

import hashlib
import json
import re
from pathlib import Path

from . import Refused

_KNOWN = Path(__file__).with_name("known.json")

# Definitions that mention one of these know of queues, of doorbells, or of how the drive is switched on.
_CONCERNS = re.compile(
    r"\b(nvmeq|nvme_queue|nr_\w*queues|online_queues|queue_count|dbbuf_\w+|NVME_REG_CC|qid|db_stride|nvme_queue_rqs?"
    r"|nvme_commit_rqs)\b"
)
# The header of the driver's files, whose definitions pci.c uses; in fingerprints this stands before their names.
HEADER = "nvme.h"
_SOURCES = Path(__file__).resolve().parent.parent / "src"

# A definition (or the names that it has had; None is the file), words in it, what is inserted before or after them.
_EDITS = (
    (None, "after", '#include "nvme.h"', '\n#include "wrr_module.h"'),
    ("nvme_dev", "after", "unsigned int nr_poll_queues;", "\n\tbool wrr;\n\tunsigned int wrr_nr;"),
    (
        "nvme_queue",
        "after",
        "struct completion delete_done;",
        "\n\tstruct nvme_queue *wrr_sq[WRR_PRIOS];\n\tu16 wrr_cqid;\n\tu8 wrr_prio;\n\tbool wrr_on;",
    ),
    ("nvme_iod", "after", "bool aborted;", "\n\tu16 wrr_sqid;"),
    # Sending.
    (None, "before", "static void nvme_commit_rqs(", '#include "wrr_send.h"\n\n'),
    (
        "nvme_commit_rqs",
        "before",
        "spin_lock(",
        "if (nvmeq->wrr_on) {\n\t\twrr_ring(nvmeq);\n\t\treturn;\n\t}\n\t",
    ),
    ("nvme_prep_rq", "after", "iod->aborted = false;", "\n\tiod->wrr_sqid = 0;"),
    (
        "nvme_queue_rq",
        "before",
        "spin_lock(",
        "if (nvmeq->wrr_on) {\n\t\twrr_send(nvmeq, req, bd->last);\n\t\tif (bd->last)\n\t\t\twrr_ring(nvmeq);\n"
        "\t\treturn BLK_STS_OK;\n\t}\n\t",
    ),
    (
        "nvme_submit_cmds",
        "before",
        "spin_lock(",
        "if (nvmeq->wrr_on) {\n\t\twhile ((req = rq_list_pop(rqlist)))\n\t\t\twrr_send(nvmeq, req, false);\n"
        "\t\twrr_ring(nvmeq);\n\t\treturn;\n\t}\n\t",
    ),
    (
        "nvme_timeout",
        "after",
        "cmd.abort.sqid = cpu_to_le16(nvmeq->qid);",
        "\n\tif (iod->wrr_sqid)\n\t\tcmd.abort.sqid = cpu_to_le16(iod->wrr_sqid);",
    ),
    # The life of the queues.
    ("nvme_dbbuf_size", "after", "dev->nr_allocated_queues", " * wrr_factor()"),
    ("nvme_dbbuf_free", "after", "nvmeq->dbbuf_cq_ei = NULL;", "\n\twrr_forget_doorbells(nvmeq);"),
    (
        "adapter_alloc_sq",
        "before",
        "c.create_sq.opcode",
        "if (dev->wrr)\n\t\tflags = NVME_QUEUE_PHYS_CONTIG |\n"
        "\t\t\t(nvmeq->wrr_cqid ? nvmeq->wrr_prio : WRR_MEDIUM) << 1;\n\t",
    ),
    (
        "adapter_alloc_sq",
        "after",
        "c.create_sq.cqid = cpu_to_le16(qid);",
        "\n\tif (nvmeq->wrr_cqid)\n\t\tc.create_sq.cqid = cpu_to_le16(nvmeq->wrr_cqid);",
    ),
    ("nvme_free_queue", "before", "dma_free_coherent(nvmeq->dev->dev, CQ_SIZE", "wrr_free(nvmeq);\n\t"),
    (None, "before", "static int nvme_alloc_queue(", '#include "wrr_life.h"\n\n'),
    (
        "nvme_create_queue",
        "before",
        "nvmeq->cq_vector = vector;",
        "result = wrr_create(nvmeq, qid);\n\tif (result)\n\t\treturn result;\n\t",
    ),
    ("nvme_create_queue", "before", "adapter_delete_sq(dev, qid);", "wrr_remove(nvmeq);\n\t"),
    (
        "nvme_setup_io_queues",
        "before",
        "result = nvme_set_queue_count(",
        "nr_io_queues = wrr_ask(dev, nr_io_queues);\n\t",
    ),
    (
        "nvme_setup_io_queues",
        "before",
        "if (nr_io_queues == 0)",
        "nr_io_queues = wrr_granted(dev, nr_io_queues);\n\t",
    ),
    (
        "nvme_setup_io_queues",
        "after",
        "size = db_bar_size(dev, nr_io_queues);",
        "\n\t\tif (dev->wrr_nr) {\n\t\t\tdev->wrr_nr = nr_io_queues;\n"
        "\t\t\tsize = db_bar_size(dev, nr_io_queues * WRR_PRIOS);\n\t\t}",
    ),
    ("nvme_setup_io_queues", "before", "result = nvme_create_io_queues(dev);", "wrr_set_arbitration(dev);\n\t"),
    (
        ("nvme_delete_io_queues", "nvme_disable_io_queues"),
        "before",
        "if (__",
        "if (!wrr_remove_all(dev))\n\t\treturn;\n\t",
    ),
    # The controller.
    ("nvme_pci_enable", "after", "dev->ctrl.cap = lo_hi_readq(dev->bar + NVME_REG_CAP);", "\n\tdev->wrr = wrr_drive(dev);"),
    (
        "nvme_pci_reg_write32",
        "before",
        "writel(",
        "if (off == NVME_REG_CC && to_nvme_dev(ctrl)->wrr)\n\t\tval |= NVME_CC_AMS_WRRU;\n\t",
    ),
)


def edited(text, header, version):
    """
    The driver's source with the edits; header is the text of its nvme.h, version that of its kernel, as 6.1.176. Refused
    if it is not a known one.
    """
    places = definitions(text)
    _require_known(fingerprints(text, header), version)
    for names, side, words, added in _EDITS:
        start, end = _extent(places, names, text)
        at = text.find(words, start, end)
        if at < 0 or text.find(words, at + 1, end) >= 0:
            raise Refused(f"{names or 'pci.c'} of Linux {version} has \"{words}\" not exactly once")
        at += len(words) if side == "after" else 0
        text = text[:at] + added + text[at:]
        # What was inserted has moved all that follows.
        places = {
            name: (first + (first >= at and len(added)), last + (last >= at and len(added)))
            for name, (first, last) in places.items()
        }
    return text


def _extent(places, names, text):
    if names is None:
        return 0, len(text)
    for name in names if isinstance(names, tuple) else (names,):
        if name in places:
            return places[name]
    raise Refused(f"the driver's source has no {names}")


def definitions(text):
    """Of each function, struct and table with an initialiser: name to (start, end)."""
    found = {}
    for opening in re.finditer(r"^(?:\w[^\n]*[^\n;])?\{\n", text, re.M):
        header = text.rfind("\n\n", 0, opening.start() + 1) + 2
        # Comments and directives directly above are no part of it.
        above = header
        for line in re.finditer(r"^(?: \*/|#[^\n]*|[^\n]*;)\n", text[header : opening.start()], re.M):
            above = header + line.end()
        name = re.search(r"(\w+)\s*(?:\(|\[\]|\{|=)", text[above : opening.end()])
        end = text.find("\n}", opening.end() - 1)
        if name and end >= 0:
            found[name.group(1)] = (above, end + 2)
    return found


def macros(text):
    """Of each macro: name to its lines."""
    return {found.group(1): found.group() for found in re.finditer(r"^#define\s+(\w+)(?:.*\\\n)*.*$", text, re.M)}


def fingerprints(text, header):
    """
    A hash of all that the edits concern, without comments and white space: of the driver's source the definitions that
    know of queues, and the macros that these use; of its header the definitions and macros that these, the edits and the
    module's own code use.
    """
    touched = {name for names, *_ in _EDITS for name in (names if isinstance(names, tuple) else (names,))}
    concerned = {
        name: code
        for name, code in _codes(text).items()
        if name in touched or _CONCERNS.search(code)
    }
    used = _words(*concerned.values())
    concerned |= {f"#{name}": line for name, line in macros(text).items() if name in used}
    used |= _words(*(line for line in concerned.values()), *(added for *_, added in _EDITS), *_own_code())
    of_header = _codes(header) | {f"#{name}": line for name, line in macros(header).items()}
    concerned |= {
        f"{HEADER} {name}": code for name, code in of_header.items() if name.removeprefix("#") in used
    }
    return {name: _hash(code) for name, code in concerned.items()}


def _codes(text):
    return {name: _without_comments(text[start:end]) for name, (start, end) in definitions(text).items()}


def _without_comments(code):
    return re.sub(r"/\*.*?\*/", "", code, flags=re.S)


def _own_code():
    return [_without_comments(file.read_text()) for file in sorted(_SOURCES.glob("*.h"))]


def _words(*codes):
    return {word for code in codes for word in re.findall(r"\w+", code)}


def _hash(code):
    return hashlib.sha256("".join(_without_comments(code).split()).encode()).hexdigest()[:16]


def known():
    """The versions whose source was looked at, with the fingerprints of each."""
    return json.loads(_KNOWN.read_text())


def _require_known(prints, version):
    differing = {}
    for other, expected in known().items():
        names = prints.keys() | expected.keys()
        differing[other] = sorted(name for name in names if prints.get(name) != expected.get(name))
        if not differing[other]:
            return
    nearest = min(differing, key=lambda other: len(differing[other]))
    parts = differing[nearest]
    shown = ", ".join(parts[:4]) + (f" and {len(parts) - 4} more" if len(parts) > 4 else "")
    raise Refused(
        f"the NVMe driver of Linux {version} is not one that the edits were written for ({', '.join(known())}):"
        f" it differs in {shown} from that of {nearest}. No module is built; the kernel's own stays. A newer version of"
        " this package may know it."
    )
