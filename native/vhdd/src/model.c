#include "model.h"

#include "geometry.h"
#include "ioprio.h"
#include "params.h"
#include "readahead.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 512
#define FIRST_CAPACITY 64

/*
 * Commands that are expected to come, and to go first, while one waits for its guideline. Fitted to the p99
 * of the published limits of 100 and 300 ms at queue depth 4.
 */
#define COMING_COMMANDS 2

/* Lower is served first; the score decides within a tier. */
enum { TIER_FIRST, TIER_REST, TIER_LAST };

/* A queued request and what of its place does not change with time. */
struct entry {
	struct vhdd_request *request;
	struct vhdd_place place;
	double transfer_ns;
};

/* What serving an entry at a given time would take. */
struct plan {
	enum vhdd_buffer_state buffer;
	bool streaming;       /* a write that goes on where the last one ended */
	int64_t begin_ns;     /* not before the command is decoded */
	double positioning_ns; /* from begin_ns */
	double delay_ns;      /* from the choice to the first byte */
};

struct vhdd_model {
	struct vhdd_params params;
	struct vhdd_geometry geometry;
	struct vhdd_readahead buffer;
	struct entry *queue; /* by arrival, also those that are still to arrive */
	size_t queued;
	size_t capacity;
	int64_t chosen_ns;   /* the time of the latest choice */
	int64_t busy_until_ns;
	uint64_t track;     /* where the last transfer ended */
	bool write_open;    /* the last transfer was a write, which ended at write_end */
	uint64_t write_end;
};

static bool is_rt(const struct vhdd_request *request)
{
	return hprio_ioprio_class(request->ioprio) == HPRIO_CLASS_RT;
}

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

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
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

/* How many of the queued requests have arrived: the oldest ones. */
static size_t arrived(const struct vhdd_model *model, int64_t now_ns)
{
	size_t count = 0;

	while (count < model->queued && model->queue[count].request->arrival_ns <= now_ns)
		count++;
	return count;
}

/* Where the head is: with the read-ahead, or at the end of the last transfer. */
static uint64_t head_track(const struct vhdd_model *model, int64_t now_ns)
{
	if (!model->buffer.active)
		return model->track;
	return vhdd_geometry_locate(&model->geometry,
				    vhdd_readahead_reached(&model->buffer, now_ns) - 1)
		.track;
}

/* A queued write that continues the last one and arrived before the head reached it. */
static bool continues_write(const struct vhdd_model *model, const struct vhdd_request *request)
{
	return request->write && model->write_open && request->offset == model->write_end &&
	       request->arrival_ns + model->params.overhead_ns <= model->busy_until_ns;
}

static struct plan make_plan(const struct vhdd_model *model, const struct entry *entry,
			     uint64_t head, int64_t now_ns)
{
	const struct vhdd_request *request = entry->request;
	int64_t ready_ns = request->arrival_ns + model->params.overhead_ns;
	struct plan plan = {
		.buffer = VHDD_BUFFER_MISS,
		.streaming = continues_write(model, request),
		.begin_ns = later(ready_ns, now_ns),
	};

	plan.delay_ns = (double)(plan.begin_ns - now_ns);
	if (plan.streaming)
		return plan;
	if (!request->write) {
		plan.buffer = vhdd_readahead_lookup(&model->buffer, request->offset,
						    request->length, plan.begin_ns);
		if (plan.buffer != VHDD_BUFFER_MISS)
			return plan;
	}
	plan.begin_ns = later(plan.begin_ns, ready_ns + model->params.media_overhead_ns);
	plan.delay_ns = (double)(plan.begin_ns - now_ns);
	double seek = vhdd_geometry_seek_ns(&model->geometry, head, entry->place.track,
					    request->write);
	plan.positioning_ns = seek + vhdd_geometry_wait_ns(&model->geometry, entry->place.angle_ns,
							   plan.begin_ns, seek);
	plan.delay_ns += plan.positioning_ns;
	return plan;
}

