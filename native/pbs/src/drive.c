// SPDX-License-Identifier: Apache-2.0
#include "drive.h"

#include "thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)
#define BUFFER_ALIGNMENT 4096
#define IOPRIO_WHO_PROCESS 1

/* Queues, the most urgent first. */
enum queue {
	QUEUE_AGAIN, /* sent again as high */
	QUEUE_URGENT,
	QUEUE_NORMAL,
	QUEUES,
};

enum piece_state {
	PIECE_WAITING,
	PIECE_COPYING, /* a thread copies it into the reader's buffer, without the lock */
	PIECE_DONE,
};

/* A piece to be sent, once. */
struct job {
	TAILQ_ENTRY(job) link;
	struct batch *batch;
	unsigned piece;
	enum queue queue;
	enum pbs_level level;
	bool queued;
};

/* One read. Lives until the reader and the last thread with a job of it have left. */
struct batch {
	struct pbs_plan plan;
	char *buffer;
	enum piece_state state[PBS_MAX_PIECES];
	unsigned jobs_left[PBS_MAX_PIECES]; /* of the piece, queued or running */
	unsigned waiting; /* pieces that are not done */
	unsigned copying;
	unsigned commands;
	unsigned users;
	bool abandoned; /* the reader has given up */
	bool failed;
	struct pbs_failure failure;
	pthread_cond_t changed;
	struct job first[PBS_MAX_PIECES];
	struct job again[PBS_MAX_PIECES];
};

TAILQ_HEAD(job_list, job);

struct pbs_drive {
	struct pbs_drive_config config;
	pthread_mutex_t lock; /* for all below, and all batches */
	pthread_cond_t work;
	struct job_list queue[QUEUES];
	unsigned queued[QUEUES];
	unsigned running; /* jobs */
	unsigned running_normal;
	unsigned idle; /* threads that run no job */
	unsigned threads;
	bool closing;
	pthread_t thread[PBS_MAX_THREADS];
};

/* A thread and its memory. */
struct worker {
	struct pbs_drive *drive;
	unsigned number;
	void *buffer;
};

int64_t pbs_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void release(struct batch *batch)
{
	if (--batch->users > 0)
		return;
	pthread_cond_destroy(&batch->changed);
	free(batch);
}

/* --- threads ---------------------------------------------------------------------------------- */

static void unlink_job(struct pbs_drive *drive, struct job *job)
{
	TAILQ_REMOVE(&drive->queue[job->queue], job, link);
	drive->queued[job->queue]--;
	job->queued = false;
}

/*
 * How many more commands of a queue may go to the drive. Normal ones leave one place: a drive that does not
 * answer them must still get those that are sent again.
 */
static unsigned allowed(const struct pbs_drive *drive, enum queue queue)
{
	unsigned most = drive->config.in_flight;
	unsigned most_normal = most > 1 ? most - 1 : most;
	unsigned left = most - drive->running;

	if (queue == QUEUE_NORMAL && most_normal - drive->running_normal < left)
		left = most_normal - drive->running_normal;
	return left;
}

static struct job *take(struct pbs_drive *drive)
{
	for (enum queue queue = QUEUE_AGAIN; queue < QUEUES; queue++) {
		struct job *job = TAILQ_FIRST(&drive->queue[queue]);

		if (!job)
			continue;
		if (allowed(drive, queue) == 0)
			return NULL;
		unlink_job(drive, job);
		drive->running++;
		drive->running_normal += queue == QUEUE_NORMAL;
		drive->idle--;
		job->batch->users++;
		return job;
	}
	return NULL;
}

/* The first answer for a piece wins. */
static void deliver(struct pbs_drive *drive, struct job *job, const char *data)
{
	struct batch *batch = job->batch;
	const struct pbs_piece *piece = &batch->plan.piece[job->piece];

	if (batch->abandoned || batch->state[job->piece] != PIECE_WAITING)
		return;
	batch->state[job->piece] = PIECE_COPYING;
	batch->copying++;
	pthread_mutex_unlock(&drive->lock);
	memcpy(batch->buffer + piece->at, data + piece->skip, piece->bytes);
	pthread_mutex_lock(&drive->lock);
	batch->state[job->piece] = PIECE_DONE;
	batch->copying--;
	batch->waiting--;
	pthread_cond_signal(&batch->changed);
}

