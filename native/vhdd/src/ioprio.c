#include "ioprio.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_LEVEL 4

static const char *const class_names[] = {
	[VHDD_CLASS_NONE] = "none",
	[VHDD_CLASS_RT] = "rt",
	[VHDD_CLASS_BE] = "be",
	[VHDD_CLASS_IDLE] = "idle",
};

static int refuse(const char *text, char *error, size_t size)
{
	snprintf(error, size,
		 "%s: allowed is none, idle, rt, rt:0 to rt:7, be, be:0 to be:7, and behind all but "
		 "none +1 to +7 for a duration limit",
		 text);
	return -EINVAL;
}

/* If rest begins with mark and a digit from low to 7, takes both. */
static const char *take_digit(const char *rest, char mark, char low, unsigned *digit)
{
	if (rest[0] != mark || rest[1] < low || rest[1] > '7')
		return rest;
	*digit = (unsigned)(rest[1] - '0');
	return rest + 2;
}

int vhdd_ioprio_parse(const char *text, uint16_t *ioprio, char *error, size_t size)
{
	size_t length = strcspn(text, ":+");

	for (unsigned class = VHDD_CLASS_NONE; class <= VHDD_CLASS_IDLE; class++) {
		const char *rest = text + length;
		unsigned level = 0;
		unsigned hint = 0;
		if (strlen(class_names[class]) != length ||
		    strncmp(text, class_names[class], length) != 0)
			continue;
		if (class == VHDD_CLASS_RT || class == VHDD_CLASS_BE) {
			level = DEFAULT_LEVEL;
			rest = take_digit(rest, ':', '0', &level);
		}
		if (class != VHDD_CLASS_NONE)
			rest = take_digit(rest, '+', '1', &hint);
		if (*rest != '\0')
			break;
		*ioprio = vhdd_ioprio_make(class, level, hint);
		return 0;
	}
	return refuse(text, error, size);
}

const char *vhdd_ioprio_format(uint16_t ioprio, char *text, size_t size)
{
	unsigned class = vhdd_ioprio_class(ioprio);
	unsigned hint = vhdd_ioprio_hint(ioprio);
	size_t used;

	if (class > VHDD_CLASS_IDLE) {
		snprintf(text, size, "0x%04x", ioprio);
		return text;
	}
	used = (size_t)snprintf(text, size, "%s", class_names[class]);
	if ((class == VHDD_CLASS_RT || class == VHDD_CLASS_BE) && used < size)
		used += (size_t)snprintf(text + used, size - used, ":%u",
					 vhdd_ioprio_level(ioprio));
	if (hint != 0 && used < size)
		snprintf(text + used, size - used, "+%u", hint);
	return text;
}
