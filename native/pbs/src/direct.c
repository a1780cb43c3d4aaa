// SPDX-License-Identifier: Apache-2.0
#include "direct.h"

#include "ioprio.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

/* A read that cannot go straight into the reader's buffer is done in parts of this size. */
#define BUFFER_BYTES (1024u * 1024u)
/* The largest read of one request (MAX_RW_COUNT of the kernel is 2 GiB - 4096). */
#define REQUEST_BYTES (1024u * 1024u * 1024u)

/* So many slots are kept for later reads; to make one takes less than a read of a disk that rotates. */
#define MOST_IDLE 8

/* A ring for one request at a time, and memory that O_DIRECT takes. */
struct slot {
	SLIST_ENTRY(slot) link;
	struct io_uring ring;
	void *buffer;
	bool broken; /* the ring holds a request that the kernel has not taken */
};

struct pbs_direct {
	pthread_mutex_t lock;
	SLIST_HEAD(, slot) idle;
	unsigned idle_count; /* MOST_IDLE at most */
};

/* The part of a file that one request reads: the wanted range, extended to the alignment. */
struct window {
	uint64_t from;
	uint64_t bytes;
	uint64_t skip; /* bytes before the wanted range */
};

static void free_slot(struct slot *slot)
{
	io_uring_queue_exit(&slot->ring);
	free(slot->buffer);
	free(slot);
}

static struct slot *new_slot(struct pbs_failure *failure)
{
	struct slot *slot = calloc(1, sizeof(*slot));
	int error = -ENOMEM;

	if (slot && posix_memalign(&slot->buffer, PBS_DIRECT_ALIGNMENT, BUFFER_BYTES) == 0) {
		error = io_uring_queue_init(1, &slot->ring, 0);
		if (error == 0)
			return slot;
	}
	pbs_fail(failure, PBS_REASON_RESOURCES, "io_uring: %s", strerror(-error));
	if (slot)
		free(slot->buffer);
	free(slot);
	return NULL;
}

static struct slot *take(struct pbs_direct *direct)
{
	struct slot *slot;

	pthread_mutex_lock(&direct->lock);
	slot = SLIST_FIRST(&direct->idle);
	if (slot) {
		SLIST_REMOVE_HEAD(&direct->idle, link);
		direct->idle_count--;
	}
	pthread_mutex_unlock(&direct->lock);
	return slot;
}

static void put(struct pbs_direct *direct, struct slot *slot)
{
	bool kept;

	pthread_mutex_lock(&direct->lock);
	kept = !slot->broken && direct->idle_count < MOST_IDLE;
	if (kept) {
		SLIST_INSERT_HEAD(&direct->idle, slot, link);
		direct->idle_count++;
	}
	pthread_mutex_unlock(&direct->lock);
	if (!kept)
		free_slot(slot);
}

/* One request. The bytes read or -errno. */
static int submit(struct slot *slot, int fd, void *buffer, const struct window *window,
		  uint16_t ioprio)
{
	struct io_uring_sqe *entry = io_uring_get_sqe(&slot->ring);
	struct io_uring_cqe *answer;
	int result;

	io_uring_prep_read(entry, fd, buffer, (unsigned)window->bytes, window->from);
	entry->ioprio = ioprio;
	/* Not again after EAGAIN: the kernel has no memory for a request, for as long as that lasts. */
	do
		result = io_uring_submit_and_wait(&slot->ring, 1);
	while (result == -EINTR);
	if (result < 0) {
		slot->broken = true;
		return result;
	}
	while (io_uring_wait_cqe(&slot->ring, &answer))
		; /* interrupted: the kernel still writes to the buffer */
	result = answer->res;
	io_uring_cqe_seen(&slot->ring, answer);
	return result;
}

static int submit_allowed(struct slot *slot, int fd, void *buffer, const struct window *window,
			  uint16_t *ioprio, bool *lowered)
{
	int result = submit(slot, fd, buffer, window, *ioprio);

	if (result != -EPERM || hprio_ioprio_class(*ioprio) != HPRIO_CLASS_RT)
		return result;
	*lowered = true;
	*ioprio = hprio_ioprio_make(HPRIO_CLASS_BE, 0, hprio_ioprio_hint(*ioprio));
	return submit(slot, fd, buffer, window, *ioprio);
}

