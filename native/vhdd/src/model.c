#include "model.h"

#include "model_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 512
#define FIRST_CAPACITY 64

struct vhdd_model *vhdd_model_new(const struct vhdd_params *params)
{
	char error[256];
	struct vhdd_model *model;

	if (vhdd_params_check(params, error, sizeof(error)) != 0) {
		errno = EINVAL;
		return NULL;
	}
	model = calloc(1, sizeof(*model));
	if (model == NULL)
		return NULL;
	model->params = *params;
	model->chosen_ns = INT64_MIN;
	model->busy_until_ns = INT64_MIN;
	vhdd_geometry_init(&model->geometry, params);
	if (vhdd_readahead_init(&model->buffer, params) != 0) {
		free(model);
		errno = ENOMEM;
		return NULL;
	}
	return model;
}

void vhdd_model_free(struct vhdd_model *model)
{
	if (model == NULL)
		return;
	vhdd_readahead_destroy(&model->buffer);
	free(model->queue);
	free(model);
}

void vhdd_model_set_params(struct vhdd_model *model, const struct vhdd_params *params)
{
	size_t count;
	const struct vhdd_param_info *info = vhdd_params_table(&count);

	for (size_t i = 0; i < count; i++) {
		if (info[i].live)
			vhdd_params_copy(&model->params, params, &info[i]);
	}
}

static int reserve(struct vhdd_model *model, size_t more)
{
	size_t capacity = model->capacity == 0 ? FIRST_CAPACITY : model->capacity;
	struct entry *queue;

	if (model->queued + more <= model->capacity)
		return 0;
	while (capacity < model->queued + more)
		capacity *= 2;
	queue = realloc(model->queue, capacity * sizeof(*queue));
	if (queue == NULL)
		return -ENOMEM;
	model->queue = queue;
	model->capacity = capacity;
	return 0;
}

int vhdd_model_admit(struct vhdd_model *model, const struct vhdd_request *request, size_t more)
{
	uint64_t size = model->params.size_bytes;

	if (request->length == 0 || request->offset % SECTOR_BYTES != 0 ||
	    request->length % SECTOR_BYTES != 0 || request->offset >= size ||
	    request->length > size - request->offset)
		return -EINVAL;
	return reserve(model, more);
}

int vhdd_model_submit(struct vhdd_model *model, struct vhdd_request *request, int64_t arrival_ns)
{
	int error = vhdd_model_admit(model, request, 1);
	size_t place;

	if (error != 0)
		return error;
	request->arrival_ns = later(arrival_ns, model->chosen_ns);
	for (place = model->queued; place > 0; place--)
		if (model->queue[place - 1].request->arrival_ns <= request->arrival_ns)
			break;
	memmove(&model->queue[place + 1], &model->queue[place],
		(model->queued - place) * sizeof(*model->queue));
	model->queued++;
	model->queue[place] = (struct entry){
		.request = request,
		.place = vhdd_geometry_locate(&model->geometry, request->offset),
		.transfer_ns = vhdd_geometry_transfer_ns(&model->geometry, request->offset,
							 request->length),
	};
	return 0;
}

size_t vhdd_model_queued(const struct vhdd_model *model)
{
	return model->queued;
}

int64_t vhdd_model_next_choice_ns(const struct vhdd_model *model)
{
	if (model->queued == 0)
		return INT64_MAX;
	return later(model->busy_until_ns, model->queue[0].request->arrival_ns);
}

/* Whether a duration limit ends the request before it is done; then it ends then, without data. */
static bool cut_short(const struct vhdd_model *model, const struct entry *entry)
{
	struct vhdd_request *request = entry->request;
	int64_t end_ns = later(request->start_ns, vhdd_choice_limit_end_ns(model, entry, request->start_ns));
	bool cut = end_ns < request->finish_ns;

	if (cut)
		request->finish_ns = end_ns;
	vhdd_choice_judge(model, entry, request->start_ns, cut);
	return cut;
}