/* A command as the duration limits see it; begun_ns is of the caller's clock. */
static struct vhdd_cdl_command limits_of(const struct vhdd_model *model, const struct entry *entry,
					 int64_t begun_ns)
{
	const struct vhdd_request *request = entry->request;
	struct vhdd_cdl_command command = {
		.fastest_ns = model->params.overhead_ns + model->params.media_overhead_ns +
			      llround(entry->transfer_ns),
		.begun_ns = begun_ns == VHDD_CDL_WAITING ? VHDD_CDL_WAITING
							 : begun_ns - request->arrival_ns,
	};
	unsigned hint = hprio_ioprio_hint(request->ioprio);

	if (hint == 0 && is_rt(request))
		hint = model->params.cdl_rt_hint;
	if (model->params.mode == VHDD_MODE_CDL && hint <= VHDD_CDL_DESCRIPTORS)
		command.descriptor = hint;
	return command;
}

/* When a duration limit ends it, of the caller's clock; INT64_MAX: never. */
static int64_t limit_end_ns(const struct vhdd_model *model, const struct entry *entry,
			    int64_t begun_ns)
{
	struct vhdd_cdl_command command = limits_of(model, entry, begun_ns);
	int64_t end_ns = vhdd_cdl_end_ns(model->params.cdl, &command);

	return end_ns == INT64_MAX ? INT64_MAX : entry->request->arrival_ns + end_ns;
}

static void judge(const struct vhdd_model *model, const struct entry *entry, int64_t begun_ns,
		  bool unavailable)
{
	struct vhdd_request *request = entry->request;
	struct vhdd_cdl_command command = limits_of(model, entry, begun_ns);

	request->cdl = vhdd_cdl_judge(model->params.cdl, &command,
				      request->finish_ns - request->arrival_ns, unavailable);
}

/* When the guideline comes that a command follows now, of the caller's clock; INT64_MAX: it follows none. */
static int64_t guideline_end_ns(const struct vhdd_model *model, const struct entry *entry,
				int64_t now_ns)
{
	int64_t arrival_ns = entry->request->arrival_ns;
	struct vhdd_cdl_command command;
	unsigned number;
	int64_t limit_ns;

	if (model->params.mode != VHDD_MODE_CDL)
		return INT64_MAX;
	command = limits_of(model, entry, VHDD_CDL_WAITING);
	number = vhdd_cdl_applies(model->params.cdl, &command, now_ns - arrival_ns);
	limit_ns = number == 0 ? 0 : model->params.cdl[number - 1].guideline.ns;
	return limit_ns == 0 ? INT64_MAX : arrival_ns + limit_ns;
}

/* For how long a command may wait on and still achieve its guideline; INFINITY: it follows none now. */
static double slack_of(const struct vhdd_model *model, const struct entry *entry,
		       const struct plan *plan, int64_t now_ns)
{
	int64_t end_ns = guideline_end_ns(model, entry, now_ns);

	/* What is on top of the fastest time is all until the first byte. */
	return end_ns == INT64_MAX ? INFINITY : (double)(end_ns - now_ns) - plan->delay_ns;
}

/*
 * How long it takes to serve those that go before a command with a guideline if it lets others go first,
 * without any choice among them: those without a guideline, with an earlier one, and those that come.
 */
static double others_ns(const struct vhdd_model *model, const struct entry *entry, int64_t now_ns)
{
	double service_ns = (double)model->params.seek_avg_ns +
			    (double)model->geometry.revolution_ns / 2;
	int64_t end_ns = guideline_end_ns(model, entry, now_ns);
	unsigned others = COMING_COMMANDS;
	size_t count = arrived(model, now_ns);

	for (size_t i = 0; i < count; i++) {
		int64_t other_end_ns = guideline_end_ns(model, &model->queue[i], now_ns);

		others += other_end_ns == INT64_MAX || other_end_ns < end_ns;
	}
	return others * service_ns;
}

/*
 * A command that has missed its guideline is completed as early as possible (SPC-6, 7.5.11.2, policy 0h).
 * One that achieves it even after the others lets them go first.
 */
static int guided_tier(const struct vhdd_model *model, const struct entry *entry, double slack_ns,
		       int64_t now_ns)
{
	if (slack_ns < 0)
		return TIER_FIRST;
	return slack_ns != INFINITY && slack_ns > others_ns(model, entry, now_ns) ? TIER_LAST
										  : TIER_REST;
}

static int tier_of(const struct vhdd_model *model, const struct entry *entry, double slack_ns,
		   int64_t now_ns)
{
	return model->params.mode == VHDD_MODE_CDL ? guided_tier(model, entry, slack_ns, now_ns)
						   : TIER_FIRST;
}

