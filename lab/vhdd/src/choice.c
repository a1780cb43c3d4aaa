// SPDX-License-Identifier: Apache-2.0
/* Which of its commands a drive serves next, and what that would take. */
#include "ioprio.h"
#include "model_parts.h"

#include <math.h>

/*
 * Commands that are expected to come, and to go first, while one waits for its guideline. Fitted to the p99
 * of the published limits of 100 and 300 ms at queue depth 4.
 */
#define COMING_COMMANDS 2

/* Lower is served first; the score decides within a tier. */
enum { TIER_FIRST, TIER_REST, TIER_LAST };

static bool is_rt(const struct vhdd_request *request)
{
	return hprio_ioprio_class(request->ioprio) == HPRIO_CLASS_RT;
}

size_t vhdd_choice_arrived(const struct vhdd_model *model, int64_t now_ns)
{
	size_t count = 0;

	while (count < model->queued && !model->queue[count].request->flush &&
	       model->queue[count].request->arrival_ns <= now_ns)
		count++;
	return count;
}

uint64_t vhdd_choice_head_track(const struct vhdd_model *model, int64_t now_ns)
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
	if (plan.streaming) {
		plan.positioning_ns = vhdd_geometry_go_on_ns(&model->geometry, request->offset);
		plan.delay_ns += plan.positioning_ns;
		return plan;
	}
	if (!request->write) {
		plan.buffer = vhdd_writecache_has(&model->cache, request->offset, request->length)
				      ? VHDD_BUFFER_HIT
				      : vhdd_readahead_lookup(&model->buffer, request->offset,
							      request->length, plan.begin_ns);
		if (plan.buffer != VHDD_BUFFER_MISS)
			return plan;
	}
	plan.begin_ns = later(plan.begin_ns, ready_ns + model->params.media_overhead_ns);
	plan.begin_ns = later(plan.begin_ns, vhdd_readahead_may_leave_ns(&model->buffer));
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

int64_t vhdd_choice_limit_end_ns(const struct vhdd_model *model, const struct entry *entry,
				 int64_t begun_ns)
{
	struct vhdd_cdl_command command = limits_of(model, entry, begun_ns);
	int64_t end_ns = vhdd_cdl_end_ns(model->params.cdl, &command);

	return end_ns == INT64_MAX ? INT64_MAX : entry->request->arrival_ns + end_ns;
}

void vhdd_choice_judge(const struct vhdd_model *model, const struct entry *entry, int64_t begun_ns,
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
	size_t count = vhdd_choice_arrived(model, now_ns);

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

size_t vhdd_choice_make(struct vhdd_model *model, size_t window, int64_t now_ns, struct plan *chosen)
{
	const struct candidate none = {.tier = TIER_LAST, .score = INFINITY};
	struct candidate best_rt = none;
	struct candidate best = none;
	uint64_t head = vhdd_choice_head_track(model, now_ns);
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
