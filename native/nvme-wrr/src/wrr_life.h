/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/*
 * The life of the queues: each I/O queue of the driver, whose own submission queue is the medium one, has three
 * siblings that complete into its completion queue. Included before the driver allocates its queues.
 */

/* Whether this drive is to arbitrate by weights. Called at each reset, when CAP is known. */
static bool wrr_drive(struct nvme_dev *dev)
{
	if (!wrr_wanted())
		return false;
	if (dev->ctrl.quirks & (NVME_QUIRK_SHARED_TAGS | NVME_QUIRK_SINGLE_VECTOR)) {
		dev_warn(dev->ctrl.device, "wrr: off, this drive cannot have more queues\n");
		return false;
	}
	if (dev->ctrl.cap & BIT_ULL(17) || wrr_force)
		return true;
	dev_info(dev->ctrl.device, "wrr: off, this drive has no weighted round robin (CAP.AMS)\n");
	return false;
}

/* How many queues to ask the drive for, to have four submission queues for each of nr. */
static unsigned int wrr_ask(struct nvme_dev *dev, unsigned int nr)
{
	dev->wrr_nr = dev->wrr ? nr : 0;
	return dev->wrr_nr ? nr * WRR_PRIOS : nr;
}

/* How many queues with a completion queue to use, of what the drive has granted. */
static unsigned int wrr_granted(struct nvme_dev *dev, unsigned int granted)
{
	unsigned int asked = dev->wrr_nr;

	if (!asked)
		return granted;
	dev->wrr_nr = min(asked, granted / WRR_PRIOS);
	if (dev->wrr_nr)
		return dev->wrr_nr;
	dev_warn(dev->ctrl.device, "wrr: off, the drive has granted only %u queues of %u\n", granted, asked * WRR_PRIOS);
	return min(asked, granted);
}

/* Not all drives let the weights be changed: then they are the drive's own. */
static void wrr_set_arbitration(struct nvme_dev *dev)
{
	unsigned int arbitration = wrr_arbitration(wrr_weights, wrr_burst);
	u32 result;

	if (!dev->wrr_nr)
		return;
	if (nvme_set_features(&dev->ctrl, NVME_FEAT_ARBITRATION, arbitration, NULL, 0, &result))
		dev_warn(dev->ctrl.device, "wrr: the drive keeps its own weights\n");
	dev_info(dev->ctrl.device, "wrr: on, %u x 4 submission queues\n", dev->wrr_nr);
}

static void wrr_free(struct nvme_queue *nvmeq)
{
	int prio;

	nvmeq->wrr_on = false;
	for (prio = 0; prio < WRR_PRIOS; prio++) {
		struct nvme_queue *sq = nvmeq->wrr_sq[prio];

		nvmeq->wrr_sq[prio] = NULL;
		if (!sq || sq == nvmeq)
			continue;
		dma_free_coherent(sq->dev->dev, SQ_SIZE(sq), sq->sq_cmds, sq->sq_dma_addr);
		kfree(sq);
	}
}

/* Memory for the siblings, once; false if there is none. */
static bool wrr_alloc(struct nvme_dev *dev, struct nvme_queue *nvmeq)
{
	int prio;

	if (nvmeq->wrr_sq[WRR_MEDIUM])
		return true;
	for (prio = 0; prio < WRR_PRIOS; prio++) {
		struct nvme_queue *sq;

		if (prio == WRR_MEDIUM) {
			nvmeq->wrr_sq[prio] = nvmeq;
			continue;
		}
		sq = kzalloc_node(sizeof(*sq), GFP_KERNEL, dev_to_node(dev->dev));
		if (!sq)
			goto none;
		sq->dev = dev;
		sq->sqes = nvmeq->sqes;
		/* As deep as the queue's tags, so that none of the four is ever full. */
		sq->q_depth = nvmeq->q_depth;
		sq->wrr_prio = prio;
		spin_lock_init(&sq->sq_lock);
		/* Queue 0: never in the memory of the controller, which is small. */
		if (nvme_alloc_sq_cmds(dev, sq, 0)) {
			kfree(sq);
			goto none;
		}
		nvmeq->wrr_sq[prio] = sq;
	}
	return true;
none:
	wrr_free(nvmeq);
	return false;
}

