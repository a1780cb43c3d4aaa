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
}

static struct vhdd_host_queue *queue_of(struct vhdd_host *host,
					const struct vhdd_host_request *request)
{
	unsigned class = vhdd_ioprio_class(request->drive.ioprio);

	if (host->scheduler == VHDD_HOST_NONE)
		return &host->queue[VHDD_CLASS_NONE];
	/* No class is best effort, as in the kernel. */
	if (class == VHDD_CLASS_NONE || class > VHDD_CLASS_IDLE)
		class = VHDD_CLASS_BE;
	return &host->queue[class];
}

static void insert_fifo(struct vhdd_host_queue *queue, struct vhdd_host_request *request)
{
	request->fifo_next = NULL;
	request->fifo_previous = queue->newest;
	if (queue->newest != NULL)
		queue->newest->fifo_next = request;
	else
		queue->oldest = request;
	queue->newest = request;
}

static void insert_sorted(struct vhdd_host_queue *queue, struct vhdd_host_request *request)
{
	struct vhdd_host_request *previous = NULL;
	struct vhdd_host_request *next = queue->lowest;

	while (next != NULL && next->drive.offset <= request->drive.offset) {
		previous = next;
		next = next->sorted_next;
	}
	request->sorted_previous = previous;
	request->sorted_next = next;
	if (next != NULL)
		next->sorted_previous = request;
	if (previous != NULL)
		previous->sorted_next = request;
	else
		queue->lowest = request;
}

static void remove_request(struct vhdd_host_queue *queue, struct vhdd_host_request *request)
{
	if (request->fifo_previous != NULL)
		request->fifo_previous->fifo_next = request->fifo_next;
	else
		queue->oldest = request->fifo_next;
	if (request->fifo_next != NULL)
		request->fifo_next->fifo_previous = request->fifo_previous;
	else
		queue->newest = request->fifo_previous;
	if (request->sorted_previous != NULL)
		request->sorted_previous->sorted_next = request->sorted_next;
	else if (queue->lowest == request)
		queue->lowest = request->sorted_next;
	if (request->sorted_next != NULL)
		request->sorted_next->sorted_previous = request->sorted_previous;
}

void vhdd_host_insert(struct vhdd_host *host, struct vhdd_host_request *request)
{
	struct vhdd_host_queue *queue = queue_of(host, request);

	request->sorted_next = NULL;
	request->sorted_previous = NULL;
	insert_fifo(queue, request);
	if (host->scheduler == VHDD_HOST_MQ_DEADLINE)
		insert_sorted(queue, request);
	queue->unfinished++;
}

static struct vhdd_host_request *next_by_offset(const struct vhdd_host_queue *queue)
{
	struct vhdd_host_request *request = queue->lowest;

	while (request != NULL && request->drive.offset < queue->position)
		request = request->sorted_next;
	return request;
}

/* The class's choice, if it was submitted no later than the latest start. */
static struct vhdd_host_request *dispatch_class(struct vhdd_host *host,
						struct vhdd_host_queue *queue, int64_t now_ns,
						int64_t latest_ns)
{
	struct vhdd_host_request *request = next_by_offset(queue);
	bool goes_on = request != NULL && host->batched < FIFO_BATCH;

	if (queue->oldest == NULL)
		return NULL;
	if (!goes_on &&
	    (request == NULL || now_ns - queue->oldest->submit_ns >= READ_EXPIRE_NS))
		request = queue->oldest;
	if (request->submit_ns > latest_ns)
		return NULL;
	host->batched = goes_on ? host->batched + 1 : 1;
	queue->position = request->drive.offset;
	remove_request(queue, request);
	return request;
}

static struct vhdd_host_request *dispatch_aged(struct vhdd_host *host, int64_t now_ns)
{
	unsigned busy = 0;

	for (unsigned class = VHDD_CLASS_RT; class <= VHDD_CLASS_IDLE; class++)
		busy += host->queue[class].unfinished > 0;
	if (busy < 2)
		return NULL;
	for (unsigned class = VHDD_CLASS_BE; class <= VHDD_CLASS_IDLE; class++) {
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

	for (unsigned class = VHDD_CLASS_RT; class <= VHDD_CLASS_IDLE && request == NULL; class++) {
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
		struct vhdd_host_queue *queue = &host->queue[VHDD_CLASS_NONE];
		request = queue->oldest;
		if (request != NULL)
			remove_request(queue, request);
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
