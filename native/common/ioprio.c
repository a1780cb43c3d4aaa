// SPDX-License-Identifier: Apache-2.0
#include "ioprio.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_LEVEL 4

static const char *const class_names[] = {
	[HPRIO_CLASS_NONE] = "none",
	[HPRIO_CLASS_RT] = "rt",
	[HPRIO_CLASS_BE] = "be",
	[HPRIO_CLASS_IDLE] = "idle",
};

/* If rest begins with mark and a digit from low to 7, takes both. */
static const char *take_digit(const char *rest, char mark, char low, unsigned *digit)
{
	if (rest[0] != mark || rest[1] < low || rest[1] > '7')
		return rest;
	*digit = (unsigned)(rest[1] - '0');
	return rest + 2;
}

int hprio_ioprio_parse(const char *text, bool limits, uint16_t *ioprio, char *error, size_t size)
{
	size_t length = strcspn(text, ":+");

	for (unsigned class = HPRIO_CLASS_NONE; class <= HPRIO_CLASS_IDLE; class++) {
		const char *rest = text + length;
		unsigned level = 0;
		unsigned hint = 0;
		if (strlen(class_names[class]) != length ||
		    strncmp(text, class_names[class], length) != 0)
			continue;
		if (class == HPRIO_CLASS_RT || class == HPRIO_CLASS_BE) {
			level = DEFAULT_LEVEL;
			rest = take_digit(rest, ':', '0', &level);
		}
		if (limits && class != HPRIO_CLASS_NONE)
			rest = take_digit(rest, '+', '1', &hint);
		if (*rest != '\0')
			break;
		*ioprio = hprio_ioprio_make(class, level, hint);
		return 0;
	}
	snprintf(error, size, "%s: allowed is none, idle, rt, rt:0 to rt:7, be, be:0 to be:7%s", text,
		 limits ? ", and after all but none +1 to +7 for a duration limit" : "");
	return -EINVAL;
}

const char *hprio_ioprio_format(uint16_t ioprio, char *text, size_t size)
{
	unsigned class = hprio_ioprio_class(ioprio);
	unsigned hint = hprio_ioprio_hint(ioprio);
	size_t used;

	if (class > HPRIO_CLASS_IDLE) {
		snprintf(text, size, "0x%04x", ioprio);
		return text;
	}
	used = (size_t)snprintf(text, size, "%s", class_names[class]);
	if ((class == HPRIO_CLASS_RT || class == HPRIO_CLASS_BE) && used < size)
		used += (size_t)snprintf(text + used, size - used, ":%u",
					 hprio_ioprio_level(ioprio));
	if (hint != 0 && used < size)
		snprintf(text + used, size - used, "+%u", hint);
	return text;
}
