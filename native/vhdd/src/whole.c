#include "whole.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

uint64_t vhdd_whole(const char *text, const char *option, uint64_t min, uint64_t max,
		    const struct argp_state *state)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || value < min ||
	    value > max)
		argp_error(state, "--%s=%s: allowed is a whole number from %llu to %llu", option,
			   text, (unsigned long long)min, (unsigned long long)max);
	return value;
}