/* A piece has failed when all its jobs have. */
static void fail(struct job *job, const struct pbs_failure *failure)
{
	struct batch *batch = job->batch;

	if (batch->abandoned || batch->failed || batch->state[job->piece] != PIECE_WAITING ||
	    batch->jobs_left[job->piece] > 0)
		return;
	batch->failed = true;
	batch->failure = *failure;
	pthread_cond_signal(&batch->changed);
}

static void run(const struct worker *worker, struct job *job)
{
	struct pbs_drive *drive = worker->drive;
	struct batch *batch = job->batch;
	const struct pbs_piece *piece = &batch->plan.piece[job->piece];
	const struct pbs_ata_read read = {
		.lba = piece->lba,
		.blocks = piece->blocks,
		.block_bytes = drive->config.block_bytes,
		.level = job->level,
	};
	struct pbs_failure failure;
	bool failed;

	batch->commands++;
	pthread_mutex_unlock(&drive->lock);
	failed = drive->config.execute(drive->config.context, worker->number, &read,
				       worker->buffer, &failure);
	pthread_mutex_lock(&drive->lock);
	batch->jobs_left[job->piece]--;
	if (failed)
		fail(job, &failure);
	else
		deliver(drive, job, worker->buffer);
	drive->running--;
	drive->running_normal -= job->queue == QUEUE_NORMAL;
	drive->idle++;
	release(batch);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct pbs_drive *drive = worker->drive;

	/* A thread inherits the priority of its creator. */
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, 0);
	pthread_mutex_lock(&drive->lock);
	for (;;) {
		struct job *job = take(drive);

		if (job) {
			run(worker, job);
			continue;
		}
		if (drive->closing)
			break;
		pthread_cond_wait(&drive->work, &drive->lock);
	}
	pthread_mutex_unlock(&drive->lock);
	free(worker->buffer);
	free(worker);
	return NULL;
}

/* Adds a thread unless there are as many as allowed. */
static bool add_thread(struct pbs_drive *drive)
{
	struct worker *worker;

	if (drive->threads == drive->config.in_flight)
		return false;
	worker = calloc(1, sizeof(*worker));
	if (!worker)
		return false;
	worker->drive = drive;
	worker->number = drive->threads;
	if (posix_memalign(&worker->buffer, BUFFER_ALIGNMENT, drive->config.command_bytes) == 0 &&
	    pbs_thread_start(&drive->thread[drive->threads], work, worker) == 0) {
		drive->threads++;
		drive->idle++;
		return true;
	}
	free(worker->buffer);
	free(worker);
	return false;
}

/* --- readers ---------------------------------------------------------------------------------- */

static void enqueue(struct pbs_drive *drive, struct job *job, struct batch *batch, unsigned piece,
		    enum queue queue, enum pbs_level level)
{
	job->batch = batch;
	job->piece = piece;
	job->queue = queue;
	job->level = level;
	job->queued = true;
	batch->jobs_left[piece]++;
	drive->queued[queue]++;
	TAILQ_INSERT_TAIL(&drive->queue[queue], job, link);
}

/* As many threads as there are jobs that may run now. */
static void wake_threads(struct pbs_drive *drive)
{
	unsigned jobs = drive->queued[QUEUE_AGAIN] + drive->queued[QUEUE_URGENT] +
			drive->queued[QUEUE_NORMAL];
	unsigned most = allowed(drive, QUEUE_AGAIN);

	if (jobs > most)
		jobs = most;
	while (drive->idle < jobs && add_thread(drive))
		;
	if (jobs == 1)
		pthread_cond_signal(&drive->work);
	else if (jobs > 1)
		pthread_cond_broadcast(&drive->work);
}

static void send_first(struct pbs_drive *drive, struct batch *batch, enum pbs_level level)
{
	enum queue queue = level == PBS_LEVEL_NORMAL ? QUEUE_NORMAL : QUEUE_URGENT;

	for (unsigned i = 0; i < batch->plan.count; i++) {
		if (batch->plan.piece[i].blocks == 0) {
			batch->state[i] = PIECE_DONE;
			continue;
		}
		enqueue(drive, &batch->first[i], batch, i, queue, level);
		batch->waiting++;
	}
	wake_threads(drive);
}

static void dequeue(struct pbs_drive *drive, struct job *job)
{
	if (!job->queued)
		return;
	unlink_job(drive, job);
	job->batch->jobs_left[job->piece]--;
}

