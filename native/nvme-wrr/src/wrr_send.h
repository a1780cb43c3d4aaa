/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
/* Commands to one of the four submission queues. Included behind what writes a queue's doorbell. */

/* Sends the request's command to the queue of its priority; without ring, its doorbell may be rung later. */
static void wrr_send(struct nvme_queue *nvmeq, struct request *req, bool ring)
{
	struct nvme_iod *iod = blk_mq_rq_to_pdu(req);
	struct nvme_queue *sq = nvmeq->wrr_sq[wrr_prio_of(&wrr_map, req_get_ioprio(req))];

	/* An abort has to name this queue, whatever the map says by then. */
	iod->wrr_sqid = sq->qid;
	spin_lock(&sq->sq_lock);
	nvme_sq_copy_cmd(sq, &iod->cmd);
	nvme_write_sq_db(sq, ring);
	spin_unlock(&sq->sq_lock);
}

/* Rings what was put off: the last request of a batch may have gone to another queue than those before it. */
static void wrr_ring(struct nvme_queue *nvmeq)
{
	int prio;

	for (prio = 0; prio < WRR_PRIOS; prio++) {
		struct nvme_queue *sq = nvmeq->wrr_sq[prio];

		/* What this batch has put off is seen without the lock, and of another batch its own sender takes care. */
		if (READ_ONCE(sq->sq_tail) == READ_ONCE(sq->last_sq_tail))
			continue;
		spin_lock(&sq->sq_lock);
		if (sq->sq_tail != sq->last_sq_tail)
			nvme_write_sq_db(sq, true);
		spin_unlock(&sq->sq_lock);
	}
}
