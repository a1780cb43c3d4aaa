/* Whole numbers as values of argp options. */
#ifndef VHDD_WHOLE_H
#define VHDD_WHOLE_H

#include <argp.h>
#include <stdint.h>

/*
 * The text as a whole decimal number from min to max. Anything else ends the command with a message
 * that names the option (without dashes), the text and what is allowed.
 */
uint64_t vhdd_whole(const char *text, const char *option, uint64_t min, uint64_t max,
		    const struct argp_state *state);

#endif
