/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/*
 * A drive's arbiter for QEMU's NVMe controller, which by itself executes a command when its doorbell is rung.
 * hprio_wire/arbiter.py inserts it into hw/nvme/ctrl.c, before the function that processes a submission queue.
 *
 * The drive has room for some commands inside, and finishes one after the other, RATE a second. When there is room it takes
 * the next command by round robin, or by weighted round robin with urgent class where the host has chosen that (CC.AMS,
 * QPRIO of a queue, feature Arbitration): all of urgent; else the classes by weights, and the queues of a class in turns of
 * at most the burst. The environment variable HPRIO_ARBITER=RATE,INSIDE switches it on. For one controller.
 */

#define ARBITER_INSIDE 256
#define ARBITER_CLASSES 4
#define ARBITER_NS_PER_S 1000000000LL

static struct {
    bool asked;
    int rate;
    int room;
    uint8_t class_of[65536]; /* of a submission queue: 0 urgent, 1 high, 2 medium, 3 low */
    int weight[ARBITER_CLASSES];
    int credit[ARBITER_CLASSES];
    int burst;
    int turn[ARBITER_CLASSES]; /* the queue whose turn it is */
    int taken[ARBITER_CLASSES]; /* commands since that began */
    NvmeRequest *inside[ARBITER_INSIDE]; /* a ring, in the order in which they were taken */
    int first;
    int count;
    int64_t done_at; /* when the first one is finished */
    QEMUTimer *timer;
} arbiter = { .weight = { 0, 1, 1, 1 }, .burst = 1 };

static bool arbiter_on(void)
{
    if (!arbiter.asked) {
        const char *told = getenv("HPRIO_ARBITER");

        arbiter.asked = true;
        if (told && (sscanf(told, "%d,%d", &arbiter.rate, &arbiter.room) != 2 ||
                     arbiter.rate < 1 || arbiter.room < 1 || arbiter.room > ARBITER_INSIDE)) {
            error_report("HPRIO_ARBITER=%s: allowed are RATE,INSIDE, from 1, and at most %d inside",
                         told, ARBITER_INSIDE);
            exit(1);
        }
    }
    return arbiter.rate > 0;
}

/* What the register CAP says beyond what it would: weighted round robin with urgent class. */
static uint64_t arbiter_cap(void)
{
    return arbiter_on() ? 1ULL << 17 : 0;
}

static void arbiter_set_queue(int sqid, uint16_t flags)
{
    arbiter.class_of[sqid] = flags >> 1 & 3;
}

/* Dword 11 of the feature: burst 2:0, the weights of low, medium and high less one 15:8, 23:16, 31:24. */
static void arbiter_set_feature(uint32_t value)
{
    arbiter.burst = (value & 7) == 7 ? INT_MAX : 1 << (value & 7);
    for (int class = 1; class < ARBITER_CLASSES; class++) {
        arbiter.weight[class] = (value >> (32 - 8 * class) & 0xff) + 1;
        arbiter.credit[class] = 0;
    }
}

/* All queues are freed. */
static void arbiter_reset(void)
{
    arbiter.count = 0;
    memset(arbiter.turn, 0, sizeof(arbiter.turn));
    if (arbiter.timer) {
        timer_del(arbiter.timer);
    }
}

static bool arbiter_waits(NvmeCtrl *n, int sqid, int class, bool weighted)
{
    NvmeSQueue *sq = n->sq[sqid];

    return sq && (!weighted || arbiter.class_of[sqid] == class) && !nvme_sq_empty(sq) &&
           !QTAILQ_EMPTY(&sq->req_list);
}

/* The queue of this class, of all without classes, that is to be served next; 0 if none waits. Changes nothing. */
static int arbiter_next_of(NvmeCtrl *n, int class, bool weighted)
{
    int queues = n->params.max_ioqpairs;
    int own = arbiter.turn[class];

    if (own && arbiter.taken[class] < arbiter.burst && arbiter_waits(n, own, class, weighted)) {
        return own;
    }
    for (int step = 1; step <= queues; step++) {
        int sqid = (own + step - 1) % queues + 1;

        if (arbiter_waits(n, sqid, class, weighted)) {
            return sqid;
        }
    }
    return 0;
}

/* The next queue, whose turn is counted; 0 if none waits. */
static int arbiter_choose(NvmeCtrl *n)
{
    bool weighted = (ldl_le_p(&n->bar.cc) >> 11 & 7) == 1;
    int next[ARBITER_CLASSES] = { arbiter_next_of(n, 0, weighted) };
    int chosen = 0;

    if (weighted && !next[0]) {
        int sum = 0;

        /* Each class that waits earns its weight, and who has most pays for all. */
        for (int class = 1; class < ARBITER_CLASSES; class++) {
            next[class] = arbiter_next_of(n, class, true);
            if (!next[class]) {
                continue;
            }
            sum += arbiter.weight[class];
            arbiter.credit[class] += arbiter.weight[class];
            if (!chosen || arbiter.credit[class] > arbiter.credit[chosen]) {
                chosen = class;
            }
        }
        arbiter.credit[chosen] -= sum;
    }
    if (next[chosen] != arbiter.turn[chosen] || arbiter.taken[chosen] >= arbiter.burst) {
        arbiter.turn[chosen] = next[chosen];
        arbiter.taken[chosen] = 0;
    }
    arbiter.taken[chosen]++;
    return next[chosen];
}

static void arbiter_fill(NvmeCtrl *n)
{
    int sqid;

    while (arbiter.count < arbiter.room && (sqid = arbiter_choose(n))) {
        NvmeSQueue *sq = n->sq[sqid];
        NvmeRequest *req = QTAILQ_FIRST(&sq->req_list);
        NvmeCmd command;

        if (nvme_addr_read(n, sq->dma_addr + sq->head * n->sqe_size, &command, sizeof(command))) {
            stl_le_p(&n->bar.csts, NVME_CSTS_FAILED);
            return;
        }
        nvme_inc_sq_head(sq);
        QTAILQ_REMOVE(&sq->req_list, req, entry);
        QTAILQ_INSERT_TAIL(&sq->out_req_list, req, entry);
        nvme_req_clear(req);
        req->cqe.cid = command.cid;
        req->cmd = command;
        arbiter.inside[(arbiter.first + arbiter.count++) % ARBITER_INSIDE] = req;
    }
}

static void arbiter_finish(void *opaque)
{
    NvmeCtrl *n = opaque;

    while (arbiter.count && arbiter.done_at <= qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL)) {
        NvmeRequest *req = arbiter.inside[arbiter.first];
        uint16_t status;

        arbiter.first = (arbiter.first + 1) % ARBITER_INSIDE;
        arbiter.count--;
        status = nvme_io_cmd(n, req);
        if (status != NVME_NO_COMPLETE) {
            req->status = status;
            nvme_enqueue_req_completion(n->cq[req->sq->cqid], req);
        }
        arbiter_fill(n);
        arbiter.done_at += ARBITER_NS_PER_S / arbiter.rate;
    }
    if (arbiter.count) {
        timer_mod(arbiter.timer, arbiter.done_at);
    }
}

/* A queue has got commands. */
static void arbiter_wake(NvmeCtrl *n)
{
    bool rests = arbiter.count == 0;

    arbiter_fill(n);
    if (!arbiter.timer) {
        arbiter.timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, arbiter_finish, n);
    }
    if (rests && arbiter.count) {
        arbiter.done_at = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + ARBITER_NS_PER_S / arbiter.rate;
        timer_mod(arbiter.timer, arbiter.done_at);
    }
}