/* Takes the siblings from the drive, before the queue's own submission queue. */
static void wrr_remove(struct nvme_queue *nvmeq)
{
	int prio;

	nvmeq->wrr_on = false;
	for (prio = 0; prio < WRR_PRIOS; prio++) {
		struct nvme_queue *sq = nvmeq->wrr_sq[prio];

		if (!sq || sq == nvmeq || !sq->qid)
			continue;
		adapter_delete_sq(nvmeq->dev, sq->qid);
		sq->qid = 0;
	}
}

/*
 * Makes the siblings at the drive; their ids are above those of all queues with a completion queue. A drive that
 * refuses one leaves the queue as it is without them. Negative if the drive does not answer.
 */
static int wrr_create(struct nvme_queue *nvmeq, u16 qid)
{
	struct nvme_dev *dev = nvmeq->dev;
	u16 id = dev->wrr_nr + 1 + (WRR_PRIOS - 1) * (qid - 1);
	int prio, result;

	nvmeq->wrr_on = false;
	if (!dev->wrr_nr || !wrr_alloc(dev, nvmeq))
		return 0;
	/* After a reset the drive has none of them. */
	for (prio = 0; prio < WRR_PRIOS; prio++)
		if (prio != WRR_MEDIUM)
			nvmeq->wrr_sq[prio]->qid = 0;
	for (prio = 0; prio < WRR_PRIOS; prio++) {
		struct nvme_queue *sq = nvmeq->wrr_sq[prio];

		if (prio == WRR_MEDIUM)
			continue;
		sq->wrr_cqid = qid;
		sq->sq_tail = 0;
		sq->last_sq_tail = 0;
		sq->q_db = &dev->dbs[sq_idx(id, dev->db_stride)];
		/* It leaves them alone where the drive has no shadow doorbells any more. */
		sq->dbbuf_sq_db = NULL;
		sq->dbbuf_sq_ei = NULL;
		nvme_dbbuf_init(dev, sq, id);
		result = adapter_alloc_sq(dev, id, sq);
		if (result < 0)
			return result;
		if (result) {
			dev_warn(dev->ctrl.device, "wrr: off for queue %u, the drive refuses queue %u: %#x\n", qid, id, result);
			wrr_remove(nvmeq);
			return 0;
		}
		sq->qid = id++;
	}
	nvmeq->wrr_on = true;
	return 0;
}

/* The same as wrr_remove for all queues of a drive that may not answer any more: false if it does not. */
static bool wrr_remove_all(struct nvme_dev *dev)
{
	int i, prio;

	for (i = dev->online_queues - 1; i > 0; i--) {
		struct nvme_queue *nvmeq = &dev->queues[i];

		if (!nvmeq->wrr_on)
			continue;
		for (prio = 0; prio < WRR_PRIOS; prio++) {
			struct nvme_queue *sq = nvmeq->wrr_sq[prio];

			if (sq == nvmeq)
				continue;
			if (nvme_delete_queue(sq, nvme_admin_delete_sq) ||
			    !wait_for_completion_io_timeout(&sq->delete_done, NVME_ADMIN_TIMEOUT))
				return false;
		}
		nvmeq->wrr_on = false;
	}
	return true;
}

static void wrr_forget_doorbells(struct nvme_queue *nvmeq)
{
	int prio;

	for (prio = 0; prio < WRR_PRIOS; prio++)
		if (nvmeq->wrr_sq[prio] && nvmeq->wrr_sq[prio] != nvmeq)
			nvme_dbbuf_free(nvmeq->wrr_sq[prio]);
}
