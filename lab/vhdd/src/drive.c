// SPDX-License-Identifier: Apache-2.0
#include "drive.h"

#include "recovery.h"

#include <errno.h>
#include <stdlib.h>

/*
 * A request takes longer from the block layer to here, through the loop device and FUSE, than to a real drive.
 * So a choice is made this much later than it is due, but as of when it was due: among the requests that
 * a real drive would have had by then, and no others.
 */
#define LATE_REQUESTS_NS 300000

struct vhdd_drive {
	struct vhdd_model *model;
	struct vhdd_params params;
	struct vhdd_drive_events events;
	struct vhdd_request *in_service;
	struct vhdd_recovery recovery;
	STAILQ_HEAD(, vhdd_request) outside; /* those that came while it is pending */
	size_t outside_count;
	size_t held;
	bool timed;
	double answer_ns_per_byte;
	struct vhdd_writecache_counts counts; /* of former models */
	/* What the host has not sent before it sends later: the end of the last error handling or flush. */
	int64_t open_ns;
};

struct vhdd_drive *vhdd_drive_new(const struct vhdd_params *params,
				  const struct vhdd_drive_events *events)
{
	struct vhdd_drive *drive = calloc(1, sizeof(*drive));

	if (!drive)
		return NULL;
	drive->params = *params;
	drive->events = *events;
	drive->timed = true;
	vhdd_recovery_init(&drive->recovery);
	STAILQ_INIT(&drive->outside);
	drive->model = vhdd_model_new(params);
	if (!drive->model) {
		int error = errno;

		free(drive);
		errno = error;
		return NULL;
	}
	return drive;
}

void vhdd_drive_free(struct vhdd_drive *drive)
{
	if (!drive)
		return;
	vhdd_model_free(drive->model);
	free(drive);
}

const struct vhdd_params *vhdd_drive_params(const struct vhdd_drive *drive)
{
	return &drive->params;
}

void vhdd_drive_set_params(struct vhdd_drive *drive, const struct vhdd_params *params)
{
	drive->params = *params;
	vhdd_model_set_params(drive->model, params);
}

bool vhdd_drive_timed(const struct vhdd_drive *drive)
{
	return drive->timed;
}

double vhdd_drive_answer_cost(const struct vhdd_drive *drive)
{
	return drive->answer_ns_per_byte;
}

void vhdd_drive_set_answer_cost(struct vhdd_drive *drive, double ns_per_byte)
{
	drive->answer_ns_per_byte = ns_per_byte;
}

struct vhdd_writecache_counts vhdd_drive_writecache(const struct vhdd_drive *drive)
{
	struct vhdd_writecache_counts counts = vhdd_model_writecache(drive->model);

	counts.destaged_bytes += drive->counts.destaged_bytes;
	counts.destages += drive->counts.destages;
	counts.destage_ns += drive->counts.destage_ns;
	return counts;
}

size_t vhdd_drive_held(const struct vhdd_drive *drive)
{
	return drive->held;
}

