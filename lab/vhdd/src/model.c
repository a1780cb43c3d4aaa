// SPDX-License-Identifier: Apache-2.0
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
	if (vhdd_readahead_init(&model->buffer, params) != 0 ||
	    vhdd_writecache_init(&model->cache, params) != 0) {
		vhdd_model_free(model);
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
	vhdd_writecache_destroy(&model->cache);
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

	if (request->flush)
		return reserve(model, more);
	if (request->length == 0 || request->offset % SECTOR_BYTES != 0 ||
	    request->length % SECTOR_BYTES != 0 || request->offset >= size ||
	    request->length > size - request->offset)
		return -EINVAL;
	return reserve(model, more);
}

static struct entry make_entry(const struct vhdd_model *model, struct vhdd_request *request)
{
	struct entry entry = {.request = request};

	if (request->flush)
		return entry;
	entry.place = vhdd_geometry_locate(&model->geometry, request->offset);
	entry.transfer_ns =
		vhdd_geometry_transfer_ns(&model->geometry, request->offset, request->length);
	return entry;
}

int vhdd_model_submit(struct vhdd_model *model, struct vhdd_request *request, int64_t arrival_ns)
{
	int error = vhdd_model_admit(model, request, 1);
	size_t place;

	if (error != 0)
		return error;
	request->arrival_ns = later(arrival_ns, model->chosen_ns);
	if (vhdd_writecache_takes(&model->cache, request)) {
		vhdd_writecache_wait(&model->cache, request);
		return 0;
	}
	for (place = model->queued; place > 0; place--)
		if (model->queue[place - 1].request->arrival_ns <= request->arrival_ns)
			break;
	memmove(&model->queue[place + 1], &model->queue[place],
		(model->queued - place) * sizeof(*model->queue));
	model->queued++;
	model->queue[place] = make_entry(model, request);
	return 0;
}

size_t vhdd_model_queued(const struct vhdd_model *model)
{
	return model->queued + model->cache.waiting_count;
}

int64_t vhdd_model_free_ns(const struct vhdd_model *model)
{
	return model->busy_until_ns;
}

/* When there is something in the queue for the arm. A flush waits for what came before it. */
static int64_t queue_due_ns(const struct vhdd_model *model)
{
	const struct vhdd_request *first;

	if (model->queued == 0)
		return INT64_MAX;
	first = model->queue[0].request;
	if (first->flush &&
	    (model->cache.used > 0 || vhdd_writecache_first(&model->cache, first->arrival_ns)))
		return INT64_MAX;
	return first->arrival_ns;
}

/* A flush that has come asks for all that is dirty, and so does a cache that fills. */
static bool destage_is_urgent(const struct vhdd_model *model, int64_t now_ns)
{
	return vhdd_writecache_is_filling(&model->cache) ||
	       (model->queued > 0 && model->queue[0].request->flush &&
		model->queue[0].request->arrival_ns <= now_ns);
}

/* When there is something to write out, if nothing is in the queue. The drive reads ahead before. */
static int64_t destage_due_ns(const struct vhdd_model *model)
{
	int64_t now_ns = later(model->busy_until_ns, model->cache.link_free_ns);
	int64_t idle_ns = later(now_ns, vhdd_readahead_done_ns(&model->buffer));

	if (model->cache.used == 0)
		return INT64_MAX;
	if (destage_is_urgent(model, now_ns))
		return now_ns;
	/* A flush that comes until then asks for it from its arrival on. */
	if (destage_is_urgent(model, idle_ns))
		return later(now_ns, model->queue[0].request->arrival_ns);
	return idle_ns;
}

