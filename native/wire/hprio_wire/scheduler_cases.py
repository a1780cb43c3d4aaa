# SPDX-License-Identifier: Apache-2.0
"""Group q: what the kernel's I/O schedulers make of classes and levels on a device without moving parts."""

import contextlib
import statistics

from .cases import Case, Group, expect

_DEVICE = "/dev/nullb0"
_QUEUE = "/sys/block/nullb0/queue"
# Eight reads inside at a time, each of which takes 4 ms: slow enough for an emulated processor to ask for more.
_INSIDE = 8
_SERVICE_MS = 4
_PARAMETERS = (
    f"nr_devices=1 gb=1 irqmode=2 completion_nsec={_SERVICE_MS * 1000 * 1000} hw_queue_depth={_INSIDE} submit_queues=1"
)
# wireio starts as many threads for each class that it is given.
_THREADS = 8
_CLASSES = {"rt": 2, "be": 2, "idle": 2}
_LEVELS = {"be:0": 2, "be:7": 2}
_GETS = {"rt": 1, "idle": 8}
_FEW_REQUESTS = 16
_MANY_REQUESTS = 1024
_SECONDS = 1.5
_REPETITIONS = 5

FAKED = (
    "the device: null_blk, which has nothing to read and answers after a fixed time, and no NVMe drive. The schedulers and"
    " the queue before it are the kernel's own. Only the shares of the classes say something, not the reads in a second."
)


class _Load:
    """What threads of several priorities have got in each of some repetitions; threads by priority, in eights."""

    def __init__(self, guest, scheduler, threads, requests=None):
        guest.run(f"echo {scheduler} >{_QUEUE}/scheduler")
        if requests:
            guest.run(f"echo {requests} >{_QUEUE}/nr_requests")
        words = " ".join(name for name, eights in threads.items() for _ in range(eights))
        self._threads = threads
        self._repetitions = [self._measure(guest, words) for _ in range(_REPETITIONS)]

    def _measure(self, guest, words):
        told = guest.run(
            f"rm -f /tmp/stop; wireio load /tmp/stop {_DEVICE} {words} >/tmp/load & sleep {_SECONDS}; touch /tmp/stop;"
            " wait; cat /tmp/load"
        )
        reads = dict.fromkeys(self._threads, 0)
        for line in told.splitlines():
            name, count = line.split()
            reads[name] += int(count)
        return reads

    def shares(self, name):
        """Of all reads, in each repetition."""
        return [reads[name] / sum(reads.values()) for reads in self._repetitions]

    def ratios(self, name, to):
        """Of the reads of one priority to those of another one that has as many threads."""
        return [reads[name] / max(1, reads[to]) for reads in self._repetitions]

    def mean_ms(self, name):
        """How long a read of this priority took on average, in each repetition."""
        threads = _THREADS * self._threads[name]
        return [threads * _SECONDS * 1000 / max(1, reads[name]) for reads in self._repetitions]

    def note(self):
        shares = ", ".join(f"{name} {_range(self.shares(name))}" for name in self._threads)
        rate = statistics.mean(sum(reads.values()) for reads in self._repetitions) / _SECONDS
        return f"shares {shares}; {rate:.0f} reads a second"


def _range(values):
    low, high = (f"{value:.2f}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def _check_unordered(scheduler, requests=None):
    def check(guest):
        load = _Load(guest, scheduler, _CLASSES, requests)
        for other in ("be", "idle"):
            ratios = load.ratios("rt", other)
            expect(0.67 < min(ratios) and max(ratios) < 1.5, f"rt has {_range(ratios)} times what {other} has")
        return load.note()

    return check


def _check_ordered(scheduler, name, least, most, requests=None):
    """The share of this class is between two bounds, in half of the repetitions at least."""

    def check(guest):
        load = _Load(guest, scheduler, _CLASSES, requests)
        share = statistics.median(load.shares(name))
        expect(least <= share <= most, f"{name} has {share:.2f} at p50, not {least} to {most}: {load.note()}")
        return load.note()

    return check


def _check_levels(scheduler, least, most, requests=None):
    def check(guest):
        load = _Load(guest, scheduler, _LEVELS, requests)
        ratios = load.ratios("be:0", "be:7")
        expect(least < statistics.median(ratios) < most, f"be:0 has {_range(ratios)} times what be:7 has")
        return f"be:0 has {_range(ratios)} times what be:7 has"

    return check


def _check_gets(scheduler, least_ms, most_ms, requests=None):
    def check(guest):
        load = _Load(guest, scheduler, _GETS, requests)
        times = load.mean_ms("rt")
        expect(
            least_ms < statistics.mean(times) < most_ms,
            f"a read at rt takes {_range(times)} ms on average, not {least_ms} to {most_ms} ms",
        )
        return f"a read at rt takes {_range(times)} ms on average; {load.note()}"

    return check


def _plan():
    yield "none: rt, be and idle share alike", _check_unordered("none")
    yield (
        f"mq-deadline, nr_requests {_FEW_REQUESTS} for 48 threads: rt has little more than the others",
        _check_ordered("mq-deadline", "rt", 0.25, 0.75, _FEW_REQUESTS),
    )
    yield (
        f"mq-deadline, nr_requests {_MANY_REQUESTS}: rt before the others",
        _check_ordered("mq-deadline", "rt", 0.9, 1, _MANY_REQUESTS),
    )
    yield "bfq: idle after the others", _check_ordered("bfq", "idle", 0, 0.1, _MANY_REQUESTS)
    yield (
        f"mq-deadline, nr_requests {_MANY_REQUESTS}: be:0 and be:7 share alike",
        _check_levels("mq-deadline", 0.67, 1.5, _MANY_REQUESTS),
    )
    yield "bfq: be:0 has more than be:7", _check_levels("bfq", 1.5, 1000, _MANY_REQUESTS)
    # 72 threads and eight inside: 36 ms in the order of arrival. BFQ waits for a thread's next read while others wait, so
    # what a class gets there differs much from one repetition to the next.
    yield "none: 8 threads at rt beside 64 at idle wait for all", _check_gets("none", 25, 50)
    yield (
        f"mq-deadline, nr_requests {_MANY_REQUESTS}: they wait for what is inside",
        _check_gets("mq-deadline", _SERVICE_MS, 4 * _SERVICE_MS, _MANY_REQUESTS),
    )
    yield "bfq: they wait for what is inside", _check_gets("bfq", _SERVICE_MS, 4 * _SERVICE_MS, _MANY_REQUESTS)


@contextlib.contextmanager
def _prepare(run):
    modules = run.debian.modules(("null_blk",))
    with run.guest(
        "schedulers", {"q": 4096}, modules=("bfq", *(name for name, _ in modules[:-1])), later=modules[-1:]
    ) as guest:
        guest.run(f"insmod /modules/later/{modules[-1][0]}.ko {_PARAMETERS}")
        yield guest


GROUP = Group(
    letter="q",
    title="the kernel's I/O schedulers on a device without moving parts: what each class gets",
    faked=FAKED,
    prepare=_prepare,
    cases=tuple(Case(f"q{number:02}", title, check) for number, (title, check) in enumerate(_plan(), 1)),
)
