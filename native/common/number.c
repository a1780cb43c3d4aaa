// SPDX-License-Identifier: Apache-2.0
#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

bool hprio_parse_whole(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end || errno || value < min || value > max)
		return false;
	*number = value;
	return true;
}

uint64_t hprio_whole_option(const struct argp_state *state, const char *option, const char *text,
			    uint64_t min, uint64_t max)
{
	uint64_t number = 0;

	if (!hprio_parse_whole(text, min, max, &number))
		argp_error(state, "--%s=%s: allowed is a whole number from %" PRIu64 " to %" PRIu64,
			   option, text, min, max);
	return number;
}