int64_t vhdd_model_next_choice_ns(const struct vhdd_model *model)
{
	int64_t queue_ns = queue_due_ns(model);
	int64_t destage_ns = destage_due_ns(model);
	int64_t due_ns = queue_ns < destage_ns ? queue_ns : destage_ns;

	return due_ns == INT64_MAX ? INT64_MAX : later(model->busy_until_ns, due_ns);
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

/* Nothing is dirty any more. */
static struct vhdd_request *serve_flush(struct vhdd_model *model, int64_t now_ns)
{
	struct vhdd_request *request = model->queue[0].request;

	remove_entry(model, 0);
	request->start_ns = now_ns;
	request->finish_ns = later(now_ns, request->arrival_ns + model->params.overhead_ns);
	request->cdl = (struct vhdd_cdl_verdict){0};
	model->cache.open_ns = request->finish_ns;
	return request;
}

static struct vhdd_request *serve_one(struct vhdd_model *model, size_t window, int64_t now_ns)
{
	struct plan plan = {0};
	struct entry entry;
	size_t index;

	if (window > model->params.queue_window)
		window = model->params.queue_window;
	index = vhdd_choice_make(model, window, now_ns, &plan);
	entry = model->queue[index];
	remove_entry(model, index);
	if (plan.buffer == VHDD_BUFFER_MISS)
		serve_from_media(model, &plan, &entry);
	else
		serve_from_buffer(model, &plan, &entry);
	return entry.request;
}

/* The arm writes out a part of the write cache. */
static void destage(struct vhdd_model *model, int64_t now_ns)
{
	bool goes_on = model->write_open && now_ns == model->busy_until_ns;
	uint64_t track = vhdd_choice_head_track(model, now_ns);
	struct vhdd_destage next =
		vhdd_writecache_choose(&model->cache, &model->geometry, track,
				       goes_on ? model->write_end : UINT64_MAX, now_ns);
	uint64_t end = next.start + next.length;

	if (model->buffer.active)
		vhdd_readahead_leave(&model->buffer, now_ns);
	model->busy_until_ns = now_ns + llround(next.positioning_ns + next.transfer_ns);
	model->track = vhdd_geometry_locate(&model->geometry, end - 1).track;
	model->write_open = true;
	model->write_end = end;
	vhdd_writecache_destage(&model->cache, &next, now_ns, model->busy_until_ns);
}

/* With commands that wait, each second trip of the arm is for a cache that fills. */
static bool destages_next(const struct vhdd_model *model, size_t window)
{
	if (model->cache.used == 0)
		return false;
	return window == 0 ||
	       (vhdd_writecache_is_filling(&model->cache) && !model->cache.destaged_last);
}

struct vhdd_request *vhdd_model_next(struct vhdd_model *model, int64_t now_ns)
{
	struct vhdd_request *request = NULL;
	int64_t due_ns = vhdd_model_next_choice_ns(model);
	size_t window;

	if (due_ns == INT64_MAX)
		return NULL;
	now_ns = later(now_ns, due_ns);
	window = vhdd_choice_arrived(model, now_ns);
	model->cache.destaged_last = destages_next(model, window);
	if (model->cache.destaged_last) {
		destage(model, now_ns);
	} else {
		request = window == 0 ? serve_flush(model, now_ns)
				      : serve_one(model, window, now_ns);
		model->busy_until_ns = request->finish_ns;
	}
	model->chosen_ns = now_ns;
	return request;
}

/* A write that comes after a flush is not let in before the flush is done. */
static int64_t take_ns(const struct vhdd_model *model)
{
	int64_t flush_ns = INT64_MAX;

	for (size_t i = 0; i < model->queued && flush_ns == INT64_MAX; i++)
		if (model->queue[i].request->flush)
			flush_ns = model->queue[i].request->arrival_ns;
	if (vhdd_writecache_first(&model->cache, flush_ns) == NULL)
		return INT64_MAX;
	return vhdd_writecache_take_ns(&model->cache, &model->params);
}

/* The cache has the data of the first write that waits. */
static struct vhdd_request *take(struct vhdd_model *model, int64_t now_ns)
{
	struct vhdd_request *request = vhdd_writecache_take(&model->cache, now_ns);
	const struct entry entry = make_entry(model, request);

	vhdd_choice_judge(model, &entry, now_ns, false);
	return request;
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
	int64_t limit_ns;
	int64_t cache_ns = take_ns(model);

	first_to_end(model, &limit_ns);
	return cache_ns < limit_ns ? cache_ns : limit_ns;
}

struct vhdd_request *vhdd_model_end(struct vhdd_model *model, int64_t now_ns)
{
	int64_t when_ns;
	const struct entry *first = first_to_end(model, &when_ns);
	int64_t cache_ns = take_ns(model);
	struct vhdd_request *request;

	if (cache_ns <= now_ns && cache_ns < when_ns)
		return take(model, cache_ns);
	if (first == NULL || when_ns > now_ns)
		return NULL;
	request = first->request;
	request->start_ns = when_ns;
	request->finish_ns = when_ns;
	vhdd_choice_judge(model, first, VHDD_CDL_WAITING, true);
	remove_entry(model, (size_t)(first - model->queue));
	return request;
}

struct vhdd_request *vhdd_model_withdraw(struct vhdd_model *model)
{
	if (model->queued == 0)
		return vhdd_writecache_withdraw(&model->cache);
	model->queued--;
	return model->queue[model->queued].request;
}

struct vhdd_writecache_counts vhdd_model_writecache(const struct vhdd_model *model)
{
	struct vhdd_writecache_counts counts = model->cache.counts;

	counts.dirty_bytes = model->cache.bytes;
	return counts;
}