static int64_t latest(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t earliest(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t answer_at_ns(const struct vhdd_drive *drive, const struct vhdd_request *request)
{
	if (request->write)
		return request->finish_ns;
	return latest(request->start_ns, request->finish_ns - (int64_t)(drive->answer_ns_per_byte *
									request->length));
}

/* When the request in service is to be answered, or else the next one is to be chosen. */
static int64_t service_at_ns(const struct vhdd_drive *drive)
{
	int64_t choice_ns;

	if (drive->in_service)
		return answer_at_ns(drive, drive->in_service);
	choice_ns = vhdd_model_next_choice_ns(drive->model);
	return choice_ns == vhdd_model_free_ns(drive->model) ? choice_ns + LATE_REQUESTS_NS : choice_ns;
}

/* When a queued request ends without the arm. A choice as of an earlier time is made before. */
static int64_t end_at_ns(const struct vhdd_drive *drive)
{
	int64_t end_ns = vhdd_model_next_end_ns(drive->model);

	if (!drive->in_service && vhdd_model_next_choice_ns(drive->model) < end_ns)
		return INT64_MAX;
	return end_ns;
}

int64_t vhdd_drive_deadline_ns(const struct vhdd_drive *drive)
{
	return earliest(earliest(service_at_ns(drive), end_at_ns(drive)),
			vhdd_recovery_end_ns(&drive->recovery));
}

static void answer(struct vhdd_drive *drive, struct vhdd_request *request, int64_t when_ns)
{
	drive->held--;
	request->answer_ns = when_ns;
	if (request->flush)
		drive->open_ns = when_ns;
	drive->events.finish(drive->events.context, request);
}

/* The drive has ended with it. What it has given up is answered when the host has found out why. */
static void ended(struct vhdd_drive *drive, struct vhdd_request *request)
{
	const struct vhdd_params *params = &drive->params;
	int64_t ended_ns = request->finish_ns;

	if (request->cdl.unavailable && params->transport == VHDD_TRANSPORT_SATA)
		vhdd_recovery_add(&drive->recovery, request);
	else
		answer(drive, request, ended_ns);
	if (vhdd_recovery_pending(&drive->recovery) && !drive->in_service &&
	    vhdd_model_queued(drive->model) == 0)
		vhdd_recovery_drained(&drive->recovery, ended_ns + params->recovery_ns);
}

static void finish_current(struct vhdd_drive *drive)
{
	struct vhdd_request *request = drive->in_service;

	drive->in_service = NULL;
	ended(drive, request);
}

/* Begins as of when the choice was due, with a request or with data of the write cache. */
static void start_next(struct vhdd_drive *drive)
{
	drive->in_service = vhdd_model_next(drive->model, vhdd_model_next_choice_ns(drive->model));
	if (drive->in_service)
		drive->events.start(drive->events.context, drive->in_service);
}

static void end_first(struct vhdd_drive *drive)
{
	struct vhdd_request *request = vhdd_model_end(drive->model, end_at_ns(drive));

	if (!request->cdl.unavailable)
		drive->events.start(drive->events.context, request);
	ended(drive, request);
}

/* Answers what was given up, and lets in what has come meanwhile. */
static void recover(struct vhdd_drive *drive)
{
	int64_t now_ns = vhdd_recovery_end_ns(&drive->recovery);
	struct vhdd_request *request;

	while ((request = vhdd_recovery_next(&drive->recovery)))
		answer(drive, request, now_ns);
	drive->open_ns = now_ns;
	while ((request = STAILQ_FIRST(&drive->outside))) {
		STAILQ_REMOVE_HEAD(&drive->outside, link);
		/* It was admitted, so this cannot fail. */
		vhdd_model_submit(drive->model, request, now_ns);
	}
	drive->outside_count = 0;
}

static int wait_outside(struct vhdd_drive *drive, struct vhdd_request *request)
{
	int error = vhdd_model_admit(drive->model, request, drive->outside_count + 1);

	if (error)
		return error;
	STAILQ_INSERT_TAIL(&drive->outside, request, link);
	drive->outside_count++;
	return 0;
}

void vhdd_drive_advance(struct vhdd_drive *drive, int64_t now_ns)
{
	for (;;) {
		if (vhdd_drive_deadline_ns(drive) > now_ns)
			return;
		/* As of the time it was due, not now: being late once must not make the drive slower. */
		if (vhdd_recovery_end_ns(&drive->recovery) <= now_ns)
			recover(drive);
		else if (end_at_ns(drive) <= service_at_ns(drive))
			end_first(drive);
		else if (drive->in_service)
			finish_current(drive);
		else
			start_next(drive);
	}
}

static void serve_at_once(struct vhdd_drive *drive, struct vhdd_request *request, int64_t now_ns)
{
	request->arrival_ns = now_ns;
	request->start_ns = now_ns;
	request->finish_ns = now_ns;
	request->answer_ns = now_ns;
	request->late_ns = 0;
	request->cdl = (struct vhdd_cdl_verdict){0};
	drive->events.start(drive->events.context, request);
	drive->events.finish(drive->events.context, request);
}

static bool inside_disk(const struct vhdd_drive *drive, const struct vhdd_request *request)
{
	return request->flush || (request->length > 0 && request->length <= drive->params.size_bytes &&
				  request->offset <= drive->params.size_bytes - request->length);
}

int vhdd_drive_submit(struct vhdd_drive *drive, struct vhdd_request *request, int64_t issued_ns,
		      int64_t now_ns)
{
	int64_t arrival_ns;
	int error;

	if (!drive->timed) {
		if (!inside_disk(drive, request))
			return -EINVAL;
		serve_at_once(drive, request, now_ns);
		return 0;
	}
	/* Choices that were due before this request came must be made without it. */
	vhdd_drive_advance(drive, now_ns);
	arrival_ns = latest(issued_ns + drive->params.path_ns, drive->open_ns);
	request->late_ns = 0;
	if (vhdd_recovery_pending(&drive->recovery)) {
		error = wait_outside(drive, request);
	} else {
		error = vhdd_model_submit(drive->model, request, arrival_ns);
		request->late_ns = request->arrival_ns - arrival_ns;
	}
	if (error)
		return error;
	drive->held++;
	vhdd_drive_advance(drive, now_ns);
	return 0;
}

int vhdd_drive_set_timed(struct vhdd_drive *drive, bool timed, int64_t now_ns)
{
	struct vhdd_params unlimited = drive->params;
	struct vhdd_model *idle;

	if (timed == drive->timed)
		return 0;
	/* Draining moves the model's time far ahead, so later requests need a new model. */
	idle = vhdd_model_new(&drive->params);
	if (!idle)
		return -ENOMEM;
	vhdd_drive_advance(drive, now_ns);
	/* What is finished early must not be late for a duration limit. */
	unlimited.mode = VHDD_MODE_NCQ;
	vhdd_model_set_params(drive->model, &unlimited);
	while (vhdd_drive_held(drive) > 0) {
		if (drive->in_service)
			finish_current(drive);
		else if (end_at_ns(drive) != INT64_MAX)
			end_first(drive);
		else if (vhdd_model_queued(drive->model) > 0)
			start_next(drive);
		else
			recover(drive);
	}
	drive->counts = vhdd_drive_writecache(drive);
	vhdd_model_free(drive->model);
	drive->model = idle;
	drive->open_ns = now_ns;
	drive->timed = timed;
	return 0;
}