/* Sends again the pieces without an answer. One that was not sent yet is only moved up. */
static void send_again(struct pbs_drive *drive, struct batch *batch)
{
	for (unsigned i = 0; i < batch->plan.count; i++) {
		if (batch->state[i] != PIECE_WAITING)
			continue;
		dequeue(drive, &batch->first[i]);
		enqueue(drive, &batch->again[i], batch, i, QUEUE_AGAIN, PBS_LEVEL_HIGH);
	}
	wake_threads(drive);
}

static void abandon(struct pbs_drive *drive, struct batch *batch)
{
	batch->abandoned = true;
	for (unsigned i = 0; i < batch->plan.count; i++) {
		dequeue(drive, &batch->first[i]);
		dequeue(drive, &batch->again[i]);
	}
	while (batch->copying > 0)
		pthread_cond_wait(&batch->changed, &drive->lock);
}

static int64_t earlier(int64_t one, int64_t other)
{
	if (one == 0 || other == 0)
		return one + other;
	return one < other ? one : other;
}

static int serve(struct pbs_drive *drive, struct batch *batch, const struct pbs_order *order,
		 bool *raised, struct pbs_failure *failure)
{
	int64_t raise_at = order->level == PBS_LEVEL_NORMAL ? order->raise_at : 0;

	/* A range that takes several plans is one read: its later parts count as old as the first. */
	if (raise_at && pbs_now() >= raise_at) {
		send_first(drive, batch, PBS_LEVEL_HIGH);
		*raised = true;
		raise_at = 0;
	} else {
		send_first(drive, batch, order->level);
	}
	if (batch->waiting > 0 && drive->threads == 0)
		return pbs_fail(failure, PBS_REASON_RESOURCES, "no thread for commands");
	while (batch->waiting > 0 && !batch->failed) {
		pbs_condition_wait(&batch->changed, &drive->lock,
				   earlier(raise_at, order->deadline));
		if (order->deadline && batch->waiting > 0 && pbs_now() >= order->deadline)
			return pbs_fail(failure, PBS_REASON_TIMEOUT, "no answer in time");
		if (raise_at && batch->waiting > 0 && pbs_now() >= raise_at) {
			send_again(drive, batch);
			*raised = true;
			raise_at = 0;
		}
	}
	if (!batch->failed)
		return 0;
	*failure = batch->failure;
	return -1;
}

static void fill_holes(const struct pbs_plan *plan, char *buffer)
{
	for (unsigned i = 0; i < plan->count; i++)
		if (plan->piece[i].blocks == 0)
			memset(buffer + plan->piece[i].at, 0, plan->piece[i].bytes);
}

static struct batch *new_batch(const struct pbs_plan *plan, void *buffer)
{
	struct batch *batch = calloc(1, sizeof(*batch));

	if (!batch)
		return NULL;
	batch->plan = *plan;
	batch->buffer = buffer;
	batch->users = 1;
	pbs_condition_init(&batch->changed);
	return batch;
}

int pbs_drive_read(struct pbs_drive *drive, const struct pbs_plan *plan,
		   const struct pbs_order *order, void *buffer, struct pbs_served *served,
		   struct pbs_failure *failure)
{
	struct batch *batch = new_batch(plan, buffer);
	int result;

	if (!batch)
		return pbs_fail(failure, PBS_REASON_RESOURCES, "no memory for a read");
	fill_holes(plan, buffer);
	pthread_mutex_lock(&drive->lock);
	result = serve(drive, batch, order, &served->raised, failure);
	abandon(drive, batch);
	served->commands += batch->commands;
	release(batch);
	pthread_mutex_unlock(&drive->lock);
	return result;
}

int pbs_drive_open(const struct pbs_drive_config *config, struct pbs_drive **drive)
{
	struct pbs_drive *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->config = *config;
	pthread_mutex_init(&made->lock, NULL);
	pthread_cond_init(&made->work, NULL);
	for (enum queue queue = QUEUE_AGAIN; queue < QUEUES; queue++)
		TAILQ_INIT(&made->queue[queue]);
	*drive = made;
	return 0;
}

void pbs_drive_close(struct pbs_drive *drive)
{
	pthread_mutex_lock(&drive->lock);
	drive->closing = true;
	pthread_cond_broadcast(&drive->work);
	pthread_mutex_unlock(&drive->lock);
	for (unsigned i = 0; i < drive->threads; i++)
		pthread_join(drive->thread[i], NULL);
	pthread_cond_destroy(&drive->work);
	pthread_mutex_destroy(&drive->lock);
	free(drive);
}
