// SPDX-License-Identifier: Apache-2.0
#include "station.h"

#include <errno.h>

int vhdd_station_init(struct vhdd_station *station, const struct vhdd_params *drive,
		      enum vhdd_host_scheduler scheduler, unsigned tags)
{
	*station = (struct vhdd_station){.params = *drive};
	vhdd_recovery_init(&station->recovery);
	vhdd_host_init(&station->host, scheduler, tags);
	station->model = vhdd_model_new(drive);
	return station->model == NULL ? -errno : 0;
}

/* Every request is in the drive, in service, given up, or waiting for a tag. */
void vhdd_station_destroy(struct vhdd_station *station,
			  void (*hand_back)(struct vhdd_host_request *request))
{
	for (unsigned class = 0; class <= HPRIO_CLASS_IDLE; class++) {
		struct vhdd_host_queue *queue = &station->host.queue[class];
		while (!TAILQ_EMPTY(&queue->waiting)) {
			struct vhdd_host_request *request = TAILQ_FIRST(&queue->waiting);
			TAILQ_REMOVE(&queue->waiting, request, queue);
			hand_back(request);
		}
	}
	if (station->model != NULL) {
		struct vhdd_request *request;
		while ((request = vhdd_model_withdraw(station->model)) != NULL)
			hand_back(request->owner);
	}
	while (vhdd_recovery_pending(&station->recovery))
		hand_back(vhdd_recovery_next(&station->recovery)->owner);
	if (station->in_service != NULL)
		hand_back(station->in_service);
	if (station->refused != NULL)
		hand_back(station->refused);
	vhdd_model_free(station->model);
}

/* What there is a tag for goes to the drive. */
static int feed_drive(struct vhdd_station *station, int64_t now_ns)
{
	struct vhdd_host_request *request;

	while (!vhdd_recovery_pending(&station->recovery) &&
	       (request = vhdd_host_dispatch(&station->host, now_ns)) != NULL) {
		int result = vhdd_model_submit(station->model, &request->drive,
					       now_ns + station->params.path_ns);
		if (result != 0) {
			station->refused = request;
			return result;
		}
	}
	if (vhdd_model_queued(station->model) > station->max_queue)
		station->max_queue = vhdd_model_queued(station->model);
	return 0;
}

int vhdd_station_submit(struct vhdd_station *station, struct vhdd_host_request *request,
			int64_t now_ns)
{
	request->submit_ns = now_ns;
	request->drive.owner = request;
	vhdd_host_insert(&station->host, request);
	return feed_drive(station, now_ns);
}

static int64_t service_end_ns(const struct vhdd_station *station)
{
	return station->in_service == NULL ? INT64_MAX : station->in_service->drive.finish_ns;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

int64_t vhdd_station_answer_ns(const struct vhdd_station *station)
{
	return earlier(service_end_ns(station),
		       earlier(vhdd_model_next_end_ns(station->model),
			       vhdd_recovery_end_ns(&station->recovery)));
}

int64_t vhdd_station_choice_ns(const struct vhdd_station *station)
{
	return station->in_service == NULL ? vhdd_model_next_choice_ns(station->model) : INT64_MAX;
}

/* The drive has ended with it: the request, or NULL if it is answered later. */
static struct vhdd_host_request *ended(struct vhdd_station *station,
				       struct vhdd_host_request *request, int64_t now_ns)
{
	bool given_up = request->drive.cdl.unavailable &&
			station->params.transport == VHDD_TRANSPORT_SATA;

	if (given_up)
		vhdd_recovery_add(&station->recovery, &request->drive);
	if (vhdd_recovery_pending(&station->recovery) && station->in_service == NULL &&
	    vhdd_model_queued(station->model) == 0)
		vhdd_recovery_drained(&station->recovery, now_ns + station->params.recovery_ns);
	return given_up ? NULL : request;
}

/* At equal times what the drive has served goes first, then what a limit ends, then what it had given up. */
static struct vhdd_host_request *end_one(struct vhdd_station *station, int64_t now_ns)
{
	struct vhdd_host_request *served = station->in_service;
	struct vhdd_request *given_up;

	if (service_end_ns(station) == now_ns) {
		station->in_service = NULL;
		return ended(station, served, now_ns);
	}
	if (vhdd_model_next_end_ns(station->model) == now_ns)
		return ended(station, vhdd_model_end(station->model, now_ns)->owner, now_ns);
	given_up = vhdd_recovery_next(&station->recovery);
	return given_up == NULL ? NULL : given_up->owner;
}

int vhdd_station_answer(struct vhdd_station *station, int64_t now_ns,
			struct vhdd_host_request **answered)
{
	*answered = end_one(station, now_ns);
	if (*answered != NULL)
		vhdd_host_complete(&station->host, *answered);
	return feed_drive(station, now_ns);
}

void vhdd_station_choose(struct vhdd_station *station, int64_t now_ns)
{
	struct vhdd_request *request = vhdd_model_next(station->model, now_ns);

	station->in_service = request == NULL ? NULL : request->owner;
}