/* From the buffer, at the interface's rate; an arriving request no earlier than from the media. */
static void serve_from_buffer(struct vhdd_model *model, const struct plan *plan,
			      const struct entry *entry)
{
	struct vhdd_request *request = entry->request;
	double answer_ns = (double)request->length / model->params.interface_bytes_per_s * 1e9;
	int64_t finish_ns = plan->begin_ns + llround(answer_ns);

	if (plan->buffer == VHDD_BUFFER_ARRIVING)
		finish_ns = later(finish_ns,
				  vhdd_readahead_arrive(&model->buffer, &model->geometry,
							request->offset, request->length));
	else
		vhdd_readahead_hit(&model->buffer, &model->geometry, request->offset,
				   request->length, plan->begin_ns);
	request->start_ns = plan->begin_ns;
	request->finish_ns = finish_ns;
	cut_short(model, entry);
}

static void serve_from_media(struct vhdd_model *model, const struct plan *plan,
			     const struct entry *entry)
{
	struct vhdd_request *request = entry->request;
	uint64_t end = request->offset + request->length;

	request->start_ns = plan->streaming ? model->busy_until_ns : plan->begin_ns;
	request->finish_ns = request->start_ns +
			     llround(plan->positioning_ns + entry->transfer_ns);
	if (model->buffer.active)
		vhdd_readahead_leave(&model->buffer, request->start_ns);
	if (cut_short(model, entry)) {
		/* How far the head came is not worth a model: it is where it was sent to. */
		model->track = entry->place.track;
		model->write_open = false;
		return;
	}
	if (!request->write)
		vhdd_readahead_begin(&model->buffer, &model->geometry, request->offset,
				     request->length, request->finish_ns);
	model->track = vhdd_geometry_locate(&model->geometry, end - 1).track;
	model->write_open = request->write;
	model->write_end = end;
}

static void remove_entry(struct vhdd_model *model, size_t index)
{
	model->queued--;
	memmove(&model->queue[index], &model->queue[index + 1],
		(model->queued - index) * sizeof(*model->queue));
}

struct vhdd_request *vhdd_model_next(struct vhdd_model *model, int64_t now_ns)
{
	struct plan plan = {0};
	struct entry entry;
	size_t window;
	size_t index;

	if (model->queued == 0)
		return NULL;
	now_ns = later(now_ns, vhdd_model_next_choice_ns(model));
	window = vhdd_choice_arrived(model, now_ns);
	if (window > model->params.queue_window)
		window = model->params.queue_window;
	index = vhdd_choice_make(model, window, now_ns, &plan);
	entry = model->queue[index];
	remove_entry(model, index);
	if (plan.buffer == VHDD_BUFFER_MISS)
		serve_from_media(model, &plan, &entry);
	else
		serve_from_buffer(model, &plan, &entry);
	model->chosen_ns = now_ns;
	model->busy_until_ns = entry.request->finish_ns;
	return entry.request;
}

/* The queued entry that a duration limit ends first, or NULL; and when. */
static const struct entry *first_to_end(const struct vhdd_model *model, int64_t *when_ns)
{
	const struct entry *first = NULL;

	*when_ns = INT64_MAX;
	if (model->params.mode != VHDD_MODE_CDL)
		return NULL;
	for (size_t i = 0; i < model->queued; i++) {
		int64_t end_ns = vhdd_choice_limit_end_ns(model, &model->queue[i], VHDD_CDL_WAITING);

		if (end_ns < *when_ns) {
			*when_ns = end_ns;
			first = &model->queue[i];
		}
	}
	return first;
}

int64_t vhdd_model_next_end_ns(const struct vhdd_model *model)
{
	int64_t when_ns;

	first_to_end(model, &when_ns);
	return when_ns;
}

struct vhdd_request *vhdd_model_end(struct vhdd_model *model, int64_t now_ns)
{
	int64_t when_ns;
	const struct entry *first = first_to_end(model, &when_ns);
	struct vhdd_request *request;

	if (first == NULL || when_ns > now_ns)
		return NULL;
	request = first->request;
	request->start_ns = when_ns;
	request->finish_ns = when_ns;
	vhdd_choice_judge(model, first, VHDD_CDL_WAITING, true);
	remove_entry(model, (size_t)(first - model->queue));
	return request;
}
