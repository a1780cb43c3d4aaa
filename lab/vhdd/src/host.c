// SPDX-License-Identifier: Apache-2.0
#include "host.h"

#include <errno.h>
#include <string.h>

#define FIFO_BATCH 16
#define READ_EXPIRE_NS INT64_C(500000000)
#define PRIO_AGING_EXPIRE_NS INT64_C(10000000000)

static const char *const scheduler_names[] = {
	[VHDD_HOST_NONE] = "none",
	[VHDD_HOST_MQ_DEADLINE] = "mq-deadline",
};

int vhdd_host_scheduler_parse(const char *text, enum vhdd_host_scheduler *scheduler)
{
	for (unsigned i = VHDD_HOST_NONE; i <= VHDD_HOST_MQ_DEADLINE; i++) {
		if (strcmp(text, scheduler_names[i]) == 0) {
			*scheduler = (enum vhdd_host_scheduler)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *vhdd_host_scheduler_name(enum vhdd_host_scheduler scheduler)
{
	return scheduler_names[scheduler];
}

void vhdd_host_init(struct vhdd_host *host, enum vhdd_host_scheduler scheduler, unsigned tags)
{
	*host = (struct vhdd_host){.scheduler = scheduler, .tags = tags};
	for (unsigned class = HPRIO_CLASS_NONE; class <= HPRIO_CLASS_IDLE; class++)
		TAILQ_INIT(&host->queue[class].waiting);
}

static struct vhdd_host_queue *queue_of(struct vhdd_host *host,
					const struct vhdd_host_request *request)
{
	unsigned class = hprio_ioprio_class(request->drive.ioprio);

	if (host->scheduler == VHDD_HOST_NONE)
		return &host->queue[HPRIO_CLASS_NONE];
	/* No class is best effort, as in the kernel. */
	if (class == HPRIO_CLASS_NONE || class > HPRIO_CLASS_IDLE)
		class = HPRIO_CLASS_BE;
	return &host->queue[class];
}

void vhdd_host_insert(struct vhdd_host *host, struct vhdd_host_request *request)
{
	struct vhdd_host_queue *queue = queue_of(host, request);

	TAILQ_INSERT_TAIL(&queue->waiting, request, queue);
	queue->unfinished++;
}

/* The lowest offset from the position on; the oldest of those with the same one. */
static struct vhdd_host_request *next_by_offset(const struct vhdd_host_queue *queue)
{
	struct vhdd_host_request *next = NULL;
	struct vhdd_host_request *request;

	TAILQ_FOREACH (request, &queue->waiting, queue)
		if (request->drive.offset >= queue->position &&
		    (next == NULL || request->drive.offset < next->drive.offset))
			next = request;
	return next;
}

/* The class's choice, if it was submitted no later than the latest start. */
static struct vhdd_host_request *dispatch_class(struct vhdd_host *host,
						struct vhdd_host_queue *queue, int64_t now_ns,
						int64_t latest_ns)
{
	struct vhdd_host_request *oldest = TAILQ_FIRST(&queue->waiting);
	struct vhdd_host_request *request = next_by_offset(queue);
	bool goes_on = request != NULL && host->batched < FIFO_BATCH;

	if (oldest == NULL)
		return NULL;
	if (!goes_on && (request == NULL || now_ns - oldest->submit_ns >= READ_EXPIRE_NS))
		request = oldest;
	if (request->submit_ns > latest_ns)
		return NULL;
	host->batched = goes_on ? host->batched + 1 : 1;
	queue->position = request->drive.offset;
	TAILQ_REMOVE(&queue->waiting, request, queue);
	return request;
}

static struct vhdd_host_request *dispatch_aged(struct vhdd_host *host, int64_t now_ns)
{
	unsigned busy = 0;

	for (unsigned class = HPRIO_CLASS_RT; class <= HPRIO_CLASS_IDLE; class++)
		busy += host->queue[class].unfinished > 0;
	if (busy < 2)
		return NULL;
	for (unsigned class = HPRIO_CLASS_BE; class <= HPRIO_CLASS_IDLE; class++) {
		struct vhdd_host_request *request = dispatch_class(
			host, &host->queue[class], now_ns, now_ns - PRIO_AGING_EXPIRE_NS);
		if (request != NULL)
			return request;
	}
	return NULL;
}

static struct vhdd_host_request *dispatch_deadline(struct vhdd_host *host, int64_t now_ns)
{
	struct vhdd_host_request *request = dispatch_aged(host, now_ns);

	for (unsigned class = HPRIO_CLASS_RT; class <= HPRIO_CLASS_IDLE && request == NULL; class++) {
		request = dispatch_class(host, &host->queue[class], now_ns, now_ns);
		if (host->queue[class].unfinished > 0)
			break;
	}
	return request;
}

struct vhdd_host_request *vhdd_host_dispatch(struct vhdd_host *host, int64_t now_ns)
{
	struct vhdd_host_request *request;

	if (host->in_use >= host->tags)
		return NULL;
	if (host->scheduler == VHDD_HOST_MQ_DEADLINE) {
		request = dispatch_deadline(host, now_ns);
	} else {
		struct vhdd_host_queue *queue = &host->queue[HPRIO_CLASS_NONE];
		request = TAILQ_FIRST(&queue->waiting);
		if (request != NULL)
			TAILQ_REMOVE(&queue->waiting, request, queue);
	}
	if (request != NULL)
		host->in_use++;
	return request;
}

void vhdd_host_complete(struct vhdd_host *host, const struct vhdd_host_request *request)
{
	host->in_use--;
	queue_of(host, request)->unfinished--;
}
