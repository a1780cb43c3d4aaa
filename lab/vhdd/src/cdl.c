// SPDX-License-Identifier: Apache-2.0
#include "cdl.h"

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static bool exceeds(const struct vhdd_cdl_limit *limit, int64_t ns)
{
	return limit->ns != 0 && ns > limit->ns;
}

static bool ends_command(const struct vhdd_cdl_limit *limit)
{
	return limit->ns != 0 && limit->policy == VHDD_CDL_UNAVAILABLE;
}

static bool passes_on(const struct vhdd_cdl_limit *guideline)
{
	return guideline->ns != 0 && (guideline->policy == VHDD_CDL_NEXT ||
				      guideline->policy == VHDD_CDL_NO_LIMIT);
}

/* The descriptor of a command that has exceeded this one's guideline, whose policy passes it on. */
static unsigned successor(const struct vhdd_cdl_descriptor *set, unsigned number)
{
	return set[number - 1].guideline.policy == VHDD_CDL_NEXT && number < VHDD_CDL_DESCRIPTORS
		       ? number + 1
		       : 0;
}

unsigned vhdd_cdl_applies(const struct vhdd_cdl_descriptor *set,
			  const struct vhdd_cdl_command *command, int64_t age_ns)
{
	unsigned number = command->descriptor;

	while (number != 0 && passes_on(&set[number - 1].guideline) &&
	       exceeds(&set[number - 1].guideline, age_ns - command->fastest_ns))
		number = successor(set, number);
	return number;
}

/* When this descriptor would end the command if it applied from the start. */
static int64_t end_by(const struct vhdd_cdl_descriptor *descriptor,
		      const struct vhdd_cdl_command *command)
{
	int64_t end_ns = INT64_MAX;

	if (ends_command(&descriptor->inactive) && exceeds(&descriptor->inactive, command->begun_ns))
		end_ns = descriptor->inactive.ns + 1;
	if (ends_command(&descriptor->active) && command->begun_ns != VHDD_CDL_WAITING)
		end_ns = earlier(end_ns, command->begun_ns + descriptor->active.ns + 1);
	if (ends_command(&descriptor->guideline))
		end_ns = earlier(end_ns, command->fastest_ns + descriptor->guideline.ns + 1);
	return end_ns;
}

int64_t vhdd_cdl_end_ns(const struct vhdd_cdl_descriptor *set,
			const struct vhdd_cdl_command *command)
{
	unsigned number = command->descriptor;
	int64_t since_ns = 0; /* from when on it applies */

	while (number != 0) {
		const struct vhdd_cdl_descriptor *descriptor = &set[number - 1];
		int64_t end_ns = later(since_ns, end_by(descriptor, command));
		int64_t pass_ns = INT64_MAX;

		if (passes_on(&descriptor->guideline))
			pass_ns = later(since_ns,
					command->fastest_ns + descriptor->guideline.ns + 1);
		if (end_ns <= pass_ns)
			return end_ns;
		since_ns = pass_ns;
		number = successor(set, number);
	}
	return INT64_MAX;
}

struct vhdd_cdl_verdict vhdd_cdl_judge(const struct vhdd_cdl_descriptor *set,
				       const struct vhdd_cdl_command *command, int64_t done_ns,
				       bool unavailable)
{
	struct vhdd_cdl_verdict verdict = {.unavailable = unavailable};
	unsigned number = command->descriptor;

	while (number != 0) {
		const struct vhdd_cdl_descriptor *descriptor = &set[number - 1];
		bool missed = exceeds(&descriptor->guideline, done_ns - command->fastest_ns);
		bool passed_on = missed && passes_on(&descriptor->guideline);
		/* A descriptor's limits count as long as it applies. */
		int64_t until_ns = passed_on ? command->fastest_ns + descriptor->guideline.ns
					     : done_ns;
		uint8_t bit = (uint8_t)(1u << (number - 1));

		verdict.used |= bit;
		if (missed)
			verdict.guideline |= bit;
		if (exceeds(&descriptor->inactive, earlier(command->begun_ns, until_ns)))
			verdict.inactive |= bit;
		if (exceeds(&descriptor->active, until_ns - command->begun_ns))
			verdict.active |= bit;
		number = passed_on ? successor(set, number) : 0;
	}
	return verdict;
}

void vhdd_cdl_count(struct vhdd_cdl_counts *counts, const struct vhdd_cdl_verdict *verdict)
{
	for (unsigned i = 0; i < VHDD_CDL_DESCRIPTORS; i++) {
		uint8_t bit = (uint8_t)(1u << i);

		if (!(verdict->used & bit))
			continue;
		counts[i].commands++;
		counts[i].inactive += (verdict->inactive & bit) != 0;
		counts[i].active += (verdict->active & bit) != 0;
		counts[i].guideline += (verdict->guideline & bit) != 0;
		counts[i].met += !((verdict->inactive | verdict->active | verdict->guideline) & bit);
		/* Descriptors apply by rising number: the highest is the last. */
		counts[i].unavailable += verdict->unavailable && verdict->used >> (i + 1) == 0;
	}
}