static bool aligned(const void *buffer, uint64_t length, uint64_t offset)
{
	return ((uintptr_t)buffer | length | offset) % PBS_DIRECT_ALIGNMENT == 0;
}

static struct window window_of(uint64_t length, uint64_t offset, uint64_t most)
{
	struct window window = {.skip = offset % PBS_DIRECT_ALIGNMENT};

	window.from = offset - window.skip;
	window.bytes = window.skip + length + PBS_DIRECT_ALIGNMENT - 1;
	window.bytes -= window.bytes % PBS_DIRECT_ALIGNMENT;
	if (window.bytes > most)
		window.bytes = most;
	return window;
}

/* Reads the start of the range with one request. The number of bytes, 0 at the end, or -errno. */
static int64_t read_some(struct slot *slot, int fd, void *buffer, uint64_t length, uint64_t offset,
			 uint16_t *ioprio, bool *lowered)
{
	bool straight = aligned(buffer, length, offset);
	struct window window = window_of(length, offset, straight ? REQUEST_BYTES : BUFFER_BYTES);
	int result = submit_allowed(slot, fd, straight ? buffer : slot->buffer, &window, ioprio,
				    lowered);
	uint64_t got;

	if (result < 0)
		return result;
	if ((uint64_t)result <= window.skip)
		return 0;
	got = (uint64_t)result - window.skip;
	if (got > length)
		got = length;
	if (!straight)
		memcpy(buffer, (char *)slot->buffer + window.skip, got);
	return (int64_t)got;
}

int64_t pbs_direct_read(struct pbs_direct *direct, int fd, void *buffer, uint64_t length,
			uint64_t offset, uint16_t ioprio, bool *lowered,
			struct pbs_failure *failure)
{
	struct slot *slot = take(direct);
	uint64_t done = 0;
	int64_t some = 1;

	if (!slot)
		slot = new_slot(failure);
	if (!slot)
		return -1;
	while (done < length && some > 0) {
		some = read_some(slot, fd, (char *)buffer + done, length - done, offset + done,
				 &ioprio, lowered);
		if (some > 0)
			done += (uint64_t)some;
	}
	put(direct, slot);
	if (some == -ETIME && hprio_ioprio_hint(ioprio))
		return pbs_fail(failure, PBS_REASON_EXPIRED,
				"the drive ended the command for duration limit %u",
				hprio_ioprio_hint(ioprio));
	if (some < 0)
		return pbs_fail(failure, PBS_REASON_DIRECT, "O_DIRECT: %s", strerror((int)-some));
	return (int64_t)done;
}

/* The kernel tells which operations it has since it has this one. */
static bool can_read(struct slot *slot)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(&slot->ring);
	bool can = probe && io_uring_opcode_supported(probe, IORING_OP_READ);

	io_uring_free_probe(probe);
	return can;
}

int pbs_direct_open(struct pbs_direct **direct, struct pbs_failure *failure)
{
	struct pbs_direct *made = calloc(1, sizeof(*made));
	struct slot *slot;

	if (!made)
		return pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for O_DIRECT");
	slot = new_slot(failure);
	if (!slot) {
		free(made);
		return -1;
	}
	if (!can_read(slot)) {
		free_slot(slot);
		free(made);
		return pbs_fail(failure, PBS_REASON_VOLUME,
				"io_uring of this kernel does not read (Linux 5.6)");
	}
	pthread_mutex_init(&made->lock, NULL);
	SLIST_INIT(&made->idle);
	put(made, slot);
	*direct = made;
	return 0;
}

bool pbs_direct_takes_hints(struct pbs_direct *direct)
{
	uint16_t ioprio = hprio_ioprio_make(HPRIO_CLASS_BE, 7, 1);
	/* io_uring judges the priority before the file has a say (ioprio_check_cap). */
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct pbs_failure failure;
	bool lowered = false;
	char byte;
	bool takes = fd >= 0 &&
		     pbs_direct_read(direct, fd, &byte, 1, 0, ioprio, &lowered, &failure) == 0;

	if (fd >= 0)
		close(fd);
	return takes;
}

void pbs_direct_close(struct pbs_direct *direct)
{
	struct slot *slot;

	if (!direct)
		return;
	while ((slot = take(direct)))
		free_slot(slot);
	pthread_mutex_destroy(&direct->lock);
	free(direct);
}