/* What a command without a guideline is ahead of a new one by. */
static double age_lead(const struct vhdd_model *model, const struct vhdd_request *request,
		       int64_t now_ns)
{
	double age_ns = (double)(now_ns - request->arrival_ns);
	double oldest_ns = (double)(now_ns - model->queue[0].request->arrival_ns);
	double share = oldest_ns > 0 ? age_ns / oldest_ns : 0;

	return model->params.age_weight * age_ns + (double)model->params.oldest_lead_ns * share;
}

/*
 * In ns of positioning: a lower score goes first. A guideline is a target and no priority: with much
 * time left a command lets others go first, and gets ahead of them as the time passes.
 */
static double score_of(const struct vhdd_model *model, const struct vhdd_request *request,
		       const struct plan *plan, double slack_ns, int64_t now_ns)
{
	const struct vhdd_params *params = &model->params;

	if (slack_ns == INFINITY)
		return plan->delay_ns - age_lead(model, request, now_ns);
	return plan->delay_ns - (double)params->cdl_gain_ns +
	       params->cdl_slack_weight * fmax(slack_ns, 0);
}

static int64_t age_limit_ns(const struct vhdd_params *params)
{
	return params->mode == VHDD_MODE_PRIO ? params->prio_max_age_ns : params->max_age_ns;
}

/* What class RT is ahead of others by: it grows with the age of the one that would go first. */
static double rt_lead(const struct vhdd_model *model, const struct vhdd_request *request,
		      int64_t now_ns)
{
	return (double)model->params.prio_bonus_ns +
	       model->params.prio_age_weight * (double)(now_ns - request->arrival_ns);
}

/* The best entry of some class. */
struct candidate {
	size_t index;
	int tier;
	double score;
	struct plan plan;
};

static void offer(struct candidate *best, const struct candidate *other)
{
	if (other->tier < best->tier ||
	    (other->tier == best->tier && other->score < best->score))
		*best = *other;
}

/* The index of the chosen entry among the oldest `window` ones, and its plan. */
static size_t choose(struct vhdd_model *model, size_t window, int64_t now_ns, struct plan *chosen)
{
	const struct candidate none = {.tier = TIER_LAST, .score = INFINITY};
	struct candidate best_rt = none;
	struct candidate best = none;
	uint64_t head = head_track(model, now_ns);
	bool prio = model->params.mode == VHDD_MODE_PRIO;

	if (now_ns - model->queue[0].request->arrival_ns > age_limit_ns(&model->params)) {
		*chosen = make_plan(model, &model->queue[0], head, now_ns);
		return 0;
	}
	for (size_t i = 0; i < window; i++) {
		const struct entry *entry = &model->queue[i];
		struct plan plan = make_plan(model, entry, head, now_ns);
		double slack_ns = slack_of(model, entry, &plan, now_ns);
		const struct candidate candidate = {
			.index = i,
			.tier = tier_of(model, entry, slack_ns, now_ns),
			.score = score_of(model, entry->request, &plan, slack_ns, now_ns),
			.plan = plan,
		};

		offer(prio && is_rt(entry->request) ? &best_rt : &best, &candidate);
	}
	/* Among commands of class RT the drive chooses as usual; the bonus counts only against the others. */
	if (best_rt.score < INFINITY) {
		best_rt.score -= rt_lead(model, model->queue[best_rt.index].request, now_ns);
		offer(&best, &best_rt);
	}
	*chosen = best.plan;
	return best.index;
}

/* Whether a duration limit ends the request before it is done; then it ends then, without data. */
static bool cut_short(const struct vhdd_model *model, const struct entry *entry)
{
	struct vhdd_request *request = entry->request;
	int64_t end_ns = later(request->start_ns, limit_end_ns(model, entry, request->start_ns));
	bool cut = end_ns < request->finish_ns;

	if (cut)
		request->finish_ns = end_ns;
	judge(model, entry, request->start_ns, cut);
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
	window = arrived(model, now_ns);
	if (window > model->params.queue_window)
		window = model->params.queue_window;
	index = choose(model, window, now_ns, &plan);
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
		int64_t end_ns = limit_end_ns(model, &model->queue[i], VHDD_CDL_WAITING);

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
	judge(model, first, VHDD_CDL_WAITING, true);
	remove_entry(model, (size_t)(first - model->queue));
	return request;
}
